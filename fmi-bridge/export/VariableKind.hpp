#pragma once

#include <cstdint>

namespace openmi::exported {

/// The type of a variable of an exported model.
enum class VariableType : std::uint32_t { Float64, Int64, Boolean, String };
/// The role of a variable.
enum class VariableRole : std::uint32_t { Time, Parameter, Input, Output };

/// Largest value reference that a user may assign: references are looked up in a table.
inline constexpr std::uint32_t kLargestReference = 1 << 20;
/// Instead of a value reference: it is assigned by order.
inline constexpr std::uint32_t kByOrder = 0xffffffff;
/// Instead of a value reference: the variable is not exported.
inline constexpr std::uint32_t kNoReference = 0xfffffffe;

}  // namespace openmi::exported
