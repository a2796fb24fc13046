#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/dcp/protocol/pdu/Codes.hpp"

namespace openmi::dcp {

/// Smallest and largest value of an integer type; of another type, those of int64.
inline described::IntegerRange RangeOf(DataType type) {
  using described::IntegerRange;
  static constexpr std::array<IntegerRange, 8> kRanges = {
      IntegerRange::Of<std::uint8_t>(),  IntegerRange::Of<std::uint16_t>(), IntegerRange::Of<std::uint32_t>(),
      IntegerRange::Of<std::uint64_t>(), IntegerRange::Of<std::int8_t>(),   IntegerRange::Of<std::int16_t>(),
      IntegerRange::Of<std::int32_t>(),  IntegerRange::Of<std::int64_t>()};
  return kRanges[std::min(static_cast<std::size_t>(type), kRanges.size() - 1)];
}

/// The text of an integer; those of uint64 are kept in the bits of an int64.
inline std::string IntegerText(DataType type, std::int64_t value) {
  return type == DataType::uint64 ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
}

}  // namespace openmi::dcp
