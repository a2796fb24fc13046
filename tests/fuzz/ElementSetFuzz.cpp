#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/NearestPlaces.hpp"
#include "adaptors/kernels/PointsInPolygons.hpp"
#include "adaptors/kernels/PolygonWeights.hpp"
#include "adaptors/kernels/SecondOrder.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/WktGeometry.hpp"

namespace openmi::fuzz {
namespace {

/// Makes numbers of bytes: of a small grid, so that vertices meet and edges overlap, or any double there is.
class ByteNumbers {
 public:
  explicit ByteNumbers(std::string_view bytes) : bytes_(bytes) {}
  bool Any() const { return at_ < bytes_.size(); }
  std::uint8_t Next() { return Any() ? static_cast<std::uint8_t>(bytes_[at_++]) : 0; }
  double Number(std::uint8_t kind) {
    const double step = static_cast<double>(Next() % 16);
    switch (kind % 5) {
      case 0:
        return step;
      case 1:
        return 1e-6 * step;
      case 2:
        return 1e7 + 1e-3 * step;
      case 3:
        return step + 1e-15 * static_cast<double>(Next());
      default: {
        double number = 0.0;
        std::uint8_t raw[sizeof(number)];
        for (std::uint8_t& byte : raw) byte = Next();
        std::memcpy(&number, raw, sizeof(number));
        return number;
      }
    }
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

std::vector<ElementVertex> Ring(ByteNumbers& bytes, std::uint8_t kind) {
  std::vector<ElementVertex> ring(bytes.Next() % 12);
  for (ElementVertex& vertex : ring) vertex = {.x = bytes.Number(kind), .y = bytes.Number(kind)};
  return ring;
}

ElementSet Set(ByteNumbers& bytes) {
  ElementSetBuilder builder("fuzz", ElementType::Polygon, kLocalMetresWkt);
  const std::uint8_t kind = bytes.Next();
  const int count = bytes.Next() % 6;
  for (int i = 0; i < count; ++i) {
    std::vector<ElementSetBuilder::Part> parts(1 + bytes.Next() % 2);
    for (ElementSetBuilder::Part& part : parts) {
      part.outer = Ring(bytes, kind);
      if (bytes.Next() % 3 == 0) part.holes.push_back(Ring(bytes, kind));
    }
    try {
      builder.AddPolygon(std::to_string(i), parts);
    } catch (const FormatError& refused) {
      Require(refused.Problem().find('\'' + std::to_string(i) + '\'') != std::string::npos);  // with its id
    }
  }
  return builder.Build();
}

Polygons PolygonsOf(const ElementSet& set) {
  Polygons polygons;
  for (int i = 0; i < set.ElementCount(); ++i) {
    for (const ElementRing& ring : set.Rings(i)) {
      for (std::size_t k = 0; k < ring.x.size(); ++k) polygons.AddVertex(ring.x[k], ring.y[k]);
      polygons.EndRing(ring.is_hole);
    }
    polygons.EndPolygon();
  }
  return polygons;
}

/// Whether areas of these can be told: their squares and sums are numbers.
bool IsModest(const ElementSet& set) {
  for (const auto coordinates : {set.X(), set.Y()}) {
    for (double value : coordinates) {
      if (std::abs(value) > 1e100) return false;
    }
  }
  return true;
}

void Overlaps(const ElementSet& source, const ElementSet& target) {
  const Polygons from = PolygonsOf(source), to = PolygonsOf(target);
  try {
    PolygonOverlaps overlaps = FindOverlaps(from.View(), to.View());
    const bool modest = IsModest(source) && IsModest(target);
    for (double area : overlaps.areas.AllWeights()) Require(area > 0.0 && (!modest || std::isfinite(area)));
    if (!modest) return;
    for (const auto kind : {PolygonWeightKind::Mean, PolygonWeightKind::Sum, PolygonWeightKind::Distribute}) {
      const SparseRows weights = MakePolygonWeights(overlaps, kind);
      for (double weight : weights.AllWeights()) Require(std::isfinite(weight));
      if (kind != PolygonWeightKind::Mean) continue;
      for (double sum : weights.RowSums()) Require(sum == 0.0 || std::abs(sum - 1.0) < 1e-12);
    }
  } catch (const RangeError&) {
    // A polygon of holes without an area, say.
  }
}

void Slopes(const ElementSet& source, const ElementSet& target) {
  if (!IsModest(source) || !IsModest(target)) return;
  const Polygons from = PolygonsOf(source), to = PolygonsOf(target);
  std::vector<Point> points;
  for (std::size_t i = 0; i < target.X().size(); ++i) points.push_back({target.X()[i], target.Y()[i]});
  try {
    const SparseRows weights = SecondOrderWeights(from.View(), to.View()).weights;
    for (double weight : weights.AllWeights()) Require(std::isfinite(weight));
    for (double sum : PolygonsAtPoints(from.View(), points).RowSums()) {
      Require(sum == 0.0 || std::abs(sum - 1.0) < 1e-12);
    }
    for (double part : PointsInPolygons(points, from.View(), InPolygon::Sum).ColumnSums()) {
      Require(part >= 0.0 && part < 1.0 + 1e-12);
    }
  } catch (const RangeError&) {
    // As above.
  }
}

void Nearest(const ElementSet& source, const ElementSet& target) {
  const auto points = [](const ElementSet& set) {
    std::vector<Point> all;
    for (std::size_t i = 0; i < set.X().size(); ++i) all.push_back({set.X()[i], set.Y()[i]});
    return all;
  };
  if (source.ElementCount() == 0 || !IsModest(source) || !IsModest(target)) return;
  const auto places = [](const ElementSet& set) {
    std::vector<Point3> all;
    for (std::size_t i = 0; i < set.X().size(); ++i) all.push_back({set.X()[i], set.Y()[i], 0.0});
    return all;
  };
  for (const std::size_t nearest : {0U, 1U, 3U}) {
    const SparseRows weights =
        InverseDistancePlaceWeights(places(source), places(target), {.neighbours = nearest, .power = 2.0});
    for (double weight : weights.AllWeights()) Require(std::isfinite(weight));
  }
  for (double sum : NearestWeights(points(source), points(target)).RowSums()) Require(std::abs(sum - 1.0) < 1e-12);
}

}  // namespace

// Any bytes are well-known text or an error; any coordinates are elements or are refused with the element's id; finite
// coordinates give finite weights, and each mean is one.
OPENMI_FUZZ_TARGET(element_set) {
  if (input.starts_with('P')) {
    try {
      ParseWkt(input);
    } catch (const FormatError&) {
    }
    return;
  }
  ByteNumbers bytes(input);
  bytes.Next();
  const ElementSet source = Set(bytes);
  const ElementSet target = Set(bytes);
  Overlaps(source, target);
  Slopes(source, target);
  Nearest(source, target);
}

}  // namespace openmi::fuzz
