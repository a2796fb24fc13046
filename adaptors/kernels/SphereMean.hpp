#pragma once

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"

namespace openmi {

/// The mean place of a figure on a sphere that is given by its picture in a cylindrical equal-area plane: the mean of
/// the positions of all its points, which lies a little below the surface of the unit sphere.
///
/// The figure is a sum of strips between a height and straight edges, over each of which
///   integral of r(longitude, latitude) cos(latitude) d latitude d longitude
/// is found by Gauss' formula with 5 x 5 points [AbramowitzStegun1972, sec. 25.4] on stretches of half a radian at
/// most, relative to a place nearby: exact but for rounding in terms of the figure's own size, poles included, where
/// edges follow meridians.
class SphereMean {
 public:
  /// \param corner  a place next to the figure, in the plane; strips begin at its height
  SphereMean(const EqualAreaSphere& sphere, Point corner);

  /// Adds the strip between the height of the corner and the edge from p to q, `sign` times; it counts negative where
  /// the edge runs from right to left or lies below the corner.
  void Add(double sign, Point p, Point q);

  /// \param area  of the figure, in units of the plane; above 0
  Point3 Of(double area) const;

 private:
  double Latitude(double y) const;

  EqualAreaSphere sphere_;
  Point corner_;
  double latitude_;  // of the corner
  Point3 place_;     // of the corner, with the meridian of the corner as x
  Point3 moment_;
};

}  // namespace openmi
