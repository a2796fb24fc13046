#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bmi-bridge/component/ModelStates.hpp"
#include "bmi-bridge/component/Variable.hpp"
#include "bmi-bridge/model/Model.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::bmi {

/// A variable as its model describes it.
struct VariableFacts {
  Variable variable;
  bool is_input = false;
  bool is_output = false;
  std::string grid_type;  ///< empty: no grid, or one without a type
};

/// What a model says of itself once it is initialized. Times are in its own unit.
struct ModelFacts {
  std::string name;       ///< empty: it gives none
  std::string library;    ///< path
  std::string hand_over;  ///< as `Library::HandOver`
  bool has_one_model = false;
  bool has_update_until = false;
  bool has_solve = false;  ///< the functions of XMI
  double now = 0.0;
  std::optional<double> start, end, step;
  std::string time_units;
  double seconds_per_unit = 1.0;
  std::optional<double> epoch_now_mjd;  ///< the present time, if the model or an argument says when its time is 0
  std::vector<VariableFacts> variables;
  StateWay states = StateWay::None;
};

/// Reads the variables of a model: inputs, then outputs that are no inputs.
std::vector<VariableFacts> ReadVariables(Model& model, std::vector<std::string>& warnings);

/// Adds a problem for each answer of a model that contradicts another one: sizes, grids, times, values and pointers.
/// Computes nothing.
void CheckAnswers(Model& model, Problems& problems);

}  // namespace openmi::bmi
