#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "composition/control/RunDesk.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// The words of the control door: turns lines of JSON into what RunDesk and CompositionRun do, and back.
///
/// A line is an object with `do` and what that needs; `id`, any value, comes back in the answer. Answers have `ok`;
/// where it is false, `error` and `remedy`. docs/control.md lists the words. Whatever the line holds, the run is
/// unharmed.
class ControlDesk {
 public:
  /// \param run  borrowed
  explicit ControlDesk(CompositionRun& run);
  /// Lets everybody who waits in Answer go.
  ~ControlDesk();
  ControlDesk(const ControlDesk&) = delete;
  ControlDesk& operator=(const ControlDesk&) = delete;

  /// The line that greets.
  std::string Greeting() const;
  /// Answers one line; from any thread. What has to happen between two passes waits for that.
  std::string Answer(const std::string& line);
  /// From now on nothing waits for the run any more: it is over.
  void Close();

 private:
  struct Waiting;
  /// In a quiet moment: makes so many passes more. \param told  called once, in a quiet moment, when they are made
  /// (null) or will not be (why); not where the desk is closed before
  void Step(std::uint64_t passes, std::function<void(const Error*)> told);
  RunDesk desk_;
  CompositionRun& run_;
  std::shared_ptr<Waiting> waiting_;
};

}  // namespace openmi
