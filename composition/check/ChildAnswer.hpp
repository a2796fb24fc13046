#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
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

/// Checks a composition in a child process, where the code of its components can do no harm.
///
/// If the code of a component ends or blocks the process, the last step that the process announced names the component.
/// Another process checks the others, without the components of the same library.
/// \param named  the composition, for messages
/// \param ask    runs a child process that checks the composition without the components of these ids, announces its
///   steps (CheckOptions::on_step) and answers with ToJson of the problems
/// \param read   the composition; called if a process did not answer
Problems CheckInChildren(const std::string& named, const std::function<ChildAnswer(const std::set<std::string>&)>& ask,
                         const std::function<CompositionFile()>& read);

/// A list of objects with severity, file, line, component, item, problem and remedy; unknown ones are omitted.
nlohmann::ordered_json ToJson(const Problems& problems);
/// The reverse of `ToJson`.
Problems ProblemsFromJson(const nlohmann::ordered_json& json);

/// The JSON as text; invalid UTF-8 is replaced.
std::string JsonText(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace openmi
