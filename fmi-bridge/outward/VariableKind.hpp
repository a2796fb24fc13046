#pragma once

#include <cstdint>

namespace openmi::outward {

/// What a variable that others see holds.
enum class VariableType : std::uint32_t { Float64, Int64, Boolean, String };
/// What it is for.
enum class VariableRole : std::uint32_t { Time, Parameter, Input, Output };

/// Largest value reference that may be given by hand: they are looked up in a table.
inline constexpr std::uint32_t kLargestReference = 1 << 20;
/// In place of a value reference: it is to be given by order.
inline constexpr std::uint32_t kByOrder = 0xffffffff;
/// In place of a value reference: others do not see the variable.
inline constexpr std::uint32_t kNoReference = 0xfffffffe;

}  // namespace openmi::outward
