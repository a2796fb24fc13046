#pragma once

#include <string>

#include "openmi/omi/SafeProbe.hpp"

namespace openmi::tools {

/// Runs this very program in a child process, where a stranger's library can hurt nobody.
/// \param arguments  behind the program's name
ChildResult RunSelf(const std::vector<std::string>& arguments, double seconds);

/// A private copy of standard output, so that what a library prints there goes to standard error instead and cannot be
/// taken for an answer. Call before anything is loaded.
class AnswerStream {
 public:
  AnswerStream();
  ~AnswerStream();
  AnswerStream(const AnswerStream&) = delete;
  AnswerStream& operator=(const AnswerStream&) = delete;
  void Write(const std::string& text);

 private:
  int descriptor_;
};

}  // namespace openmi::tools
