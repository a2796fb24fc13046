#include <fmt/format.h>

#include <algorithm>

#include "composition/link/Composition.hpp"
#include "composition/loops/InitialValues.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/state/ComponentState.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

/// Whether a component is ahead of `start` only because its step was longer, as a series whose next row is later: it
/// has the rows of then.
bool HasRowsFrom(Instance& instance, Stamp start) {
  const auto reach_back = [&](IBaseOutput* output) {
    auto* provider = dynamic_cast<IHistoryProvider*>(output);
    const RowHistory* rows = provider != nullptr ? provider->UseHistory() : nullptr;
    return rows != nullptr && !rows->Empty() && !Before(start, rows->Begin(0));
  };
  const auto outputs = instance.Component().Outputs();
  return Before(start, instance.CurrentTime()) && !outputs.empty() && std::ranges::all_of(outputs, reach_back);
}

void RestoreInitialState(const Composition& composition, Instance& instance) {
  Problems ignored;  // reported by the check
  const std::filesystem::path path = composition.InitialStatePath(*instance.spec, ignored);
  try {
    const Bytes bytes = ReadComponentState(path);
    RunOn(instance.thread, [&] { RestoreStateBytes(*instance.loaded.component, bytes); });
  } catch (const Error& error) {
    throw FormatError({.file = path.string(), .component = instance.Id()}, error.Problem(), error.Remedy());
  }
  const auto& run = composition.File().run;
  if (run && instance.steps != nullptr && !SameTime(instance.CurrentTime(), *run->from) &&
      !HasRowsFrom(instance, *run->from)) {
    throw FormatError({.file = path.string(), .component = instance.Id()},
                      fmt::format("expected a state at the start of the run, {}, found one at {}",
                                  FormatIsoTime(*run->from), FormatIsoTime(instance.CurrentTime())),
                      "let the run begin at the time of the state");
  }
}

void PrepareOne(const Composition& composition, Instance& instance, bool resuming) {
  const CurrentComponent current(*instance.conduct);
  if (resuming && KeepsState(instance.Component())) {
    if (auto* resumes = dynamic_cast<IResumes*>(&instance.Component())) resumes->ExpectRestore();
  }
  const auto prepare = [&instance] { CallComponent(*instance.conduct, [&instance] { instance.Runner().Prepare(); }); };
  if (resuming || instance.spec->initial_state.empty()) {
    prepare();
    return;
  }
  // Listeners are not notified of the values with which the component would have started.
  for (auto& [output, proxy] : instance.proxies) proxy->Mute();
  prepare();
  RestoreInitialState(composition, instance);
  const auto& run = composition.File().run;
  const Stamp begin = run ? *run->from : kFarPast;
  for (auto& [output, proxy] : instance.proxies) proxy->UnmuteFrom(begin);
}

}  // namespace

void PrepareComponents(Composition& composition, bool resuming) {
  InitialValues initial(composition);
  for (const std::vector<std::size_t>& part : composition.Graph().PartsUpstreamFirst()) {
    std::vector<std::size_t> waiting;  // waiting for the initial values of the others
    for (const std::size_t number : part) {
      Instance& instance = composition.Instances()[number];
      if (InitialValues::TakesPart(instance)) {
        waiting.push_back(number);
      } else {
        PrepareOne(composition, instance, resuming);
      }
    }
    initial.Find(waiting);
    for (const std::size_t number : waiting) PrepareOne(composition, composition.Instances()[number], resuming);
  }
}

}  // namespace openmi
