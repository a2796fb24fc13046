#pragma once

#include <string>

#include "fmi-bridge/fmi/component/InputPorts.hpp"
#include "fmi-bridge/fmi/run/ModelExchange.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/ResultsFolder.hpp"

namespace openmi::fmi {

/// The arguments of the component, without those for variables of the FMU.
struct FmuSettings {
  ArgumentList& list;  ///< that declares them; borrowed

  Argument<std::string> fmu = list.Add<std::string>(
      "fmu", {.caption = "FMU", .description = "archive or unpacked folder", .meaning = ArgumentMeaning::Path});
  Argument<std::string> kind =
      list.Add<std::string>("kind", {.description = "how it is run; auto: the first of these that the FMU offers",
                                     .value = "auto",
                                     .possible_values = kWaysToRun.List({"auto"})});
  Argument<bool> compile =
      list.Add<bool>("compile", {.description = "compiles the sources of an FMU that has no library for this machine",
                                 .value = false,
                                 .meaning = ArgumentMeaning::Library});
  Argument<std::string> compiler = list.AddText(
      "compiler", {.description = "program that compiles C and C++, default: cc", .meaning = ArgumentMeaning::Library});
  Argument<std::string> epoch = list.AddPlain(
      "epoch", {.description = "the time at which the FMU's own time is 0; without: it begins with the run"});
  Argument<double> fmu_start = list.Add<double>(
      "fmu-start-time", {.description = "the FMU's own time at the start of the run, without epoch; default: what its "
                                        "default experiment says, else 0",
                         .optional = true});
  Argument<double> tolerance = list.Add<double>(
      "tolerance", {.description = "relative tolerance; default: what the default experiment says, else 1e-6 for model "
                                   "exchange and none for co-simulation",
                    .minimum = 1e-15,
                    .optional = true});
  Argument<double> absolute_tolerance =
      list.Add<double>("absolute-tolerance",
                       {.description = "of model exchange, times the nominal of each state; default: the relative one",
                        .minimum = 0.0,
                        .optional = true});
  Argument<SolverMethod> solver =
      list.Add<SolverMethod>("solver", {.description = "of model exchange: CVODE with BDF or Adams",
                                        .value = SolverMethod::Bdf,
                                        .names = kSolverMethods});
  Argument<LinearSolver> linear_solver = list.Add<LinearSolver>(
      "linear-solver", {.description = "of model exchange with BDF: a dense Jacobian, a sparse one where the FMU "
                                       "declares dependencies, or GMRES with a band of it as preconditioner "
                                       "(iterative); auto: sparse from 100 states, else dense up to 1000",
                        .value = LinearSolver::Automatic,
                        .names = kLinearSolvers});
  Argument<ToleranceFor> tolerance_for = list.Add<ToleranceFor>(
      "tolerance-for",
      {.description = "of model exchange: whether the tolerances are for the result, so that a step is "
                      "held to a hundredth of them, or for each step as they are",
       .value = ToleranceFor::Result,
       .names = kTolerancesFor});
  Argument<std::string> inputs_at = list.Add<std::string>(
      "inputs",
      {.description = "what inputs are within a step: their value at its end, at its begin, or linear between "
                      "both; auto: at the end in co-simulation, else linear",
       .value = "auto",
       .possible_values = kInputsAt.List({"auto"})});
  Argument<std::string> more_outputs = list.AddPlain(
      "outputs", {.description = "further variables to show as outputs, between semicolons", .value = ""});
  Argument<int> rows_within_steps = list.Add<int>(
      "rows-within-steps",
      {.description = "of co-simulation: rows of continuous outputs at times within each step, from the values and the "
                      "derivatives at its ends, for FMUs that give these (maxOutputDerivativeOrder)",
       .value = 0,
       .minimum = 0,
       .maximum = 1000});
  Argument<std::string> set = list.Add<std::string>(
      "set", {.description = "start values, 'name=value' between semicolons: for variables that have no argument",
              .value = ""});
  Argument<std::string> event_mode =
      list.Add<std::string>("event-mode", {.description = "of co-simulation with FMI 3.0; auto: where it has clocks",
                                           .value = "auto",
                                           .possible_values = {"auto", "true", "false"}});
  Argument<bool> early_return = list.Add<bool>(
      "early-return", {.description = "lets the FMU end a step early; the rest of it follows", .value = true});
  Argument<bool> retry_steps = list.Add<bool>(
      "retry-steps", {.description = "keeps the state before each step of FMI 2.0, to try a smaller one after Discard",
                      .value = false});
  Argument<bool> try_states = list.Add<bool>(
      "try-states", {.description = "a state that another process kept is tried in a child before the FMU gets it here",
                     .value = true});
  Argument<std::string> start_state =
      list.AddText("start-state", {.description = "a file with the state of the FMU to start from; its time goes on",
                                   .meaning = ArgumentMeaning::Path});
  Argument<std::string> end_state = list.AddText(
      "end-state", {.description = "where the state of the FMU is written at the end; in the folder of results",
                    .meaning = ArgumentMeaning::Path});
  Argument<MissingInputs::Manner> missing_inputs = list.Add<MissingInputs::Manner>(
      "missing-inputs",
      {.description = "what becomes of missing values of linked inputs, of which FMI knows none: refuse "
                      "ends the run, hold leaves the last value, pass gives not-a-number; both are "
                      "counted and reported",
       .value = MissingInputs::Manner::Refuse,
       .names = MissingInputs::kManners});
  Argument<int> initial_rounds =
      list.Add<int>("initial-rounds",
                    {.description = "how often FMUs that depend on each other exchange initial values at most until "
                                    "these stay; 0: this one begins with its start values",
                     .value = 100,
                     .minimum = 0});
  Argument<double> initial_tolerance = list.Add<double>(
      "initial-tolerance",
      {.description = "an initial value stays when it changes by no more than this, relative to the largest it had",
       .value = 1e-9,
       .minimum = 0.0});
  Argument<std::string> log_file =
      list.AddText("log-file", {.description = "where messages of the FMU are appended; in the folder of results",
                                .meaning = ArgumentMeaning::Path});
  Argument<std::string> log_categories = list.AddPlain(
      "log-categories",
      {.description = "categories of messages that the FMU is to log, between semicolons; none: all", .value = ""});
  Argument<std::string> bus_frames = list.AddText(
      "bus-frames",
      {.description =
           "where the frames that the FMU sends on CAN buses are appended, as candump -l writes them; in the "
           "folder of results",
       .meaning = ArgumentMeaning::Path});
  ResultsFolder results_folder{list};
};

}  // namespace openmi::fmi
