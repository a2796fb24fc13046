#include "components/CellNumber.hpp"

#include <algorithm>
#include <utility>

#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

std::optional<double> ParseNumber(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  return AsNumber<double>(text);
}

CellNumber::CellNumber(std::vector<std::string> missing, DecimalMark mark) : mark_(mark) {
  for (std::string& text : missing) {
    if (const std::optional<double> number = ParseNumber(text)) {
      missing_numbers_.push_back(*number);
    } else {
      missing_texts_.push_back(std::move(text));
    }
  }
}

std::optional<double> CellNumber::Read(std::string_view cell) {
  if (cell.empty()) return kNotANumber;
  std::optional<double> number;
  if (const std::size_t comma = cell.find(','); comma != std::string_view::npos) {
    if (mark_ == DecimalMark::Point || cell.find('.') != std::string_view::npos) return std::nullopt;
    std::string text(cell);
    text[comma] = '.';
    number = ParseNumber(text);
    if (number) mark_ = DecimalMark::Comma;
  } else {
    const bool has_point = cell.find('.') != std::string_view::npos;
    if (has_point && mark_ == DecimalMark::Comma) return std::nullopt;
    number = ParseNumber(cell);
    if (number && has_point) mark_ = DecimalMark::Point;
  }
  if (!number) {
    const bool missing = std::ranges::find(missing_texts_, cell) != missing_texts_.end();
    return missing ? std::optional(kNotANumber) : std::nullopt;
  }
  return IsMissing(*number) ? kNotANumber : *number;
}

bool CellNumber::IsMissing(double number) const {
  return std::ranges::find(missing_numbers_, number) != missing_numbers_.end();
}

}  // namespace openmi
