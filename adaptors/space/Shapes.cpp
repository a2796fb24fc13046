#include "adaptors/space/Shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/PointTree.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

void RequireOneSystem(const std::string& adaptor, const IElementSet& source, const IElementSet& target) {
  if (IsOneReferenceSystem(source.SpatialReferenceSystemWkt(), target.SpatialReferenceSystemWkt())) return;
  throw LinkError({.item = adaptor},
                  fmt::format("expected elements in one reference system, found '{}' and '{}' in two", source.Caption(),
                              target.Caption()),
                  "give both element sets in the same reference system");
}

void RequirePlaces(const std::string& adaptor, const IElementSet& elements) {
  if (elements.ElementType() != ElementType::IdBased) return;
  throw LinkError({.item = adaptor},
                  fmt::format("expected elements with a place, found '{}' with ids only", elements.Caption()),
                  "use 'by-id'");
}

/// One vertex in the common space of both sets.
Point3 VertexIn(const IElementSet& elements, int element, int vertex, Space space, bool geographic) {
  const double x = elements.GetVertexXCoordinate(element, vertex);
  const double y = elements.GetVertexYCoordinate(element, vertex);
  const double z = space == Space::Solid ? elements.GetVertexZCoordinate(element, vertex) : 0.0;
  return geographic ? OnSphere(x, y, kEarthRadius + z) : Point3{x, y, z};
}

/// A centroid, summed up from parts.
struct Mass {
  double weight = 0.0;
  Point3 moment;
  void Add(double by, Point3 at) {
    weight += by;
    moment = moment + by * at;
  }
};

/// The area of a ring about its first vertex, along `normal`, and its moment.
void AddRing(const std::vector<Point3>& ring, Point3 normal, double sign, Point3 origin, Mass& mass) {
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
    const Point3 a = ring[0] - origin;
    const Point3 b = ring[i] - origin;
    const Point3 c = ring[i + 1] - origin;
    mass.Add(sign * 0.5 * Dot(Cross(b - a, c - a), normal), (1.0 / 3.0) * (a + b + c));
  }
}

Point3 NormalOf(const std::vector<Point3>& ring) {
  Point3 normal;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) normal = normal + Cross(ring[i] - ring[0], ring[i + 1] - ring[0]);
  const double length = Norm(normal);
  return length > 0.0 ? (1.0 / length) * normal : Point3{0.0, 0.0, 1.0};
}

Point3 MeanOf(const std::vector<Point3>& vertices) {
  Point3 sum;
  for (const Point3& v : vertices) sum = sum + v;
  return (1.0 / static_cast<double>(vertices.size())) * sum;
}

class PlaceMaker {
 public:
  PlaceMaker(const IElementSet& elements, Space space)
      : elements_(elements),
        own_(dynamic_cast<const ElementSet*>(&elements)),
        space_(space),
        geographic_(openmi::IsGeographic(elements.SpatialReferenceSystemWkt())) {}

  Point3 Of(int element) {
    const int count = elements_.GetVertexCount(element);
    vertices_.clear();
    for (int v = 0; v < count; ++v) vertices_.push_back(VertexIn(elements_, element, v, space_, geographic_));
    const Point3 origin = vertices_.front();
    Mass mass;
    switch (elements_.ElementType()) {
      case ElementType::PolyLine:
        for (std::size_t i = 0; i + 1 < vertices_.size(); ++i) {
          mass.Add(Norm(vertices_[i + 1] - vertices_[i]), 0.5 * (vertices_[i] + vertices_[i + 1]) - origin);
        }
        break;
      case ElementType::Polygon:
        AddPolygon(element, origin, mass);
        break;
      case ElementType::Polyhedron:
        for (int f = 0; f < elements_.GetFaceCount(element); ++f) {
          const std::vector<int> face = elements_.GetFaceVertexIndices(element, f);
          const auto at = [&](std::size_t i) { return vertices_[static_cast<std::size_t>(face[i])] - origin; };
          for (std::size_t i = 1; i + 1 < face.size(); ++i) {
            mass.Add(Dot(at(0), Cross(at(i), at(i + 1))) / 6.0, 0.25 * (at(0) + at(i) + at(i + 1)));
          }
        }
        break;
      default:
        return origin;
    }
    const Point3 place = mass.weight > 0.0 ? origin + (1.0 / mass.weight) * mass.moment : MeanOf(vertices_);
    if (space_ != Space::Sphere) return place;
    return (kEarthRadius / Norm(place)) * place;  // from inside the sphere to its surface
  }

 private:
  void AddPolygon(int element, Point3 origin, Mass& mass) {
    const Point3 normal = NormalOf(vertices_);
    if (own_ == nullptr || !own_->HasExtraRings()) {
      AddRing(vertices_, normal, 1.0, origin, mass);
      return;
    }
    for (const ElementRing& ring : own_->Rings(element)) {
      ring_.clear();
      for (std::size_t i = 0; i < ring.x.size(); ++i) {
        const double z = space_ == Space::Solid && !ring.z.empty() ? ring.z[i] : 0.0;
        ring_.push_back(geographic_ ? OnSphere(ring.x[i], ring.y[i], kEarthRadius + z)
                                    : Point3{ring.x[i], ring.y[i], z});
      }
      AddRing(ring_, normal, 1.0, origin, mass);  // holes have the opposite orientation
    }
  }

  const IElementSet& elements_;
  const ElementSet* own_;
  Space space_;
  bool geographic_;
  std::vector<Point3> vertices_;
  std::vector<Point3> ring_;
};

}  // namespace

std::vector<Point3> PlacesIn(const std::string& adaptor, const IElementSet& elements, Space space) {
  RequirePlaces(adaptor, elements);
  std::vector<Point3> places;
  places.reserve(static_cast<std::size_t>(elements.ElementCount()));
  PlaceMaker maker(elements, space);
  for (int element = 0; element < elements.ElementCount(); ++element) places.push_back(maker.Of(element));
  return places;
}

PlacePair PlacesOf(const std::string& adaptor, const IElementSet& source, const IElementSet& target) {
  RequirePlaces(adaptor, source);
  RequirePlaces(adaptor, target);
  RequireOneSystem(adaptor, source, target);
  PlacePair pair;
  if (source.HasZ() && target.HasZ()) {
    pair.space = Space::Solid;
  } else if (openmi::IsGeographic(source.SpatialReferenceSystemWkt())) {
    pair.space = Space::Sphere;
  }
  pair.source = PlacesIn(adaptor, source, pair.space);
  pair.target = PlacesIn(adaptor, target, pair.space);
  return pair;
}

Space MeshSpace(const IElementSet& elements) {
  return openmi::IsGeographic(elements.SpatialReferenceSystemWkt()) ? Space::Sphere : Space::Plane;
}

MeshVertices MeshOf(const IElementSet& polygons, Space space) {
  const bool geographic = openmi::IsGeographic(polygons.SpatialReferenceSystemWkt());
  MeshVertices mesh;
  for (int element = 0; element < polygons.ElementCount(); ++element) {
    for (int v = 0; v < polygons.GetVertexCount(element); ++v) {
      mesh.vertices.push_back(VertexIn(polygons, element, v, space, geographic));
    }
    mesh.starts.push_back(static_cast<std::uint32_t>(mesh.vertices.size()));
  }
  return mesh;
}

CommonPlane::CommonPlane(const std::string& adaptor, const IElementSet& source, const IElementSet& target) {
  RequirePlaces(adaptor, source);
  RequirePlaces(adaptor, target);
  RequireOneSystem(adaptor, source, target);
  geographic_ = openmi::IsGeographic(source.SpatialReferenceSystemWkt());
  if (!geographic_) return;
  std::vector<double> longitudes;
  double low = 90.0;
  double high = -90.0;
  for (const IElementSet* set : {&source, &target}) {
    for (int element = 0; element < set->ElementCount(); ++element) {
      for (int v = 0; v < set->GetVertexCount(element); ++v) {
        longitudes.push_back(set->GetVertexXCoordinate(element, v));
        low = std::min(low, set->GetVertexYCoordinate(element, v));
        high = std::max(high, set->GetVertexYCoordinate(element, v));
      }
    }
  }
  longitude_ = MiddleLongitude(longitudes);
  latitude_ = 0.5 * (low + high);
}

double CommonPlane::Near(double longitude) const {
  return geographic_ ? longitude_ + std::remainder(longitude - longitude_, 360.0) : longitude;
}

double CommonPlane::Beside(double last, double longitude) const {
  return geographic_ ? last + std::remainder(longitude - last, 360.0) : longitude;
}

Point CommonPlane::At(const IElementSet& elements, int element, int vertex) const {
  return {Near(elements.GetVertexXCoordinate(element, vertex)), elements.GetVertexYCoordinate(element, vertex)};
}

std::vector<Point> CommonPlane::PointsOf(const IElementSet& elements) const {
  std::vector<Point> points;
  for (int element = 0; element < elements.ElementCount(); ++element) points.push_back(At(elements, element, 0));
  return points;
}

Polygons CommonPlane::PolygonsOf(const IElementSet& elements) const {
  Polygons polygons;
  const auto* own = dynamic_cast<const ElementSet*>(&elements);
  for (int element = 0; element < elements.ElementCount(); ++element) {
    if (own != nullptr) {
      for (const ElementRing& ring : own->Rings(element)) {
        double last = Near(ring.x[0]);
        for (std::size_t i = 0; i < ring.x.size(); ++i) {
          last = Beside(last, ring.x[i]);
          polygons.AddVertex(last, ring.y[i]);
        }
        polygons.EndRing(ring.is_hole);
      }
    } else {
      double last = At(elements, element, 0).x;
      for (int v = 0; v < elements.GetVertexCount(element); ++v) {
        const Point p = At(elements, element, v);
        last = Beside(last, p.x);
        polygons.AddVertex(last, p.y);
      }
      polygons.EndRing();
    }
    polygons.EndPolygon();
  }
  return polygons;
}

CommonPlane::Lines CommonPlane::LinesOf(const IElementSet& elements) const {
  Lines lines;
  for (int element = 0; element < elements.ElementCount(); ++element) {
    const int count = elements.GetVertexCount(element);
    for (int v = 0; v < count; ++v) {
      Point p = At(elements, element, v);
      if (v > 0) p.x = Beside(lines.points.back().x, p.x);
      lines.points.push_back(p);
      double length = 0.0;
      if (v + 1 < count) {
        const Point q = At(elements, element, v + 1);
        length = geographic_
                     ? ArcOfChord(std::sqrt(SquaredDistance(OnSphere(p.x, p.y), OnSphere(q.x, q.y))), kEarthRadius)
                     : std::hypot(q.x - p.x, q.y - p.y);
      }
      lines.lengths.push_back(length);
    }
    lines.starts.push_back(static_cast<std::uint32_t>(lines.points.size()));
  }
  return lines;
}

Point CommonPlane::InLengths(Point p) const {
  if (!geographic_) return p;
  constexpr double degree = std::numbers::pi / 180.0;
  return {(p.x - longitude_) * degree * kEarthRadius * std::cos(latitude_ * degree),
          (p.y - latitude_) * degree * kEarthRadius};
}

std::vector<Stretch> StretchesOf(const std::string& adaptor, const IElementSet& elements) {
  const bool fits = elements.ElementType() == ElementType::Point || elements.ElementType() == ElementType::PolyLine;
  if (!fits || !elements.HasM()) {
    throw LinkError({.item = adaptor},
                    fmt::format("expected points or polylines with M, found '{}' without", elements.Caption()),
                    "give the elements M coordinates (chainage), or use 'nearest'");
  }
  std::vector<Stretch> stretches;
  for (int element = 0; element < elements.ElementCount(); ++element) {
    stretches.push_back({elements.GetVertexMCoordinate(element, 0),
                         elements.GetVertexMCoordinate(element, elements.GetVertexCount(element) - 1)});
  }
  return stretches;
}

std::vector<Body> BodiesOf(const IElementSet& polyhedra) {
  std::vector<Body> bodies;
  for (int element = 0; element < polyhedra.ElementCount(); ++element) {
    Body body;
    for (int f = 0; f < polyhedra.GetFaceCount(element); ++f) {
      const std::vector<int> face = polyhedra.GetFaceVertexIndices(element, f);
      const auto at = [&](std::size_t i) { return VertexIn(polyhedra, element, face[i], Space::Solid, false); };
      for (std::size_t i = 1; i + 1 < face.size(); ++i) body.faces.push_back({at(0), at(i), at(i + 1)});
    }
    bodies.push_back(std::move(body));
  }
  return bodies;
}

std::vector<std::vector<std::uint32_t>> NeighboursOf(const std::string& adaptor, const IElementSet& elements) {
  RequirePlaces(adaptor, elements);
  const bool geographic = openmi::IsGeographic(elements.SpatialReferenceSystemWkt());
  const Space space = elements.HasZ() ? Space::Solid : geographic ? Space::Sphere : Space::Plane;
  std::vector<std::vector<std::uint32_t>> neighbours(static_cast<std::size_t>(elements.ElementCount()));
  if (elements.ElementType() == ElementType::Point) {
    const std::vector<Point3> places = PlacesIn(adaptor, elements, space);
    const PointTree tree(places);
    std::vector<PointNeighbour> found;
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      tree.Nearest(places[i], 5, found);
      for (const PointNeighbour& n : found) {
        if (n.index != i) neighbours[i].push_back(n.index);
      }
    }
    return neighbours;
  }
  std::vector<Point3> vertices;
  std::vector<std::uint32_t> owners;
  std::vector<double> sizes;
  for (int element = 0; element < elements.ElementCount(); ++element) {
    double size = 0.0;
    Point3 first;
    for (int v = 0; v < elements.GetVertexCount(element); ++v) {
      const Point3 vertex = VertexIn(elements, element, v, space, geographic);
      if (v == 0) first = vertex;
      size = std::max(size, SquaredDistance(first, vertex));
      vertices.push_back(vertex);
      owners.push_back(static_cast<std::uint32_t>(element));
    }
    sizes.push_back(std::sqrt(size));
  }
  const PointTree tree(vertices);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    tree.Within(vertices[i], 1e-7 * sizes[owners[i]], [&](std::uint32_t other, double) {
      if (owners[other] != owners[i]) neighbours[owners[i]].push_back(owners[other]);
    });
  }
  for (std::vector<std::uint32_t>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return neighbours;
}

}  // namespace openmi
