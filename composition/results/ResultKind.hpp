#pragma once

#include <optional>
#include <string_view>

namespace openmi {

/// What the values of a series describe between the start and the end of a row.
enum class ResultKind { Instant, Mean, Sum, Minimum, Maximum };

/// "instant", "mean", "sum", "minimum" or "maximum".
std::string_view ResultKindName(ResultKind kind);

/// The kind of that name, or nothing.
std::optional<ResultKind> ResultKindNamed(std::string_view name);

/// The word of the CF conventions in `cell_methods` ("point" for an instant).
///
/// Source: [CF-1.8], appendix E.
std::string_view CellMethod(ResultKind kind);

/// The kind that a word of `cell_methods` means, or nothing.
std::optional<ResultKind> ResultKindOfCellMethod(std::string_view method);

}  // namespace openmi
