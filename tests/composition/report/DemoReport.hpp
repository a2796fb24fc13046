#pragma once

#include <cstddef>

#include "composition/report/ReportModel.hpp"

namespace openmi {

/// A report on a basin that does not exist, with something in every section; the same at each call.
ReportModel DemoReport();

/// A model of nothing but one item, with `points` times and `elements` elements.
ReportModel BigReport(std::size_t points, std::size_t elements);

/// A composition of `count` components in rows of ten, each row draining into the end of the row before.
GraphModel CombGraph(std::size_t count);

}  // namespace openmi
