#pragma once

#include <vector>

namespace platoon {

/// A lane of the motorway as a line in the plane: straight along x, a clothoid, and a bend to the left that goes on.
class Road {
 public:
  struct Place {
    double x = 0.0;          ///< m
    double y = 0.0;          ///< m
    double heading = 0.0;    ///< rad, from x to y
    double curvature = 0.0;  ///< 1/m
  };

  /// \param straight   m, length of the straight part \param transition  m, of the clothoid \param radius  m, of the
  /// bend \param length     m, of all of it
  Road(double straight, double transition, double radius, double length);
  /// \param way  m from the begin of the lane
  Place At(double way) const;
  double Length() const { return length_; }

 private:
  double Heading(double way) const;
  /// From the place at `from` on, where both lie within one piece of the table.
  Place Follow(const Place& place, double from, double to) const;

  double straight_, transition_, radius_, length_;
  std::vector<Place> table_;  // every kPiece metres
};

}  // namespace platoon
