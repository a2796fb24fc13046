#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi::conformance {

/// Observes the status event of one component and checks every call against the rules (8.1 to 8.3, 12.1).
class StatusLog {
 public:
  StatusLog(Findings& findings, IBaseLinkableComponent& component);
  ~StatusLog();
  StatusLog(const StatusLog&) = delete;
  StatusLog& operator=(const StatusLog&) = delete;

  /// Makes a call that is allowed now. An exception is a failure of 12.1.
  /// \param busy  the status that the component must enter first
  /// \param ends  the statuses it may end in
  /// \returns whether the call returned without an exception, in a status of `ends`
  template <class Work>
  bool Call(const std::string& name, LinkableComponentStatus busy, std::initializer_list<LinkableComponentStatus> ends,
            Work&& work) {
    if (findings_.Skips("12.1", name)) return false;
    Before(name);
    const bool returned = findings_.Try("12.1", name, work);
    if (returned) findings_.See("12.1");
    return After(name, busy, ends, returned);
  }

 private:
  struct Change {
    LinkableComponentStatus from;
    LinkableComponentStatus to;
  };
  void Before(const std::string& name);
  bool After(const std::string& name, LinkableComponentStatus busy, std::initializer_list<LinkableComponentStatus> ends,
             bool returned);
  void Take(const LinkableComponentStatusChangeEventArgs& args);
  /// Compares the status according to the events with the status that the component reports.
  void Compare(const std::string& when);

  Findings& findings_;
  IBaseLinkableComponent& component_;
  EventSubscription subscription_{};
  LinkableComponentStatus reported_;  // according to the events
  std::vector<Change> changes_;       // of the current call
  bool unbroken_ = true;              // whether all changes of the current call were notified
};

}  // namespace openmi::conformance
