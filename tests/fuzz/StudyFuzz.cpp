#include <cstdlib>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "study/design/Design.hpp"
#include "study/run/StudyJournal.hpp"
#include "tests/fuzz/FuzzTarget.hpp"
#include "tests/fuzz/JournalSums.hpp"

namespace openmi::fuzz {
namespace {

constexpr char kComposition[] =
    "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\"><Component Id=\"a\" Omi=\"a.omi\"/>"
    "<Component Id=\"b\" Omi=\"b.omi\"/><Link Id=\"l\" From=\"a.x\" To=\"b.y\"><Adaptor Id=\"linear\"/></Link>"
    "<Observe Item=\"b.z\"/><Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/></Composition>";

void ReadJournal(const std::string& path) {
  try {
    const StudyJournalReader journal(path);
    for (std::uint64_t member = 0; member < journal.Members().size(); ++member) {
      const auto result = journal.Read(member);
      Require(result.has_value() == (journal.Members()[member].offset != 0));
    }
  } catch (const Error&) {
  }
}

}  // namespace

// Any bytes are refused, or are a study whose members are compositions.
OPENMI_FUZZ_TARGET(study) {
  Problems problems;
  try {
    StudyFile study = ReadStudyText(input, "no-such-folder/fuzz.xml", problems);
    for (const Problem& problem : problems) {
      if (problem.where.file.empty() || FormatProblem(problem).find('\n') != std::string::npos) std::abort();
    }
    if (HasErrors(problems)) return;
    CompositionFile composition = ReadCompositionText(kComposition, "no-such-folder/c.xml", problems);
    const StudyPlan plan(std::move(study), std::move(composition), problems);
    const StudyFile& file = plan.Study();
    if (HasErrors(problems) || !file.design || file.design->members * file.varies.size() > 10'000) return;
    const Design design(file, problems);
    if (HasErrors(problems)) return;
    for (std::uint64_t member = 0; member < std::min<std::uint64_t>(design.Count(), 20); ++member) {
      Problems again;
      ReadCompositionText(CompositionText(plan.Make(design.Values(member), "folder").composition), "c.xml", again);
    }
  } catch (const Error&) {
  }
}

// Any bytes are a journal up to where it is cut, or an error.
OPENMI_FUZZ_TARGET(study_journal) {
  ReadJournal(FileOf(input, ".study"));
  ReadJournal(FileOf(WithRightSums(std::string(input)), ".study"));
}

}  // namespace openmi::fuzz
