#include "adaptors/kernels/Delaunay.hpp"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// A run of Qhull, with its messages.
class Hull {
 public:
  Hull() {
    errors_ = open_memstream(&text_, &size_);
    qh_zero(&qh_, errors_);
  }
  ~Hull() {
    qh_freeqhull(&qh_, !qh_ALL);
    int left = 0;
    int total = 0;
    qh_memfreeshort(&qh_, &left, &total);
    std::fclose(errors_);
    std::free(text_);
  }
  Hull(const Hull&) = delete;
  Hull& operator=(const Hull&) = delete;

  bool Run(std::vector<double>& coordinates, int dimensions, const char* command) {
    std::string words = command;
    const int count = static_cast<int>(coordinates.size()) / dimensions;
    return qh_new_qhull(&qh_, dimensions, count, coordinates.data(), 0, words.data(), nullptr, errors_) == 0;
  }
  /// The first line of the error message.
  std::string Message() {
    std::fflush(errors_);
    const std::string all(text_, size_);
    return all.substr(0, all.find('\n'));
  }
  qhT* operator->() { return &qh_; }

  /// Calls `visit(facet, numbers)` for each triangle.
  template <typename Visit>
  void EachTriangle(Visit&& visit) {
    for (facetT* facet = qh_.facet_list; facet != nullptr && facet->next != nullptr; facet = facet->next) {
      if (qh_setsize(&qh_, facet->vertices) != 3) continue;
      std::array<std::uint32_t, 3> numbers{};
      for (int i = 0; i < 3; ++i) {
        const auto* vertex = static_cast<const vertexT*>(facet->vertices->e[i].p);
        numbers[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(qh_pointid(&qh_, vertex->point));
      }
      visit(*facet, numbers);
    }
  }

 private:
  qhT qh_;
  std::FILE* errors_ = nullptr;
  char* text_ = nullptr;
  std::size_t size_ = 0;
};

std::vector<Point3> Scaled(std::span<const Point3> places, Point3 middle, double scale) {
  std::vector<Point3> scaled;
  scaled.reserve(places.size());
  for (const Point3& p : places) scaled.push_back(scale * (p - middle));
  return scaled;
}

Point3 MeanOf(std::span<const Point3> places) {
  Point3 sum;
  for (const Point3& p : places) sum = sum + p;
  return (1.0 / static_cast<double>(places.size())) * sum;
}

/// Whether places on a sphere lie within 60 degrees of their middle.
bool LieOnOneSide(std::span<const Point3> places) {
  const Point3 middle = MeanOf(places);
  const double radius = Norm(places.front());
  if (!(Norm(middle) > 1e-6 * radius)) return false;
  return std::ranges::all_of(places, [&](Point3 p) { return Dot(p, middle) > 0.5 * Norm(p) * Norm(middle); });
}

/// Places moved to the origin of a plane and scaled to unit extent, so that large coordinates lose no digits. Places on
/// a sphere are projected stereographically about their middle; circles stay circles, so the triangles stay the same.
std::vector<Point3> Flattened(std::span<const Point3> places, bool sphere) {
  std::vector<Point3> flat;
  if (sphere) {
    const double radius = Norm(places.front());
    const Point3 middle = MeanOf(places);
    const LocalFrame frame((radius / Norm(middle)) * middle, Space::Sphere);
    for (const Point3& p : places) {
      const Point3 local = frame(p);
      const double stretch = 2.0 / (2.0 + local.z / radius);
      flat.push_back({stretch * local.x, stretch * local.y, 0.0});
    }
    places = flat;
  }
  Point3 low = places.front();
  Point3 high = low;
  for (const Point3& p : places) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), 0.0};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), 0.0};
  }
  const double extent = std::max(high.x - low.x, high.y - low.y);
  Point3 centre = 0.5 * (low + high);
  centre.z = places.front().z;
  return Scaled(places, centre, extent > 0.0 ? 1.0 / extent : 1.0);
}

}  // namespace

std::vector<std::array<std::uint32_t, 3>> DelaunayTriangles(std::span<const Point3> places, Space space) {
  const bool sphere = space == Space::Sphere;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  const auto refuse = [&](const std::string& found) {
    throw RangeError({}, fmt::format("expected places that span triangles, found {}", found),
                     "use nearest or inverse-distance for places on a line");
  };
  if (places.size() < 3) refuse(fmt::format("{} different ones", places.size()));
  const bool globe = sphere && !LieOnOneSide(places);
  const std::vector<Point3> at = globe ? Scaled(places, {}, 1.0 / Norm(places.front())) : Flattened(places, sphere);
  std::vector<double> coordinates;
  coordinates.reserve(at.size() * (globe ? 3 : 2));
  for (const Point3& p : at) {
    coordinates.push_back(p.x);
    coordinates.push_back(p.y);
    if (globe) coordinates.push_back(p.z);
  }
  Hull hull;
  if (!hull.Run(coordinates, globe ? 3 : 2, globe ? "qhull Qt Qc" : "qhull d Qt Qbb Qc Qz")) {
    refuse(fmt::format("{} that do not ({})", places.size(), hull.Message()));
  }
  hull.EachTriangle([&](const facetT& facet, std::array<std::uint32_t, 3> t) {
    if (std::ranges::any_of(t, [&](std::uint32_t i) { return i >= places.size(); })) return;
    const Point3 normal = Cross(at[t[1]] - at[t[0]], at[t[2]] - at[t[0]]);
    if (!globe) {
      if (facet.upperdelaunay) return;
      if (normal.z < 0.0) std::swap(t[1], t[2]);
    } else {
      if (!(facet.offset < -1e-9)) return;  // faces inwards: all places lie on one side of the earth
      if (Dot(normal, at[t[0]]) < 0.0) std::swap(t[1], t[2]);
    }
    triangles.push_back(t);
  });
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

}  // namespace openmi
