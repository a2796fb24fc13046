#include "adaptors/c/Adaptor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "timespace/c/Declarations.hpp"

namespace openmi::c {

Adaptor::Adaptor(const openmi_adaptor& type, IBaseOutput& adaptee) : RowAdaptor(type.id, adaptee), type_(type) {
  InC().adaptor = &type;
  Guest::Create(
      kCreateAdaptor, [this] { return type_.create != nullptr ? type_.create(&InC()) : 0; }, kDestroyAdaptor,
      type.destroy);
  try {
    Adaptor::Check();       // for those who ask for the unit before arguments are set
  } catch (const Error&) {  // Check says it again, with the arguments of the user
  }
}

const IValueDefinition& Adaptor::ValueDefinition() const {
  if (definition_) return *definition_;
  return RowAdaptor::ValueDefinition();
}

void Adaptor::Check() {
  ArgumentItems().RequireValues();
  const IValueDefinition& given = Adaptee().ValueDefinition();
  const std::string unit = dynamic_cast<const IQuantity&>(given).Unit().Caption();
  std::string made = unit;
  if (type_.initialize != nullptr) {
    openmi_adapted adapted = {
        .size = sizeof adapted,
        .unit = unit.c_str(),
        .count = SpatialDefinition() != nullptr ? static_cast<std::size_t>(SpatialDefinition()->ElementCount()) : 1};
    Call(kInitializeAdaptor, "initialize", [&] { return type_.initialize(&InC(), &adapted); });
    made = TextFrom(adapted.unit);
  }
  definition_.reset();
  if (made == unit) return;
  try {
    definition_ = std::make_unique<Quantity>(Unit::Parse(made), given.Caption());
  } catch (const Error& error) {
    throw UnitError(Place(), error.Problem(), error.Remedy());
  }
}

void Adaptor::OnInitialize() {
  Check();
  missing_out_ = ValueDefinition().MissingDataValue().Number().value_or(kNotANumber);
}

void Adaptor::Map(std::span<const double> in, Days duration, std::span<double> out) {
  std::span<const double> row = in;
  if (const double missing = Missing(); !std::isnan(missing)) {
    known_.assign(in.begin(), in.end());
    std::ranges::replace(known_, missing, kNotANumber);
    row = known_;
  }
  Call(kMap, "map", [&] { return type_.map(&InC(), row.data(), duration.count, out.data(), out.size()); });
  if (std::isnan(missing_out_)) return;
  std::ranges::replace_if(
      out, [](double value) { return std::isnan(value); }, missing_out_);
}

int Adaptor::DeclareArgument(const openmi_argument* declared) {
  declared_.push_back(&Declare(ArgumentItems(), Taken(declared, "openmi_argument")));
  return static_cast<int>(declared_.size());
}

const ArgumentItem& Adaptor::ArgumentNumber(int number) const {
  if (number >= 1 && static_cast<std::size_t>(number) <= declared_.size()) [[likely]]
    return *declared_[static_cast<std::size_t>(number) - 1];
  throw ArgumentError(
      Place(),
      fmt::format("expected the number of an argument, found {} where {} are declared", number, declared_.size()),
      "keep the numbers that add_argument returns");
}

}  // namespace openmi::c
