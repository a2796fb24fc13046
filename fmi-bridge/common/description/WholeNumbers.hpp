#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace openmi::described {

/// The smallest and the largest value of an integer type.
struct IntegerRange {
  std::int64_t least = 0;
  std::uint64_t most = 0;

  template <class Integer>
  static constexpr IntegerRange Of() {
    return {static_cast<std::int64_t>(std::numeric_limits<Integer>::min()),
            static_cast<std::uint64_t>(std::numeric_limits<Integer>::max())};
  }
};

/// An integer within the range; a UInt64 above the signed range is returned with its bits.
std::optional<std::int64_t> ParseInteger(std::string_view text, const IntegerRange& range);
/// "a whole number from -128 to 127".
std::string RangeText(const IntegerRange& range);

}  // namespace openmi::described
