#pragma once

#include <string>
#include <vector>

#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/Stamp.hpp"

namespace openmi {

/// Takes one component through its life, step by step, and writes down what it tells; for tests.
///
/// ```cpp
/// Driver driver(reservoir);
/// driver.Set("k", "2 d").Set("start-time", "2020-01-01T00:00Z");
/// driver.Initialize();
/// driver.Prepare();
/// driver.UpdateUntil(Stamp{58850.0});
/// driver.Finish();
/// ```
/// What the component throws goes on to the caller.
class Driver {
 public:
  /// \param component  borrowed; must outlive the driver
  explicit Driver(IBaseLinkableComponent& component);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  /// Sets an argument. \throws ArgumentError  there is none of that id, or it does not take the text
  Driver& Set(const std::string& key, const std::string& value);
  void Initialize() { component_.Initialize(); }
  /// Validates. \returns whether the component is Valid; its messages are in Messages()
  bool Validate();
  void Prepare() { component_.Prepare(); }
  void Update();
  /// Updates until the component is at `time` or later, or Done, or waiting.
  /// \throws ModelError  it does not come on
  void UpdateUntil(Stamp time);
  /// Updates until Done. \throws ModelError  not within `most` updates
  void UpdateToEnd(int most = 1'000'000);
  void Finish() { component_.Finish(); }
  /// Initialize, Validate, Prepare, UpdateToEnd, Finish.
  void Run();

  /// Where the component is: what ISteps says, else the latest end among the outputs' times; the far past if unknown.
  Stamp Now() const;
  int Updates() const { return updates_; }
  const std::vector<std::string>& Messages() const { return messages_; }
  /// The statuses it went through, from the one it had when the driver was made.
  const std::vector<LinkableComponentStatus>& Statuses() const { return statuses_; }
  /// The same as text with what was said: "Updating -> Failed: k must be above 0".
  const std::vector<std::string>& Events() const { return events_; }
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
