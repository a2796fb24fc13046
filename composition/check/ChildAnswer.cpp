#include "composition/check/ChildAnswer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <unordered_map>

#include "composition/record/ProblemsJson.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "openmi/omi/Spawn.hpp"

namespace openmi {

namespace {

constexpr char kBetween = '\x1f';  // between step and component in a line of AnswerStream::Announce

}  // namespace

ChildAnswer AskChild(const std::vector<std::string>& command, double seconds, ChildTime time) {
  ChildLimits limits;
  limits.time = std::chrono::milliseconds(static_cast<long>(seconds * 1000.0));
  limits.output = std::size_t{256} << 20;
  const ChildResult child = time == ChildTime::InAll ? RunInChild(command, limits) : RunWhileItSpeaks(command, limits);
  ChildAnswer answer;
  answer.value = nlohmann::ordered_json::value_t::discarded;
  answer.sentence = child.Sentence();
  answer.timed_out = child.timed_out;
  std::unordered_map<std::string, std::size_t> times;
  std::istringstream lines(child.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('@')) {
      const std::size_t end = std::min(line.find(kBetween), line.size());
      answer.last_step = line.substr(1, end - 1);
      answer.times = ++times[answer.last_step];
      answer.component = end < line.size() ? line.substr(end + 1) : std::string();
    } else if (child.Succeeded()) {
      answer.value = nlohmann::ordered_json::parse(line, nullptr, false);
    }
  }
  if (child.Succeeded() && !answer.IsThere()) answer.sentence += " without an answer";
  return answer;
}

Problem DeathOf(const ChildAnswer& answer, Where where) {
  Problem problem;
  problem.where = std::move(where);
  problem.problem =
      fmt::format("expected the library to load and initialize, found that the process that loaded it {}{}",
                  answer.sentence, answer.last_step.empty() ? "" : " at: " + answer.last_step);
  problem.remedy = "its code crashes, hangs or ends the process; --static checks it without loading it";
  return problem;
}

AnswerStream::AnswerStream() {
  std::fflush(stdout);
  descriptor_ = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

AnswerStream::~AnswerStream() {
  if (descriptor_ >= 0) close(descriptor_);
}

void AnswerStream::Announce(const std::string& step, const std::string& component) {
  std::string line = "@" + step;
  if (!component.empty()) line += kBetween + component;
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  Write(line + "\n");
}

void AnswerStream::Finish(const nlohmann::ordered_json& value) {
  Write("\n" + JsonText(value, -1) + "\n");
  std::_Exit(0);
}

void AnswerStream::Write(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(descriptor_, text.data() + written, text.size() - written);
    if (count <= 0) return;
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace openmi
