#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "bmi-bridge/component/BmiArguments.hpp"
#include "bmi-bridge/component/ModelStates.hpp"
#include "bmi-bridge/component/Variable.hpp"
#include "bmi-bridge/model/Model.hpp"

namespace openmi::bmi {

/// What a trial of states needs.
struct TrialSubject {
  std::function<std::unique_ptr<Model>()> make;  ///< makes a model and initializes it
  bool one_model = false;                        ///< there may be one model at a time only
  bool in_process = false;  ///< without a child: a copy of a process with threads of Python may stand still
  int halvings = 0;         ///< how often the steps are halved: whole ones may fail, which is tried later
  const BmiArguments& arguments;
  std::span<const Variable> inputs;   ///< that are set
  std::span<const Variable> outputs;  ///< that are compared
};

/// Tries in a child process whether states of a model are all that it remembers.
///
/// A model makes 10 steps, its state is kept, and it makes 50 more with other inputs. Then the same model is set back,
/// and a new model is set to the state. Both have to give the values of the 50 steps again, bit by bit. Slow models
/// make fewer steps. What the models write to standard output and error is dropped; their files are written.
/// \param states  the way; not None
/// \returns what was found instead; empty: the states are good
std::string TryStates(const TrialSubject& subject, const ModelStates& states);

}  // namespace openmi::bmi
