#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "bmi-bridge/component/ModelClock.hpp"
#include "bmi-bridge/model/Model.hpp"
#include "openmi/standard/Value.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::bmi {

/// What was done with a model since it was initialized, so that it can be done again: the inputs and the steps.
///
/// Inputs that did not change since the step before are not written again, but they are set again.
class StepLog {
 public:
  void Clear();
  /// Notes the values that an input gets before the next step.
  void AddInput(const std::string& name, ByteView values);
  /// Notes a step, as `ModelClock::Advance` makes it.
  void AddStep(double until, bool is_own_step);

  void Save(StateWriter& writer) const { writer.Write(ByteView(log_.Bytes())); }
  /// Does all that another log notes with a model that was made again, and becomes that log.
  /// \throws FormatError  the bytes are no log
  /// \throws ModelError   the model does not take it
  void Repeat(Model& model, ModelClock& clock, StateReader& reader);

 private:
  StateWriter log_;
  std::map<std::string, Bytes> inputs_;  // as set last
};

}  // namespace openmi::bmi
