#pragma once

#include "openmi/standard/IBaseAdaptedOutput.hpp"

namespace openmi {

/// Optional interface of an adapted output whose values may be totals: sums of values, or values times a length, an
/// area or a time.
///
/// A unit with an offset means nothing for totals: the sum of two temperatures of 10 degC is not 20 degC. A unit
/// conversion with an offset is therefore refused after such an adaptor.
class ITotals {
 public:
  virtual ~ITotals() = default;
  /// Whether the values are totals, with the present arguments.
  virtual bool MakesTotals() const = 0;
};

/// The first adapted output that makes totals, going from `output` towards the provider; null if there is none.
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
