#include "fmi-bridge/export/ExportedItems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "composition/proxy/OutputProxy.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IQuantity.hpp"

namespace openmi::exported {
namespace {

/// Whether two lists of values have the same bits.
bool SameBits(const double* a, const double* b, std::size_t count) {
  return std::memcmp(a, b, count * sizeof(double)) == 0;
}

/// Requires that an item is as the description states: parameters may have changed it.
void RequireSame(const ExportedVariable& variable, const ITimeSpaceExchangeItem& item) {
  const Where place{.component = variable.component, .item = variable.item};
  const ISpatialDefinition* where = item.SpatialDefinition();
  const auto count = static_cast<std::uint32_t>(where != nullptr ? where->ElementCount() : 1);
  if (count != variable.count) {
    throw RangeError(place, fmt::format("expected {} elements as the FMU declares, found {}", variable.count, count),
                     "export an FMU with these parameters");
  }
  const auto* quantity = dynamic_cast<const IQuantity*>(&item.ValueDefinition());
  if (quantity != nullptr && quantity->Unit().Caption() != variable.unit && !variable.unit.empty() &&
      !quantity->Unit().Caption().empty()) {
    throw UnitError(
        place,
        fmt::format("expected the unit {} as the FMU declares, found {}", variable.unit, quantity->Unit().Caption()),
        "export an FMU with these parameters");
  }
}

}  // namespace

void ExportedItems::UseInputs(Composition& composition) {
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Input) continue;
    SuppliedInput& input = composition.SupplyInput({variable.component, variable.item}, SuppliedBetween::Previous);
    inputs_.push_back(&input);
    RequireSame(variable, *input.TheLink().Target());
  }
}

void ExportedItems::UseOutputs(Composition& composition) {
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Output) continue;
    Problems missing;
    ITimeSpaceOutput* output = composition.FindOutput({variable.component, variable.item}, 0, missing);
    ThrowIfErrors(missing);
    if (variable.type == VariableType::String) {
      text_outputs_.push_back(output);
      continue;
    }
    OutputProxy& proxy = composition.Instances()[composition.IndexOf(variable.component).value()].ProxyFor(*output);
    RequireSame(variable, proxy);
    taps_.emplace_back(&proxy, std::make_unique<OutputTap>(variable.count, variable.missing, interface_.from));
    proxy.AddListener(*taps_.back().second);
  }
}

void ExportedItems::Drop() {
  for (auto& [proxy, tap] : taps_) proxy->RemoveListener(*tap);
  taps_.clear();
  inputs_.clear();
  text_outputs_.clear();
}

void ExportedItems::Supply(const double* values, Stamp time, bool all) {
  if (all) supplied_.assign(values, values + interface_.slots);
  auto input = inputs_.begin();
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Input) continue;
    SuppliedInput& here = **input++;
    const double* row = values + variable.first;
    double* known = supplied_.data() + variable.first;
    if (!all && SameBits(row, known, variable.count)) continue;
    std::copy_n(row, variable.count, known);
    here.Supply(time, Days{0.0}, {row, variable.count});
  }
}

void ExportedItems::PutOutputs(Stamp time, double* values) {
  auto tap = taps_.begin();
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Output || variable.type == VariableType::String) continue;
    double* const row = values + variable.first;
    (tap++)->second->ValueAt(time, row);
    if (interface_.HasForm() && std::isnan(*row)) *row = variable.start_missing;
  }
}

std::vector<std::pair<std::uint32_t, std::string>> ExportedItems::TakeChangedTexts() {
  std::vector<std::pair<std::uint32_t, std::string>> changed;
  auto output = text_outputs_.begin();
  std::size_t place = 0;
  for (const ExportedVariable& variable : interface_.variables) {
    if (variable.role != VariableRole::Output || variable.type != VariableType::String) continue;
    if (output == text_outputs_.end()) break;
    const Value value = (*output++)->Values().GetValue(0, 0);
    if (place == shown_texts_.size()) shown_texts_.push_back(variable.start_text);
    std::string& shown = shown_texts_[place++];
    const auto* text = value.As<std::string>();
    const std::string& now = text != nullptr ? *text : variable.start_text;
    if (now == shown) continue;
    shown = now;
    changed.emplace_back(variable.first - interface_.slots, now);
  }
  return changed;
}

Bytes ExportedItems::TappedRows() const {
  StateWriter rows;
  for (const auto& [proxy, tap] : taps_) tap->SaveState(rows);
  return rows.Take();
}

void ExportedItems::Restore(ByteView rows, const std::vector<double>& supplied) {
  StateReader reader(rows);
  for (auto& [proxy, tap] : taps_) tap->LoadState(reader);
  supplied_ = supplied;
}

}  // namespace openmi::exported
