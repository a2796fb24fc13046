#pragma once

#include <string>
#include <vector>

#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// Calls one component through its lifecycle and records its statuses and messages; for tests.
///
/// ```cpp
/// Driver driver(reservoir);
/// driver.Set("k", "2 d").Set("start-time", "2020-01-01T00:00Z");
/// driver.Initialize();
/// driver.Prepare();
/// driver.UpdateUntil(Stamp{58850.0});
/// driver.Finish();
/// ```
///
/// Exceptions of the component reach the caller.
class Driver {
 public:
  /// \param component  borrowed; must outlive the driver
  explicit Driver(IBaseLinkableComponent& component);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Sets an argument from text.
  /// \throws ArgumentError  there is no argument with this id, or it does not accept the text
  Driver& Set(const std::string& key, const std::string& value);
  void Initialize() { component_.Initialize(); }
  /// Validates the component.
  /// \returns whether the component is Valid; its messages are in `Messages()`
  bool Validate();
  void Prepare() { component_.Prepare(); }
  /// Updates once.
  void Update();
  /// Updates until the component is at `time` or later, is Done, or waits for data.
  /// \throws ModelError  the component does not advance
  void UpdateUntil(Stamp time);
  /// Updates until the component is Done, or has failed.
  /// \throws ModelError  not so after `most` updates
  /// \throws StateError  the component waits for data, and an update more does not change that
  void UpdateToEnd(int most = 1'000'000);
  void Finish() { component_.Finish(); }
  /// Calls Initialize, Validate, Prepare, UpdateToEnd and Finish.
  void Run();

  /// The time of the component: from ISteps, else the latest end of its outputs' times; the far past if unknown.
  Stamp Now() const;
  /// The number of updates.
  int Updates() const { return updates_; }
  /// The messages of the last `Validate`.
  const std::vector<std::string>& Messages() const { return messages_; }
  /// The statuses of the component, from its status at the construction of the driver on.
  const std::vector<LinkableComponentStatus>& Statuses() const { return statuses_; }
  /// The transitions with their messages, as text: "Updating -> Failed: k must be above 0".
  const std::vector<std::string>& Events() const { return events_; }
  /// Clears the recorded events and all statuses except the present one.
  void ForgetEvents();

 private:
  IBaseLinkableComponent& component_;
  EventSubscription subscription_;
  std::vector<LinkableComponentStatus> statuses_;
  std::vector<std::string> events_;
  std::vector<std::string> messages_;
  int updates_ = 0;
};

}  // namespace openmi
