#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// A column of a table in the report.
struct HtmlColumn {
  std::string title;  ///< plain text
  bool is_number = false;
  std::string help;  ///< plain text, shown when the pointer rests on the title; may be empty
};

/// Builds a table that scrolls sideways where the page is narrow. Cells are markup: what comes from files has to be
/// escaped by `EscapeMarkup` before.
class HtmlTable {
 public:
  explicit HtmlTable(std::vector<HtmlColumn> columns);

  /// \param cells  as many as there are columns
  void AddRow(const std::vector<std::string>& cells, std::string_view css_class = {});
  /// \param css_class  of the whole table, such as "wide"
  std::string Finish(std::string_view css_class = {}) const;

 private:
  std::vector<HtmlColumn> columns_;
  std::string rows_;
};

/// `text` escaped, in a span of `css_class`.
std::string HtmlSpan(std::string_view css_class, std::string_view text);

/// A picture with its caption. `picture` and `foot` are markup; title and note are plain text.
std::string HtmlFigure(std::string_view title, std::string_view note, bool is_invented, std::string_view picture,
                       std::string_view foot = {});

/// A stretch of the page that is reached from the navigation.
struct HtmlSection {
  std::string id;
  std::string title;  ///< plain text
  std::string body;   ///< markup; a section without body is left out
};

}  // namespace openmi
