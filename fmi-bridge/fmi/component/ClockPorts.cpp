#include "fmi-bridge/fmi/component/ClockPorts.hpp"

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Missing.hpp"

namespace openmi::fmi {

bool ClockPorts::Start() {
  for (Port& port : ports_) port.ticks = 0;
  return std::ranges::any_of(ports_, &Port::IsLinkedInput);
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
    ++port.ticks;
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
