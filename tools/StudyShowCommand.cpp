#include <filesystem>
#include <memory>

#include "study/run/StudyQueue.hpp"
#include "tools/Commands.hpp"
#include "tools/OutputFile.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/StudyInputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct ShowArguments {
  StudyArguments study;
  std::string member;
  std::string output = "-";
};

/// The values of a member: of a design from the study; of others from the journal.
MemberValues ValuesOf(Study& study, const ShowArguments& arguments) {
  if (!study.IsSearch() && !study.IsAsked()) return study.Values(ParseMember(arguments.member, study.Count()));
  const StudyJournalReader journal(StudyQueue::JournalIn(arguments.study.results, study.File()));
  study.TakeJournal(journal);
  const std::uint64_t member = ParseMember(arguments.member, study.Count());
  const auto result = journal.Read(member);
  if (!result) throw UsageFault{"expected a member that was run, found none of the number " + arguments.member};
  return result->values;
}

int Execute(const ShowArguments& arguments) {
  Problems problems;
  const auto study = ReadStudy(arguments.study, problems);
  PrintProblems(stderr, problems);
  if (!study || HasErrors(problems)) {
    PrintLine(stderr, CountText(problems));
    return kProblemsFound;
  }
  if (study->File().branch && !std::filesystem::exists(study->Plan().BranchFolder())) {
    throw UsageFault{"expected the states of the branch in '" + study->Plan().BranchFolder().string() +
                     "', found none; run the study first, or name its folder with --results"};
  }
  const bool is_file = arguments.output != "-";
  const std::filesystem::path folder =
      is_file ? std::filesystem::path(arguments.output).parent_path() : study->Plan().Composition().Folder();
  Member member = study->Plan().Make(ValuesOf(*study, arguments), folder);
  if (is_file) WriteMemberFiles(member);
  CompositionFile composition = MovedTo(std::move(member.composition), folder);
  for (const MemberFile& file : member.files) {
    if (is_file) continue;
    PrintLine(stderr, "note: '" + file.path.string() + "' is made of a template; -o FILE writes it too");
  }
  WriteOutput(arguments.output, CompositionText(composition));
  return kSuccess;
}

}  // namespace

void AddStudyShow(CLI::App& study, Invocation& invocation) {
  auto arguments = std::make_shared<ShowArguments>();
  CLI::App* show =
      study.add_subcommand("show", "Print the composition of one member, which openmi run runs to the same values");
  arguments->study.AddTo(*show);
  show->add_option("MEMBER", arguments->member, "Number of the member, from 1")->required();
  AddShown(*show, "-o,--output", arguments->output, "FILE",
           "File to write, with paths that are right there; - is standard output");
  show->footer("Examples:\n  openmi study show storage.xml 17\n  openmi study show storage.xml 17 -o member-17.xml");
  show->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
