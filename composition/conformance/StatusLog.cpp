#include "composition/conformance/StatusLog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "openmi/sdk/Status.hpp"

namespace openmi::conformance {

StatusLog::StatusLog(Findings& findings, IBaseLinkableComponent& component)
    : findings_(findings), component_(component), reported_(component.Status()) {
  subscription_ =
      component_.StatusChanged().Add([this](const LinkableComponentStatusChangeEventArgs& args) { Take(args); });
}

StatusLog::~StatusLog() {
  try {
    component_.StatusChanged().Remove(subscription_);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the component is being destroyed
  }
}

void StatusLog::Take(const LinkableComponentStatusChangeEventArgs& args) {
  findings_.See("8.1");
  for (const LinkableComponentStatus status : {args.old_status, args.new_status}) {
    if (!IsStatus(status)) {
      findings_.Fail("8.1", fmt::format("expected one of the fourteen states in a status event, found number {}",
                                        static_cast<int>(status)));
      reported_ = args.new_status;
      unbroken_ = false;
      return;
    }
  }
  findings_.Expect("8.3", args.linkable_component == &component_,
                   "expected the event of {} to {} to name the component it comes from, found {}",
                   StatusText(args.old_status), StatusText(args.new_status),
                   args.linkable_component == nullptr ? "none" : "another");
  if (IsStatus(reported_) &&
      !findings_.Expect("8.3", args.old_status == reported_,
                        "expected an event for every change of status, found none between {} and {}",
                        StatusText(reported_), StatusText(args.old_status))) {
    unbroken_ = false;
  }
  reported_ = args.new_status;
  changes_.push_back({args.old_status, args.new_status});
  findings_.Expect("8.2", IsLegalTransition(args.old_status, args.new_status),
                   "expected a status that can follow {}, found {}", StatusText(args.old_status),
                   StatusText(args.new_status));
}

void StatusLog::Compare(const std::string& when) {
  const LinkableComponentStatus now = component_.Status();
  const bool is_right =
      findings_.Expect("8.1", IsStatus(now), "expected one of the fourteen states {}, found number {}", when,
                       static_cast<int>(now)) &&
      (!IsStatus(reported_) ||
       findings_.Expect("8.3", now == reported_,
                        "expected an event for every change of status, found the component {} {} and its last event "
                        "say {}",
                        StatusText(now), when, StatusText(reported_)));
  if (!is_right) unbroken_ = false;
  reported_ = now;
}

void StatusLog::Before(const std::string& name) {
  Compare(fmt::format("before {}", name));
  changes_.clear();
  unbroken_ = true;
}

bool StatusLog::After(const std::string& name, LinkableComponentStatus busy,
                      std::initializer_list<LinkableComponentStatus> ends, bool returned) {
  Compare(fmt::format("after {}", name));
  const LinkableComponentStatus now = component_.Status();
  if (!returned) {
    findings_.Expect("8.2", !unbroken_ || now == LinkableComponentStatus::Failed,
                     "expected status Failed after {} threw, found {}", name, StatusText(now));
    return false;
  }
  if (unbroken_) {
    findings_.Expect("8.2", !changes_.empty() && changes_.front().to == busy, [&] {
      return fmt::format("expected {} to take up status {} at once, found {}", name, StatusText(busy),
                         changes_.empty() ? "no change" : StatusText(changes_.front().to));
    });
  }
  const bool ended = std::ranges::find(ends, now) != ends.end();
  if (IsStatus(now)) {
    findings_.Expect("8.2", ended, [&] {
      std::string names;
      for (const LinkableComponentStatus status : ends) names += (names.empty() ? "" : " or ") + StatusText(status);
      return fmt::format("expected {} to end {}, found {}", name, names, StatusText(now));
    });
  }
  return ended;
}

}  // namespace openmi::conformance
