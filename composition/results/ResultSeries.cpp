#include "composition/results/ResultSeries.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {

void CheckResultSeries(const std::vector<ResultSeries>& series) {
  std::set<std::string_view> ids;
  for (const ResultSeries& one : series) {
    if (one.id.empty()) throw FormatError({}, "expected an id for every series of results, found none", "give it one");
    if (!ids.insert(one.id).second) {
      throw FormatError({.item = one.id}, "expected ids of series that differ, found this one twice",
                        "give one of the observers another id");
    }
    if (one.x.size() != one.y.size() || (!one.x.empty() && one.x.size() != one.elements.size())) {
      throw FormatError({.item = one.id},
                        fmt::format("expected coordinates for {} elements, found {} of x and {} of y",
                                    one.elements.size(), one.x.size(), one.y.size()),
                        "give both for every element, or neither");
    }
    if (one.places != nullptr && static_cast<std::size_t>(one.places->ElementCount()) != one.elements.size()) {
      throw FormatError(
          {.item = one.id},
          fmt::format("expected places of {} elements, found {}", one.elements.size(), one.places->ElementCount()),
          "give them for every element, or for none");
    }
  }
}

void CheckRow(const std::vector<ResultSeries>& all, std::size_t series, double begin, double end,
              std::span<const double> values) {
  if (series >= all.size()) {
    throw RangeError({}, fmt::format("expected one of {} series of results, found number {}", all.size(), series),
                     "number them as they were given when the file was made");
  }
  if (!std::isfinite(begin) || !std::isfinite(end) || begin > end) {
    throw RangeError(
        {.item = all[series].id},
        fmt::format("expected a span of time, found {} to {}", FormatIsoTime(Stamp{begin}), FormatIsoTime(Stamp{end})),
        "give its begin and its end, both finite");
  }
  if (values.size() != all[series].Width()) {
    throw RangeError({.item = all[series].id},
                     fmt::format("expected {} values in a row, found {}", all[series].Width(), values.size()),
                     "give one for each element; elements that come and go cannot be written (for openmi.osi.Fields: "
                     "list the objects in its argument 'objects')");
  }
}

}  // namespace openmi
