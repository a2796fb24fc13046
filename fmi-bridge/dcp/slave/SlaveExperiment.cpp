#include "fmi-bridge/dcp/slave/SlaveExperiment.hpp"

#include <vector>

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

}  // namespace openmi::dcp
