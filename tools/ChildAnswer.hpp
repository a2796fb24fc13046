#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// What a child process answered, or how it ended without an answer.
struct ChildAnswer {
  nlohmann::ordered_json value;  ///< discarded where there is none
  std::string last_step;         ///< what it was about to do, where it said so
  std::size_t times = 0;         ///< how often it said that
  std::string component;         ///< whose code that is, where it said so
  bool timed_out = false;        ///< it was ended since it took too long
  std::string sentence;          ///< how it ended: "was killed by signal 11 (Segmentation fault)"

  bool IsThere() const { return !value.is_discarded(); }
};

/// What a limit of time is for.
enum class ChildTime {
  InAll,     ///< from start to end
  EachStep,  ///< from one AnswerStream::Announce to the next
};

/// Runs this program with `--in-child` in a child process, where a stranger's library can hurt nobody.
/// \param arguments  behind the program's name
ChildAnswer AskChild(std::vector<std::string> arguments, double seconds, ChildTime time = ChildTime::InAll);

/// The problem of a library that took its process with it.
Problem DeathOf(const ChildAnswer& answer, Where where);

/// In the child: whom the parent listens to. What a library prints on standard output goes to standard error instead
/// and cannot be taken for an answer. Make it before anything is loaded.
class AnswerStream {
 public:
  AnswerStream();
  ~AnswerStream();
  AnswerStream(const AnswerStream&) = delete;
  AnswerStream& operator=(const AnswerStream&) = delete;
  /// Says what is done next. \param component  whose code that is; empty: not said
  void Announce(const std::string& step, const std::string& component = {});
  /// Answers and ends the process: what a stranger's destructors do is not asked for.
  [[noreturn]] void Finish(const nlohmann::ordered_json& value);

 private:
  void Write(const std::string& text);
  int descriptor_;
};

}  // namespace openmi::tools
