#pragma once

namespace openmi {

/// A vertex for an element set, in the units of the set's reference system.
struct ElementVertex {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;  ///< ignored when the set has no Z
  double m = 0.0;  ///< ignored when the set has no M
};

}  // namespace openmi
