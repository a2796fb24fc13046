#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/adaptors/KnownAnswers.hpp"

namespace openmi::testing {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// The answer of one adaptor from elements to others.
inline std::vector<double> Ask(const std::vector<double>& values, std::shared_ptr<const ISpatialDefinition> from,
                               const std::string& id, std::shared_ptr<const ISpatialDefinition> to,
                               const Settings& settings = {}, const std::string& unit = "mm h-1") {
  Chain chain(Twice(values), unit, std::move(from));
  ProbeInput target("t", unit, std::move(to));
  chain.Add(id, &target);
  for (const auto& [key, value] : settings) chain.Set(key, value);
  return chain.Prepare().Row(0);
}

inline std::shared_ptr<ElementSet> PointSet(const std::vector<ElementVertex>& places, const char* system, bool with_z) {
  ElementSetBuilder points("points", ElementType::Point, system);
  if (with_z) points.WithZ();
  for (std::size_t i = 0; i < places.size(); ++i) points.AddPoint("p" + std::to_string(i), places[i]);
  return std::make_shared<ElementSet>(points.Build());
}
inline std::shared_ptr<ElementSet> Points(const std::vector<ElementVertex>& places) {
  return PointSet(places, kLocalMetresWkt, false);
}
inline std::shared_ptr<ElementSet> PointsZ(const std::vector<ElementVertex>& places) {
  return PointSet(places, kLocalMetresWkt, true);
}
/// Points in longitude and latitude.
inline std::shared_ptr<ElementSet> Degrees(const std::vector<ElementVertex>& places) {
  return PointSet(places, kWgs84Wkt, false);
}

inline std::shared_ptr<ElementSet> Lines(const std::vector<std::vector<ElementVertex>>& lines, bool with_m = false) {
  ElementSetBuilder builder("lines", ElementType::PolyLine, kLocalMetresWkt);
  if (with_m) builder.WithM();
  for (std::size_t i = 0; i < lines.size(); ++i) builder.AddPolyLine("l" + std::to_string(i), lines[i]);
  return std::make_shared<ElementSet>(builder.Build());
}

}  // namespace openmi::testing
