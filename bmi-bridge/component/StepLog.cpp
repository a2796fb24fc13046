#include "bmi-bridge/component/StepLog.hpp"

#include <algorithm>

namespace openmi::bmi {

void StepLog::Clear() {
  log_.Clear();
  inputs_.clear();
}

void StepLog::AddInput(const std::string& name, ByteView values) {
  Bytes& last = inputs_[name];
  if (std::ranges::equal(last, values)) return;
  last.assign(values.begin(), values.end());
  log_.Write(true);  // an input
  log_.Write(std::string_view(name));
  log_.Write(values);
}

void StepLog::AddStep(double until, bool is_own_step) {
  log_.Write(false);  // a step
  log_.Write(until);
  log_.Write(is_own_step);
}

void StepLog::Repeat(Model& model, ModelClock& clock, StateReader& reader) {
  const ByteView bytes = reader.ReadBytes();
  Clear();
  for (StateReader log(bytes); !log.AtEnd();) {
    if (log.ReadBool()) {
      const std::string name = log.ReadText();
      AddInput(name, log.ReadBytes());
      continue;
    }
    for (auto& [name, values] : inputs_) {
      if (model.VarNbytes(name).value_or(static_cast<int>(values.size())) != static_cast<int>(values.size())) {
        throw FormatError(model.Place(name), "expected values of this input in a state, found another number of them",
                          "restore it with the library and the configuration that it was kept with");
      }
      model.SetValue(name, values.data());
    }
    const double until = log.ReadDouble();
    const bool is_own_step = log.ReadBool();
    AddStep(until, is_own_step);
    clock.Advance(model, until, is_own_step);
  }
}

}  // namespace openmi::bmi
