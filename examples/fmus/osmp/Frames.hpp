#pragma once

#include <array>
#include <cmath>

#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

/// \file
/// Places in OSI's frames: rotate by yaw, then pitch about the new y, then roll about the new x; metres and radians.
/// Source: ASAM OSI, Orientation3d.

namespace osmp_fmu {

using Vector = std::array<double, 3>;

/// A number of a message; 0 where it is not set.
inline double Known(double value) {
  return std::isnan(value) ? 0.0 : value;
}
inline Vector VectorOf(const openmi::osi::Triple& triple) {
  return {Known(triple.a), Known(triple.b), Known(triple.c)};
}
inline openmi::osi::Triple TripleOf(const Vector& vector) {
  return {vector[0], vector[1], vector[2]};
}
inline Vector operator+(const Vector& a, const Vector& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vector operator-(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// A turn of axes.
class Rotation {
 public:
  Rotation() = default;
  /// \param angles  roll, pitch, yaw
  explicit Rotation(const openmi::osi::Triple& angles) {
    const double roll = Known(angles.a), pitch = Known(angles.b), yaw = Known(angles.c);
    const double cr = std::cos(roll), sr = std::sin(roll), cp = std::cos(pitch), sp = std::sin(pitch);
    const double cy = std::cos(yaw), sy = std::sin(yaw);
    m_ = {cy * cp,
          cy * sp * sr - sy * cr,
          cy * sp * cr + sy * sr,  //
          sy * cp,
          sy * sp * sr + cy * cr,
          sy * sp * cr - cy * sr,  //
          -sp,
          cp * sr,
          cp * cr};
  }
  /// A vector of the inner frame in the outer one.
  Vector ToOuter(const Vector& v) const {
    return {m_[0] * v[0] + m_[1] * v[1] + m_[2] * v[2], m_[3] * v[0] + m_[4] * v[1] + m_[5] * v[2],
            m_[6] * v[0] + m_[7] * v[1] + m_[8] * v[2]};
  }
  /// And back.
  Vector ToInner(const Vector& v) const {
    return {m_[0] * v[0] + m_[3] * v[1] + m_[6] * v[2], m_[1] * v[0] + m_[4] * v[1] + m_[7] * v[2],
            m_[2] * v[0] + m_[5] * v[1] + m_[8] * v[2]};
  }
  /// This one first, then `inner` within its frame.
  Rotation Then(const Rotation& inner) const {
    Rotation both;
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        double sum = 0.0;
        for (std::size_t k = 0; k < 3; ++k) sum += m_[3 * row + k] * inner.m_[3 * k + column];
        both.m_[3 * row + column] = sum;
      }
    }
    return both;
  }
  /// As seen from this frame: what has to be done after it to get to `outer`.
  Rotation To(const Rotation& outer) const {
    Rotation inverse;
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) inverse.m_[3 * row + column] = m_[3 * column + row];
    }
    return inverse.Then(outer);
  }
  /// Roll, pitch, yaw.
  openmi::osi::Triple Angles() const {
    return {std::atan2(m_[7], m_[8]), std::asin(std::fmax(-1.0, std::fmin(1.0, -m_[6]))), std::atan2(m_[3], m_[0])};
  }

 private:
  std::array<double, 9> m_ = {1, 0, 0, 0, 1, 0, 0, 0, 1};
};

}  // namespace osmp_fmu
