#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// The character between the whole part and the fraction of a number.
enum class DecimalMark {
  Unknown,  ///< found from the first number with a fraction
  Point,
  Comma
};

/// Reads cells of a table as numbers, in any locale, and recognises missing values.
class CellNumber {
 public:
  /// \param missing  texts that mean "no value"; the empty cell always does. A text that is a number means every
  ///   notation of that number
  /// \param mark  the decimal mark of the numbers
  explicit CellNumber(std::vector<std::string> missing, DecimalMark mark = DecimalMark::Point);

  /// Reads the number in a cell.
  ///
  /// After the first decimal mark, cells with the other mark are not read any more.
  /// \returns NaN for a missing value; nothing for text that is neither a number nor a missing value
  std::optional<double> Read(std::string_view cell);
  /// Whether a number means "no value".
  bool IsMissing(double number) const;

 private:
  std::vector<std::string> missing_texts_;
  std::vector<double> missing_numbers_;
  DecimalMark mark_;
};

/// A whole text as a number with a decimal point, in any locale; nothing if it is none. "+3" is a number.
std::optional<double> ParseNumber(std::string_view text);

}  // namespace openmi
