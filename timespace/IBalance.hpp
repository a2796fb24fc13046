#pragma once

#include <string>

namespace openmi {

/// What a component holds and what has passed through it since Prepare. All amounts in one unit, m3 of water as a rule.
struct BalanceTerms {
  double storage = 0.0;  ///< held now
  double in = 0.0;       ///< cumulative, through inputs
  double out = 0.0;      ///< cumulative, through outputs
  double losses = 0.0;   ///< cumulative, to where no link goes (evaporation, deep seepage)
};

/// A component that states its storage, so that start + in - out - losses - end = 0 can be checked at every step.
class IBalance {
 public:
  virtual ~IBalance() = default;
  virtual BalanceTerms Balance() const = 0;
  /// The unit of all terms ("m3").
  virtual std::string BalanceUnit() const { return "m3"; }
  /// The area the balance stands for, m2; 0 when there is none. With it the balance is shown in mm too.
  virtual double BalanceArea() const { return 0.0; }
};

}  // namespace openmi
