#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// What stands between the whole part and the fraction.
enum class DecimalMark {
  Unknown,  ///< found out from the first number with a fraction
  Point,
  Comma
};

/// Reads cells of a table as numbers, whatever the locale, and knows what stands for "no value".
class CellNumber {
 public:
  /// \param missing  texts that stand for "no value"; one that is a number means every writing of that number. The
  ///                 empty cell always does
  explicit CellNumber(std::vector<std::string> missing, DecimalMark mark = DecimalMark::Point);

  /// The number in a cell; NaN for a missing value; nothing for what is neither. Once a decimal mark was met, the other
  /// one is not read any more.
  std::optional<double> Read(std::string_view cell);
  /// Whether a number is one that stands for no value.
  bool IsMissing(double number) const;

 private:
  std::vector<std::string> missing_texts_;
  std::vector<double> missing_numbers_;
  DecimalMark mark_;
};

/// A whole text as a number with a decimal point, in any locale; nothing if it is none. "+3" is one.
std::optional<double> ParseNumber(std::string_view text);

/// The parts of a list between commas (and blanks, if `blanks`), without the blanks around them.
std::vector<std::string> SplitList(std::string_view text, bool blanks = true);

}  // namespace openmi
