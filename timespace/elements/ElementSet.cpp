#include "timespace/elements/ElementSet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {

ElementSet ElementSet::IdBased(const std::string& caption, const std::vector<std::string>& ids) {
  ElementSetBuilder builder(caption, openmi::ElementType::IdBased);
  for (const std::string& id : ids) builder.AddId(id);
  return builder.Build();
}

ElementSet ElementSet::Points(const std::string& caption, const std::string& wkt, const std::vector<std::string>& ids,
                              std::span<const double> x, std::span<const double> y, std::span<const double> z) {
  if (x.size() != y.size() || (!ids.empty() && ids.size() != x.size()) || (!z.empty() && z.size() != x.size())) {
    throw RangeError({.item = caption},
                     fmt::format("expected one x, y, id and z for each point, found {} x, {} y, {} ids and {} z",
                                 x.size(), y.size(), ids.size(), z.size()),
                     "make the lists equally long; ids and z may be left out");
  }
  ElementSetBuilder builder(caption, openmi::ElementType::Point, wkt);
  if (!z.empty()) builder.WithZ();
  for (std::size_t i = 0; i < x.size(); ++i) {
    builder.AddPoint(ids.empty() ? std::string() : ids[i], {.x = x[i], .y = y[i], .z = z.empty() ? 0.0 : z[i]});
  }
  return builder.Build();
}

std::size_t ElementSet::CheckedElement(int index) const {
  if (index < 0 || index >= ElementCount()) {
    throw RangeError({.item = Caption()}, fmt::format("expected an element below {}, found {}", ElementCount(), index),
                     "elements count from zero");
  }
  return static_cast<std::size_t>(index);
}

std::size_t ElementSet::CheckedGeometry(int element_index, const char* what) const {
  if (type_ == openmi::ElementType::IdBased) {
    throw StateError({.item = Caption()},
                     fmt::format("expected elements with geometry to ask for {}, found an id-based set", what),
                     "look at ElementType() first; id-based elements have nothing but ids");
  }
  return CheckedElement(element_index);
}

std::size_t ElementSet::CheckedVertex(int element_index, int vertex_index) const {
  const std::size_t element = CheckedGeometry(element_index, "a vertex");
  const std::size_t count = offsets_[element + 1] - offsets_[element];
  if (vertex_index < 0 || static_cast<std::size_t>(vertex_index) >= count) {
    throw RangeError({.item = Caption()},
                     fmt::format("expected a vertex below {} of element {} ('{}'), found {}", count, element_index,
                                 IdOf(element_index), vertex_index),
                     "vertices count from zero; the closing vertex of a polygon is not repeated");
  }
  return offsets_[element] + static_cast<std::size_t>(vertex_index);
}

const IIdentifiable* ElementSet::GetElementId(int index) const {
  const Identifier& id = ids_[CheckedElement(index)];
  return id.IdText().empty() ? nullptr : &id;
}

const std::string& ElementSet::IdOf(int index) const {
  return ids_[CheckedElement(index)].IdText();
}

int ElementSet::IndexOf(std::string_view id) const {
  const auto found = index_of_.find(id);
  return found == index_of_.end() ? -1 : found->second;
}

int ElementSet::GetFaceCount(int element_index) const {
  const std::size_t element = CheckedGeometry(element_index, "faces");
  return faces_.empty() ? 0 : static_cast<int>(faces_[element].size());
}

std::vector<int> ElementSet::GetFaceVertexIndices(int element_index, int face_index) const {
  const int count = GetFaceCount(element_index);
  if (face_index < 0 || face_index >= count) {
    throw RangeError({.item = Caption()},
                     fmt::format("expected a face below {} of element {} ('{}'), found {}", count, element_index,
                                 IdOf(element_index), face_index),
                     "faces count from zero, and only polyhedra have them");
  }
  return faces_[static_cast<std::size_t>(element_index)][static_cast<std::size_t>(face_index)];
}

int ElementSet::GetVertexCount(int element_index) const {
  const std::size_t element = CheckedGeometry(element_index, "vertices");
  return static_cast<int>(offsets_[element + 1] - offsets_[element]);
}

double ElementSet::GetVertexXCoordinate(int element_index, int vertex_index) const {
  return vertices_.x[CheckedVertex(element_index, vertex_index)];
}

double ElementSet::GetVertexYCoordinate(int element_index, int vertex_index) const {
  return vertices_.y[CheckedVertex(element_index, vertex_index)];
}

double ElementSet::GetVertexZCoordinate(int element_index, int vertex_index) const {
  const std::size_t vertex = CheckedVertex(element_index, vertex_index);
  return has_z_ ? vertices_.z[vertex] : 0.0;
}

double ElementSet::GetVertexMCoordinate(int element_index, int vertex_index) const {
  const std::size_t vertex = CheckedVertex(element_index, vertex_index);
  return has_m_ ? vertices_.m[vertex] : 0.0;
}

std::vector<ElementRing> ElementSet::Rings(int element_index) const {
  const std::size_t element = CheckedGeometry(element_index, "rings");
  if (type_ != openmi::ElementType::Polygon) {
    throw StateError({.item = Caption()}, "expected polygons to ask for rings, found elements of another type",
                     "look at ElementType() first");
  }
  std::vector<ElementRing> rings{vertices_.Ring(offsets_[element], offsets_[element + 1], 0, false)};
  auto extra = std::ranges::lower_bound(extra_rings_, element, {}, &ExtraRing::element);
  for (; extra != extra_rings_.end() && extra->element == element; ++extra) {
    rings.push_back(extra_vertices_.Ring(extra->begin, extra->end, extra->part, extra->is_hole));
  }
  return rings;
}

void ElementSet::ReplaceGeometry(const ElementSet& moved) {
  if (type_ == openmi::ElementType::IdBased) {
    throw StateError({.item = Caption()}, "expected elements with geometry to move, found an id-based set",
                     "make a new element set");
  }
  const auto refuse = [this](const std::string& problem) {
    throw RangeError({.item = Caption()}, problem,
                     "give the same elements in the same order, or make a new element set");
  };
  if (moved.type_ != type_) refuse("expected elements of the same type, found another");
  if (moved.ElementCount() != ElementCount()) {
    refuse(fmt::format("expected {} elements, found {}", ElementCount(), moved.ElementCount()));
  }
  for (int i = 0; i < ElementCount(); ++i) {
    if (moved.IdOf(i) != IdOf(i)) {
      refuse(fmt::format("expected element '{}' at index {}, found '{}'", IdOf(i), i, moved.IdOf(i)));
    }
  }
  ElementSet next = moved;
  wkt_ = std::move(next.wkt_);
  has_z_ = next.has_z_;
  has_m_ = next.has_m_;
  flipped_count_ = next.flipped_count_;
  offsets_ = std::move(next.offsets_);
  vertices_ = std::move(next.vertices_);
  extra_rings_ = std::move(next.extra_rings_);
  extra_vertices_ = std::move(next.extra_vertices_);
  faces_ = std::move(next.faces_);
  ++version_;
}

void ElementSet::SetAttribute(const std::string& name, const std::string& unit, std::vector<double> values) {
  if (values.size() != ids_.size()) {
    throw RangeError({.item = Caption()},
                     fmt::format("expected {} values of attribute '{}', one for each element, found {}", ids_.size(),
                                 name, values.size()),
                     "write NaN where a value is unknown");
  }
  Unit::Parse(unit);
  ElementAttribute attribute{name, unit, std::move(values)};
  for (ElementAttribute& present : attributes_) {
    if (present.name != name) continue;
    present = std::move(attribute);
    return;
  }
  attributes_.push_back(std::move(attribute));
}

const ElementAttribute* ElementSet::Attribute(std::string_view name) const {
  for (const ElementAttribute& attribute : attributes_) {
    if (attribute.name == name) return &attribute;
  }
  return nullptr;
}

ElementSet CopyOf(const IElementSet& elements) {
  if (const auto* own = dynamic_cast<const ElementSet*>(&elements)) return *own;
  const openmi::ElementType type = elements.ElementType();
  std::string wkt = elements.SpatialReferenceSystemWkt();
  // Many sets of the SDK in C# state none.
  if (wkt.empty() && type != openmi::ElementType::IdBased) wkt = kLocalMetresWkt;
  ElementSetBuilder builder(elements.Caption(), type, std::move(wkt));
  const bool has_z = type != openmi::ElementType::IdBased && elements.HasZ();
  const bool has_m = type != openmi::ElementType::IdBased && elements.HasM();
  if (has_z) builder.WithZ();
  if (has_m) builder.WithM();
  for (int i = 0; i < elements.ElementCount(); ++i) {
    const IIdentifiable* identifier = elements.GetElementId(i);
    const std::string id = identifier ? identifier->Id() : std::string();
    if (type == openmi::ElementType::IdBased) {
      builder.AddId(id);
      continue;
    }
    std::vector<ElementVertex> vertices(static_cast<std::size_t>(elements.GetVertexCount(i)));
    for (int v = 0; v < static_cast<int>(vertices.size()); ++v) {
      vertices[static_cast<std::size_t>(v)] = {.x = elements.GetVertexXCoordinate(i, v),
                                               .y = elements.GetVertexYCoordinate(i, v),
                                               .z = has_z ? elements.GetVertexZCoordinate(i, v) : 0.0,
                                               .m = has_m ? elements.GetVertexMCoordinate(i, v) : 0.0};
    }
    switch (type) {
      case openmi::ElementType::Point:
        if (vertices.size() != 1) {
          throw FormatError({.item = elements.Caption()},
                            fmt::format("element '{}': expected 1 vertex of a point, found {}", id, vertices.size()),
                            "correct the provider of the element set");
        }
        builder.AddPoint(id, vertices.front());
        break;
      case openmi::ElementType::PolyLine:
        builder.AddPolyLine(id, vertices);
        break;
      case openmi::ElementType::Polygon:
        builder.AddPolygon(id, vertices);
        break;
      case openmi::ElementType::Polyhedron: {
        std::vector<std::vector<int>> faces;
        for (int f = 0; f < elements.GetFaceCount(i); ++f) faces.push_back(elements.GetFaceVertexIndices(i, f));
        builder.AddPolyhedron(id, vertices, faces);
        break;
      }
      case openmi::ElementType::IdBased:
        break;
    }
  }
  ElementSet copy = builder.Build();
  copy.SetDescription(elements.Description());
  copy.version_ = elements.Version();
  return copy;
}

ElementAttribute AttributeNamed(const std::string& heading) {
  if (heading == "area") return {heading, "m2", {}};
  if (heading == "areasqkm") return {heading, "km2", {}};
  const bool is_round = heading.ends_with(')');
  if (!is_round && !heading.ends_with(']')) return {heading, "1", {}};
  const std::size_t open = heading.rfind(is_round ? '(' : '[');
  if (open == std::string::npos) return {heading, "1", {}};
  const std::string name(Trimmed(std::string_view(heading).substr(0, open)));
  const std::string unit(Trimmed(std::string_view(heading).substr(open + 1, heading.size() - open - 2)));
  try {
    Unit::Parse(unit);
    if (!name.empty() && !unit.empty()) return {name, unit, {}};
  } catch (const UnitError&) {  // the brackets are part of the name
  }
  return {heading, "1", {}};
}

}  // namespace openmi
