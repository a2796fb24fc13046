#include "timespace/elements/ElementCopies.hpp"

#include <fmt/format.h>
#include <proj.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

using Move = std::function<void(int element, ElementVertex& vertex)>;

void AddPolygon(ElementSetBuilder& builder, const std::string& id, const ElementSet& elements, int element,
                const Move& move) {
  std::vector<ElementSetBuilder::Part> parts;
  for (const ElementRing& ring : elements.Rings(element)) {
    std::vector<ElementVertex> corners;
    for (std::size_t i = 0; i < ring.x.size(); ++i) {
      corners.push_back({ring.x[i], ring.y[i], ring.z.empty() ? 0.0 : ring.z[i]});
      move(element, corners.back());
    }
    if (ring.is_hole) {
      parts.back().holes.push_back(std::move(corners));
    } else {
      parts.push_back({.outer = std::move(corners)});
    }
  }
  builder.AddPolygon(id, parts);
}

void CopyAttributes(const ElementSet& from, std::span<const int> chosen, ElementSet& to) {
  for (const ElementAttribute& attribute : from.Attributes()) {
    std::vector<double> values;
    for (const int element : chosen) values.push_back(attribute.values[static_cast<std::size_t>(element)]);
    to.SetAttribute(attribute.name, attribute.unit, std::move(values));
  }
}

/// Adds a copy of an element with transformed vertices.
void AddElement(ElementSetBuilder& builder, const IElementSet& elements, int element, const Move& move) {
  const IIdentifiable* identity = elements.GetElementId(element);
  const std::string id = identity != nullptr ? identity->Id() : std::string();
  if (elements.ElementType() == ElementType::IdBased) {
    builder.AddId(id);
    return;
  }
  const auto* own = dynamic_cast<const ElementSet*>(&elements);
  if (elements.ElementType() == ElementType::Polygon && own != nullptr && own->HasExtraRings()) {
    AddPolygon(builder, id, *own, element, move);
    return;
  }
  std::vector<ElementVertex> vertices;
  for (int v = 0; v < elements.GetVertexCount(element); ++v) {
    vertices.push_back({elements.GetVertexXCoordinate(element, v), elements.GetVertexYCoordinate(element, v),
                        elements.HasZ() ? elements.GetVertexZCoordinate(element, v) : 0.0,
                        elements.HasM() ? elements.GetVertexMCoordinate(element, v) : 0.0});
    move(element, vertices.back());
  }
  switch (elements.ElementType()) {
    case ElementType::Point:
      builder.AddPoint(id, vertices.front());
      break;
    case ElementType::PolyLine:
      builder.AddPolyLine(id, vertices);
      break;
    case ElementType::Polyhedron: {
      std::vector<std::vector<int>> faces;
      for (int f = 0; f < elements.GetFaceCount(element); ++f) {
        faces.push_back(elements.GetFaceVertexIndices(element, f));
      }
      builder.AddPolyhedron(id, vertices, faces);
      break;
    }
    default:
      builder.AddPolygon(id, vertices);
  }
}

ElementSetBuilder BuilderLike(const IElementSet& elements, const std::string& wkt) {
  ElementSetBuilder builder(elements.Caption(), elements.ElementType(), wkt);
  if (elements.HasZ()) builder.WithZ();
  if (elements.HasM()) builder.WithM();
  return builder;
}

/// A copy of some elements of a set with transformed vertices.
ElementSet Copied(const IElementSet& elements, std::span<const int> chosen, const std::string& wkt, const Move& move) {
  ElementSetBuilder builder = BuilderLike(elements, wkt);
  for (const int element : chosen) AddElement(builder, elements, element, move);
  ElementSet copy = builder.Build();
  if (const auto* own = dynamic_cast<const ElementSet*>(&elements)) CopyAttributes(*own, chosen, copy);
  return copy;
}

/// The values of one attribute; empty if a set does not have it.
std::vector<double> JoinAttribute(std::span<const ElementPick> picks, const ElementAttribute& wanted) {
  std::vector<double> values;
  for (const ElementPick& pick : picks) {
    const auto* own = dynamic_cast<const ElementSet*>(pick.of);
    const ElementAttribute* found = own != nullptr ? own->Attribute(wanted.name) : nullptr;
    if (found == nullptr || found->unit != wanted.unit) return {};
    values.push_back(found->values[static_cast<std::size_t>(pick.element)]);
  }
  return values;
}

using Context = std::unique_ptr<PJ_CONTEXT, decltype(&proj_context_destroy)>;
using System = std::unique_ptr<PJ, decltype(&proj_destroy)>;

Context QuietContext() {
  Context context(proj_context_create(), &proj_context_destroy);
  proj_log_level(context.get(), PJ_LOG_NONE);
  return context;
}

System Read(const Context& context, const std::string& wkt) {
  System system(proj_create(context.get(), wkt.c_str()), &proj_destroy);
  if (system && proj_is_crs(system.get()) == 0) system.reset();
  return system;
}

}  // namespace

ElementSet SubsetOf(const IElementSet& elements, std::span<const int> chosen) {
  return Copied(elements, chosen, elements.SpatialReferenceSystemWkt(), [](int, ElementVertex&) {});
}

ElementSet JoinOf(std::span<const ElementPick> picks) {
  const IElementSet& first = *picks.front().of;
  ElementSetBuilder builder = BuilderLike(first, first.SpatialReferenceSystemWkt());
  for (const ElementPick& pick : picks) AddElement(builder, *pick.of, pick.element, [](int, ElementVertex&) {});
  ElementSet joined = builder.Build();
  const auto* own = dynamic_cast<const ElementSet*>(&first);
  if (own == nullptr) return joined;
  for (const ElementAttribute& attribute : own->Attributes()) {
    std::vector<double> values = JoinAttribute(picks, attribute);
    if (!values.empty()) joined.SetAttribute(attribute.name, attribute.unit, std::move(values));
  }
  return joined;
}

bool IsSamePlace(const ElementPick& a, const ElementPick& b) {
  if (a.of->ElementType() == ElementType::IdBased) return true;
  const int count = a.of->GetVertexCount(a.element);
  if (count != b.of->GetVertexCount(b.element) || a.of->HasZ() != b.of->HasZ()) return false;
  for (int v = 0; v < count; ++v) {
    if (a.of->GetVertexXCoordinate(a.element, v) != b.of->GetVertexXCoordinate(b.element, v) ||
        a.of->GetVertexYCoordinate(a.element, v) != b.of->GetVertexYCoordinate(b.element, v) ||
        (a.of->HasZ() && a.of->GetVertexZCoordinate(a.element, v) != b.of->GetVertexZCoordinate(b.element, v))) {
      return false;
    }
  }
  return true;
}

bool HaveSameGeometry(const ElementSet& a, const ElementSet& b) {
  if (a.ElementType() != b.ElementType() || a.SpatialReferenceSystemWkt() != b.SpatialReferenceSystemWkt() ||
      !std::ranges::equal(a.VertexOffsets(), b.VertexOffsets()) || !std::ranges::equal(a.X(), b.X()) ||
      !std::ranges::equal(a.Y(), b.Y()) || !std::ranges::equal(a.Z(), b.Z()) || !std::ranges::equal(a.M(), b.M()) ||
      a.ElementCount() != b.ElementCount() || a.HasExtraRings() != b.HasExtraRings()) {
    return false;
  }
  for (int i = 0; a.HasExtraRings() && i < a.ElementCount(); ++i) {
    const bool are_same = std::ranges::equal(a.Rings(i), b.Rings(i), [](const ElementRing& p, const ElementRing& q) {
      return p.part == q.part && p.is_hole == q.is_hole && std::ranges::equal(p.x, q.x) &&
             std::ranges::equal(p.y, q.y) && std::ranges::equal(p.z, q.z);
    });
    if (!are_same) return false;
  }
  return true;
}

bool IsOneReferenceSystem(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const Context context = QuietContext();
  const System first = Read(context, a);
  const System second = Read(context, b);
  if (!first || !second) return IsGeographic(a) && IsGeographic(b);
  return proj_is_equivalent_to(first.get(), second.get(), PJ_COMP_EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS) != 0;
}

ElementSet InReferenceSystem(const IElementSet& elements, const std::string& wkt) {
  const Context context = QuietContext();
  const System from = Read(context, elements.SpatialReferenceSystemWkt());
  const System to = Read(context, wkt);
  System way(
      from && to ? proj_create_crs_to_crs_from_pj(context.get(), from.get(), to.get(), nullptr, nullptr) : nullptr,
      &proj_destroy);
  if (way) way.reset(proj_normalize_for_visualization(context.get(), way.get()));
  if (!way) {
    const auto beginning = [](const std::string& text) { return text.substr(0, text.find(',')); };
    throw LinkError({},
                    fmt::format("expected a reference system that '{}' can be transformed to, found {} and {}",
                                elements.Caption(), beginning(elements.SpatialReferenceSystemWkt()), beginning(wkt)),
                    "give both element sets in systems of the earth, or in the same one");
  }
  std::vector<int> all(static_cast<std::size_t>(elements.ElementCount()));
  std::iota(all.begin(), all.end(), 0);
  return Copied(elements, all, wkt, [&](int element, ElementVertex& vertex) {
    const PJ_COORD moved = proj_trans(way.get(), PJ_FWD, proj_coord(vertex.x, vertex.y, 0.0, HUGE_VAL));
    if (!std::isfinite(moved.xy.x) || !std::isfinite(moved.xy.y)) {
      const IIdentifiable* id = elements.GetElementId(element);
      throw LinkError(
          {},
          fmt::format("expected places that the target's reference system covers, found {}, {} of "
                      "element '{}' of '{}'",
                      vertex.x, vertex.y, id != nullptr ? id->Id() : fmt::format("#{}", element), elements.Caption()),
          "leave that element out, or choose a reference system that covers both");
    }
    vertex.x = moved.xy.x;
    vertex.y = moved.xy.y;
  });
}

}  // namespace openmi
