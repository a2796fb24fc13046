#include "fmi-bridge/fmi/component/ClockPorts.hpp"

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi::fmi {
namespace {

bool StartsFromState(const IBaseOutput& provider) {
  const IBaseLinkableComponent* component = provider.Component();
  return component != nullptr && std::ranges::any_of(component->Arguments(), [](const IArgument* argument) {
           return argument->Id() == "start-state" && !argument->ValueAsString().empty();
         });
}

}  // namespace

bool ClockPorts::Start() {
  for (Port& port : ports_) {
    port.ticks = 0;
    port.initial = 0.0;
    port.is_kept = false;
    port.goes_on = port.IsLinkedInput() && StartsFromState(*port.input->Provider());
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
    if (port.input == nullptr || port.goes_on) continue;
    clocks.AskWithin(instance, port.clock, start, start, port.initial, port.ticks);
  }
}

void ClockPorts::TakeBases(Stamp start, Stamp to) {
  for (Port& port : ports_) {
    if (!port.IsLinkedInput() || (!port.is_kept && !port.goes_on)) continue;
    double number = kNotANumber;
    try {
      port.input->Pull(start, start);
      number = std::round(port.input->Row()[0]);
    } catch (const Error&) {  // the provider has no values before its first step
    }
    port.input->Pull(start, to);
    if (!port.is_kept && std::isfinite(number)) port.ticks = std::llround(number);
    if (port.is_kept && number < static_cast<double>(port.ticks)) port.ticks = 0;
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

void ClockPorts::SaveByName(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(std::ranges::count_if(ports_, &Port::IsLinkedInput)));
  for (const Port& port : ports_) {
    if (!port.IsLinkedInput()) continue;
    writer.Write(port.input->IdText());
    writer.Write(port.ticks);
  }
}

void ClockPorts::LoadByName(StateReader& reader) {
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const std::string id = reader.ReadText();
    const std::int64_t ticks = reader.ReadInteger();
    for (Port& port : ports_) {
      if (!port.IsLinkedInput() || port.input->IdText() != id) continue;
      port.ticks = ticks;
      port.is_kept = true;
    }
  }
}

}  // namespace openmi::fmi
