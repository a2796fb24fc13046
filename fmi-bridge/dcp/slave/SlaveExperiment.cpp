#include "fmi-bridge/dcp/slave/SlaveExperiment.hpp"

#include "fmi-bridge/dcp/slave/StepClock.hpp"

namespace openmi::dcp {

void SlaveExperiment::Begin(const std::string& log) {
  steps_before_ = steps_done_;
  exchanges_.reset();
  if (log.empty()) return;
  const SlaveValues& values = configuration_.Values();
  std::vector<Index> variables;
  const auto add = [&](const auto& groups) {
    for (const auto& [id, group] : groups) {
      for (const DataLayout::Place& place : group.layout.Places())
        variables.push_back(values.Find(place.value_reference));
    }
  };
  add(configuration_.Inputs());
  add(configuration_.Outputs());
  exchanges_.emplace(log, values, variables);
}

void SlaveExperiment::Advance(std::uint32_t length) {
  ticks_ += length;
  ++steps_done_;
}

void SlaveExperiment::Log(VariableKind way) {
  if (exchanges_) exchanges_->Write(way, Time());
}

void SlaveExperiment::FlushLog() {
  if (exchanges_) exchanges_->Flush();
}

double SlaveExperiment::TimeAfter(std::uint32_t length) const {
  return SecondsOf(configuration_.TimeResolution(), ticks_ + length);
}

}  // namespace openmi::dcp
