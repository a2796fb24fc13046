#include "composition/results/ResultSeries.hpp"

#include <fmt/format.h>

#include <set>

#include "openmi/sdk/Error.hpp"

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
  }
}

}  // namespace openmi
