#include "adaptors/space/FarSources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "adaptors/space/Shapes.hpp"
#include "timespace/ReferenceSystems.hpp"

namespace openmi {
namespace {

constexpr double kTimesExtent = 10.0;
constexpr double kLeastOnEarth = 1e6;  // m

}  // namespace

std::string FarSources(const std::string& adaptor, const IElementSet& source, const IElementSet& target,
                       const SparseRows& weights) {
  if (source.ElementCount() == 0 || target.ElementCount() == 0) return {};
  const PlacePair places = PlacesOf(adaptor, source, target);
  std::vector<bool> counts(places.source.size(), false);
  for (std::size_t t = 0; t < weights.Rows(); ++t) {
    const auto columns = weights.ColumnsOf(t);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (weights.WeightsOf(t)[k] != 0.0) counts[columns[k]] = true;
    }
  }
  Point3 middle;
  for (const Point3& place : places.target) middle = middle + (1.0 / static_cast<double>(places.target.size())) * place;
  double extent = 0.0;
  for (const Point3& place : places.target) extent = std::max(extent, Norm(place - middle));
  const bool on_earth = IsGeographic(target.SpatialReferenceSystemWkt());
  if (!on_earth && !(extent > 0.0)) return {};
  const double limit = std::max(kTimesExtent * extent, on_earth ? kLeastOnEarth : 0.0);
  std::size_t count = 0;
  std::size_t furthest = 0;
  double distance = 0.0;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const double away = Norm(places.source[s] - middle);
    if (!counts[s] || !(away > limit)) continue;
    ++count;
    if (away > distance) furthest = s;
    distance = std::max(distance, away);
  }
  if (count == 0) return {};
  const IIdentifiable* id = source.GetElementId(static_cast<int>(furthest));
  return fmt::format("{} of {} elements of '{}' lie far from the targets, the furthest, '{}', {}", count, counts.size(),
                     source.Caption(), id != nullptr ? id->Id() : fmt::format("#{}", furthest),
                     on_earth ? fmt::format("{:.0f} km", distance / 1000.0) : fmt::format("{:.3g}", distance));
}

}  // namespace openmi
