#include "adaptors/values/ValueAdaptors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "adaptors/base/DerivedQuantity.hpp"
#include "adaptors/base/ITotals.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "timespace/times/WholeSeconds.hpp"

namespace openmi {
namespace {

void Scale(std::span<const double> in, double factor, double offset, double missing, std::span<double> out) {
  if (missing != missing) {
    for (std::size_t i = 0; i < in.size(); ++i) out[i] = factor * in[i] + offset;
    return;
  }
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = IsMissing(in[i], missing) ? missing : factor * in[i] + offset;
}

}  // namespace

UnitConversion::UnitConversion(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : RowAdaptor(std::move(id), adaptee) {
  const auto* given = dynamic_cast<const IQuantity*>(&adaptee.ValueDefinition());
  if (given == nullptr) throw UnitError(Place(), "expected a quantity to convert, found values without a unit");
  const auto* wanted = target != nullptr ? dynamic_cast<const IQuantity*>(&target->ValueDefinition()) : nullptr;
  unit_ = ArgumentItems().AddPlain("unit",
                                   {.caption = "unit of the result",
                                    .value = wanted != nullptr ? wanted->Unit().Caption() : given->Unit().Caption()});
  unit_text_ = unit_.Value();
  if (wanted != nullptr) Use(*wanted);
}

const IValueDefinition& UnitConversion::ValueDefinition() const {
  Renew();
  return wanted_ ? static_cast<const IValueDefinition&>(*wanted_) : RowAdaptor::ValueDefinition();
}

void UnitConversion::Use(const IQuantity& wanted) const {
  const auto& given = dynamic_cast<const IQuantity&>(Adaptee().ValueDefinition());
  if (!Convertible(given.Unit(), wanted.Unit())) {
    throw UnitError(Place(),
                    fmt::format("expected a unit that converts to '{}', found '{}'", wanted.Unit().Caption(),
                                given.Unit().Caption()),
                    ConversionAdvice(given.Unit(), wanted.Unit()));
  }
  const IBaseOutput* totals = TotalsBelow(Adaptee());
  if (totals != nullptr && given.Unit().OffSetToSI() != wanted.Unit().OffSetToSI()) {
    throw UnitError(Place(),
                    fmt::format("expected a conversion without offset after '{}', whose values are totals, found '{}' "
                                "to become '{}'",
                                totals->Id(), given.Unit().Caption(), wanted.Unit().Caption()),
                    fmt::format("put the adaptor 'unit-conversion' before '{}'", totals->Id()));
  }
  pair_ = {given.Unit().ConversionFactorToSI(), given.Unit().OffSetToSI(), wanted.Unit().ConversionFactorToSI(),
           wanted.Unit().OffSetToSI()};
  missing_out_ = wanted.MissingDataValue().Number().value_or(kNotANumber);
  const IUnit& unit = wanted.Unit();
  wanted_ = std::make_unique<Quantity>(
      Unit(unit.Caption(), unit.ConversionFactorToSI(), unit.OffSetToSI(), CopyOf(unit.Dimension())), wanted.Caption(),
      missing_out_);
}

void UnitConversion::Renew() const {
  const std::string text = unit_.Value();
  if (text == unit_text_) return;
  Use(Quantity(Unit::Parse(text), Adaptee().ValueDefinition().Caption(),
               Adaptee().ValueDefinition().MissingDataValue()));
  unit_text_ = text;
}

void UnitConversion::Map(std::span<const double> in, Days, std::span<double> out) {
  if (!wanted_) {  // no target and no unit: values stay unchanged
    std::copy(in.begin(), in.end(), out.begin());
    return;
  }
  ConvertRow(in, pair_, out, Missing());
  const double missing = Missing();
  if (missing == missing && !(missing == missing_out_)) {
    for (double& value : out) value = IsMissing(value, missing) ? missing_out_ : value;
  } else if (missing != missing && missing_out_ == missing_out_) {
    for (double& value : out) value = value != value ? missing_out_ : value;
  }
}

LinearOperation::LinearOperation(std::string id, IBaseOutput& adaptee) : RowAdaptor(std::move(id), adaptee) {
  a_ = AddArgument<double>("a", {.caption = "factor", .value = 1.0});
  b_ = AddArgument<double>("b", {.caption = "offset, in the unit of the values", .value = 0.0});
}

void LinearOperation::OnInitialize() {
  factor_ = a_.Value();
  offset_ = b_.Value();
}

void LinearOperation::Map(std::span<const double> in, Days, std::span<double> out) {
  Scale(in, factor_, offset_, Missing(), out);
}

SpanFactor::SpanFactor(std::string id, IBaseOutput& adaptee, Way way)
    : RowAdaptor(id, adaptee,
                 DerivedQuantity(id, adaptee, {{DimensionBase::Time, way == Way::Divide ? -1.0 : 1.0}},
                                 way == Way::Divide ? "s-1" : "s")),
      way_(way) {}

void SpanFactor::Map(std::span<const double> in, Days duration, std::span<double> out) {
  if (!(duration.count > 0.0)) {
    throw LinkError(Place(), "expected values over spans, found a question for a stamp",
                    "put 'sum-over-span' before it on the link");
  }
  const double seconds = WholeSeconds(duration);
  if (way_ == Way::Multiply) {
    Scale(in, seconds, 0.0, Missing(), out);
    return;
  }
  const double missing = Missing();
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = IsMissing(in[i], missing) ? missing : in[i] / seconds;
}

DensityAdaptor::DensityAdaptor(std::string id, IBaseOutput& adaptee) : RowAdaptor(id, adaptee, nullptr), divide_(true) {
  const auto* quantity = dynamic_cast<const IQuantity*>(&adaptee.ValueDefinition());
  divide_ = quantity != nullptr && quantity->Unit().Dimension().GetPower(DimensionBase::Mass) > 0.0;
  SetOwnDefinition(DerivedQuantity(
      id, adaptee, {{DimensionBase::Mass, divide_ ? -1.0 : 1.0}, {DimensionBase::Length, divide_ ? 3.0 : -3.0}},
      divide_ ? "(kg m-3)^-1" : "kg m-3"));
  density_ = AddArgument<double>(
      "density", {.caption = "density of the substance", .unit = "kg m-3", .value = 1000.0, .minimum = 1e-9});
}

void DensityAdaptor::OnInitialize() {
  factor_ = divide_ ? 1.0 / density_.Value() : density_.Value();
}

void DensityAdaptor::Map(std::span<const double> in, Days, std::span<double> out) {
  Scale(in, factor_, 0.0, Missing(), out);
}

FillMissing::FillMissing(std::string id, IBaseOutput& adaptee) : RowAdaptor(std::move(id), adaptee) {
  value_ = AddArgument<double>("value", {.caption = "number for missing values, in their unit", .value = 0.0});
}

void FillMissing::Map(std::span<const double> in, Days, std::span<double> out) {
  const double missing = Missing();
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = IsMissing(in[i], missing) ? fill_ : in[i];
}

}  // namespace openmi
