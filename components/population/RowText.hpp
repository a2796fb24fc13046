#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace openmi::population {

/// A text with places that the row of a table fills: `cat/{{divide_id}}.ini`, `k={{k_days:2.5}}`.
///
/// `{{column}}` is the cell of the row. `{{column:text}}` is the text where the cell is empty. Everything else, single
/// braces included, stays as it is. The inserted text is not searched for further places.
class RowText {
 public:
  /// A column by its name: its index, or a negative number if there is none.
  using FindColumn = std::function<int(std::string_view name)>;

  /// \throws FormatError  a place is not closed, or names no column of the table
  RowText(std::string_view text, const FindColumn& find, const std::vector<std::string>& columns);

  /// Whether all rows give the same text.
  bool IsConstant() const { return parts_.size() <= 1 && (parts_.empty() || parts_.front().column < 0); }
  /// The text for a row.
  /// \param cell     the cell of a column in that row
  /// \param missing  receives the columns that have no cell there and whose place has no text
  std::string For(const std::function<const std::string&(int column)>& cell, std::vector<int>& missing) const;

 private:
  struct Part {
    int column = -1;  // negative: the text as it is
    std::string text;
    bool has_default = false;
  };
  std::vector<Part> parts_;
};

}  // namespace openmi::population
