#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// A column of a table in the report.
struct HtmlColumn {
  std::string title;  ///< plain text
  bool is_number = false;
  std::string help;  ///< plain text, shown as a tooltip of the title; may be empty
};

/// Builds a table that scrolls sideways on a narrow page.
///
/// Cells are markup: text that comes from files must be escaped by `EscapeMarkup` first.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<HtmlColumn> columns);

  /// \param cells  one for each column; markup
  void AddRow(const std::vector<std::string>& cells, std::string_view css_class = {});
  /// \param css_class  class of the whole table, such as "wide"
  std::string Finish(std::string_view css_class = {}) const;

 private:
  std::vector<HtmlColumn> columns_;
  std::string rows_;
};

/// `text`, escaped, in a span of class `css_class`.
std::string HtmlSpan(std::string_view css_class, std::string_view text);

/// A picture with its caption. `picture` and `foot` are markup, `title` and `note` are plain text.
std::string HtmlFigure(std::string_view title, std::string_view note, bool is_invented, std::string_view picture,
                       std::string_view foot = {});

/// A section of the page with an entry in the navigation.
struct HtmlSection {
  std::string id;
  std::string title;  ///< plain text
  std::string body;   ///< markup; a section without body is omitted
};

}  // namespace openmi
