#pragma once

#include <vector>

#include "composition/record/RunRecord.hpp"
#include "timespace/files/VectorLayer.hpp"

namespace openmi {

/// The layers of the GeoPackage of a run: one for each observed item, named as its variable in the NetCDF file, with a
/// feature for each element.
///
/// Columns: `id`; `mean`, or `total` of amounts over spans; `smallest` and `largest` with `smallest_at` and
/// `largest_at`; `last`, the value of the last row; the numbers of values (`count`) and of `missing` ones. They are
/// those of all rows, warm-up included, as in the report. \pre the series have figures
std::vector<LayerToWrite> MapLayersOf(const RunRecord& record);

}  // namespace openmi
