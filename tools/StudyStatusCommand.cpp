#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "composition/check/ChildAnswer.hpp"
#include "study/results/StudyTable.hpp"
#include "study/run/StudyQueue.hpp"
#include "tools/Commands.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/StudyInputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct StatusArguments {
  StudyArguments study;
  bool json = false;
};

int Execute(const StatusArguments& arguments) {
  Problems problems;
  const auto study = ReadStudy(arguments.study, problems);
  if (!study || HasErrors(problems)) {
    PrintProblems(stderr, problems);
    return kProblemsFound;
  }
  const std::filesystem::path path = StudyQueue::JournalIn(arguments.study.results, study->File());
  ExpectFile(path.string());
  const StudyJournalReader journal(path);
  study->TakeJournal(journal);
  const StudyTable table(*study, journal);
  nlohmann::ordered_json json = {{"study", study->File().id}, {"members", study->Count()}};
  std::string text = fmt::format("{}: {} members", study->File().id, study->Count());
  for (const MemberEnd end : {MemberEnd::Done, MemberEnd::Refused, MemberEnd::Failed, MemberEnd::NoNumber,
                              MemberEnd::Died, MemberEnd::Late}) {
    const std::size_t count = table.CountOf(end);
    json[kMemberEnds.NameOf(end)] = count;
    if (count > 0) text += fmt::format(", {} {}", count, kMemberEnds.NameOf(end));
  }
  json["not-run"] = table.NotRun();
  if (table.NotRun() > 0) text += fmt::format(", {} not run", table.NotRun());
  if (const MemberRow* best = table.Best()) {
    json["best"] = {{"member", best->member + 1}, {"cost", best->cost}};
    text += fmt::format("; best {:.5g} (member {})", best->cost, best->member + 1);
  }
  if (arguments.json) {
    PrintLine(stdout, JsonText(json));
  } else {
    PrintLine(stdout, text);
    if (table.NotRun() > 0) PrintLine(stdout, "openmi study resume runs those that have not run");
  }
  return kSuccess;
}

}  // namespace

void AddStudyStatus(CLI::App& study, Invocation& invocation) {
  auto arguments = std::make_shared<StatusArguments>();
  CLI::App* status = study.add_subcommand("status", "Print how far a study is, also while it runs");
  arguments->study.AddTo(*status);
  status->add_flag("--json", arguments->json, "Print JSON");
  status->footer("Examples:\n  openmi study status storage.xml --results out");
  status->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
