#include "fmi-bridge/fmi/component/ValuePorts.hpp"

#include <algorithm>

#include "fmi-bridge/fmi/component/FmuArguments.hpp"

namespace openmi::fmi {
namespace {

void SaveTexts(const std::vector<std::string>& texts, StateWriter& writer) {
  writer.Write(static_cast<std::int64_t>(texts.size()));
  for (const std::string& text : texts) writer.Write(text);
}

std::vector<std::string> LoadTexts(StateReader& reader) {
  std::vector<std::string> texts;
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) texts.push_back(reader.ReadText());
  return texts;
}

}  // namespace

void ValuePorts::Bind(const Instance& instance, ValueBatches& outputs) {
  own_.Clear();
  for (auto* ports : {&outputs_, &inputs_}) {
    for (Port& port : *ports) {
      port.known = false;
      port.stored.clear();
      port.is_bus = IsBusData(*port.variable);
      port.sends = false;
      if (port.IsText()) continue;
      const bool is_shared = port.output != nullptr && !port.HasClock();
      port.place = is_shared ? outputs.Add(instance, *port.variable, port.texts.size())
                             : own_.AddAlone(instance, *port.variable, port.texts.size());
    }
  }
}

bool ValuePorts::HasLinkedInputs() const {
  return std::ranges::any_of(inputs_, [](const Port& port) { return port.input->Provider() != nullptr; });
}

bool ValuePorts::HasClockedOutputs() const {
  return std::ranges::any_of(outputs_, &Port::HasClock);
}

const Variable* ValuePorts::Find(std::string_view input) const {
  const auto found = std::ranges::find(inputs_, input, [](const Port& port) { return port.input->IdText(); });
  return found == inputs_.end() ? nullptr : found->variable;
}

/// Takes the values of a source as texts.
/// \returns false if a value is missing: the previous values stay
template <class ValueAt>
bool ValuePorts::Fill(Port& port, ValueAt&& value_at) {
  for (std::size_t i = 0; i < port.texts.size(); ++i) {
    if (!TakeText(value_at(i), port.texts[i])) return false;
  }
  port.known = true;
  return true;
}

void ValuePorts::Set(Instance& instance, Port& port) {
  const Variable& variable = *port.variable;
  const std::span<const ValueReference> reference(&variable.value_reference, 1);
  if (variable.type == VariableType::String) return instance.SetTexts(reference, port.texts);
  if (variable.type == VariableType::Binary) return instance.SetBinaries(reference, port.texts);
  const ModelDescription& description = instance.Description();
  const auto index = static_cast<Index>(&variable - description.variables.data());
  ValueBatch& batch = port.place.Batch();
  for (std::size_t i = 0; i < port.texts.size(); ++i) {
    batch.SetInteger(i, ReadStartValue(description, index, port.texts[i], 1).integers[0]);
  }
  batch.Set(instance);
}

void ValuePorts::Get(Instance& instance, Port& port) {
  const Variable& variable = *port.variable;
  const std::span<const ValueReference> reference(&variable.value_reference, 1);
  if (variable.type == VariableType::String) {
    instance.GetTexts(reference, port.texts);
    for (std::size_t i = 0; i < port.texts.size(); ++i) port.output->Set(i, Value(port.texts[i]));
  } else if (variable.type == VariableType::Binary) {
    if (port.sends) {
      more_.resize(port.texts.size());
      instance.GetBinaries(reference, more_);
      for (std::size_t i = 0; i < more_.size(); ++i) port.texts[i] += more_[i];
    } else {
      instance.GetBinaries(reference, port.texts);
    }
    for (std::size_t i = 0; i < port.texts.size(); ++i) {
      port.output->KeepBytes(i, std::as_bytes(std::span(port.texts[i])));
    }
  } else {
    ValueBatch& batch = port.place.Batch();
    if (port.place.batches == &own_) batch.Get(instance);
    for (std::size_t i = 0; i < port.texts.size(); ++i) {
      const std::int64_t value = batch.Integer(port.place.first + i);
      port.output->Set(
          i, Value(variable.type == VariableType::Boolean ? std::string(value != 0 ? "true" : "false")
                                                          : ItemName(instance.Description(), variable, value)));
    }
  }
}

void ValuePorts::SetInitial(Instance& instance, std::string_view input, std::span<const Value> values) {
  Port& port = *std::ranges::find(inputs_, input, [](const Port& one) { return one.input->IdText(); });
  if (!Fill(port, [values](std::size_t element) { return values[element]; })) return;
  Set(instance, port);
  port.stored = port.texts;  // where they stay, there is no event
}

void ValuePorts::Take(Instance& instance, Stamp to, bool sets) {
  for (Port& port : inputs_) {
    if (port.input->Provider() == nullptr) continue;
    port.input->Pull(to);
    const auto shown = [&port](std::size_t element) { return port.input->Get(element); };
    if (Fill(port, shown) && sets && !port.HasClock()) Set(instance, port);
  }
}

bool ValuePorts::StoreDiscrete() {
  bool changed = false;
  for (Port& port : inputs_) {
    if (port.input->Provider() == nullptr || port.HasClock() || !port.known || port.texts == port.stored) continue;
    port.stored = port.texts;
    changed = true;
  }
  return changed;
}

void ValuePorts::SetDiscrete(Instance& instance, const Clocks& clocks) {
  for (Port& port : inputs_) {
    if (port.known && clocks.IsActive(port.variable->clocks)) Set(instance, port);
  }
}

void ValuePorts::GetClocked(Instance& instance, const Clocks* clocks, Stamp time) {
  for (Port& port : outputs_) {
    if (!port.HasClock() || (clocks != nullptr && !clocks->IsActive(port.variable->clocks))) continue;
    const std::vector<std::string>& news = port.sends ? more_ : port.texts;
    Get(instance, port);
    port.sends = port.is_bus && clocks != nullptr;
    if (!port.sends || frames_ == nullptr) continue;
    const std::string_view bus = std::string_view(port.variable->name).substr(0, port.variable->name.rfind('.'));
    for (const std::string& operations : news) {
      frames_->Take(time, component_ + "." + std::string(bus), std::as_bytes(std::span(operations)));
    }
  }
}

void ValuePorts::ShowInitial(Instance& instance, Stamp start) {
  for (Port& port : outputs_) {
    if (port.HasClock()) continue;
    Get(instance, port);
    port.output->ShowAt(start);
  }
}

void ValuePorts::Publish(Instance& instance, Stamp time, bool gets) {
  for (Port& port : outputs_) {
    if (gets && !port.HasClock()) Get(instance, port);
    port.output->Publish(time);
    port.sends = false;
  }
}

void ValuePorts::ShowMissing(Stamp time) {
  for (Port& port : outputs_) {
    for (std::size_t i = 0; i < port.texts.size() && !port.sends; ++i) port.output->Set(i, Value());
    port.output->Publish(time);
    port.sends = false;
  }
}

void ValuePorts::SaveInputs(StateWriter& writer) const {
  for (const Port& port : inputs_) SaveTexts(port.stored, writer);
}

void ValuePorts::LoadInputs(StateReader& reader) {
  for (Port& port : inputs_) port.stored = LoadTexts(reader);
}

void ValuePorts::SaveByName(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(inputs_.size()));
  for (const Port& port : inputs_) {
    writer.Write(port.input->IdText());
    SaveTexts(port.stored, writer);
  }
}

void ValuePorts::LoadByName(StateReader& reader) {
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const std::string id = reader.ReadText();
    std::vector<std::string> stored = LoadTexts(reader);
    const auto port = std::ranges::find(inputs_, id, [](const Port& one) { return one.input->IdText(); });
    if (port != inputs_.end()) port->stored = std::move(stored);
  }
}

void ValuePorts::SaveOutputs(StateWriter& writer) const {
  if (frames_ != nullptr) frames_->Keep();
  for (const Port& port : outputs_) port.output->SaveRows(writer);
}

void ValuePorts::LoadOutputs(StateReader& reader) {
  if (frames_ != nullptr) frames_->Drop();
  for (Port& port : outputs_) port.sends = false;
  for (const Port& port : outputs_) port.output->LoadRows(reader);
}

}  // namespace openmi::fmi
