#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "composition/check/ChildAnswer.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "study/run/CheckStudy.hpp"
#include "tools/Commands.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/StudyInputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct CheckArguments {
  StudyArguments study;
  int workers = 0;
  bool no_trial = false;
  bool json = false;
};

std::string TextOf(const StudyEstimate& estimate) {
  return fmt::format("{} members, about {} on {} {} ({} each), {} of {} free", estimate.members,
                     FormatSeconds(estimate.seconds), estimate.workers, estimate.workers == 1 ? "worker" : "workers",
                     FormatSeconds(estimate.member_seconds), FormatBytes(estimate.bytes),
                     FormatBytes(estimate.free_bytes));
}

nlohmann::ordered_json JsonOf(const CheckArguments& arguments, const Problems& problems,
                              const std::optional<StudyEstimate>& estimate) {
  nlohmann::ordered_json json = {{"file", arguments.study.file}, {"problems", ToJson(problems)}};
  if (estimate) {
    json["members"] = estimate->members;
    if (!arguments.no_trial) {
      json["workers"] = estimate->workers;
      json["seconds"] = estimate->seconds;
      json["bytes"] = estimate->bytes;
      json["free-bytes"] = estimate->free_bytes;
    }
  }
  return json;
}

int Execute(const CheckArguments& arguments) {
  Problems problems;
  std::optional<StudyEstimate> estimate;
  if (const auto study = ReadStudy(arguments.study, problems)) {
    estimate = CheckStudy(*study, arguments.study.results, arguments.workers, !arguments.no_trial, problems);
  }
  if (arguments.json) {
    PrintLine(stdout, JsonText(JsonOf(arguments, problems, estimate)));
  } else {
    PrintProblems(stdout, problems);
    PrintLine(stdout, CountText(problems));
    if (estimate && arguments.no_trial) PrintLine(stdout, fmt::format("{} members", estimate->members));
    if (estimate && !arguments.no_trial) PrintLine(stdout, TextOf(*estimate));
  }
  return HasErrors(problems) ? kProblemsFound : kSuccess;
}

}  // namespace

void AddStudyCheck(CLI::App& study, Invocation& invocation) {
  auto arguments = std::make_shared<CheckArguments>();
  CLI::App* check = study.add_subcommand(
      "check", "Find all problems of a study, and estimate its time and space from a trial of its first member");
  arguments->study.AddTo(*check);
  AddWorkers(*check, arguments->workers, "Number of workers for the estimate (default: as in the file)");
  check->add_flag("--no-trial", arguments->no_trial, "Run no member, and estimate nothing");
  check->add_flag("--json", arguments->json, "Print JSON");
  check->footer(
      "Examples:\n  openmi study check storage.xml\n  openmi study check storage.xml --results /scratch/out --json");
  check->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
