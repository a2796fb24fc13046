#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "composition/control/RunDesk.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

/// The commands of the control interface: converts lines of JSON to calls of RunDesk and CompositionRun, and their
/// results to lines.
///
/// A line is an object with `do` and what that command needs; `id`, any value, is returned in the answer. Answers
/// contain `ok`; where it is false, also `error` and `remedy`. docs/control.md lists the commands. No content of a line
/// can harm the run.
class ControlDesk {
 public:
  /// \param run  borrowed
  explicit ControlDesk(CompositionRun& run);
  /// Releases all callers that wait in Answer.
  ~ControlDesk();
  ControlDesk(const ControlDesk&) = delete;
  ControlDesk& operator=(const ControlDesk&) = delete;

  /// The line that a client receives first.
  std::string Greeting() const;
  /// Answers one line; may be called from any thread. A command that has to be done between two passes waits for that.
  std::string Answer(const std::string& line);
  /// To be called when the run is over: from now on no call waits for it.
  void Close();

 private:
  struct Waiting;
  /// Makes `passes` more passes. Called between two passes.
  /// \param told  called once, between two passes: with null when they are made, or with the error that prevents them;
  ///   not called if the desk is closed before
  void Step(std::uint64_t passes, std::function<void(const Error*)> told);
  RunDesk desk_;
  CompositionRun& run_;
  std::shared_ptr<Waiting> waiting_;
};

}  // namespace openmi
