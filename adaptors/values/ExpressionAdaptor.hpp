#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/RowAdaptor.hpp"
#include "timespace/files/Formula.hpp"

namespace openmi {

/// y = f(x), element by element.
///
/// Argument `formula`: the formula in x (see `Formula`). Argument `unit`: the unit of the result; empty: the unit of x.
/// A formula of several outputs needs the component `openmi.Expression` instead.
class ExpressionAdaptor final : public RowAdaptor, public IEffectOnAmount {
 public:
  ExpressionAdaptor(std::string id, IBaseOutput& adaptee);
  EffectOnAmount StateEffect() const override {
    return EffectOnAmount::Unknown("gives what a formula makes of each value");
  }
  /// \throws ArgumentError  the formula cannot be read
  /// \throws UnitError  the unit cannot be read
  const IValueDefinition& ValueDefinition() const override;
  void Check() override;

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  std::unique_ptr<Formula> Read() const;
  Argument<std::string> text_;
  Argument<std::string> unit_;
  std::unique_ptr<Formula> formula_;
  mutable std::unique_ptr<const IValueDefinition> definition_;  // only where a unit is given
  mutable std::string unit_read_;
  double missing_out_ = kNotANumber;
  std::vector<double> known_;
};

}  // namespace openmi
