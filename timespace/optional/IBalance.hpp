#pragma once

#include <string>

namespace openmi {

/// The storage of a component and the amounts that passed through it since `Prepare`.
///
/// All amounts have the same unit, usually m3 of water.
struct BalanceTerms {
  double storage = 0.0;  ///< held now
  double in = 0.0;       ///< cumulative, through inputs
  double out = 0.0;      ///< cumulative, through outputs
  double losses = 0.0;   ///< cumulative, to places without a link (evaporation, deep seepage)
};

/// A component that states its storage, so that start + in - out - losses - end = 0 can be checked at every step.
///
/// Optional interface.
class IBalance {
 public:
  virtual ~IBalance() = default;
  /// The present terms, in `BalanceUnit()`.
  virtual BalanceTerms Balance() const = 0;
  /// The unit of all terms ("m3"); empty: the component states no storage after all.
  virtual std::string BalanceUnit() const { return "m3"; }
  /// The area of the balance in m2; 0 when there is none. With an area the balance is also shown in mm.
  virtual double BalanceArea() const { return 0.0; }
};

}  // namespace openmi
