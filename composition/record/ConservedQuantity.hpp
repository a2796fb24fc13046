#pragma once

#include <string>

#include "composition/model/CompositionFile.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// What the values of one end of a link are, as far as balances are concerned.
struct AmountKind {
  double length = 0.0;  ///< powers of the dimension of the amount: 3,0 volume; 1,0 depth; 0,1 mass; -2,1 mass per area
  double mass = 0.0;
  bool is_rate = false;  ///< values are the amount per time; else the amount itself
  bool IsDepth() const { return length == 1.0 && mass == 0.0; }
  bool IsPerArea() const { return IsDepth() || (length == -2.0 && mass == 1.0); }
  bool IsKnown() const { return (length == 3.0 && mass == 0.0) || (length == 0.0 && mass == 1.0) || IsPerArea(); }
  bool operator==(const AmountKind&) const = default;
};

/// Determines the kind from the dimension alone: a volume, a mass, a length or a mass per area, each as an amount or
/// per time. IsKnown() is false for anything else, also for values that are no quantity.
AmountKind AmountKindOf(const IBaseExchangeItem& item);

/// Whether a length (per time) on a link is a depth of matter, such as rain, and not a speed, a level or a distance.
///
/// It is not where an item, its quantity or their captions name a speed ("wind", "speed", "velocity", "celerity"). It
/// is where they name something that falls, runs, seeps or evaporates ("rain", "precip", "snow", "evap", "runoff",
/// "melt", "infiltration", "recharge", "percolation", "drainage", "depth"), or where a unit is in millimetres.
bool IsDepthOfMatter(const ITimeSpaceOutput& source, const ITimeSpaceInput& target);
/// Whether a name of either end names a speed.
bool NamesSpeed(const ITimeSpaceOutput& source, const ITimeSpaceInput& target);
/// The same as the first for an output alone.
bool IsDepthOfMatter(const ITimeSpaceOutput& source);

}  // namespace openmi
