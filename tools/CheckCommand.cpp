#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "composition/check/CheckComposition.hpp"
#include "composition/conformance/Conformance.hpp"
#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "tools/AsComposition.hpp"
#include "tools/Commands.hpp"
#include "tools/Conform.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct CheckArguments {
  std::vector<std::string> files;
  std::string file;  // the file under check
  bool is_static = false;
  bool json = false;
  bool conformance = false;
  std::string group;  // whose files are printed
  std::vector<std::string> settings;
  std::string timeout = "60";
  VariableOptions variables;
  SystemStructureOptions system;
  bool in_child = false;
  std::vector<std::string> without;
  std::vector<std::string> skipped;
};

// The problems that a child process finds in the file.
// \param without  components of a composition that are skipped
ChildAnswer Ask(const CheckArguments& arguments, const std::set<std::string>& without) {
  std::vector<std::string> argv = {"check", arguments.file};
  for (const std::string& one : arguments.variables.Arguments()) argv.push_back(one);
  for (const std::string& one : arguments.system.Arguments()) argv.push_back(one);
  for (const std::string& one : without) argv.push_back("--without=" + one);
  if (!arguments.group.empty()) argv.push_back("--files=" + arguments.group);
  const bool is_composition = KindOf(arguments.file) == InputKind::Composition;
  return AskThisProgram(argv, ParseNumber(arguments.timeout, "--timeout"),
                        is_composition ? ChildTime::EachStep : ChildTime::InAll);
}

Json ReportOf(const std::string& file, const Problems& problems) {
  Json json;
  json["file"] = file;
  json["errors"] = CountProblems(problems, Problem::Error);
  json["warnings"] = CountProblems(problems, Problem::Warning);
  json["notes"] = CountProblems(problems, Problem::Note);
  json["problems"] = ToJson(problems);
  return json;
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

// The problems of one file.
Problems ProblemsOf(const CheckArguments& arguments) {
  Problems problems;
  const AsComposition system(arguments.file, arguments.system, problems);
  const Variables variables = arguments.variables.Values();
  Problems found;
  if (arguments.is_static) {
    found = KindOf(arguments.file) == InputKind::Omi ? CheckOmiStatic(arguments.file)
                                                     : CheckCompositionStatic(system.File(found), variables);
  } else if (system.IsUnfit()) {
    // The import has reported it and has checked the parameters.
  } else if (KindOf(arguments.file) == InputKind::Composition) {
    found = CheckInChildren(
        arguments.file, [&](const std::set<std::string>& without) { return Ask(arguments, without); },
        [&] {
          Problems ignored;  // reported by the child, or the file could not be read at all
          return system.File(ignored);
        });
  } else {
    const ChildAnswer answer = Ask(arguments, {});
    if (answer.IsThere()) {
      found = ProblemsFromJson(answer.value);
    } else {
      found.push_back(DeathOf(answer, {.file = arguments.file}));
    }
  }
  problems.insert(problems.end(), found.begin(), found.end());
  const Problems unused = arguments.variables.Unused(arguments.file);
  problems.insert(problems.end(), unused.begin(), unused.end());
  return problems;
}

// Checks the words of the command line, without reading the files.
void ExpectFittingOptions(const CheckArguments& arguments) {
  for (const std::string& file : arguments.files) ExpectFile(file);
  for (const std::string& setting : arguments.settings) (void)ParseSetting(setting, "--argument");
  (void)ParseNumber(arguments.timeout, "--timeout");
  (void)arguments.variables.Values();
  (void)arguments.system.Values();
  const std::vector<std::string> of_systems = arguments.system.Arguments();
  const bool has_system =
      std::ranges::any_of(arguments.files, [](const std::string& one) { return ssp::IsSystemStructure(one); });
  if (of_systems.empty() || has_system || arguments.files.size() == 1) return;
  throw UsageFault{
      fmt::format("expected a system structure (.ssp, .ssd) with {}, found none among the files", of_systems.front())};
}

// Prints the files of a group as `sha256sum` prints them; problems go to standard error.
int PrintFiles(CheckArguments arguments) {
  if (arguments.files.size() > 1 || arguments.is_static || arguments.conformance || arguments.json) {
    throw UsageFault{"expected one composition with --files, and none of --static, --component and --json"};
  }
  arguments.file = arguments.files.front();
  if (KindOf(arguments.file) != InputKind::Composition) {
    throw UsageFault{"expected a composition with --files, found an OMI file"};
  }
  const ChildAnswer answer = Ask(arguments, {});
  if (!answer.IsThere()) {
    PrintProblems(stderr, {DeathOf(answer, {.file = arguments.file})});
    return kProblemsFound;
  }
  Problems problems = ProblemsFromJson(answer.value["problems"]);
  std::erase_if(problems, [](const Problem& one) { return one.severity == Problem::Note; });
  PrintProblems(stderr, problems);
  std::set<std::string> seen;  // components of a group may share files
  std::vector<std::string> groups;
  for (const Json& one : answer.value["files"]) {
    groups.push_back(one["group"]);
    const std::string line = one["sha256"].get<std::string>() + "  " + one["path"].get<std::string>();
    if (groups.back() == arguments.group && seen.insert(line).second) PrintLine(stdout, line);
  }
  if (HasErrors(problems)) return kProblemsFound;  // what could not be loaded may need files, too
  if (seen.empty()) {
    throw UsageFault{fmt::format("--files: expected a group of the composition that needs files, found '{}'; {}",
                                 arguments.group, Suggest(arguments.group, groups))};
  }
  return kSuccess;
}

int Execute(CheckArguments arguments) {
  ExpectFittingOptions(arguments);
  if (!arguments.group.empty()) return PrintFiles(arguments);
  if (arguments.conformance) {
    if (arguments.files.size() > 1) throw UsageFault{"expected one OMI file with --component, found several files"};
    arguments.file = arguments.files.front();
    if (KindOf(arguments.file) != InputKind::Omi)
      throw UsageFault{"expected an OMI file with --component, found a composition"};
    if (arguments.is_static)
      throw UsageFault{"expected --component or --static, found both: the tests of Annex A drive the component"};
    return ExecuteConformance(arguments);
  }
  if (!arguments.settings.empty())
    throw UsageFault{
        "expected --argument together with --component, found it alone; set the arguments of a composition's "
        "components in its file"};
  bool has_errors = false;
  Json reports = Json::array();
  for (const std::string& file : arguments.files) {
    arguments.file = file;
    Problems problems;
    try {
      problems = ProblemsOf(arguments);
    } catch (const Error& error) {  // for instance a file that is no XML: a problem like others
      Where where = error.Place();
      if (where.file.empty()) where.file = file;
      AddError(problems, where, error.Problem(), error.Remedy());
    } catch (const UsageFault& fault) {  // this file does not fit; the others may
      if (arguments.files.size() == 1) throw;
      const std::size_t end = std::min(fault.text.find("; "), fault.text.size());
      AddError(problems, {.file = file}, fault.text.substr(0, end),
               fault.text.substr(std::min(end + 2, fault.text.size())));
    }
    has_errors = has_errors || HasErrors(problems);
    if (arguments.json) {
      reports.push_back(ReportOf(file, problems));
      continue;
    }
    PrintProblems(stdout, problems);
    PrintLine(stdout, (arguments.files.size() > 1 ? file + ": " : std::string()) + CountText(problems));
  }
  if (arguments.json) PrintLine(stdout, JsonText(arguments.files.size() == 1 ? reports.front() : reports));
  return has_errors ? kProblemsFound : kSuccess;
}

int ExecuteInChild(CheckArguments arguments) {
  arguments.file = arguments.files.front();
  AnswerStream answer;
  if (KindOf(arguments.file) == InputKind::Omi) DotnetAssembly::AllowHere();
  if (arguments.conformance) {
    if (std::string wrong = WrongSetting(arguments.file, arguments.settings); !wrong.empty()) {
      answer.Finish({{"usage", std::move(wrong)}});
    } else {
      answer.Finish(ToJson(ConformHere(arguments.file, arguments.settings, arguments.skipped, answer)));
    }
  }
  Problems problems;
  std::vector<GroupFile> files;
  try {
    CheckOptions options;
    if (!arguments.group.empty()) options.files = &files;
    options.without = {arguments.without.begin(), arguments.without.end()};
    options.on_step = [&answer](const std::string& what, const std::string& component) {
      answer.Announce(what, component);
    };
    if (KindOf(arguments.file) == InputKind::Omi) {
      problems = CheckOmi(arguments.file);
    } else {
      options.on_step("reading the composition", {});
      Problems told;  // of a system structure: the parent reports them
      const AsComposition system(arguments.file, arguments.system, told);
      CompositionFile file = system.File(problems);
      const Problems found = CheckComposition(std::move(file), arguments.variables.Values(), options);
      problems.insert(problems.end(), found.begin(), found.end());
    }
  } catch (const Error& error) {
    AddError(problems, error.Place(), error.Problem(), error.Remedy());
  }
  if (arguments.group.empty()) answer.Finish(ToJson(problems));
  Json list = Json::array();
  for (const GroupFile& one : files) list.push_back({{"group", one.group}, {"path", one.path}, {"sha256", one.sha256}});
  answer.Finish({{"problems", ToJson(problems)}, {"files", std::move(list)}});
}

}  // namespace

void AddCheck(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* check = app.add_subcommand("check", "Find all problems of an OMI file, a composition or a component");
  check->add_option("FILE", arguments->files, "OMI file or composition; several are checked one after the other")
      ->required();
  check->add_flag("--component", arguments->conformance,
                  "Run every test of Annex A of OGC 11-014r3 on the component of the OMI file");
  AddRepeated(*check, "--argument", arguments->settings, "KEY=VALUE",
              "Argument of the component, with --component; may be repeated");
  check->add_flag("--static", arguments->is_static, "Load no library; check the files only");
  check->add_flag("--json", arguments->json, "Print JSON");
  AddValue(*check, "--files", arguments->group, "GROUP",
           "Print the files that a group of components needs on its host, with their hashes, as 'sha256sum -c' reads "
           "them");
  AddTimeout(*check, arguments->timeout);
  arguments->variables.AddTo(*check);
  arguments->system.AddTo(*check);
  AddChildFlag(*check, arguments->in_child);
  check->add_option("--skip", arguments->skipped)->allow_extra_args(false)->group("");
  check->add_option("--without", arguments->without)->allow_extra_args(false)->group("");
  check->footer(
      "Libraries are loaded in a child process. A library that crashes or hangs is reported as a problem.\n\n"
      "Examples:\n"
      "  openmi check upper-creek.xml\n"
      "  openmi check *.xml *.omi\n"
      "  openmi check creek.omi --component\n"
      "  openmi check stranger.omi --static\n"
      "  openmi check basin.xml --files lowland | ssh node2 sha256sum -c --quiet\n"
      "  openmi check upper-creek.xml --json | jq '.problems[].problem'");
  check->callback([arguments, &invocation] {
    invocation.execute = [arguments] { return arguments->in_child ? ExecuteInChild(*arguments) : Execute(*arguments); };
  });
}

}  // namespace openmi::tools
