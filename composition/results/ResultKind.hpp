#pragma once

#include "openmi/sdk/EnumNames.hpp"

namespace openmi {

/// What the values of a series describe between the start and the end of a row.
enum class ResultKind { Instant, Mean, Sum, Minimum, Maximum };
inline constexpr EnumNames<ResultKind> kResultKinds{"instant", "mean", "sum", "minimum", "maximum"};

/// The words of the CF conventions in `cell_methods`.
///
/// Source: [CF-1.8], appendix E.
inline constexpr EnumNames<ResultKind> kCellMethods{"point", "mean", "sum", "minimum", "maximum"};

}  // namespace openmi
