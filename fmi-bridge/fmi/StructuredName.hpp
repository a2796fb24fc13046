#pragma once

#include <string_view>

namespace openmi::fmi {

/// Whether `name` follows variableNamingConvention="structured".
///
/// Identifiers or quoted names joined by dots, each with indices in brackets if it is an element; the whole inside
/// der(...) or der(..., n) for a derivative.
///
/// Source: FMI 2.0.4, section 2.2.9; FMI 3.0, section 2.4.7.5.1.
bool IsStructuredName(std::string_view name);

}  // namespace openmi::fmi
