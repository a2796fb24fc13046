#include "tools/PrintProblems.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

std::string Counted(std::size_t count, const char* word) {
  if (count == 0) return fmt::format("no {}s", word);
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

Problem::Severity SeverityOf(std::string_view name) {
  for (const Problem::Severity severity : {Problem::Note, Problem::Warning}) {
    if (name == SeverityName(severity)) return severity;
  }
  return Problem::Error;
}

}  // namespace

void PrintProblems(std::FILE* stream, const Problems& problems) {
  for (const Problem& problem : problems) {
    const std::string text = PrintableText(FormatProblem(problem));
    switch (problem.severity) {
      case Problem::Error:
        PrintLine(stream, Painted(text, Colour::Red, stream));
        break;
      case Problem::Warning:
        PrintLine(stream, Painted(text + " [warning]", Colour::Yellow, stream));
        break;
      case Problem::Note:
        PrintLine(stream, text + Painted(" [note]", Colour::Grey, stream));
        break;
    }
  }
}

bool PrintProblemsOf(Problems& problems, const std::function<void()>& make) {
  try {
    make();
  } catch (const Error&) {
    PrintProblems(stderr, problems);
    if (!HasErrors(problems)) throw;
    PrintLine(stderr, CountText(problems));
    return false;
  }
  PrintProblems(stderr, problems);
  return true;
}

std::string CountText(const Problems& problems) {
  const std::size_t errors = CountProblems(problems, Problem::Error);
  const std::size_t warnings = CountProblems(problems, Problem::Warning);
  const std::size_t notes = CountProblems(problems, Problem::Note);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (errors > 0) add(Counted(errors, "problem"));
  if (warnings > 0) add(Counted(warnings, "warning"));
  if (notes > 0) add(Counted(notes, "note"));
  if (errors == 0 && warnings == 0) add(Counted(0, "problem"));
  return text;
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

}  // namespace openmi::tools
