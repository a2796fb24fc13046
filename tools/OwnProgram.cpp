#include "tools/OwnProgram.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

namespace openmi::tools {

ChildResult RunSelf(const std::vector<std::string>& arguments, double seconds) {
  std::vector<std::string> argv = {std::filesystem::read_symlink("/proc/self/exe").string()};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(static_cast<long>(seconds * 1000.0));
  return RunInChild(argv, limits);
}

AnswerStream::AnswerStream() {
  std::fflush(stdout);
  descriptor_ = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

AnswerStream::~AnswerStream() {
  if (descriptor_ >= 0) close(descriptor_);
}

void AnswerStream::Write(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(descriptor_, text.data() + written, text.size() - written);
    if (count <= 0) return;
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace openmi::tools
