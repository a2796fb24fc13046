#include "fmi-bridge/fmi/component/InputPorts.hpp"

#include <algorithm>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {

void InputPort::HoldStart(Instance& instance) {
  ValueBatch batch(instance, variable_->type);
  held_.resize(item_->ElementCount());
  batch.Add(variable_->value_reference, held_.size());
  batch.Get(instance);
  batch.Numbers(0, held_);
}

void InputPort::Take(MissingInputs& missing, Stamp from, Stamp to, double length, InputsAt at, bool is_first) {
  const std::span<const double> found = item_->Row();
  if (MissingInputs::IsIn(found)) [[unlikely]]
    missing.Note(item_->IdText(), found, to);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (!std::isnan(found[i])) held_[i] = found[i];
  }
  if (is_first && at != InputsAt::End) {
    before_.assign(Row().begin(), Row().end());
    try {
      item_->Pull(from, from);
      const std::span<const double> begin = item_->Row();
      if (!MissingInputs::IsIn(begin)) std::ranges::copy(begin, before_.begin());
    } catch (const Error&) {  // the provider has no values before its first step
    }
    item_->Pull(from, to);
  }
  const std::span<const double> row = Row();
  const bool moves = at == InputsAt::Linear && (is_moving_ || slope_index_ >= 0);
  if (moves) {
    for (std::size_t i = 0; i < row.size(); ++i) slope_[i] = (row[i] - before_[i]) / length;
  }
  Batch().SetNumbers(place_.first, moves || at == InputsAt::Begin ? std::span<const double>(before_) : row);
}

void InputPort::Move(double since_from) {
  if (!is_moving_) return;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    Batch().SetNumber(place_.first + i, before_[i] + slope_[i] * since_from);
  }
}

void InputPort::EndStep() {
  std::ranges::copy(Row(), before_.begin());
}

void InputPort::GiveUpSlope(Instance& instance) {
  if (slope_index_ < 0) return;
  slope_index_ = -1;
  is_moving_ = false;
  Batch().SetNumbers(place_.first, Row());
  Batch().Set(instance);
}

const Variable* InputPorts::Find(std::string_view input) const {
  const auto found = std::ranges::find(declared_, input, [](const auto& one) { return one.first->IdText(); });
  return found == declared_.end() ? nullptr : found->second;
}

std::vector<ValueReference> InputPorts::InIntermediateUpdate() const {
  std::vector<ValueReference> references;
  for (const auto& [item, variable] : declared_) {
    if (item->Provider() != nullptr && variable->intermediate_update) references.push_back(variable->value_reference);
  }
  return references;
}

void InputPorts::Bind(const Instance& instance, InputsAt at) {
  for (ValueBatches* batches : {&continuous_, &moving_, &discrete_, &clocked_}) batches->Clear();
  ports_.clear();
  slopes_.Clear();
  at_ = at;
  is_first_step_ = true;
  is_stored_ = false;
  const bool at_any_time = instance.Options().kind != InterfaceKind::CoSimulation;
  const std::vector<ValueReference>& updated = instance.Options().intermediate_variables;
  for (const auto& [item, variable] : declared_) {
    if (item->Provider() == nullptr) continue;
    const std::size_t elements = item->ElementCount();
    const bool continuous = variable->variability == Variability::Continuous && IsFloat(variable->type);
    const bool moves =
        at_any_time ? continuous : std::ranges::find(updated, variable->value_reference) != updated.end();
    const bool has_slope = continuous && !variable->IsArray() && variable->type == VariableType::Float64 &&
                           !at_any_time && at == InputsAt::Linear && instance.Offers().can_interpolate_inputs;
    ValueBatches& batches = moves ? moving_ : continuous ? continuous_ : discrete_;
    const ValueBatches::Place place = variable->clocks.empty() ? batches.Add(instance, *variable, elements)
                                                               : clocked_.AddAlone(instance, *variable, elements);
    ports_.emplace_back(*item, *variable, place, continuous && moves,
                        has_slope ? static_cast<std::ptrdiff_t>(slopes_.Add(variable->value_reference)) : -1);
  }
  are_plain_ = !at_any_time && slopes_.Empty() && missing_.ItsManner() != MissingInputs::Manner::Hold;
  for (InputPort& port : ports_) are_plain_ &= at == InputsAt::End && port.FindOnly();
  stored_.assign(discrete_.List().begin(), discrete_.List().end());
}

void InputPorts::HoldStarts(Instance& instance) {
  if (missing_.ItsManner() != MissingInputs::Manner::Hold) return;
  for (InputPort& port : ports_) port.HoldStart(instance);
}

void InputPorts::Take(Stamp from, Stamp to, double length) {
  for (InputPort& port : ports_) port.Take(missing_, from, to, length, at_, is_first_step_);
}

bool InputPorts::Set(Instance& instance) {
  SetContinuous(instance);
  discrete_.Set(instance);
  if (slopes_.Empty()) return true;
  for (const InputPort& port : ports_) port.ShowSlope(slopes_);
  return slopes_.Set(instance);
}

void InputPorts::GiveUpSlopes(Instance& instance) {
  slopes_.Clear();
  for (InputPort& port : ports_) port.GiveUpSlope(instance);
}

void InputPorts::SetWithin(Instance& instance, double since_from) {
  if (at_ == InputsAt::Linear) {
    for (InputPort& port : ports_) port.Move(since_from);
  }
  moving_.Set(instance);
}

void InputPorts::NoteInitial(std::string_view input, std::span<const double> row) {
  bool are_all_known = true;
  for (InputPort& port : ports_) {
    if (!port.IsIn(discrete_)) continue;
    if (port.Id() == input) port.KeepInitial(stored_, row);
    are_all_known = are_all_known && port.HasInitial();
  }
  is_stored_ = are_all_known;
}

bool InputPorts::StoreDiscrete() {
  bool changed = false;
  for (std::size_t i = 0; i < stored_.size(); ++i) {
    const ValueBatch& batch = discrete_.List()[i];
    if (is_stored_ && batch.SameAs(stored_[i])) continue;
    stored_[i].SetMemory(batch.Memory());
    changed = true;
  }
  is_stored_ = true;
  return changed;
}

void InputPorts::SetDiscrete(Instance& instance, const Clocks& clocks) const {
  discrete_.Set(instance);
  if (clocked_.Empty()) return;
  for (const InputPort& port : ports_) {
    const std::vector<Index>& its_clocks = port.ItsVariable().clocks;
    if (!its_clocks.empty() && clocks.IsActive(its_clocks)) port.Batch().Set(instance);
  }
}

void InputPorts::SaveDiscrete(StateWriter& writer) const {
  writer.Write(is_stored_);
  for (const ValueBatch& batch : stored_) writer.Write(batch.Memory());
}

void InputPorts::LoadDiscrete(StateReader& reader, const Where& where) {
  is_stored_ = reader.ReadBool();
  for (ValueBatch& batch : stored_) batch.Load(reader, where);
}

void InputPorts::SaveByName(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(ports_.size()));
  for (const InputPort& port : ports_) {
    writer.Write(port.Id());
    writer.Write(is_stored_ && port.IsIn(discrete_) ? port.Stored(stored_) : std::vector<double>());
    writer.Write(port.Held());
  }
}

void InputPorts::LoadByName(StateReader& reader) {
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const std::string id = reader.ReadText();
    const std::vector<double> stored = reader.ReadDoubles();
    const std::vector<double> held = reader.ReadDoubles();
    const auto port = std::ranges::find(ports_, id, &InputPort::Id);
    if (port == ports_.end()) continue;
    if (stored.size() == port->Before().size()) NoteInitial(id, stored);
    if (held.size() == port->Held().size()) port->Held() = held;
  }
}

}  // namespace openmi::fmi
