#pragma once

#include <memory>
#include <string>
#include <vector>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/RowAdaptor.hpp"
#include "adaptors/kernels/ConvertRow.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi {

/// Converts values into a unit of the same dimension, and "no value" into the target's missing value.
///
/// Argument `unit`: the wanted unit; by default the target's unit.
class UnitConversion final : public RowAdaptor, public IEffectOnAmount {
 public:
  /// \param target  has the wanted unit and the missing value; null: argument `unit` gives the unit
  /// \throws UnitError  the dimensions differ
  UnitConversion(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

  /// \throws UnitError  the argument is no unit, or a unit of another dimension
  const IValueDefinition& ValueDefinition() const override;
  void Check() override { Renew(); }
  EffectOnAmount StateEffect() const override { return {}; }

 protected:
  void OnInitialize() override { Renew(); }
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  void Use(const IQuantity& wanted) const;
  /// Uses the unit of the argument if it has changed.
  void Renew() const;
  Argument<std::string> unit_;
  mutable std::unique_ptr<const IQuantity> wanted_;  // null: the argument has not been read yet
  mutable std::string unit_text_;
  mutable UnitPair pair_;
  mutable double missing_out_ = kNotANumber;
};

/// y = a x + b, in the same unit. Arguments `a` and `b`.
class LinearOperation final : public RowAdaptor, public IEffectOnAmount {
 public:
  LinearOperation(std::string id, IBaseOutput& adaptee);
  /// States no effect on purpose: the balance shows what the operation adds or takes away.
  EffectOnAmount StateEffect() const override { return {}; }

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  Argument<double> a_;
  Argument<double> b_;
  double factor_ = 1.0;
  double offset_ = 0.0;
};

/// Turns amounts over spans into rates, or rates into amounts.
///
/// It divides by the length of the span in seconds, or multiplies by it. The dimension changes by one power of time.
class SpanFactor final : public RowAdaptor, public IEffectOnAmount {
 public:
  /// Divide: amounts to rates; Multiply: rates to amounts.
  enum class Way { Divide, Multiply };
  /// \throws UnitError  the adaptee's values are no quantity
  SpanFactor(std::string id, IBaseOutput& adaptee, Way way);
  bool AnswersStamps() const override { return false; }
  EffectOnAmount StateEffect() const override { return {.has_amounts_of_spans = true}; }

 protected:
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  Way way_;
};

/// Turns mass into volume (or mass per area into depth) by dividing by a density, or back by multiplying.
///
/// Argument `density`: kg m-3, 1000 by default.
class DensityAdaptor final : public RowAdaptor, public IEffectOnAmount {
 public:
  /// \throws UnitError  the adaptee's values are no quantity
  DensityAdaptor(std::string id, IBaseOutput& adaptee);
  EffectOnAmount StateEffect() const override {
    const double density = density_.Value();
    return {.what = EffectOnAmount::What::Multiplies, .factors = {divide_ ? 1.0 / density : density}};
  }

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  Argument<double> density_;
  bool divide_;
  double factor_ = 1.0;
};

/// Replaces missing values by a constant. Argument `value`.
class FillMissing final : public RowAdaptor, public IEffectOnAmount {
 public:
  FillMissing(std::string id, IBaseOutput& adaptee);
  AdaptorTraits Traits() const override { return {.keeps_rows = true, .fills_missing = true}; }
  /// The balance omits steps with a missing value, whatever replaces it.
  EffectOnAmount StateEffect() const override { return {}; }

 protected:
  void OnInitialize() override { fill_ = value_.Value(); }
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  Argument<double> value_;
  double fill_ = 0.0;
};

}  // namespace openmi
