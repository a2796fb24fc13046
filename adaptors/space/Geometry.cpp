#include "adaptors/space/Geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/GeodesicArea.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

struct PolygonSet {
  ElementSet copy;  // of a third-party set
  const ElementSet* set = nullptr;
};

PolygonSet AsPolygons(const std::string& adaptor, const IElementSet& elements) {
  if (elements.ElementType() != ElementType::Polygon) {
    throw LinkError({.item = adaptor},
                    fmt::format("expected polygons, found the elements of '{}' which are none", elements.Caption()),
                    "use 'nearest' or 'by-id' for other elements");
  }
  PolygonSet polygons;
  polygons.set = dynamic_cast<const ElementSet*>(&elements);
  if (polygons.set == nullptr) polygons.copy = CopyOf(elements);
  return polygons;
}

const ElementSet& SetOf(const PolygonSet& polygons) {
  return polygons.set != nullptr ? *polygons.set : polygons.copy;
}

double Middle(const std::vector<double>& values) {
  if (values.empty()) return 0.0;
  const auto [low, high] = std::ranges::minmax(values);
  return 0.5 * (low + high);
}

struct LongitudeRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

LongitudeRange RangeOf(const PolygonsView& polygons, std::size_t index) {
  LongitudeRange range;
  for (std::size_t i = polygons.ring_starts[polygons.FirstRing(index)];
       i < polygons.ring_starts[polygons.EndRing(index)]; ++i) {
    range = {std::min(range.low, polygons.x[i]), std::max(range.high, polygons.x[i])};
  }
  return range;
}

/// Repeats sources one globe further where targets may meet them.
void AddCopies(PolygonPair& pair) {
  LongitudeRange targets;
  for (std::size_t t = 0; t < pair.target.View().Count(); ++t) {
    const LongitudeRange one = RangeOf(pair.target.View(), t);
    targets = {std::min(targets.low, one.low), std::max(targets.high, one.high)};
  }
  std::vector<LongitudeRange> ranges;
  double widest = 0.0;
  for (std::size_t s = 0; s < pair.source_count; ++s) {
    ranges.push_back(RangeOf(pair.source.View(), s));
    widest = std::max(widest, ranges.back().high - ranges.back().low);
  }
  // Two more on each side, so that each has its neighbours around it.
  const double width = EqualAreaWidth();
  const double margin = 2.0 * std::min(widest, 0.25 * width);
  struct Copy {
    std::uint32_t source;
    double shift;
  };
  std::vector<Copy> wanted;
  for (std::uint32_t s = 0; s < pair.source_count; ++s) {
    for (const double shift : {-width, width}) {
      if (ranges[s].high + shift > targets.low - margin && ranges[s].low + shift < targets.high + margin) {
        wanted.push_back({s, shift});
      }
    }
  }
  if (wanted.empty()) return;
  const Polygons originals = pair.source;
  const PolygonsView view = originals.View();
  for (const Copy& copy : wanted) {
    for (std::size_t ring = view.FirstRing(copy.source); ring < view.EndRing(copy.source); ++ring) {
      for (std::size_t i = view.ring_starts[ring]; i < view.ring_starts[ring + 1]; ++i) {
        pair.source.AddVertex(view.x[i] + copy.shift, view.y[i]);
      }
      pair.source.EndRing(view.IsHole(ring));
    }
    pair.source.EndPolygon();
    pair.copies.push_back(copy.source);
  }
}

Polygons Build(const ElementSet& elements, bool project, double reference_longitude) {
  Polygons polygons;
  std::vector<double> px;
  std::vector<double> py;
  for (int element = 0; element < elements.ElementCount(); ++element) {
    double middle = 0.0;  // of the part before, degrees east
    px.clear();
    for (const ElementRing& ring : elements.Rings(element)) {
      if (project) {
        const double near = px.empty() ? reference_longitude : middle;
        UnrollToEqualArea(ring.x, ring.y, reference_longitude, near, px, py);
        if (!ring.is_hole) middle = reference_longitude + 360.0 / EqualAreaWidth() * Middle(px);
      } else {
        px.assign(ring.x.begin(), ring.x.end());
        py.assign(ring.y.begin(), ring.y.end());
      }
      for (std::size_t i = 0; i < px.size(); ++i) polygons.AddVertex(px[i], py[i]);
      polygons.EndRing(ring.is_hole);
    }
    polygons.EndPolygon();
  }
  return polygons;
}

}  // namespace

PolygonPair InOnePlane(const std::string& adaptor, const IElementSet& source, const IElementSet& target) {
  const PolygonSet from = AsPolygons(adaptor, source);
  const PolygonSet to = AsPolygons(adaptor, target);
  if (!IsOneReferenceSystem(source.SpatialReferenceSystemWkt(), target.SpatialReferenceSystemWkt())) {
    throw LinkError({.item = adaptor},
                    fmt::format("expected elements in one reference system, found '{}' and '{}' in two",
                                source.Caption(), target.Caption()),
                    "give both element sets in the same reference system");
  }
  const bool geographic = IsGeographic(source.SpatialReferenceSystemWkt());
  const double reference = geographic ? MiddleLongitude(SetOf(to).X()) : 0.0;
  PolygonPair pair{Build(SetOf(from), geographic, reference),
                   Build(SetOf(to), geographic, reference),
                   static_cast<std::size_t>(source.ElementCount()),
                   {},
                   geographic};
  if (geographic) AddCopies(pair);
  return pair;
}

SparseRows WithoutCopies(SparseRows rows, const PolygonPair& pair) {
  if (pair.copies.empty()) return rows;
  SparseRows folded(pair.source_count);
  folded.Reserve(rows.Rows(), rows.WeightCount());
  std::vector<SparseRows::Entry> row;
  for (std::size_t t = 0; t < rows.Rows(); ++t) {
    row.clear();
    for (std::size_t k = 0; k < rows.ColumnsOf(t).size(); ++k) {
      const std::uint32_t column = rows.ColumnsOf(t)[k];
      row.push_back(
          {column < pair.source_count ? column : pair.copies[column - pair.source_count], rows.WeightsOf(t)[k]});
    }
    std::ranges::sort(row, {}, &SparseRows::Entry::column);
    folded.AddSummed(row);
  }
  return folded;
}

std::vector<double> WithoutCopies(std::vector<double> values, const PolygonPair& pair) {
  for (std::size_t i = 0; i < pair.copies.size(); ++i) values[pair.copies[i]] += values[pair.source_count + i];
  values.resize(pair.source_count);
  return values;
}

ElementAreas AreasOf(const std::string& adaptor, const IElementSet& elements, const std::string& name) {
  ElementAreas areas;
  std::vector<double> geometric;
  if (elements.ElementType() == ElementType::Polygon) {
    const PolygonSet polygons = AsPolygons(adaptor, elements);
    if (IsGeographic(elements.SpatialReferenceSystemWkt())) {
      geometric = GeodesicAreas(Build(SetOf(polygons), false, 0.0).View());
      areas.source = "geodesic on WGS84";
    } else {
      geometric = PolygonAreas(Build(SetOf(polygons), false, 0.0).View());
      areas.source = "plane";
    }
  }
  const auto* own = dynamic_cast<const ElementSet*>(&elements);  // a third-party set has no attributes
  const ElementAttribute* attribute = own != nullptr ? own->Attribute(name) : nullptr;
  if (attribute != nullptr) {
    const Unit unit = Unit::Parse(attribute->unit);
    const Unit square_metre = Unit::Parse("m2");
    if (!Convertible(unit, square_metre)) {
      throw LinkError({.item = adaptor},
                      fmt::format("expected an area as attribute '{}' of '{}', found the unit '{}'", name,
                                  elements.Caption(), attribute->unit),
                      fmt::format("name another attribute, or write the unit with it, as in '{} [km2]'", name));
    }
    const LinearConversion to_m2 = ConversionBetween(unit, square_metre);
    for (std::size_t i = 0; i < attribute->values.size(); ++i) {
      areas.square_metres.push_back(to_m2(attribute->values[i]));
      if (areas.square_metres.back() > 0.0) continue;
      const IIdentifiable* id = elements.GetElementId(static_cast<int>(i));
      throw LinkError({.item = adaptor},
                      fmt::format("expected an area above 0 as attribute '{}' of element '{}', found {}", name,
                                  id != nullptr ? id->Id() : fmt::format("#{}", i), attribute->values[i]),
                      "give each element its area, or take the attribute out");
    }
    for (std::size_t i = 0; i < geometric.size(); ++i) {
      areas.difference =
          std::max(areas.difference, std::fabs(geometric[i] - areas.square_metres[i]) / areas.square_metres[i]);
    }
    areas.source = fmt::format("attribute '{}'", name);
    return areas;
  }
  if (name != "area") {  // named by the user
    std::vector<std::string> names;
    if (own != nullptr) {
      for (const ElementAttribute& one : own->Attributes()) names.push_back(one.name);
    }
    throw ArgumentError(
        {.item = adaptor},
        fmt::format("expected an attribute of '{}' in 'attribute', found '{}'", elements.Caption(), name),
        names.empty() ? "take the argument out: the elements have no attributes" : Suggest(name, names));
  }
  if (geometric.empty()) {
    throw LinkError(
        {.item = adaptor},
        fmt::format("expected elements with an area, found '{}' with neither polygons nor an attribute '{}'",
                    elements.Caption(), name),
        "give the element set polygons or that attribute");
  }
  areas.square_metres = std::move(geometric);
  return areas;
}

}  // namespace openmi
