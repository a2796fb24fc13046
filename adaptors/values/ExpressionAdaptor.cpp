#include "adaptors/values/ExpressionAdaptor.hpp"

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {

ExpressionAdaptor::ExpressionAdaptor(std::string id, IBaseOutput& adaptee) : RowAdaptor(std::move(id), adaptee) {
  text_ = ArgumentItems().AddPlain("formula",
                                   {.caption = "formula in x", .description = "such as 0.3 * x^1.5", .value = "x"});
  unit_ = ArgumentItems().AddPlain("unit",
                                   {.caption = "unit of the result", .description = "empty: that of x", .value = ""});
}

const IValueDefinition& ExpressionAdaptor::ValueDefinition() const {
  const std::string unit = unit_.Value();
  if (unit.empty()) return RowAdaptor::ValueDefinition();
  if (!definition_ || unit != unit_read_) {
    definition_ = std::make_unique<Quantity>(Unit::Parse(unit), Adaptee().ValueDefinition().Caption());
    unit_read_ = unit;
  }
  return *definition_;
}

std::unique_ptr<Formula> ExpressionAdaptor::Read() const {
  try {
    return std::make_unique<Formula>(text_.Value(), std::vector<std::string>{"x"});
  } catch (const Error& error) {
    throw ArgumentError(Place(), "argument 'formula': " + error.Problem(), error.Remedy());
  }
}

void ExpressionAdaptor::Check() {
  static_cast<void>(Read());
  static_cast<void>(ValueDefinition());
}

void ExpressionAdaptor::OnInitialize() {
  formula_ = Read();
  missing_out_ = ValueDefinition().MissingDataValue().Number().value_or(kNotANumber);
}

void ExpressionAdaptor::Map(std::span<const double> in, Days, std::span<double> out) {
  const double missing = Missing();
  known_.resize(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) known_[i] = in[i] == missing ? kNotANumber : in[i];
  const std::span<const double> column = known_;
  formula_->Evaluate(std::span(&column, 1), out);
  if (missing_out_ == missing_out_) {
    for (double& value : out) value = value != value ? missing_out_ : value;
  }
}

}  // namespace openmi
