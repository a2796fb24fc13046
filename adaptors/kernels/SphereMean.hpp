#pragma once

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/Planar.hpp"
#include "adaptors/kernels/Point3.hpp"

namespace openmi {

/// The mean place of a figure on a sphere that is given in a cylindrical equal-area plane.
///
/// It is the mean of the positions of all points of the figure and lies a little below the surface of the unit sphere.
/// The figure is a sum of strips between a constant height and straight edges. Over each strip,
///
///     integral of r(longitude, latitude) cos(latitude) d latitude d longitude
///
/// is computed by Gauss' formula with 5 x 5 points on stretches of at most half a radian, relative to a place nearby.
/// Where edges follow meridians, the result is exact but for rounding relative to the figure's size, poles included.
///
/// Source: [AbramowitzStegun1972], sec. 25.4.
class SphereMean {
 public:
  /// \param sphere  the sphere that the plane shows
  /// \param corner  a place next to the figure, in the plane; strips start at its height
  SphereMean(const EqualAreaSphere& sphere, Point corner);

  /// Adds the strip between the height of the corner and the edge from p to q, `sign` times.
  ///
  /// The strip counts negative where the edge runs from right to left or lies below the corner.
  void Add(double sign, Point p, Point q);

  /// The mean place of all strips added.
  /// \param area  of the figure, in coordinate units of the plane squared; above 0
  Point3 Of(double area) const;

 private:
  double Latitude(double y) const;

  EqualAreaSphere sphere_;
  Point corner_;
  double latitude_;  // of the corner
  Point3 place_;     // of the corner; x points to the corner's meridian
  Point3 moment_;
};

}  // namespace openmi
