#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adaptors/IEffectOnAmount.hpp"
#include "adaptors/RowAdaptor.hpp"
#include "timespace/Formula.hpp"

namespace openmi {

/// y = f(x), element by element: argument `formula` in x (see Formula), argument `unit` of the result (that of x where
/// empty). What several outputs give together is computed by the component `openmi.Expression`.
class ExpressionAdaptor final : public RowAdaptor, public IEffectOnAmount {
 public:
  ExpressionAdaptor(std::string id, IBaseOutput& adaptee);
  EffectOnAmount StateEffect() const override { return EffectOnAmount::Unknown("gives what a formula makes of each value"); }
  /// \throws ArgumentError  the formula cannot be read
  /// \throws UnitError      the unit cannot
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
  mutable std::unique_ptr<const IValueDefinition> definition_;  // where a unit is given
  mutable std::string unit_read_;
  double missing_out_ = kNotANumber;
  std::vector<double> known_;
};

}  // namespace openmi
