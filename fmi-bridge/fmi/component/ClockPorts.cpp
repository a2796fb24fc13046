#include "fmi-bridge/fmi/component/ClockPorts.hpp"

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Missing.hpp"

namespace openmi::fmi {

bool ClockPorts::Start() {
  for (Port& port : ports_) {
    port.ticks = 0;
    port.initial = 0.0;
  }
  return std::ranges::any_of(ports_, &Port::IsLinkedInput);
}

bool ClockPorts::SetInitial(std::string_view input, double number) {
  for (Port& port : ports_) {
    if (port.input == nullptr || port.input->IdText() != input) continue;
    port.initial = number;
    return true;
  }
  return false;
}

void ClockPorts::AskWithin(const Instance& instance, Clocks& clocks, double from, double to) {
  for (Port& port : ports_) {
    if (!port.IsLinkedInput()) continue;
    const double number = port.input->Row()[0];
    if (port.is_bus && number >= static_cast<double>(port.ticks) + 1.0) port.ticks = std::llround(number) - 1;
    clocks.AskWithin(instance, port.clock, from, to, number, port.ticks);
  }
}

void ClockPorts::AskAtStart(const Instance& instance, Clocks& clocks, double start) {
  for (Port& port : ports_) {
    if (port.input != nullptr) clocks.AskWithin(instance, port.clock, start, start, port.initial, port.ticks);
  }
}

void ClockPorts::Note(MissingInputs& missing, Stamp time) const {
  for (const Port& port : ports_) {
    if (!port.IsLinkedInput() || !MissingInputs::IsIn(port.input->Row())) continue;
    missing.Note(port.input->IdText(), port.input->Row(), time);
  }
}

bool ClockPorts::Ask(Clocks& clocks) {
  bool any = false;
  for (Port& port : ports_) {
    if (!port.IsLinkedInput()) continue;
    const double number = port.input->Row()[0];
    if (std::isnan(number) || std::round(number) <= static_cast<double>(port.ticks)) continue;
    port.ticks = port.is_bus ? std::llround(number) : port.ticks + 1;
    clocks.Ask(port.clock);
    any = true;
  }
  return any;
}

void ClockPorts::Show(const Clocks* clocks) const {
  for (const Port& port : ports_) {
    if (port.output == nullptr) continue;
    port.output->NextRow()[0] = clocks == nullptr ? kNotANumber : static_cast<double>(clocks->TicksOf(port.clock));
  }
}

void ClockPorts::Save(StateWriter& writer) const {
  for (const Port& port : ports_) writer.Write(port.ticks);
}

void ClockPorts::Load(StateReader& reader) {
  for (Port& port : ports_) port.ticks = reader.ReadInteger();
}

}  // namespace openmi::fmi
