#include "bmi-bridge/component/ModelClock.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "openmi/sdk/Unit.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::bmi {
namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr double kLeastStep = 1e-5;          // seconds: resolution of stamps, with a margin
constexpr double kLongestRun = 1e4 * 366.0;  // days: a later end means that there is none

}  // namespace

void ModelClock::Read(Model& model, const BmiArguments& arguments, std::vector<std::string>& warnings) {
  is_updated_ = false;
  std::string text = model.TimeUnits().value_or(std::string());
  epoch_mjd_.reset();
  if (const std::size_t since = text.find(" since "); since != std::string::npos) {
    try {
      epoch_mjd_ = ParseIsoTime(text.substr(since + 7), 0.0).mjd;
    } catch (const Error&) {
      warnings.push_back(fmt::format("the time of '{}' cannot be read; give the argument 'epoch'", text));
    }
    text.resize(since);
  }
  if (const std::string epoch = TextOf(arguments.epoch); !epoch.empty()) {
    try {
      epoch_mjd_ = ParseIsoTime(epoch, 0.0).mjd;
    } catch (const Error& error) {
      throw ArgumentError(model.Place("epoch"), error.Problem(), error.Remedy());
    }
  }
  const std::string given = TextOf(arguments.time_unit);
  if (!given.empty()) text = given;
  seconds_per_unit_ = 1.0;
  try {
    const Unit unit = Unit::Parse(text);
    if (!Convertible(unit, Unit::Parse("s"))) throw UnitError({}, "expected a unit of time");
    seconds_per_unit_ = unit.ConversionFactorToSI();
  } catch (const UnitError&) {
    if (!given.empty()) {
      throw ArgumentError(model.Place("time-unit"), fmt::format("expected a unit of time, found '{}'", text),
                          "write s, min, h or d");
    }
    warnings.push_back(fmt::format(
        "expected a unit of the model's time, found '{}', and took seconds; give the argument 'time-unit'", text));
  }
  now_ = model.CurrentTime();
  offset_ = 0.0;
  is_updated_ = false;
  step_ = model.TimeStep().value_or(0.0);
  end_ = model.EndTime().value_or(kForever);
  if (!(std::abs(end_) * seconds_per_unit_ < kLongestRun * kSecondsPerDay)) end_ = kForever;
  const std::string until = arguments.update_until.Value();
  use_until_ = until == "always"  ? UseUpdateUntil::Always
               : until == "never" ? UseUpdateUntil::Never
                                  : UseUpdateUntil::Auto;
  if (!model.CanUpdateUntil()) use_until_ = UseUpdateUntil::Never;
  if (!model.CanUpdate() && use_until_ == UseUpdateUntil::Auto) use_until_ = UseUpdateUntil::Always;
}

double ModelClock::StepSeconds(const Model& model) const {
  const double seconds = InSeconds(step_);
  if (seconds >= kLeastStep) return seconds;
  throw ModelError(model.Place("get_time_step"),
                   fmt::format("expected steps of {} s or more, found {} s", kLeastStep, seconds),
                   "give the argument 'time-step': the model then makes as many of its own as that takes");
}

std::optional<Stamp> ModelClock::ByEpoch(double time) const {
  if (!epoch_mjd_) return std::nullopt;
  return Stamp{*epoch_mjd_ + time * seconds_per_unit_ / kSecondsPerDay};
}

void ModelClock::Begin(Model& model, Stamp start) {
  if (epoch_mjd_) {
    const double wanted = std::round((start.mjd - *epoch_mjd_) * kSecondsPerDay * 1e6) / 1e6 / seconds_per_unit_;
    const double tolerance = 1e-5 / seconds_per_unit_;  // stamps are exact to a microsecond
    if (wanted < now_ - tolerance) {
      throw ArgumentError(model.Place("start-time"),
                          fmt::format("expected a begin at {} or later, where the model begins, found {}",
                                      FormatIsoTime(*ByEpoch(now_)), FormatIsoTime(start)),
                          "let the run begin later, or correct the argument 'epoch'");
    }
    if (wanted > now_ + tolerance) Advance(model, wanted, false);
    if (now_ > wanted + tolerance) {
      throw ArgumentError(model.Place("start-time"),
                          fmt::format("expected a begin at the end of one of the model's steps, found {}, and the "
                                      "model came to {}",
                                      FormatIsoTime(start), FormatIsoTime(*ByEpoch(now_))),
                          "let the run begin there");
    }
  }
  begin_ = now_;
}

void ModelClock::Advance(Model& model, double time, bool is_own_step) {
  const double tolerance = Tolerance();
  while (now_ < time - tolerance) {
    // A whole step of the model is made by update, which every model supports.
    const bool is_whole = step_ > 0.0 && std::abs(time - now_ - step_) <= tolerance;
    if (use_until_ == UseUpdateUntil::Always || (!MakesWholeSteps() && !is_own_step && !is_whole)) {
      model.UpdateUntil(time - offset_);
    } else {
      model.Update();
    }
    Follow(model);
  }
}

void ModelClock::Follow(Model& model) {
  const double before = now_;
  is_updated_ = true;
  now_ = model.CurrentTime() + offset_;
  if (!(now_ > before)) {
    throw ModelError(
        model.Place(),
        fmt::format("expected the model's time to advance from {}, found it at {} after an update", before, now_),
        end_ <= before ? "let the run end with the model" : "look at what the model says about it");
  }
  if (const auto step = model.TimeStep(); step && *step > 0.0) step_ = *step;
}

void ModelClock::Save(StateWriter& writer) const {
  for (const double time : {now_, begin_, step_}) writer.Write(time);
  writer.Write(is_updated_);
}

void ModelClock::Load(Model& model, StateReader& reader, double later) {
  now_ = reader.ReadDouble();
  begin_ = reader.ReadDouble() + later / seconds_per_unit_;
  step_ = reader.ReadDouble();
  is_updated_ = reader.ReadBool();
  offset_ = now_ - model.CurrentTime();
}

}  // namespace openmi::bmi
