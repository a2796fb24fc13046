#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "composition/conformance/Findings.hpp"
#include "composition/conformance/Trial.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi::conformance {

/// Listens to the status event of one component and holds every call against the rules (8.1 to 8.3, 12.1).
class StatusLog {
 public:
  StatusLog(Findings& findings, IBaseLinkableComponent& component);
  ~StatusLog();
  StatusLog(const StatusLog&) = delete;
  StatusLog& operator=(const StatusLog&) = delete;

  /// Makes a call that is legal now. What it throws fails 12.1.
  /// \param busy  the status it has to take up first
  /// \param ends  those it may end with
  /// \returns whether it came back without an exception, in one of `ends`
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
  /// The status as told so far against the one the component says it has.
  void Compare(const std::string& when);

  Findings& findings_;
  IBaseLinkableComponent& component_;
  EventSubscription subscription_{};
  LinkableComponentStatus told_;  // by the events
  std::vector<Change> changes_;   // of the call under way
  bool unbroken_ = true;          // whether all changes of the call under way were told
};

}  // namespace openmi::conformance
