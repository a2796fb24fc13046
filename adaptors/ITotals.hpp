#pragma once

#include "openmi/standard/IBaseAdaptedOutput.hpp"

namespace openmi {

/// An adapted output whose values may be totals: sums of values, or values times a length, an area or a time.
///
/// A unit with an offset means nothing for totals: the sum of two temperatures of 10 degC is not 20 degC. So a
/// conversion with an offset is refused behind one.
class ITotals {
 public:
  virtual ~ITotals() = default;
  /// Whether its values are totals, with the arguments as they are.
  virtual bool MakesTotals() const = 0;
};

/// The nearest adapted output that makes totals, from `output` downwards; null if there is none.
inline const IBaseOutput* TotalsBelow(const IBaseOutput& output) {
  const IBaseOutput* at = &output;
  while (const auto* adapted = dynamic_cast<const IBaseAdaptedOutput*>(at)) {
    const auto* totals = dynamic_cast<const ITotals*>(at);
    if (totals != nullptr && totals->MakesTotals()) return at;
    at = &adapted->Adaptee();
  }
  return nullptr;
}

}  // namespace openmi
