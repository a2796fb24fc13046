#pragma once

#include <functional>
#include <string>

namespace openmi {

/// A component that may have to wait for something outside the run, such as a stream of messages.
///
/// Optional interface. The run uses it to show what the component waits for, and its condition.
class ILiveSource {
 public:
  /// Receives a sentence with what the component waits for and for how long. May throw, to give up.
  using WaitListener = std::function<void(const std::string& sentence)>;

  virtual ~ILiveSource() = default;
  /// Sets the listener, which is called once in each second of waiting. Empty: none.
  virtual void SetWaitListener(WaitListener listener) = 0;
  /// The condition of the source in one line: what it received, what it dropped, how far it is behind the clock. Empty
  /// outside a run.
  virtual std::string HealthText() const = 0;
};

}  // namespace openmi
