#pragma once

#include <string>

#include "adaptors/base/IEffectOnAmount.hpp"
#include "adaptors/base/RowAdaptor.hpp"

namespace openmi {

/// Keeps values within `minimum` and `maximum`; either argument may be empty.
class Clip final : public RowAdaptor, public IEffectOnAmount {
 public:
  Clip(std::string id, IBaseOutput& adaptee);
  /// The balance shows what is cut off.
  EffectOnAmount StateEffect() const override { return {}; }
  /// \throws ArgumentError  the minimum is above the maximum
  void Check() override;

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  Argument<double> minimum_;
  Argument<double> maximum_;
  double low_ = 0.0;
  double high_ = 0.0;
};

/// A step function without a unit: `above` where a value is at or above `threshold`, `below` elsewhere.
class Threshold final : public RowAdaptor, public IEffectOnAmount {
 public:
  Threshold(std::string id, IBaseOutput& adaptee);
  EffectOnAmount StateEffect() const override { return EffectOnAmount::Unknown("gives one of two values"); }

 protected:
  void OnInitialize() override;
  void Map(std::span<const double> in, Days duration, std::span<double> out) override;

 private:
  Argument<double> threshold_;
  Argument<double> above_;
  Argument<double> below_;
  double at_ = 0.0;
  double high_ = 1.0;
  double low_ = 0.0;
};

}  // namespace openmi
