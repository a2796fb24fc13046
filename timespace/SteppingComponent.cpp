#include "timespace/SteppingComponent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

std::unique_ptr<const IValueDefinition> QuantityIn(const std::string& unit, const std::string& caption) {
  return std::make_unique<Quantity>(Unit::Parse(unit), caption);
}

// 64 bits hold 292 years of nanoseconds, so ticks are counted by the century.
constexpr Days kEra{36525.0};
constexpr std::int64_t kTicksPerEra = 36525 * 86'400'000'000'000;

}  // namespace

double ScalarOutput::OfItem() const {
  if (item_->IsWritten()) return item_->NextRow()[0];
  const std::span<const double> row = item_->LastRow();
  return row.empty() ? kNotANumber : row[0];
}

SteppingComponent::SteppingComponent(std::string id, const std::string& time_step)
    : LinkableComponentOf(std::move(id)) {
  memory_ = StepMemory::Holding(this);
  start_time_ = ArgumentItems().AddPlain(
      "start-time", {.caption = "start of the run", .description = "ISO 8601; UTC unless a zone is given"});
  end_time_ = ArgumentItems().AddPlain(
      "end-time", {.caption = "end of the run", .description = "ISO 8601; UTC unless a zone is given; empty: no end"});
  time_step_ = ArgumentItems().AddPlain(
      "time-step",
      {.caption = "time step", .description = "ISO 8601 duration or a number with a unit", .value = time_step});
}

SteppingComponent::~SteppingComponent() = default;

ScalarInput SteppingComponent::AddInput(std::string id, const std::string& unit, const InputOptions& options) {
  return ScalarInput(AddInput(std::move(id), unit, nullptr, options).Item());
}

ArrayInput SteppingComponent::AddInput(std::string id, const std::string& unit,
                                       std::shared_ptr<const ISpatialDefinition> where, const InputOptions& options) {
  auto& item = AddItem<NumericInput>(std::move(id), QuantityIn(unit, options.caption), std::move(where),
                                     options.description, options.asks);
  if (!options.caption.empty()) item.SetCaption(options.caption);
  if (options.default_value) item.SetDefault(*options.default_value);
  return ArrayInput(item);
}

ScalarOutput SteppingComponent::AddOutput(std::string id, const std::string& unit, const OutputOptions& options) {
  return ScalarOutput(AddOutput(std::move(id), unit, nullptr, options).Item());
}

ArrayOutput SteppingComponent::AddOutput(std::string id, const std::string& unit,
                                         std::shared_ptr<const ISpatialDefinition> where,
                                         const OutputOptions& options) {
  auto& item = AddItem<NumericOutput>(std::move(id), QuantityIn(unit, options.caption), std::move(where),
                                      options.description, options.gives);
  if (!options.caption.empty()) item.SetCaption(options.caption);
  initial_.emplace_back(&item, options.initial);
  return ArrayOutput(item);
}

Days SteppingComponent::TimeStep() const {
  return {static_cast<double>(step_ticks_) / kTicksPerDay};
}

void SteppingComponent::SetTimeStep(Days step) {
  const double ticks = std::round(step.count * kTicksPerDay);
  if (!(ticks >= 1.0) || ticks > 5e18) {
    throw ArgumentError(
        {.component = Caption(), .item = "time-step"},
        fmt::format("expected a time step above 0 and of at most 150 years, found {} s", ToSeconds(step)),
        "give an ISO 8601 duration such as PT1H");
  }
  step_ticks_ = static_cast<std::int64_t>(ticks);  // for the step after the present one
}

Stamp SteppingComponent::StampOfTicks(std::int64_t ticks) const {
  return start_ + Days{static_cast<double>(eras_) * kEra.count} + Days{static_cast<double>(ticks) / kTicksPerDay};
}

std::int64_t SteppingComponent::TicksOfEras() const {
  if (eras_ > 2 || (eras_ == 2 && ticks_ > std::numeric_limits<std::int64_t>::max() - 2 * kTicksPerEra)) {
    throw RangeError(
        {.component = Caption()},
        fmt::format("expected at most 292 years since the start of the run, found {}", FormatIsoTime(now_)),
        "begin the run later, or end it earlier; this component counts nanoseconds");
  }
  return eras_ * kTicksPerEra + ticks_;
}

double SteppingComponent::Nanoseconds() const {
  return static_cast<double>(eras_) * static_cast<double>(kTicksPerEra) + static_cast<double>(ticks_);
}

// Counts the ticks from the start to a time that is not the end of a whole step.
void SteppingComponent::CountTicks(Stamp time) {
  const Days since = time - start_;
  eras_ = static_cast<std::int64_t>(std::floor(since.count / kEra.count));
  ticks_ =
      static_cast<std::int64_t>(std::round((since.count - static_cast<double>(eras_) * kEra.count) * kTicksPerDay));
}

void SteppingComponent::NextEras() {
  eras_ += ticks_ / kTicksPerEra;
  ticks_ %= kTicksPerEra;
}

Stamp SteppingComponent::StepEnd(Stamp) const {
  return whole_step_end_;
}

[[gnu::always_inline]] inline void SteppingComponent::FindNext() {
  whole_step_end_ = StampOfTicks(ticks_ + step_ticks_);
  const Stamp next = StepEnd(now_);
  next_ = whole_steps_ ? next : std::min(next, end_);
}

void SteppingComponent::ShortenNextStep(Stamp end) {
  if (whole_steps_ || !Before(now_, end)) {
    throw RangeError({.component = Caption()},
                     fmt::format("expected a step that can be cut, and an end after {}, found {} steps and {}",
                                 FormatIsoTime(now_), whole_steps_ ? "whole" : "other", FormatIsoTime(end)),
                     "ask CanShortenSteps before");
  }
  next_ = std::min(next_, end);
}

void SteppingComponent::ReadTimes() {
  const auto read = [this](const Argument<std::string>& argument) {
    try {
      return ParseIsoTime(argument.Value(), 0.0);
    } catch (const Error& error) {
      throw ArgumentError({.component = Caption(), .item = argument.Item().Id()}, error.Problem(), error.Remedy());
    }
  };
  has_start_ = !TextOf(start_time_).empty();
  start_ = has_start_ ? read(start_time_) : Stamp{};
  end_ = !TextOf(end_time_).empty() ? read(end_time_) : kFarFuture;
  output_horizon_.reset();
  RequireEndAfterStart();
  const Where where{.component = Caption(), .item = "time-step"};
  Days step;
  try {
    step = ParseIsoDuration(time_step_.Value());
  } catch (const FormatError& error) {
    throw ArgumentError(where, error.Problem(), error.Remedy());
  }
  if (step.count > 0.0 && step.count <= kTimeTolerance.count) {
    throw ArgumentError(where,
                        fmt::format("expected a time step above {:.0g} s, since closer times are the same, found {} s",
                                    ToSeconds(kTimeTolerance), time_step_.Value()),
                        "take a longer step");
  }
  SetTimeStep(step);
  now_ = next_ = start_;
  ticks_ = eras_ = 0;
  time_extent_.SetHorizon(has_start_ ? start_ : kFarPast, end_);
}

void SteppingComponent::RequireEndAfterStart() const {
  if (has_start_ && !(start_ < end_)) {
    throw ArgumentError({.component = Caption(), .item = "end-time"},
                        fmt::format("expected an end after {}, found {}", FormatIsoTime(start_), FormatIsoTime(end_)),
                        "let the run end after it begins");
  }
}

void SteppingComponent::SetDefaultTimes(Stamp begin, Stamp end) {
  if (!has_start_) {
    start_ = now_ = begin;
    has_start_ = true;
  }
  if (end_ == kFarFuture) end_ = std::max(end, start_);
  time_extent_.SetHorizon(start_, end_);
}

void SteppingComponent::SetOutputHorizon(Stamp begin, Stamp end) {
  output_horizon_ = {begin, end};
}

void SteppingComponent::OnInitialize() {
  ReadTimes();
  Setup();
  inputs_.clear();
  outputs_.clear();
  for (IBaseInput* input : InputItems()) {
    if (auto* numeric = dynamic_cast<NumericInput*>(input)) inputs_.push_back(numeric);
  }
  for (IBaseOutput* output : OutputItems()) {
    if (auto* numeric = dynamic_cast<NumericOutput*>(output)) outputs_.push_back(numeric);
  }
  first_lent_ = nullptr;
  for (auto output = outputs_.rbegin(); output != outputs_.rend(); ++output) {
    (*output)->StepPlace().after = first_lent_;
    first_lent_ = &(*output)->StepPlace();
  }
  std::erase_if(initial_,
                [this](const auto& entry) { return std::ranges::find(outputs_, entry.first) == outputs_.end(); });
  for (NumericInput* input : inputs_) input->EditTimeSet().SetHorizon(has_start_ ? start_ : kFarPast, end_);
  const auto [begin, end] = output_horizon_.value_or(std::pair(has_start_ ? start_ : kFarPast, end_));
  for (NumericOutput* output : outputs_) output->SetHorizon(begin, end);
  // Other components can then read the first step before the run.
  if (has_start_) {
    FindNext();
  } else {
    next_ = std::min(start_ + TimeStep(), end_);
  }
}

bool SteppingComponent::OnValidate(std::vector<std::string>& messages) {
  bool valid = true;
  for (const NumericInput* input : inputs_) {
    if (input->Provider() == nullptr && !input->HasDefault()) {
      messages.push_back(Error::Format({.component = Caption(), .item = input->Id()}, "expected a provider, found none",
                                       "link an output to this input"));
      valid = false;
      continue;
    }
    if (input->Provider() == nullptr) continue;
    const auto* wanted = dynamic_cast<const IQuantity*>(&input->ValueDefinition());
    const auto* given = dynamic_cast<const IQuantity*>(&input->Provider()->ValueDefinition());
    if (wanted != nullptr && given != nullptr && !Convertible(given->Unit(), wanted->Unit())) {
      messages.push_back(Error::Format({.component = Caption(), .item = input->Id()},
                                       fmt::format("expected a unit that converts to '{}', found '{}'",
                                                   wanted->Unit().Caption(), given->Unit().Caption()),
                                       ConversionAdvice(given->Unit(), wanted->Unit())));
      valid = false;
    }
  }
  return valid;
}

void SteppingComponent::OnPrepare() {
  if (!has_start_) {
    throw ArgumentError({.component = Caption(), .item = "start-time"}, "expected a start of the run, found none",
                        "set the argument start-time, or From in the composition's Run");
  }
  now_ = start_;
  ticks_ = eras_ = 0;
  step_count_ = 0;
  for (NumericOutput* output : outputs_) output->Reset();
  for (const auto& [output, value] : initial_) {
    if (output->Gives() == OutputTime::Instant) std::ranges::fill(output->NextRow(), value);
  }
  Start(start_);
  for (NumericOutput* output : outputs_) {
    if (output->Gives() == OutputTime::Instant && output->LastRow().empty()) output->PublishAt(start_, Days{});
  }
  FindNext();
}

void SteppingComponent::OnPrepared() {
  for (NumericOutput* output : outputs_) output->Refresh();
}

UpdateResult SteppingComponent::OnUpdate(std::span<IBaseOutput* const>) {
  const Stamp from = now_;
  if (!Before(from, end_)) return UpdateResult::Done;
  const Stamp to = next_;
  for (NumericInput* input : inputs_) input->Pull(from, to);
  Compute(from, to);
  for (NumericOutput* output : outputs_) {
    if (Before(output->LatestEnd(), to)) output->Publish(from, to);
  }
  for (NumericOutput* output : outputs_) output->Refresh();
  for (NumericInput* input : inputs_) input->MoveHorizon(to);
  return Before(now_, end_) ? UpdateResult::Updated : UpdateResult::Done;
}

void SteppingComponent::StepTo(Stamp to) {
  if (to != next_) {
    throw ModelError({.component = Caption()},
                     fmt::format("expected a step that ends at {}, as those of the other members, found one to {}",
                                 FormatIsoTime(to), FormatIsoTime(next_)),
                     "give all members the same time step, or run it as a component of its own");
  }
  Compute(now_, to);
  for (StepOutput* output = first_lent_; output != nullptr; output = output->after) {
    NumericOutput::EndLentStep(*output, to);
  }
}

[[gnu::always_inline]] inline void SteppingComponent::Compute(Stamp from, Stamp to) {
  const std::int64_t whole_step_ticks = ticks_ + step_ticks_;  // Step may change the time step for the next one
  Step(from, to);
  // A whole step continues in ticks; any other end (shortened, or from the component) is converted to ticks once.
  if (to == whole_step_end_) {
    ticks_ = whole_step_ticks;
    if (ticks_ >= kTicksPerEra) NextEras();
  } else {
    CountTicks(to);
  }
  now_ = to;
  ++step_count_;
  FindNext();
}

void SteppingComponent::ReturnTo(Stamp time) {
  CountTicks(time);
  ReturnTo(time, ticks_);
}

void SteppingComponent::ReturnTo(Stamp time, std::int64_t ticks) {
  now_ = time;
  // The stamp says which century the ticks are in: it is exact to a microsecond.
  const Days since = time - start_;
  eras_ = static_cast<std::int64_t>(std::round((since.count - static_cast<double>(ticks) / kTicksPerDay) / kEra.count));
  ticks_ = ticks;
  for (NumericOutput* output : outputs_) output->ForgetAfter(time);
  for (NumericInput* input : inputs_) input->MoveHorizon(time);
  FindNext();
  ResumeUpdated();
}

}  // namespace openmi
