#include "fmi-bridge/fmi/component/OutputPorts.hpp"

#include <algorithm>

#include "openmi/sdk/Missing.hpp"

namespace openmi::fmi {

void OutputPorts::Bind(const Instance& instance, ValuePorts& values, int rows_within) {
  batches_.Clear();
  clocked_.Clear();
  for (Port& port : ports_) port.place = batches_.Add(instance, *port.variable, port.item->ElementCount());
  for (Port& port : clocked_ports_) port.place = clocked_.AddAlone(instance, *port.variable, port.item->ElementCount());
  values.Bind(instance, batches_);
  within_.Bind(rows_within);
  for (const Port& port : ports_) within_.Add(*port.item, *port.variable, port.place);
  // The addresses of the numbers, after the batches have all their variables.
  for (auto* ports : {&ports_, &clocked_ports_}) {
    for (Port& port : *ports) port.only = port.place.OnlyDouble(port.item->ElementCount());
  }
}

void OutputPorts::GetClocked(Instance& instance, const Clocks* clocks) {
  for (const Port& port : clocked_ports_) {
    if (clocks == nullptr || clocks->IsActive(port.variable->clocks)) port.place.Batch().Get(instance);
  }
}

void OutputPorts::ShowClocked(bool can_tick) {
  if (can_tick) return Show(clocked_ports_);
  for (const Port& port : clocked_ports_) {
    std::ranges::fill(port.item->NextRow(), kNotANumber);
  }
}

void OutputPorts::ShowMissing() {
  for (const Port& port : ports_) {
    std::ranges::fill(port.item->NextRow(), kNotANumber);
  }
  ShowClocked(false);
}

void OutputPorts::ShowInitial(Stamp start) {
  for (const Port& port : ports_) port.item->Reset();
  Show();
  for (const Port& port : ports_) port.item->PublishAt(start, Days{});
}

void OutputPorts::SaveClocked(StateWriter& writer) const {
  for (const ValueBatch& batch : clocked_.List()) writer.Write(batch.Memory());
}

void OutputPorts::LoadClocked(StateReader& reader, const Where& where) {
  for (ValueBatch& batch : clocked_.List()) batch.Load(reader, where);
}

}  // namespace openmi::fmi
