#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/CheckFile.hpp"
#include "tools/Commands.hpp"
#include "tools/ExitCode.hpp"
#include "tools/Inputs.hpp"
#include "tools/OwnProgram.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct CheckArguments {
  std::string file;
  bool is_static = false;
  bool json = false;
  double timeout_s = 60.0;
  VariableOptions variables;
};

using Json = nlohmann::ordered_json;

// What a child process said of `path`; an error that names how it died where it did not say anything.
Problems AskChild(const std::string& path, const CheckArguments& arguments, bool& died) {
  std::vector<std::string> argv = {"check-in-child", path};
  const std::vector<std::string> variables = arguments.variables.Arguments();
  argv.insert(argv.end(), variables.begin(), variables.end());
  const ChildResult child = RunSelf(argv, arguments.timeout_s);
  const Json answer = Json::parse(child.out, nullptr, false);
  died = !child.Succeeded() || !answer.is_array();
  if (!died) return ProblemsFromJson(answer);
  Problems problems;
  AddError(problems, {.file = path},
           fmt::format("expected the library to load, found that the process that tried {}", child.Sentence()),
           "its own code crashes or hangs; run the check under a debugger, or use --static, which loads nothing");
  return problems;
}

// A composition whose child died: its OMI files one by one, so that the culprit is named.
Problems FindCulprit(const CheckArguments& arguments, Problems of_all) {
  Problems problems;
  const CompositionFile file = ReadCompositionFile(arguments.file, problems);
  bool found = false;
  std::set<std::string> seen;
  for (const ComponentSpec& component : file.components) {
    if (component.omi.empty()) continue;
    const std::string path = (file.Folder() / component.omi).lexically_normal().string();
    if (!seen.insert(path).second || !std::filesystem::exists(path)) continue;
    bool died = false;
    Problems own = AskChild(path, arguments, died);
    if (!died) continue;
    found = true;
    for (Problem& problem : own) {
      problem.where = {.file = arguments.file, .line = component.line, .component = component.id};
      problem.problem = fmt::format("'{}': {}", path, problem.problem);
      problems.push_back(std::move(problem));
    }
  }
  if (!found) problems.insert(problems.end(), of_all.begin(), of_all.end());
  return problems;
}

int Execute(const CheckArguments& arguments) {
  ExpectFile(arguments.file);
  Problems problems;
  if (arguments.is_static) {
    problems = CheckStatic(arguments.file, arguments.variables.Values());
  } else {
    bool died = false;
    problems = AskChild(arguments.file, arguments, died);
    if (died && KindOf(arguments.file) == InputKind::Composition) problems = FindCulprit(arguments, std::move(problems));
  }
  if (arguments.json) {
    Json json;
    json["file"] = arguments.file;
    json["problems"] = ToJson(problems);
    json["errors"] = CountProblems(problems, Problem::Error);
    json["warnings"] = CountProblems(problems, Problem::Warning);
    json["notes"] = CountProblems(problems, Problem::Note);
    PrintLine(stdout, JsonText(json));
  } else {
    PrintProblems(stdout, problems);
    PrintLine(stdout, CountText(problems));
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

int ExecuteInChild(const CheckArguments& arguments) {
  AnswerStream answer;
  Problems problems;
  try {
    problems = CheckLoaded(arguments.file, arguments.variables.Values());
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  answer.Write(JsonText(ToJson(problems), -1));
  // The answer is out: what destructors of a stranger do at the end is not asked for.
  std::_Exit(kSuccess);
}

}  // namespace

void AddCheck(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* check = app.add_subcommand("check", "Find all problems of an OMI file or a composition, running nothing");
  check->add_option("FILE", arguments->file, "OMI file or composition")->required();
  check->add_flag("--static", arguments->is_static, "Load no library, look at the files only");
  check->add_flag("--json", arguments->json, "Print JSON");
  check->add_option("--timeout", arguments->timeout_s, "Seconds after which a library that hangs is given up")
      ->type_name("S")
      ->capture_default_str();
  arguments->variables.AddTo(*check);
  check->footer(
      "Libraries are loaded in a child process: one that crashes or hangs is a problem that is reported.\n\n"
      "Examples:\n"
      "  openmi check upper-creek.xml\n"
      "  openmi check creek.omi --static\n"
      "  openmi check upper-creek.xml --json | jq '.problems[].problem'");
  check->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });

  auto inner = std::make_shared<CheckArguments>();
  CLI::App* child = app.add_subcommand("check-in-child", "")->group("");
  child->add_option("FILE", inner->file)->required();
  inner->variables.AddTo(*child);
  child->callback([inner, &invocation] { invocation.execute = [inner] { return ExecuteInChild(*inner); }; });
}

}  // namespace openmi::tools
