#include "composition/results/RowRules.hpp"

#include <fmt/format.h>

#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi {

void CheckRow(const std::vector<ResultSeries>& all, std::size_t series, double begin, double end,
              std::span<const double> values) {
  if (series >= all.size()) {
    throw RangeError({}, fmt::format("expected one of {} series of results, found number {}", all.size(), series),
                     "number them as they were given when the file was made");
  }
  if (!std::isfinite(begin) || !std::isfinite(end) || begin > end) {
    throw RangeError({.item = all[series].id},
                     fmt::format("expected a span of time, found {} to {}", FormatIsoTime(begin), FormatIsoTime(end)),
                     "give its begin and its end, both finite");
  }
  if (values.size() != all[series].Width()) {
    throw RangeError({.item = all[series].id},
                     fmt::format("expected {} values in a row, found {}", all[series].Width(), values.size()),
                     "give one for each element; elements that come and go cannot be written (of openmi.osi.Fields: "
                     "name them in objects)");
  }
}

}  // namespace openmi
