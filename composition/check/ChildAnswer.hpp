#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// The answer of a child process, or how it ended without one.
struct ChildAnswer {
  nlohmann::ordered_json value;  ///< discarded if there is none
  std::string last_step;         ///< the step that it announced last; may be empty
  std::size_t times = 0;         ///< how often it announced that step
  std::string component;         ///< the component whose code runs in that step; may be empty
  bool timed_out = false;        ///< it was ended because it exceeded the time limit
  std::string sentence;          ///< how it ended: "was killed by signal 11 (Segmentation fault)"

  /// Whether the child answered.
  bool IsThere() const { return !value.is_discarded(); }
};

/// What a time limit applies to.
enum class ChildTime {
  InAll,     ///< from start to end
  EachStep,  ///< from one `AnswerStream::Announce` to the next
};

/// Runs a program in a child process, where a third-party library can do no harm. It answers through an `AnswerStream`.
/// \param command  the path of the program and its arguments
/// \param seconds  the time limit
/// \param time  what the limit applies to
ChildAnswer AskChild(const std::vector<std::string>& command, double seconds, ChildTime time = ChildTime::InAll);

/// The problem to report for a library that ended its process.
Problem DeathOf(const ChildAnswer& answer, Where where);

/// The stream from a child process to its parent.
///
/// What a library prints on standard output goes to standard error, so that it cannot be taken for an answer. Create
/// this object before any library is loaded.
class AnswerStream {
 public:
  AnswerStream();
  ~AnswerStream();
  AnswerStream(const AnswerStream&) = delete;
  AnswerStream& operator=(const AnswerStream&) = delete;
  /// Announces the next step.
  /// \param component  whose code runs in the step; empty: not stated
  void Announce(const std::string& step, const std::string& component = {});
  /// Sends the answer and ends the process, without destructors of third-party libraries.
  [[noreturn]] void Finish(const nlohmann::ordered_json& value);

 private:
  void Write(const std::string& text);
  int descriptor_;
};

}  // namespace openmi
