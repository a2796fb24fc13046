#include "fmi-bridge/dcp/master/component/SlavePorts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "fmi-bridge/common/description/DescribedUnit.hpp"
#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi::dcp {

namespace {

/// Checks a row for a variable of an integer type.
/// \throws ModelError  a number is missing, or does not fit the type
void RequireWhole(const std::string& component, const Variable& variable, std::span<const double> row) {
  const NumberType type = NumberTypeOf(variable.Type());
  for (const double value : row) {
    if (WithNumber(type, [value]<class T>(T) { return Rounded<T>(value).has_value(); })) continue;
    throw ModelError({.component = component, .item = variable.name},
                     fmt::format("expected a value that fits into {}, found {}", ElementName(variable.Type()),
                                 std::isnan(value) ? std::string("a missing one") : fmt::format("{}", value)),
                     "put an adaptor on the link that fills or clips");
  }
}

/// The value of a string or binary.
Value ValueOf(const TypedValue& value) {
  const std::string_view text = value.Text();
  if (value.Type() == DataType::string) return Value(std::string(text));
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return Value(Bytes(begin, begin + text.size()));
}

/// The port of an input; null for none of that id.
template <class Port>
const Port* InputOf(const std::vector<Port>& ports, std::string_view id) {
  const auto has_id = [id](const Port& one) { return one.input != nullptr && one.input->IdText() == id; };
  const auto found = std::ranges::find_if(ports, has_id);
  return found == ports.end() ? nullptr : &*found;
}

}  // namespace

std::unique_ptr<const IValueDefinition> DefinitionOf(const SlaveDescription& description, const Variable& variable) {
  const std::string& caption = variable.attributes.quantity.empty() ? variable.name : variable.attributes.quantity;
  if (IsText(variable.Type())) {
    return items::PlainDefinitionOf(caption,
                                    variable.Type() == DataType::binary ? ValueKind::Binary : ValueKind::String);
  }
  const UnitDefinition* unit = description.UnitOf(variable);
  if (unit == nullptr) return std::make_unique<Quantity>(Unit("1", 1.0, 0.0, openmi::Dimension()), caption);
  return std::make_unique<Quantity>(described::UnitOf(*unit).unit, caption);
}

void SlavePorts::Clear() {
  numeric_.clear();
  texts_.clear();
  counters_.clear();
}

bool SlavePorts::HasLinkedInput() const {
  return std::ranges::any_of(numeric_, &Numeric::IsLinked) || std::ranges::any_of(texts_, &Text::IsLinked);
}

void SlavePorts::Take(const Numeric& port, std::span<const double> row, SlaveValues& values) const {
  TypedValue& value = values.At(port.variable);
  if (!IsFloat(value.Type())) RequireWhole(component_.Caption(), values.VariableAt(port.variable), row);
  value.SetNumbers(row);
}

// A number becomes its text; a missing value changes nothing.
void SlavePorts::Take(const Text& port, const Value& from, SlaveValues& values) const {
  std::string bytes;
  if (!TakeText(from, bytes)) return;
  TypedValue& to = values.At(port.variable);
  if (to.SetText(bytes)) return;
  throw ModelError({.component = component_.Caption(), .item = values.VariableAt(port.variable).name},
                   fmt::format("expected at most {} bytes (maxSize), found {}", to.MaxSize(), bytes.size()),
                   "shorten what is sent");
}

void SlavePorts::TakeInputs(SlaveValues& values, Stamp to) const {
  for (const Numeric& port : numeric_) {
    if (port.IsLinked()) Take(port, port.input->Row(), values);
  }
  for (const Text& port : texts_) {
    if (!port.IsLinked()) continue;
    port.input->Pull(to);
    Take(port, port.input->Get(0), values);
  }
}

void SlavePorts::GiveOutputs(const SlaveValues& values, const SessionCounts& counts, Stamp time) const {
  for (const Numeric& port : numeric_) {
    if (port.output != nullptr) values.At(port.variable).Numbers(port.output->NextRow());
  }
  for (const Text& port : texts_) {
    if (port.output == nullptr) continue;
    port.output->Set(0, ValueOf(values.At(port.variable)));
    port.output->Publish(time);
  }
  for (const auto& [output, count] : counters_) output->NextRow()[0] = static_cast<double>(counts.*count);
}

void SlavePorts::ShowOutputs(const SlaveValues& values, Stamp time) const {
  for (const Numeric& port : numeric_) {
    if (port.output == nullptr) continue;
    port.output->Reset();
    values.At(port.variable).Numbers(port.output->NextRow());
    port.output->PublishAt(time, Days{});
  }
  for (const Text& port : texts_) {
    if (port.output == nullptr) continue;
    port.output->Set(0, ValueOf(values.At(port.variable)));
    port.output->ShowAt(time);
  }
}

bool SlavePorts::TakeInitial(std::string_view input, std::span<const double> row, SlaveValues& values) const {
  const Numeric* const port = InputOf(numeric_, input);
  if (port != nullptr) Take(*port, row, values);
  return port != nullptr;
}

bool SlavePorts::TakeInitial(std::string_view input, std::span<const Value> row, SlaveValues& values) const {
  const Text* const port = InputOf(texts_, input);
  if (port != nullptr) Take(*port, row[0], values);
  return port != nullptr;
}

}  // namespace openmi::dcp
