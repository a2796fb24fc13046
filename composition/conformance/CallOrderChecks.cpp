#include "composition/conformance/CallOrderChecks.hpp"

#include <fmt/format.h>

#include <string>

namespace openmi::conformance {
namespace {

constexpr const char* kCallOrder = "12.1";

/// \returns whether the call was refused and the status stayed
template <class Work>
bool Refuses(Findings& findings, Trial& trial, const std::string& what, Work&& work) {
  const LinkableComponentStatus before = trial.Status();
  return findings.MustThrow(kCallOrder, what, work) && findings.Expect(kCallOrder, trial.Status() == before, [&] {
    return fmt::format("expected {} to be refused and change nothing, found status {} instead of {}", what,
                       StatusText(trial.Status()), StatusText(before));
  });
}

}  // namespace

void CheckCallOrder(Findings& findings, const Subject& subject, bool prepares) {
  // A component that accepts a call may be in any status afterwards: the trial ends there.
  findings.Try(kCallOrder, "calls before Initialize", [&] {
    Trial trial(subject);
    IBaseLinkableComponent& component = trial.Component();
    static_cast<void>(
        Refuses(findings, trial, "Inputs before Initialize", [&] { static_cast<void>(component.Inputs()); }) &&
        Refuses(findings, trial, "Outputs before Initialize", [&] { static_cast<void>(component.Outputs()); }) &&
        Refuses(findings, trial, "Validate before Initialize", [&] { static_cast<void>(component.Validate()); }) &&
        Refuses(findings, trial, "Prepare before Initialize", [&] { component.Prepare(); }) &&
        Refuses(findings, trial, "Update before Initialize", [&] { component.Update({}); }));
  });
  findings.Try(kCallOrder, "calls between Initialize and Prepare", [&] {
    Trial trial(subject);
    trial.Begin();
    IBaseLinkableComponent& component = trial.Component();
    if (!Refuses(findings, trial, "a second Initialize", [&] { component.Initialize(); })) return;
    if (!Refuses(findings, trial, "Update before Prepare", [&] { component.Update({}); })) return;
    if (!prepares) return;
    static_cast<void>(component.Validate());
    component.Prepare();
    static_cast<void>(Refuses(findings, trial, "a second Prepare", [&] { component.Prepare(); }) &&
                      Refuses(findings, trial, "Initialize after Prepare", [&] { component.Initialize(); }));
  });
}

}  // namespace openmi::conformance
