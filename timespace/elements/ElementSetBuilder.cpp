#include "timespace/elements/ElementSetBuilder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {

namespace {

constexpr double kLatitudeSlack = 1e-6;  // degrees: the error of a transformation to the pole

const char* NameOf(ElementType type) {
  constexpr const char* kNames[] = {"bare ids", "points", "polylines", "polygons", "polyhedra"};
  return kNames[static_cast<std::size_t>(type)];
}

bool SamePlace(const ElementVertex& a, const ElementVertex& b, bool with_z) {
  return a.x == b.x && a.y == b.y && (!with_z || a.z == b.z);
}

/// Twice the area of a ring as a vector, by Newell's formula about the first vertex, so that large offsets cancel.
std::array<double, 3> DoubleArea(std::span<const ElementVertex> ring, bool with_z) {
  std::array<double, 3> area{};
  const ElementVertex& origin = ring.front();
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
    const double ax = ring[i].x - origin.x, ay = ring[i].y - origin.y, az = with_z ? ring[i].z - origin.z : 0.0;
    const double bx = ring[i + 1].x - origin.x, by = ring[i + 1].y - origin.y;
    const double bz = with_z ? ring[i + 1].z - origin.z : 0.0;
    area[0] += ay * bz - az * by;
    area[1] += az * bx - ax * bz;
    area[2] += ax * by - ay * bx;
  }
  return area;
}

double Length(const std::array<double, 3>& v) {
  return std::hypot(v[0], v[1], v[2]);
}

/// The square of a ring's extent, the reference for its area.
double ExtentSquared(std::span<const ElementVertex> ring, bool with_z) {
  double extent = 0.0;
  for (const ElementVertex& vertex : ring) {
    const double dx = vertex.x - ring.front().x, dy = vertex.y - ring.front().y;
    const double dz = with_z ? vertex.z - ring.front().z : 0.0;
    extent = std::max(extent, dx * dx + dy * dy + dz * dz);
  }
  return extent;
}

bool HasArea(std::span<const ElementVertex> ring, bool with_z) {
  if (ring.size() < 3) return false;
  return Length(DoubleArea(ring, with_z)) > 8.0 * std::numeric_limits<double>::epsilon() * ExtentSquared(ring, with_z);
}

}  // namespace

ElementSetBuilder::ElementSetBuilder(const std::string& caption, ElementType type, std::string wkt) {
  set_.SetCaption(caption);
  set_.type_ = type;
  set_.wkt_ = std::move(wkt);
  in_degrees_ = IsGeographic(set_.wkt_) && set_.wkt_.find("degree") != std::string::npos;
  if (type == ElementType::IdBased) return;
  set_.offsets_.push_back(0);
  set_.has_z_ = type == ElementType::Polyhedron;
  if (set_.wkt_.empty()) {
    throw FormatError(
        {.item = caption}, "expected a reference system for elements with coordinates, found none",
        "give its well-known text: kWgs84Wkt for longitude and latitude, kLocalMetresWkt for a plane of its own");
  }
}

ElementSetBuilder& ElementSetBuilder::WithZ() {
  if (Count() > 0) {
    throw StateError({.item = set_.Caption()}, "expected WithZ before the first element, found elements",
                     "call it first");
  }
  set_.has_z_ = true;
  return *this;
}

ElementSetBuilder& ElementSetBuilder::WithM() {
  if (Count() > 0) {
    throw StateError({.item = set_.Caption()}, "expected WithM before the first element, found elements",
                     "call it first");
  }
  set_.has_m_ = true;
  return *this;
}

void ElementSetBuilder::Refuse(const std::string& id, const std::string& problem, const std::string& remedy) const {
  const std::string name = id.empty() ? fmt::format("element {}", Count()) : fmt::format("element '{}'", id);
  throw FormatError({.item = set_.Caption()}, name + ": " + problem, remedy);
}

void ElementSetBuilder::Expect(ElementType type, const std::string& id) const {
  if (set_.type_ != type) {
    throw StateError(
        {.item = set_.Caption()},
        fmt::format("expected {} in this set, found {} (element '{}')", NameOf(set_.type_), NameOf(type), id),
        "all elements of a set have one type; make a set for each");
  }
  if (id.empty() && type == ElementType::IdBased) {
    Refuse(id, "expected an id, found an empty text", "give every element of an id-based set an id");
  }
  if (const int other = set_.IndexOf(id); other >= 0) {
    Refuse(id, fmt::format("expected ids to be there once, found it at index {} and at index {}", other, Count()),
           "give each element an id of its own");
  }
}

void ElementSetBuilder::CheckVertices(const std::string& id, std::span<const ElementVertex> vertices) const {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const ElementVertex& v = vertices[i];
    if (std::isfinite(v.x) && std::isfinite(v.y) && (!set_.has_z_ || std::isfinite(v.z)) &&
        (!set_.has_m_ || std::isfinite(v.m))) {
      if (!in_degrees_ || std::abs(v.y) <= 90.0 + kLatitudeSlack) continue;
      Refuse(id, fmt::format("expected a latitude from -90 to 90 degrees, found {} at vertex {}", v.y, i),
             "write longitude before latitude, or name the reference system that the coordinates are in");
    }
    Refuse(id, fmt::format("expected finite coordinates, found ({}, {}) at vertex {}", v.x, v.y, i),
           "correct the vertex or leave the element out");
  }
}

ElementSetBuilder::Ring ElementSetBuilder::Cleaned(std::span<const ElementVertex> vertices) const {
  Ring cleaned;
  for (const ElementVertex& vertex : vertices) {
    const bool repeats = !cleaned.empty() && SamePlace(cleaned.back(), vertex, set_.has_z_) &&
                         (!set_.has_m_ || cleaned.back().m == vertex.m);
    if (!repeats) cleaned.push_back(vertex);
  }
  return cleaned;
}

ElementSetBuilder::Ring ElementSetBuilder::Oriented(const std::string& id, std::span<const ElementVertex> vertices,
                                                    bool hole, int& flipped) const {
  CheckVertices(id, vertices);
  Ring ring = Cleaned(vertices);
  while (ring.size() > 1 && SamePlace(ring.front(), ring.back(), set_.has_z_)) ring.pop_back();
  if (!HasArea(ring, set_.has_z_)) {
    if (hole) return {};
    if (ring.size() < 3) {
      Refuse(id, fmt::format("expected at least 3 vertices of a polygon, found {}", ring.size()),
             "the closing vertex does not count");
    }
    Refuse(id, fmt::format("expected a polygon with an area, found {} vertices on one line", ring.size()),
           "correct the ring or leave the element out");
  }
  const std::array<double, 3> area = DoubleArea(ring, set_.has_z_);
  const bool upright = set_.has_z_ && std::abs(area[2]) <= 1e-9 * Length(area);
  if (!upright && (area[2] < 0.0) != hole) {
    // The first vertex remains the first.
    std::reverse(ring.begin() + 1, ring.end());
    if (!hole) ++flipped;
  }
  return ring;
}

void ElementSetBuilder::AppendVertices(std::span<const ElementVertex> vertices) {
  set_.vertices_.Add(vertices, set_.has_z_, set_.has_m_);
  set_.offsets_.push_back(set_.vertices_.x.size());
}

void ElementSetBuilder::AppendExtraRing(std::span<const ElementVertex> ring, int part, bool hole) {
  const std::size_t begin = set_.extra_vertices_.x.size();
  set_.extra_vertices_.Add(ring, set_.has_z_, false);
  set_.extra_rings_.push_back({set_.ids_.size(), begin, set_.extra_vertices_.x.size(), part, hole});
}

void ElementSetBuilder::Finish(const std::string& id) {
  if (!id.empty()) set_.index_of_.emplace(id, Count());
  set_.ids_.emplace_back(id);
}

ElementSetBuilder& ElementSetBuilder::AddId(const std::string& id) {
  Expect(ElementType::IdBased, id);
  Finish(id);
  return *this;
}

ElementSetBuilder& ElementSetBuilder::AddPoint(const std::string& id, const ElementVertex& vertex) {
  Expect(ElementType::Point, id);
  CheckVertices(id, {&vertex, 1});
  AppendVertices({&vertex, 1});
  Finish(id);
  return *this;
}

ElementSetBuilder& ElementSetBuilder::AddPolyLine(const std::string& id, std::span<const ElementVertex> vertices) {
  Expect(ElementType::PolyLine, id);
  CheckVertices(id, vertices);
  const Ring line = Cleaned(vertices);
  if (line.size() < 2) {
    Refuse(id, fmt::format("expected at least 2 vertices of a polyline, found {}", line.size()),
           "repeated vertices count once; use a point for a single place");
  }
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (SamePlace(line[i - 1], line[i], set_.has_z_)) {
      Refuse(id,
             fmt::format("expected segments with a length, found M jump from {} to {} at one place", line[i - 1].m,
                         line[i].m),
             "let M grow along the line");
    }
  }
  if (SamePlace(line.front(), line.back(), set_.has_z_)) {
    Refuse(id, "expected an open polyline, found one whose last vertex is its first",
           "cut it into two elements, or use a polygon");
  }
  AppendVertices(line);
  Finish(id);
  return *this;
}

ElementSetBuilder& ElementSetBuilder::AddPolyLine(const std::string& id, const std::vector<ElementVertex>& vertices) {
  return AddPolyLine(id, std::span<const ElementVertex>(vertices));
}

ElementSetBuilder& ElementSetBuilder::AddPolygon(const std::string& id, std::span<const ElementVertex> outer) {
  Expect(ElementType::Polygon, id);
  int flipped = 0;
  const Ring ring = Oriented(id, outer, false, flipped);
  set_.flipped_count_ += flipped;
  AppendVertices(ring);
  Finish(id);
  return *this;
}

ElementSetBuilder& ElementSetBuilder::AddPolygon(const std::string& id, const std::vector<ElementVertex>& outer) {
  return AddPolygon(id, std::span<const ElementVertex>(outer));
}

ElementSetBuilder& ElementSetBuilder::AddPolygon(const std::string& id, const std::vector<Part>& parts) {
  Expect(ElementType::Polygon, id);
  if (parts.empty()) Refuse(id, "expected at least one part of a polygon, found none", "leave the element out");
  struct Sound {
    Ring outer;
    std::vector<Ring> holes;
    double area;
  };
  std::vector<Sound> sound;
  int flipped = 0;
  for (const Part& part : parts) {
    Sound next{Oriented(id, part.outer, false, flipped), {}, 0.0};
    next.area = Length(DoubleArea(next.outer, set_.has_z_));
    for (const auto& hole : part.holes) {
      Ring ring = Oriented(id, hole, true, flipped);
      if (!ring.empty()) next.holes.push_back(std::move(ring));
    }
    sound.push_back(std::move(next));
  }
  std::iter_swap(sound.begin(), std::max_element(sound.begin(), sound.end(),
                                                 [](const Sound& a, const Sound& b) { return a.area < b.area; }));
  for (std::size_t i = 0; i < sound.size(); ++i) {
    if (i > 0) AppendExtraRing(sound[i].outer, static_cast<int>(i), false);
    for (const Ring& hole : sound[i].holes) AppendExtraRing(hole, static_cast<int>(i), true);
  }
  set_.flipped_count_ += flipped;
  AppendVertices(sound.front().outer);
  Finish(id);
  return *this;
}

ElementSetBuilder& ElementSetBuilder::AddPolyhedron(const std::string& id, std::span<const ElementVertex> vertices,
                                                    const std::vector<std::vector<int>>& faces) {
  Expect(ElementType::Polyhedron, id);
  CheckVertices(id, vertices);
  if (vertices.size() < 4 || faces.size() < 4) {
    Refuse(id,
           fmt::format("expected at least 4 vertices and 4 faces of a polyhedron, found {} and {}", vertices.size(),
                       faces.size()),
           "give every face");
  }
  std::set<std::pair<int, int>> edges;
  double volume = 0.0;  // six times the volume, about the first vertex
  const ElementVertex& origin = vertices.front();
  const auto from_origin = [&](int v) -> std::array<double, 3> {
    const ElementVertex& vertex = vertices[static_cast<std::size_t>(v)];
    return {vertex.x - origin.x, vertex.y - origin.y, vertex.z - origin.z};
  };
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const std::vector<int>& face = faces[f];
    if (face.size() < 3) {
      Refuse(id, fmt::format("expected at least 3 vertices of face {}, found {}", f, face.size()), "correct the face");
    }
    for (std::size_t i = 0; i < face.size(); ++i) {
      if (face[i] < 0 || static_cast<std::size_t>(face[i]) >= vertices.size()) {
        Refuse(id, fmt::format("expected vertices below {} in face {}, found {}", vertices.size(), f, face[i]),
               "faces number the vertices of their own element from zero");
      }
    }
    for (std::size_t i = 0; i < face.size(); ++i) {
      if (!edges.emplace(face[i], face[(i + 1) % face.size()]).second) {
        Refuse(id,
               fmt::format("expected each edge once in each direction, found the one from vertex {} to {} twice",
                           face[i], face[(i + 1) % face.size()]),
               "number the vertices of every face counter-clockwise, seen from outside");
      }
    }
    const auto a = from_origin(face[0]);
    for (std::size_t i = 1; i + 1 < face.size(); ++i) {
      const auto b = from_origin(face[i]);
      const auto c = from_origin(face[i + 1]);
      volume +=
          a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
  }
  for (const auto& [from, to] : edges) {
    if (!edges.contains({to, from})) {
      Refuse(
          id,
          fmt::format("expected a closed polyhedron, found one face only at the edge of vertices {} and {}", from, to),
          "give every face, each counter-clockwise seen from outside");
    }
  }
  const double extent = std::sqrt(ExtentSquared(vertices, true));
  if (std::abs(volume) <= 1e-14 * extent * extent * extent) {
    Refuse(id, "expected a polyhedron with a volume, found a flat one", "use a polygon");
  }
  std::vector<std::vector<int>> outward = faces;
  if (volume < 0.0) {
    for (std::vector<int>& face : outward) std::reverse(face.begin() + 1, face.end());
    ++set_.flipped_count_;
  }
  set_.faces_.push_back(std::move(outward));
  AppendVertices(vertices);
  Finish(id);
  return *this;
}

ElementSet ElementSetBuilder::Build() {
  ElementSetBuilder next(set_.Caption(), set_.type_, set_.wkt_);
  next.set_.has_z_ = set_.has_z_;
  next.set_.has_m_ = set_.has_m_;
  return std::exchange(set_, std::move(next.set_));
}

}  // namespace openmi
