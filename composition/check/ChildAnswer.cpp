#include "composition/check/ChildAnswer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <unordered_map>

#include "openmi/omi/SafeProbe.hpp"
#include "openmi/omi/Spawn.hpp"

namespace openmi {

namespace {

constexpr char kBetween = '\x1f';  // between step and component in a line of AnswerStream::Announce

// How many libraries of a composition may end or block the process that tries them, before the others are skipped.
constexpr std::size_t kMostDeaths = 8;

Problem::Severity SeverityOf(std::string_view name) {
  for (const Problem::Severity severity : {Problem::Note, Problem::Warning}) {
    if (name == SeverityName(severity)) return severity;
  }
  return Problem::Error;
}

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

Problems CheckInChildren(const std::string& named, const std::function<ChildAnswer(const std::set<std::string>&)>& ask,
                         const std::function<CompositionFile()>& read) {
  Problems deaths;
  std::set<std::string> without;
  while (true) {
    const ChildAnswer answer = ask(without);
    if (answer.IsThere()) {
      const Problems found = ProblemsFromJson(answer.value);
      deaths.insert(deaths.begin(), found.begin(), found.end());
      return deaths;
    }
    const CompositionFile file = read();
    const auto culprit = std::ranges::find(file.components, answer.component, &ComponentSpec::id);
    if (culprit == file.components.end()) {
      Problem problem;
      problem.where = {.file = named};
      problem.problem = fmt::format("expected the check to finish, found that its process {}{}", answer.sentence,
                                    answer.last_step.empty() ? "" : " at: " + answer.last_step);
      problem.remedy = answer.timed_out ? "give each step more time with --timeout, or use --static"
                                        : "use --static, which checks the files and loads no library";
      deaths.push_back(std::move(problem));
      return deaths;
    }
    deaths.push_back(DeathOf(answer, {.file = file.path.string(), .line = culprit->line, .component = culprit->id}));
    std::size_t siblings = 0;
    for (const ComponentSpec& component : file.components) {
      const bool is_same =
          component.omi == culprit->omi && component.type == culprit->type && component.assembly == culprit->assembly;
      if (is_same && without.insert(component.id).second && component.id != culprit->id) ++siblings;
    }
    const bool goes_on = !answer.timed_out && deaths.size() < kMostDeaths;
    if (siblings == 0 && goes_on) continue;
    AddNote(deaths, {.file = named},
            goes_on ? fmt::format("{} more of the kind of '{}' {} not tried", siblings, culprit->id,
                                  siblings == 1 ? "was" : "were")
                    : "the rest was not checked: links, and components that did not exist yet");
    if (!goes_on) return deaths;
  }
}

nlohmann::ordered_json ToJson(const Problems& problems) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Problem& problem : problems) {
    nlohmann::ordered_json one;
    one["severity"] = SeverityName(problem.severity);
    if (!problem.where.file.empty()) one["file"] = problem.where.file;
    if (problem.where.line > 0) one["line"] = problem.where.line;
    if (!problem.where.component.empty()) one["component"] = problem.where.component;
    if (!problem.where.item.empty()) one["item"] = problem.where.item;
    one["problem"] = problem.problem;
    if (!problem.remedy.empty()) one["remedy"] = problem.remedy;
    list.push_back(std::move(one));
  }
  return list;
}

Problems ProblemsFromJson(const nlohmann::ordered_json& json) {
  Problems problems;
  for (const auto& one : json) {
    Problem problem;
    problem.severity = SeverityOf(one.value("severity", ""));
    problem.where = {.file = one.value("file", ""),
                     .line = one.value("line", 0),
                     .component = one.value("component", ""),
                     .item = one.value("item", "")};
    problem.problem = one.value("problem", "");
    problem.remedy = one.value("remedy", "");
    problems.push_back(std::move(problem));
  }
  return problems;
}

std::string JsonText(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace openmi
