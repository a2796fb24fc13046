#include "composition/record/ProblemsJson.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

namespace openmi {
namespace {

Problem::Severity SeverityOf(std::string_view name) {
  for (const Problem::Severity severity : {Problem::Note, Problem::Warning}) {
    if (name == SeverityName(severity)) return severity;
  }
  return Problem::Error;
}

}  // namespace

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
