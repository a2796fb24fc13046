#include "bmi-bridge/component/StateTrial.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "openmi/system/ChildTrial.hpp"

namespace openmi::bmi {
namespace {

constexpr int kStepsBefore = 10;
constexpr int kStepsAfter = 50;
constexpr std::chrono::seconds kForSteps{5};  // what a run of 50 steps may take
constexpr std::chrono::minutes kMost{3};

/// Another number in each step, from 0 to 1.
double Pattern(int step) {
  return std::fmod(0.6180339887498949 * (step + 1), 1.0);
}

/// A model with its time and its states.
struct Driven {
  std::unique_ptr<Model> model;
  ModelClock clock;
  ModelStates states;

  Driven(const TrialSubject& subject, const ModelStates& way) : model(subject.make()), states(way) {
    if (StepLog* log = states.Log()) log->Clear();  // the model of the run may have made steps
    std::vector<std::string> ignored;
    clock.Read(*model, subject.arguments, ignored);
    for (const Variable& variable : subject.inputs) start.push_back(ValuesOf(variable));
  }
  Bytes ValuesOf(const Variable& variable) {
    Bytes values(variable.count * SizeOf(*variable.kind));
    if (const void* const pointer = model->ValuePtr(variable.name)) {
      std::memcpy(values.data(), pointer, values.size());
    } else {
      model->GetValue(variable.name, values.data());
    }
    return values;
  }
  /// Sets inputs near their values at the start, which the model can bear.
  void SetInput(const Variable& variable, const Bytes& at_start, int step) {
    std::vector<double> row(variable.count);
    ReadNumbers(*variable.kind, at_start.data(), row);
    const bool is_whole = variable.kind != NumberType::Float64 && variable.kind != NumberType::Float32;
    if (!is_whole) {
      for (double& value : row) {
        const bool is_meant = std::isfinite(value) && std::abs(value) < 1e100 && std::abs(value) > 1e-100;
        value = is_meant ? value * (1.0 + 0.01 * Pattern(step)) : 1e-3 * Pattern(step);
      }
    }
    Bytes memory(at_start.size());
    GiveValues(*variable.kind, row, memory.data());
    if (StepLog* log = states.Log()) log->AddInput(variable.name, memory);
    model->SetValue(variable.name, memory.data());
  }
  bool MayStep() const { return clock.NextStepEnd() <= clock.End() + clock.Tolerance(); }
  void Step(const TrialSubject& subject, int step) {
    for (std::size_t i = 0; i < subject.inputs.size(); ++i) SetInput(subject.inputs[i], start[i], step);
    const double until = clock.Now() + std::ldexp(clock.NextStepEnd() - clock.Now(), -subject.halvings);
    if (StepLog* log = states.Log()) log->AddStep(until, subject.halvings == 0);
    clock.Advance(*model, until, subject.halvings == 0);
  }
  std::vector<Bytes> start;  // of the inputs
};

/// What a model gave after a step: its time, and the values of its outputs.
struct Given {
  double time = 0.0;
  std::vector<Bytes> values;
};

using Clock = std::chrono::steady_clock;

std::vector<Given> Run(Driven& driven, const TrialSubject& subject, std::size_t most, Clock::duration patience) {
  const Clock::time_point begin = Clock::now();
  std::vector<Given> given;
  while (given.size() < most && driven.MayStep() && Clock::now() - begin < patience) {
    driven.Step(subject, kStepsBefore + static_cast<int>(given.size()));
    Given& row = given.emplace_back(Given{.time = driven.clock.Now(), .values = {}});
    for (const Variable& variable : subject.outputs) row.values.push_back(driven.ValuesOf(variable));
  }
  return given;
}

double NumberAt(const Variable& variable, const Bytes& bytes, std::size_t index) {
  std::vector<double> row(variable.count);
  ReadNumbers(*variable.kind, bytes.data(), row);
  return row[index];
}

/// \throws ModelError  the values differ
void Compare(const std::vector<Given>& expected, const std::vector<Given>& found, const TrialSubject& subject,
             const char* who) {
  for (std::size_t step = 0; step < expected.size(); ++step) {
    const auto refuse = [&](const std::string& what) {
      throw ModelError({}, fmt::format("{}, set to the state, differs after {} step{}: {}", who, step + 1,
                                       step == 0 ? "" : "s", what));
    };
    if (step >= found.size()) refuse("it makes no further step");
    if (expected[step].time != found[step].time) {
      refuse(fmt::format("it is at {} instead of {}", found[step].time, expected[step].time));
    }
    for (std::size_t i = 0; i < subject.outputs.size(); ++i) {
      const Variable& variable = subject.outputs[i];
      const Bytes& one = expected[step].values[i];
      const Bytes& other = found[step].values[i];
      const auto place = std::ranges::mismatch(one, other).in1;
      if (place == one.end()) continue;
      const std::size_t index = static_cast<std::size_t>(place - one.begin()) / SizeOf(*variable.kind);
      refuse(fmt::format("'{}' is {} instead of {}", variable.name, NumberAt(variable, other, index),
                         NumberAt(variable, one, index)));
    }
  }
}

void Silence() {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

void Try(const TrialSubject& subject, const ModelStates& way) {
  auto first = std::make_unique<Driven>(subject, way);
  for (int step = 0; step < kStepsBefore && first->MayStep(); ++step) first->Step(subject, step);
  StateWriter state;
  StateWriter time;
  first->states.Save(*first->model, state);
  first->clock.Save(time);
  const auto load = [&](Driven& driven) {
    StateReader from(state.Bytes());
    driven.states.Load(*driven.model, driven.clock, from);
    StateReader clock(time.Bytes());
    driven.clock.Load(*driven.model, clock, 0.0);
  };
  const std::vector<Given> expected = Run(*first, subject, kStepsAfter, kForSteps);
  if (expected.empty()) throw ModelError({}, "the model makes no steps, so that nothing can be compared");
  const auto compare = [&](Driven& driven, const char* who) {
    Compare(expected, Run(driven, subject, expected.size(), kMost), subject, who);
  };
  if (way.Way() != StateWay::Replay) {
    load(*first);
    compare(*first, "the same model");
  }
  // Two models at a time, where there may be two: a state with addresses in it would else not be noticed.
  const std::vector<Bytes> start = first->start;
  if (subject.one_model) first.reset();
  Driven second(subject, way);
  second.start = start;  // what is not set at the start may differ
  load(second);
  compare(second, "a new model");
}

}  // namespace

std::string TryStates(const TrialSubject& subject, const ModelStates& states) {
  if (subject.in_process) {
    try {
      Try(subject, states);
      return {};
    } catch (const std::exception& error) {
      return error.what();
    }
  }
  const auto work = [&] {
    Silence();
    Try(subject, states);
  };
  return TryInChild(work, kMost).found;
}

}  // namespace openmi::bmi
