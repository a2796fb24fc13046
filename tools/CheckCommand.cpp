#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "composition/conformance/Conformance.hpp"
#include "composition/inspect/CheckFile.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "tools/AsComposition.hpp"
#include "tools/ChildAnswer.hpp"
#include "tools/Commands.hpp"
#include "tools/Conform.hpp"
#include "tools/ExitCode.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct CheckArguments {
  std::string file;
  bool is_static = false;
  bool json = false;
  bool conformance = false;
  std::vector<std::string> settings;
  std::string timeout = "60";
  VariableOptions variables;
  bool in_child = false;
  std::string only;
};

// What a child process finds in the file, or in one component of a composition.
ChildAnswer Ask(const CheckArguments& arguments, const std::string& only) {
  std::vector<std::string> argv = {"check", arguments.file};
  for (const std::string& one : arguments.variables.Arguments()) argv.push_back(one);
  if (!only.empty()) argv.push_back("--only=" + only);
  return AskChild(std::move(argv), ParseNumber(arguments.timeout, "--timeout"));
}

// A composition whose process died: its components one by one, so that the culprits are named.
Problems FindCulprits(const CheckArguments& arguments, const ChildAnswer& death) {
  Problems problems;
  const CompositionFile file = ReadCompositionFile(arguments.file, problems);
  bool found = false;
  for (const ComponentSpec& component : file.components) {
    const ChildAnswer answer = Ask(arguments, component.id);
    const Where where{.file = arguments.file, .line = component.line, .component = component.id};
    if (answer.IsThere()) {
      const Problems own = ProblemsFromJson(answer.value);
      problems.insert(problems.end(), own.begin(), own.end());
    } else {
      found = true;
      problems.push_back(DeathOf(answer, where));
    }
  }
  if (!found) problems.push_back(DeathOf(death, {.file = arguments.file}));
  return problems;
}

int ExecuteConformance(const CheckArguments& arguments) {
  const ConformanceReport report =
      ConformInChild(arguments.file, arguments.settings, ParseNumber(arguments.timeout, "--timeout"));
  if (arguments.json) {
    PrintLine(stdout, JsonText(ToJson(report)));
  } else {
    PrintConformance(stdout, report);
  }
  return report.Passed() ? kSuccess : kProblemsFound;
}

int Execute(CheckArguments arguments) {
  ExpectFile(arguments.file);
  Problems imported;
  const std::string named = arguments.file;
  const AsComposition system(named, imported);
  arguments.file = system.Path();
  for (const std::string& setting : arguments.settings) (void)ParseSetting(setting, "--argument");
  const Variables variables = arguments.variables.Values();
  if (arguments.conformance) {
    if (KindOf(arguments.file) != InputKind::Omi)
      throw UsageFault{"expected an OMI file with --component, found a composition"};
    if (arguments.is_static)
      throw UsageFault{"expected --component or --static, found both: the tests of Annex A drive the component"};
    return ExecuteConformance(arguments);
  }
  if (!arguments.settings.empty())
    throw UsageFault{
        "expected --argument together with --component, found it alone; arguments of a composition's "
        "components stand in its file"};
  Problems problems;
  if (arguments.is_static) {
    problems = KindOf(arguments.file) == InputKind::Omi ? CheckOmiStatic(arguments.file)
                                                        : CheckCompositionStatic(arguments.file, variables);
  } else {
    const ChildAnswer answer = Ask(arguments, {});
    if (answer.IsThere()) {
      problems = ProblemsFromJson(answer.value);
    } else if (KindOf(arguments.file) == InputKind::Composition) {
      problems = FindCulprits(arguments, answer);
    } else {
      problems.push_back(DeathOf(answer, {.file = arguments.file}));
    }
  }
  problems.insert(problems.begin(), imported.begin(), imported.end());
  const Problems unused = arguments.variables.Unused(arguments.file);
  problems.insert(problems.end(), unused.begin(), unused.end());
  if (arguments.json) {
    Json json;
    json["file"] = arguments.file;
    json["errors"] = CountProblems(problems, Problem::Error);
    json["warnings"] = CountProblems(problems, Problem::Warning);
    json["notes"] = CountProblems(problems, Problem::Note);
    json["problems"] = ToJson(problems);
    PrintLine(stdout, JsonText(json));
  } else {
    PrintProblems(stdout, problems);
    PrintLine(stdout, CountText(problems));
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

int ExecuteInChild(const CheckArguments& arguments) {
  AnswerStream answer;
  if (arguments.conformance) {
    if (std::string wrong = WrongSetting(arguments.file, arguments.settings); !wrong.empty()) {
      answer.Finish({{"usage", std::move(wrong)}});
    } else {
      answer.Finish(ToJson(ConformHere(arguments.file, arguments.settings, answer)));
    }
  }
  Problems problems;
  try {
    problems = KindOf(arguments.file) == InputKind::Omi
                   ? CheckOmi(arguments.file)
                   : CheckComposition(arguments.file, arguments.variables.Values(), arguments.only);
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  answer.Finish(ToJson(problems));
}

}  // namespace

void AddCheck(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* check = app.add_subcommand("check", "Find all problems of an OMI file, a composition or a component");
  check->add_option("FILE", arguments->file, "OMI file or composition")->required();
  check->add_flag("--component", arguments->conformance,
                  "Drive the component of the OMI file through every test of Annex A of OGC 11-014r3");
  check->add_option("--argument", arguments->settings, "Argument of the component, with --component; may be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  check->add_flag("--static", arguments->is_static, "Load no library, look at the files only");
  check->add_flag("--json", arguments->json, "Print JSON");
  AddTimeout(*check, arguments->timeout);
  arguments->variables.AddTo(*check);
  AddChildFlag(*check, arguments->in_child);
  check->add_option("--only", arguments->only)->group("");
  check->footer(
      "Libraries are loaded in a child process: one that crashes or hangs is a problem that is reported.\n\n"
      "Examples:\n"
      "  openmi check upper-creek.xml\n"
      "  openmi check creek.omi --component\n"
      "  openmi check stranger.omi --static\n"
      "  openmi check upper-creek.xml --json | jq '.problems[].problem'");
  check->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return arguments->in_child ? ExecuteInChild(*arguments) : Execute(*arguments); };
  });
}

}  // namespace openmi::tools
