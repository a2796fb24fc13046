#include "bmi-bridge/component/BmiComponent.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "bmi-bridge/component/ListArgument.hpp"
#include "bmi-bridge/component/WorkingDirectory.hpp"
#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi::bmi {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kLeastStep = 1e-5;          // seconds: resolution of stamps, with a margin
constexpr double kLongestRun = 1e4 * 366.0;  // days: a later end means that there is none
constexpr double kTicksPerDay = 86400e9;
constexpr double kTolerance = 1e-9;  // share of a step: within it, times of a model are equal
constexpr double kTimeNoise = 2e-6;  // seconds: possible error of a stamp

}  // namespace

BmiComponent::BmiComponent() : SteppingComponent("bmi-model") {
  SetDescription("a model of a library that offers BMI 2.0");
  SetRestartable(true);
  SetThreadSafe(false);  // unknown what the models of a library share
  library_name_ =
      AddArgument<std::string>("library", {.caption = "library",
                                           .description = "the shared library: a path, or a name as of an assembly",
                                           .meaning = ArgumentMeaning::Library});
  config_file_ = AddArgument<std::string>("config-file", {.caption = "configuration file",
                                                          .description = "what initialize is given",
                                                          .optional = true,
                                                          .meaning = ArgumentMeaning::Path});
  working_directory_ = AddArgument<std::string>(
      "working-directory", {.description = "the folder in which the model works; without: that of the process",
                            .optional = true,
                            .meaning = ArgumentMeaning::Path});
  flavour_ = AddArgument<std::string>(
      "flavour", {.description = "how the library hands its model over; auto: found out",
                  .value = "auto",
                  .possible_values = {"auto", "c", "c++", "fortran-box", "fortran-integer", "flat"}});
  register_ = AddArgument<std::string>(
      "register", {.description = "the function that hands the model over, where its name is not of the usual ones",
                   .optional = true,
                   .meaning = ArgumentMeaning::Library});
  needs_ = AddArgument<std::string>("needs", {.description = "libraries that are loaded before, between semicolons",
                                              .value = "",
                                              .meaning = ArgumentMeaning::Library});
  instances_ = AddArgument<std::string>(
      "instances", {.description = "one: the library has global state, and a second model at a time is refused",
                    .value = "auto",
                    .possible_values = {"auto", "one"}});
  reentrant_ = AddArgument<bool>(
      "reentrant", {.description = "the library may be called by several threads at once, each with a model of its own",
                    .value = false});
  epoch_ = AddArgument<std::string>(
      "epoch", {.description = "the time at which the model's own time is 0; without: it begins with the run",
                .optional = true,
                .meaning = ArgumentMeaning::Plain});
  time_unit_ = AddArgument<std::string>(
      "time-unit", {.description = "of the model's time, where it does not name one that can be read",
                    .optional = true,
                    .meaning = ArgumentMeaning::Plain});
  wanted_inputs_ =
      AddArgument<std::string>("inputs", {.description = "variables that become inputs, between semicolons ('*': all, "
                                                         "'none': none); without: all, if there are not more than 100",
                                          .optional = true,
                                          .meaning = ArgumentMeaning::Plain});
  wanted_outputs_ = AddArgument<std::string>(
      "outputs", {.description = "variables that become outputs, between semicolons; without: all, if there are not "
                                 "more than 100",
                  .optional = true,
                  .meaning = ArgumentMeaning::Plain});
  units_ = AddArgument<std::string>(
      "units", {.description = "'name=unit' between semicolons: for variables whose own unit is wrong",
                .value = "",
                .meaning = ArgumentMeaning::Plain});
  spans_ = AddArgument<std::string>(
      "spans", {.description = "variables whose values hold over a step (rain, fluxes), between semicolons",
                .value = "",
                .meaning = ArgumentMeaning::Plain});
  per_step_ = AddArgument<std::string>(
      "per-step", {.description = "variables whose values are amounts of a step, between semicolons: they become rates",
                   .value = "",
                   .meaning = ArgumentMeaning::Plain});
  update_until_ = AddArgument<std::string>(
      "update-until", {.description = "when update_until is called; auto: for what is no step of the model's own",
                       .value = "auto",
                       .possible_values = {"auto", "always", "never"}});
  parameters_ = AddArgument<std::string>(
      "parameters", {.caption = "parameters of the model",
                     .description = "'name=value' between semicolons, several values with blanks: given to set_value "
                                    "after initialize, whether the model lists the names or not",
                     .value = ""});
  unset_ = AddArgument<std::string>(
      "unset-at-start",
      {.caption = "outputs that the model sets in its first update only",
       .description = "between semicolons ('*': all, 'none': none): they are missing at the start; without: all, where "
                      "one of them holds what no model means (a subnormal number, or one beyond 1e100)",
       .optional = true,
       .meaning = ArgumentMeaning::Plain});
  elements_file_ = AddArgument<std::string>(
      "elements-file", {.caption = "file with the place of a lumped model",
                        .description = "the element that variables without a grid belong to; GeoJSON, WKT or CSV",
                        .optional = true,
                        .meaning = ArgumentMeaning::Path});
  id_property_ =
      AddArgument<std::string>("id-property", {.caption = "property or column of that file that holds the ids",
                                               .optional = true,
                                               .meaning = ArgumentMeaning::Plain});
  element_ = AddArgument<std::string>(
      "element", {.caption = "id of the element of a lumped model",
                  .description = "needed where the file has several; with area alone: the component's caption without",
                  .optional = true,
                  .meaning = ArgumentMeaning::Plain});
  area_ = AddArgument<std::string>("area", {.caption = "area of a lumped model",
                                            .description = "'15.6 km2'",
                                            .optional = true,
                                            .meaning = ArgumentMeaning::Plain});
  system_ = AddArgument<std::string>(
      "elements-system", {.description = "reference system of the coordinates, as PROJ knows it ('EPSG:32632')",
                          .value = "local-metres",
                          .meaning = ArgumentMeaning::Plain});
  moving_grids_ = AddArgument<bool>(
      "moving-grids", {.description = "the places of all grids are read anew after each step", .value = false});
}

BmiComponent::~BmiComponent() {
  try {
    End();
  } catch (const std::exception&) {  // destroyed without Finish: no caller can receive it
  }
}

std::string BmiComponent::FamilyKey() const {
  if (library_ != nullptr) return library_->File().string();
  return library_name_.HasValue() ? library_name_.Value() : std::string();
}

void BmiComponent::LoadModel() {
  LibraryOptions options{.flavour = flavour_.Value(), .entry = {}, .needs = ListOf(needs_.Value())};
  if (register_.HasValue()) options.entry = register_.Value();
  options.one_instance = instances_.Value() == "one";
  if (options.one_instance && reentrant_.Value()) {
    throw ArgumentError({.component = Caption(), .item = "reentrant"},
                        "expected a library without global state, found instances = one",
                        "leave out one of the arguments 'reentrant' and 'instances'");
  }
  SetThreadSafe(reentrant_.Value());
  for (std::string& name : options.needs) {
    if (std::error_code error; std::filesystem::exists(PathOf(name), error)) name = PathOf(name);
  }
  std::string file = PathOf(library_name_.Value());
  if (std::error_code error; !std::filesystem::is_regular_file(file, error)) {
    file = LibrarySearch().Find(library_name_.Value(), PathOf("."));
  }
  std::string config;
  if (config_file_.HasValue() && !config_file_.Value().empty()) {
    config = std::filesystem::absolute(PathOf(config_file_.Value())).string();
    // Checked before the model reads the file: some models crash.
    if (access(config.c_str(), R_OK) != 0) {
      throw FileError({.file = config, .component = Caption()},
                      "expected a configuration file that can be read, found none",
                      "correct the argument 'config-file'");
    }
  }
  folder_ = working_directory_.HasValue() && !working_directory_.Value().empty()
                ? std::filesystem::absolute(PathOf(working_directory_.Value())).string()
                : std::string();
  const WorkingDirectory here(folder_);
  library_ = Library::Load(file, options);
  model_ = library_->Make();
  model_->SetCaption(Caption());
  model_->Initialize(config);
  const std::string name = model_->ComponentName();
  SetDescription(fmt::format("{} (BMI 2.0: {})", name.empty() ? "a model without a name" : name, library_->HandOver()));
}

void BmiComponent::ReadTime() {
  std::string text = model_->TimeUnits().value_or(std::string());
  epoch_mjd_.reset();
  if (const std::size_t since = text.find(" since "); since != std::string::npos) {
    try {
      epoch_mjd_ = ParseIsoTime(text.substr(since + 7), 0.0);
    } catch (const Error&) {
      warnings_.push_back(fmt::format("the time of '{}' cannot be read; give the argument 'epoch'", text));
    }
    text.resize(since);
  }
  if (epoch_.HasValue() && !epoch_.Value().empty()) {
    try {
      epoch_mjd_ = ParseIsoTime(epoch_.Value(), 0.0);
    } catch (const Error& error) {
      throw ArgumentError(Place("epoch"), error.Problem(), error.Remedy());
    }
  }
  const bool is_given = time_unit_.HasValue() && !time_unit_.Value().empty();
  if (is_given) text = time_unit_.Value();
  const Unit second = Unit::Parse("s");
  seconds_per_unit_ = 1.0;
  try {
    const Unit unit = Unit::Parse(text);
    if (!Convertible(unit, second)) throw UnitError({}, "expected a unit of time");
    seconds_per_unit_ = unit.ConversionFactorToSI();
  } catch (const UnitError&) {
    if (is_given) {
      throw ArgumentError(Place("time-unit"), fmt::format("expected a unit of time, found '{}'", text),
                          "write s, min, h or d");
    }
    warnings_.push_back(fmt::format(
        "expected a unit of the model's time, found '{}', and took seconds; give the argument 'time-unit'", text));
  }

  model_time_ = model_->CurrentTime();
  model_step_ = model_->TimeStep().value_or(0.0);
  model_end_ = model_->EndTime().value_or(kForever);
  if (!(std::abs(model_end_) * seconds_per_unit_ < kLongestRun * kSecondsPerDay)) model_end_ = kForever;
  has_own_step_ = !ArgumentItems().Find("time-step")->IsSet();
  const std::string until = update_until_.Value();
  use_until_ = until == "always"  ? UseUpdateUntil::Always
               : until == "never" ? UseUpdateUntil::Never
                                  : UseUpdateUntil::Auto;
  if (!model_->CanUpdateUntil()) use_until_ = UseUpdateUntil::Never;
  if (!model_->CanUpdate() && use_until_ == UseUpdateUntil::Auto) use_until_ = UseUpdateUntil::Always;
  SetWholeSteps(use_until_ == UseUpdateUntil::Never);
  if (has_own_step_) {
    if (!(model_step_ * seconds_per_unit_ >= kLeastStep)) {
      throw ModelError(
          Place("get_time_step"),
          fmt::format("expected steps of {} s or more, found {} s", kLeastStep, model_step_ * seconds_per_unit_),
          "give the argument 'time-step': the model then makes as many of its own as that takes");
    }
    SetTimeStep(Seconds(model_step_ * seconds_per_unit_));
  }
  if (epoch_mjd_) {
    const Stamp begin{*epoch_mjd_ + model_time_ * seconds_per_unit_ / kSecondsPerDay};
    const Stamp end =
        model_end_ == kForever ? kFarFuture : Stamp{*epoch_mjd_ + model_end_ * seconds_per_unit_ / kSecondsPerDay};
    SetDefaultTimes(begin, end);
    SetOutputHorizon(begin, end);
  } else if (model_end_ != kForever) {
    // The start of the run is known only if an argument gives it.
    const auto* const start = ArgumentItems().Find("start-time");
    if (start->IsSet())
      SetOutputHorizon(StartTime(), StartTime() + Seconds((model_end_ - model_time_) * seconds_per_unit_));
  }
}

void BmiComponent::Setup() {
  End();
  warnings_.clear();
  LoadModel();
  const WorkingDirectory here(folder_);
  is_updated_ = false;
  SetParameters();
  ReadTime();
  MakeItems();
}

bool BmiComponent::OnValidate(std::vector<std::string>& messages) {
  const bool valid = SteppingComponent::OnValidate(messages);
  for (const std::string& warning : warnings_) messages.push_back(Caption() + ": " + warning);
  const bool is_given = unset_.HasValue() && !unset_.Value().empty();
  if (valid && model_ != nullptr && !is_updated_ && !is_given) {
    const WorkingDirectory here(folder_);
    if (const std::vector<OutputPort*> unset = UnsetPorts(); !unset.empty()) {
      messages.push_back(fmt::format(
          "{}: before its first update the model shows uninitialized memory (see '{}'), so all its outputs are missing "
          "at the start; name those that are not set by then in the argument 'unset-at-start'",
          Caption(), unset.front()->variable.name));
    }
  }
  return valid;
}

Stamp BmiComponent::StampAt(double time) const {
  return StartTime() + Seconds((time - model_begin_) * seconds_per_unit_);
}

double BmiComponent::TimeAt(Stamp stamp) const {
  // Whole steps are counted, because a stamp is exact only to a microsecond.
  const double ticks = stamp == WholeStepEnd()
                           ? static_cast<double>(Ticks()) + std::round(TimeStep().count * kTicksPerDay)
                           : std::round(ToSeconds(stamp - StartTime()) * 1e6) * 1e3;
  return model_begin_ + ticks / 1e9 / seconds_per_unit_;
}

double BmiComponent::TimeTolerance() const {
  return std::max(model_step_ * kTolerance, kTimeNoise / seconds_per_unit_);
}

Stamp BmiComponent::StepEnd(Stamp now) const {
  if (!has_own_step_) return WholeStepEnd();
  const Stamp end = StampAt(model_time_ + model_step_);
  return Before(now, end) ? end : now + Seconds(model_step_ * seconds_per_unit_);
}

void BmiComponent::Start(Stamp begin) {
  const WorkingDirectory here(folder_);
  copied_values_ = shown_rows_ = 0;
  takers_ = 0;
  model_begin_ = model_time_;
  if (epoch_mjd_) {
    const double wanted = std::round((begin.mjd - *epoch_mjd_) * kSecondsPerDay * 1e6) / 1e6 / seconds_per_unit_;
    const double tolerance = 1e-5 / seconds_per_unit_;  // stamps are exact to a microsecond
    if (wanted < model_time_ - tolerance) {
      throw ArgumentError(Place("start-time"),
                          fmt::format("expected a begin at {} or later, where the model begins, found {}",
                                      FormatIsoTime(*epoch_mjd_ + model_time_ * seconds_per_unit_ / kSecondsPerDay),
                                      FormatIsoTime(begin.mjd)),
                          "let the run begin later, or correct the argument 'epoch'");
    }
    if (wanted > model_time_ + tolerance) AdvanceTo(wanted, false);
    if (model_time_ > wanted + tolerance) {
      throw ArgumentError(
          Place("start-time"),
          fmt::format("expected a begin at the end of one of the model's steps, found {}, and the model "
                      "came to {}",
                      FormatIsoTime(begin.mjd),
                      FormatIsoTime(*epoch_mjd_ + model_time_ * seconds_per_unit_ / kSecondsPerDay)),
          "let the run begin there");
    }
    model_begin_ = model_time_;
  }
  FollowGrids();
  for (OutputPort& port : outputs_) {
    if (port.item->Gives() == OutputTime::Instant) TakeRow(port, port.item->NextRow(), 1.0);
  }
  for (OutputPort* port : UnsetPorts()) {
    std::ranges::fill(port->item->NextRow(), std::numeric_limits<double>::quiet_NaN());
  }
}

void BmiComponent::AdvanceTo(double time, bool is_own_step) {
  const double tolerance = TimeTolerance();
  const bool can_until = use_until_ != UseUpdateUntil::Never;
  while (model_time_ < time - tolerance) {
    const double before = model_time_;
    // A whole step of the model is made by update, which every model supports.
    const bool is_whole = model_step_ > 0.0 && std::abs(time - model_time_ - model_step_) <= tolerance;
    if (use_until_ == UseUpdateUntil::Always || (can_until && !is_own_step && !is_whole)) {
      model_->UpdateUntil(time);
    } else {
      model_->Update();
    }
    is_updated_ = true;
    model_time_ = model_->CurrentTime();
    if (!(model_time_ > before)) {
      throw ModelError(
          Place(),
          fmt::format("expected the model's time to go on at {}, found it at {} after an update", before, model_time_),
          model_end_ <= before ? "let the run end with the model" : "look at what the model says about it");
    }
    if (const auto step = model_->TimeStep(); step && *step > 0.0) model_step_ = *step;
  }
}

void BmiComponent::Step(Stamp from, Stamp to) {
  const WorkingDirectory here(folder_);
  const bool is_own_step = has_own_step_ && to == StepEnd(from);
  const double until = is_own_step ? model_time_ + model_step_ : TimeAt(to);
  const double before = model_time_;
  if (before < until - TimeTolerance()) {  // else it went further, and its rows are published
    GiveInputs((until - before) * seconds_per_unit_);
    KeepShownRows();
    try {
      AdvanceTo(until, is_own_step);
    } catch (...) {
      for (OutputPort& port : outputs_) DropShownRow(port);
      throw;
    }
    FollowGrids();
    TakeOutputs(from, to, until, (model_time_ - before) * seconds_per_unit_);
  }
}

void BmiComponent::End() {
  if (model_ == nullptr) return;
  const WorkingDirectory here(folder_);
  for (OutputPort& port : outputs_) OwnShownRow(port);
  grids_.reset();
  const std::unique_ptr<Model> model = std::move(model_);
  const std::shared_ptr<Library> library = library_;
  model->Finalize();
}

}  // namespace openmi::bmi
