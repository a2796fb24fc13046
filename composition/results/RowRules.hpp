#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "composition/results/ResultSeries.hpp"

namespace openmi {

/// Checks the arguments of `IResultWriter::Append`.
/// \throws RangeError  see `IResultWriter::Append`
void CheckRow(const std::vector<ResultSeries>& all, std::size_t series, double begin, double end,
              std::span<const double> values);

}  // namespace openmi
