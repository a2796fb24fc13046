#include "fmi-bridge/common/description/WholeNumbers.hpp"

#include <fmt/format.h>

#include "fmi-bridge/common/description/DescriptionText.hpp"

namespace openmi::described {

std::optional<std::int64_t> ParseInteger(std::string_view text, const IntegerRange& range) {
  if (range.least == 0) {
    const std::optional<std::uint64_t> number = ParseUnsigned(text);
    if (!number || *number > range.most) return std::nullopt;
    return static_cast<std::int64_t>(*number);
  }
  const std::optional<std::int64_t> number = ParseSigned(text);
  if (!number || *number < range.least || (*number > 0 && static_cast<std::uint64_t>(*number) > range.most)) {
    return std::nullopt;
  }
  return number;
}

std::string RangeText(const IntegerRange& range) {
  return fmt::format("a whole number from {} to {}", range.least, range.most);
}

}  // namespace openmi::described
