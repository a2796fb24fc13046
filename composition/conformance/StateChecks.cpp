#include "composition/conformance/StateChecks.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"

namespace openmi::conformance {
namespace {

constexpr int kSteps = 3;

using Trace = std::vector<std::vector<std::uint64_t>>;

Trace Continue(Trial& trial) {
  Trace trace;
  for (int i = 0; i < kSteps; ++i) {
    trial.Update(1);
    trace.push_back(trial.Fingerprints());
  }
  return trace;
}

void CheckKeeping(Findings& findings, Trial& trial, IManageState& states) {
  const char* const number = "11.1";
  const Identifier unknown("no state has this id");
  const auto refuses_unknown = [&](const char* when) {
    findings.MustThrow(number, fmt::format("RestoreState of an unknown id {}", when),
                       [&] { states.RestoreState(unknown); });
    findings.MustThrow(number, fmt::format("ClearState of an unknown id {}", when),
                       [&] { states.ClearState(unknown); });
  };
  refuses_unknown("without any state");
  const std::vector<std::uint64_t> present = trial.Fingerprints();
  const IIdentifiable& kept = states.KeepCurrentState();
  const std::string id = kept.Id();
  findings.Expect(number, !id.empty(), [] { return "expected an id of the kept state, found an empty one"; });
  findings.Expect(number, trial.Fingerprints() == present,
                  [] { return "expected KeepCurrentState to change nothing, found other values"; });
  refuses_unknown("beside a kept one");
  const Trace first = Continue(trial);
  for (int time = 0; time < 2; ++time) {  // the state is still kept after it was restored
    states.RestoreState(kept);
    const Trace again = Continue(trial);
    findings.Expect(number, again == first, [&] {
      return fmt::format("expected the same values after state '{}' was restored, found others", id);
    });
  }
  const Identifier same_id(id);
  states.ClearState(kept);
  findings.MustThrow(number, "RestoreState of a state that was cleared", [&] { states.RestoreState(same_id); });
}

void CheckBytes(Findings& findings, Trial& trial, IManageState& states, IByteStateConverter& converter) {
  const char* const number = "11.2";
  const Identifier unknown("no state has this id");
  findings.MustThrow(number, "ConvertToByteArray of an unknown id",
                     [&] { static_cast<void>(converter.ConvertToByteArray(unknown)); });
  const IIdentifiable& kept = states.KeepCurrentState();
  const Bytes bytes = converter.ConvertToByteArray(kept);
  const Trace first = Continue(trial);
  const std::vector<std::uint64_t> before = trial.Fingerprints();
  const IIdentifiable& read = converter.ConvertFromByteArray(bytes);
  findings.Expect(number, trial.Fingerprints() == before,
                  [] { return "expected ConvertFromByteArray to leave the current state alone, found other values"; });
  findings.Expect(number, read.Id() != kept.Id(), [&] {
    return fmt::format("expected a new id of the state made of bytes, found '{}', which is that of the kept one",
                       read.Id());
  });
  states.RestoreState(read);
  const Trace again = Continue(trial);
  findings.Expect(number, again == first,
                  [] { return "expected the same values after a state was restored from bytes, found others"; });
  states.ClearState(read);
  states.ClearState(kept);
}

}  // namespace

void CheckStates(Findings& findings, const Subject& subject) {
  Trial trial(subject);
  auto* states = dynamic_cast<IManageState*>(&trial.Component());
  auto* converter = dynamic_cast<IByteStateConverter*>(&trial.Component());
  if (states == nullptr) {
    if (converter != nullptr) {
      findings.Fail("11.2", "expected an IByteStateConverter to be an IManageState too, found one that is not");
    }
    return;
  }
  trial.Start();
  trial.Update(2);
  findings.Try("11.1", "keeping and restoring a state", [&] { CheckKeeping(findings, trial, *states); });
  if (converter == nullptr) return;
  if (findings.HasFailed("11.1")) {
    findings.Hide("11.2", "11.1 failed");
    return;
  }
  Trial other(subject);
  other.Start();
  other.Update(2);
  findings.Try("11.2", "turning a state into bytes", [&] {
    CheckBytes(findings, other, dynamic_cast<IManageState&>(other.Component()),
               dynamic_cast<IByteStateConverter&>(other.Component()));
  });
}

}  // namespace openmi::conformance
