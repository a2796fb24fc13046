#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>

namespace openmi {

/// A place in space, or in a plane with z = 0, in the unit of its reference system.
///
/// Source: [Kreyszig2011], sec. 9.2 and 9.3 for the products of vectors.
struct Point3 {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
  friend bool operator==(const Point3&, const Point3&) = default;
  friend Point3 operator+(Point3 a, Point3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Point3 operator-(Point3 a, Point3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Point3 operator*(double s, Point3 a) { return {s * a.x, s * a.y, s * a.z}; }
};

inline double Dot(Point3 a, Point3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Point3 Cross(Point3 a, Point3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double Norm(Point3 a) {
  return std::sqrt(Dot(a, a));
}
inline double SquaredDistance(Point3 a, Point3 b) {
  return Dot(a - b, a - b);
}

/// The space that points lie in: it determines how many directions there are about a place.
enum class Space {
  Plane,   ///< z = 0
  Sphere,  ///< on a sphere about the origin; straight distances are chords
  Solid    ///< all three directions
};

/// Mean radius of the earth, m.
///
/// Source: [Moritz2000], mean radius R1.
inline constexpr double kEarthRadius = 6371008.7714;

/// The place with a longitude and latitude (degrees) on a sphere about the origin.
///
/// The x axis points to 0 E 0 N, the z axis to the north. The unit is that of `radius`.
inline Point3 OnSphere(double longitude, double latitude, double radius = kEarthRadius) {
  constexpr double degree = std::numbers::pi / 180.0;
  const double ring = radius * std::cos(latitude * degree);
  return {ring * std::cos(longitude * degree), ring * std::sin(longitude * degree),
          radius * std::sin(latitude * degree)};
}

/// The length of the great circle between two places of a sphere, from the length of their chord.
inline double ArcOfChord(double chord, double radius) {
  return 2.0 * radius * std::asin(std::fmin(0.5 * chord / radius, 1.0));
}

/// Directions about a place: the axes, or two tangents to a sphere and its normal.
struct LocalFrame {
  Point3 origin;
  Point3 first{1.0, 0.0, 0.0};
  Point3 second{0.0, 1.0, 0.0};
  Point3 third{0.0, 0.0, 1.0};

  LocalFrame(Point3 place, Space space) : origin(place) {
    if (space != Space::Sphere || Norm(place) == 0.0) return;
    third = (1.0 / Norm(place)) * place;
    const Point3 pole = std::abs(third.z) < 0.9 ? Point3{0.0, 0.0, 1.0} : Point3{1.0, 0.0, 0.0};
    first = Cross(pole, third);
    first = (1.0 / Norm(first)) * first;
    second = Cross(third, first);
  }
  Point3 operator()(Point3 p) const {
    const Point3 d = p - origin;
    return {Dot(d, first), Dot(d, second), Dot(d, third)};
  }
};

/// The number of directions in which a linear function varies.
inline std::size_t Directions(Space space) {
  return space == Space::Solid ? 3 : 2;
}

}  // namespace openmi
