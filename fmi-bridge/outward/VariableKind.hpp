#pragma once

#include <cstdint>

namespace openmi::outward {

/// What a variable that others see holds.
enum class VariableType : std::uint32_t { Float64, Int64, Boolean, String };
/// What it is for.
enum class VariableRole : std::uint32_t { Time, Parameter, Input, Output };

}  // namespace openmi::outward
