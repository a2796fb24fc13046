#pragma once

#include <string>

#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/ResultsFolder.hpp"

namespace openmi::fmi {

/// The arguments of the component, without those for variables of the FMU. AddFmuSettings describes them.
struct FmuSettings {
  Argument<std::string> fmu;
  Argument<std::string> kind;
  Argument<std::string> epoch;
  Argument<double> fmu_start;
  Argument<double> tolerance;
  Argument<double> absolute_tolerance;
  Argument<std::string> solver;
  Argument<std::string> linear_solver;
  Argument<std::string> tolerance_for;
  Argument<std::string> inputs_at;
  Argument<std::string> more_outputs;
  Argument<std::string> set;
  Argument<std::string> event_mode;
  Argument<bool> early_return;
  Argument<bool> retry_steps;
  Argument<bool> try_states;
  Argument<std::string> missing_inputs;
  Argument<int> initial_rounds;
  Argument<double> initial_tolerance;
  Argument<std::string> log_file;
  Argument<std::string> log_categories;
  ResultsFolder results_folder;
};

/// Declares the arguments.
FmuSettings AddFmuSettings(ArgumentList& list);

}  // namespace openmi::fmi
