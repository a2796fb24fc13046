#pragma once

#include <functional>
#include <string>

namespace openmi {

/// A component that draws on something outside that may let it wait: a stream of messages. Optional; discovered by
/// asking for it, so that whoever runs it can show what it waits for and how it is.
class ILiveSource {
 public:
  /// Receives what is waited for and for how long already. May throw, to give up.
  using WaitListener = std::function<void(const std::string& sentence)>;

  virtual ~ILiveSource() = default;
  /// Told about each second of waiting. Empty: nobody.
  virtual void SetWaitListener(WaitListener listener) = 0;
  /// How it is, in a line: what came, what was dropped, how far it is behind the clock. Empty outside a run.
  virtual std::string HealthText() const = 0;
};

}  // namespace openmi
