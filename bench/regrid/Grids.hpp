#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "adaptors/kernels/Delaunay.hpp"
#include "adaptors/kernels/Point3.hpp"
#include "adaptors/kernels/Polygons.hpp"
#include "adaptors/kernels/SecondOrder.hpp"
#include "bench/regrid/Fields.hpp"

namespace openmi::regrid {

/// A mesh of polygons in a plane, with what the methods need of it.
struct Mesh {
  Polygons cells;
  std::vector<Point> centres;
  std::vector<Point3> places;
  std::vector<Point3> vertices;
  std::vector<std::uint32_t> starts{0};
  std::vector<double> reach;  // of each cell's vertices from its centre

  /// To be called when the cells are there.
  Mesh& Finish() {
    const PolygonsView view = cells.View();
    centres = PolygonCentroids(view);
    for (std::size_t i = 0; i < view.Count(); ++i) {
      places.push_back({centres[i].x, centres[i].y, 0});
      double furthest = 0;
      for (std::size_t v = view.ring_starts[i]; v < view.ring_starts[i + 1]; ++v) {
        vertices.push_back({view.x[v], view.y[v], 0});
        furthest = std::max(furthest, std::sqrt(SquaredDistance(vertices.back(), places.back())));
      }
      reach.push_back(furthest);
      starts.push_back(static_cast<std::uint32_t>(vertices.size()));
    }
    return *this;
  }

  /// The mean of a field over each cell: Gauss points of degree 5 in each triangle of a fan, exact to h^6.
  std::vector<double> Means(const Field& field) const {
    static constexpr double a = 0.470142064105115, b = 0.101286507323456;
    static constexpr double wa = 0.132394152788506, wb = 0.125939180544827;
    const std::array<std::array<double, 4>, 7> points = {{{1.0 / 3, 1.0 / 3, 1.0 / 3, 0.225},
                                                          {a, a, 1 - 2 * a, wa},
                                                          {a, 1 - 2 * a, a, wa},
                                                          {1 - 2 * a, a, a, wa},
                                                          {b, b, 1 - 2 * b, wb},
                                                          {b, 1 - 2 * b, b, wb},
                                                          {1 - 2 * b, b, b, wb}}};
    std::vector<double> means;
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
      double sum = 0, area = 0;
      for (std::uint32_t v = starts[i] + 1; v + 1 < starts[i + 1]; ++v) {
        const Point3 p = vertices[starts[i]], q = vertices[v], r = vertices[v + 1];
        const double twice = Cross(q - p, r - p).z;
        area += twice;
        for (const auto& [u, w, t, weight] : points) {
          const Point3 x = u * p + w * q + t * r;
          sum += twice * weight * field.at(x.x, x.y);
        }
      }
      means.push_back(sum / area);
    }
    return means;
  }
  std::vector<double> AtCentres(const Field& field) const {
    std::vector<double> values;
    for (const Point& c : centres) values.push_back(field.at(c.x, c.y));
    return values;
  }
};

using Place2 = std::function<Point(double, double)>;

/// n x n squares over the unit square, sent through `place`.
inline Mesh SquareMesh(std::size_t nx, std::size_t ny, const Place2& place) {
  Mesh mesh;
  for (std::size_t j = 0; j < ny; ++j) {
    for (std::size_t i = 0; i < nx; ++i) {
      const auto at = [&](std::size_t u, std::size_t v) {
        return place(static_cast<double>(u) / static_cast<double>(nx),
                     static_cast<double>(v) / static_cast<double>(ny));
      };
      mesh.cells.Add(std::array{at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  }
  mesh.Finish();
  return mesh;
}

/// Squares of which those of the lower left quarter are divided by four, so that vertices hang.
inline Mesh RefinedMesh(std::size_t n) {
  Mesh mesh;
  const auto add = [&](double x, double y, double h) {
    mesh.cells.Add(std::array{Point{x, y}, Point{x + h, y}, Point{x + h, y + h}, Point{x, y + h}});
  };
  const double h = 1.0 / static_cast<double>(n);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      const double x = static_cast<double>(i) * h, y = static_cast<double>(j) * h;
      if (2 * i >= n || 2 * j >= n) {
        add(x, y, h);
        continue;
      }
      for (const auto& [dx, dy] : {std::pair{0.0, 0.0}, {0.5, 0.0}, {0.0, 0.5}, {0.5, 0.5}})
        add(x + dx * h, y + dy * h, h / 2);
    }
  }
  mesh.Finish();
  return mesh;
}

/// A number from 0 to 1 without a pattern, the same in every run.
inline double Scatter(std::size_t i, std::size_t j, std::size_t what) {
  const double v =
      std::sin(static_cast<double>(i) * 12.9898 + static_cast<double>(j) * 78.233 + static_cast<double>(what) * 37.719);
  return v * 43758.5453 - std::floor(v * 43758.5453);
}

/// The vertices of n x n squares, shifted by up to 0.3 of their distance, those on the rim along it.
inline std::vector<Point3> ShiftedPoints(std::size_t n) {
  std::vector<Point3> points;
  const double h = 1.0 / static_cast<double>(n);
  for (std::size_t j = 0; j <= n; ++j) {
    for (std::size_t i = 0; i <= n; ++i) {
      const double dx = i == 0 || i == n ? 0 : 0.6 * (Scatter(i, j, 1) - 0.5);
      const double dy = j == 0 || j == n ? 0 : 0.6 * (Scatter(i, j, 2) - 0.5);
      points.push_back({(static_cast<double>(i) + dx) * h, (static_cast<double>(j) + dy) * h, 0});
    }
  }
  return points;
}

/// The triangles between such points.
inline Mesh TriangleMesh(std::size_t n) {
  const std::vector<Point3> points = ShiftedPoints(n);
  Mesh mesh;
  for (const auto& t : DelaunayTriangles(points, Space::Plane)) {
    const auto at = [&](std::size_t k) { return Point{points[t[k]].x, points[t[k]].y}; };
    if (Cross(points[t[1]] - points[t[0]], points[t[2]] - points[t[0]]).z < 1e-9 / static_cast<double>(n * n)) continue;
    mesh.cells.Add(std::array{at(0), at(1), at(2)});
  }
  mesh.Finish();
  return mesh;
}

/// Places spread evenly over the sphere [Gonzalez2010], as longitude and latitude in radians.
inline std::vector<Point> SpiralPlaces(std::size_t count, double turn = 0) {
  std::vector<Point> places;
  const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
  for (std::size_t i = 0; i < count; ++i) {
    const double z = 1 - (2 * static_cast<double>(i) + 1) / static_cast<double>(count);
    places.push_back({std::remainder(golden * static_cast<double>(i) + turn, 2 * std::numbers::pi), std::asin(z)});
  }
  return places;
}

}  // namespace openmi::regrid
