#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "study/StudyResults.hpp"
#include "study/results/StudyTable.hpp"
#include "study/run/StudyRun.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;

class StudyPlace : public ScratchFolder {
 public:
  StudyPlace() : ScratchFolder("study") {
    Write("moody.omi",
          std::string("<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"test.Moody\" Assembly=\"") +
              OPENMI_TEST_PLUGINS "/libstudy_components.so\"/>\n");
    Write(
        "pond.xml",
        "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"pond\">\n"
        "<Component Id=\"pond\" Omi=\"moody.omi\"><Argument Key=\"time-step\" Value=\"P1D\"/></Component>\n"
        "<Observe Item=\"pond.flow\"/>\n<Run From=\"2020-01-01T00:00Z\" To=\"2020-12-31T00:00Z\"/>\n</Composition>\n");
  }
  Study Make(const std::string& inside) const {
    Write("study.xml",
          "<Study xmlns=\"urn:openmi2:study:1\" Id=\"s\" Composition=\"pond.xml\">\n" + inside + "</Study>\n");
    Problems problems;
    Study study(Path() / "study.xml", {}, problems);
    for (const Problem& problem : problems) ADD_FAILURE() << FormatProblem(problem);
    return study;
  }
  StudyRunOptions Options(int workers, bool resume = false) const {
    StudyRunOptions options;
    options.folder = Path() / "results";
    options.resume = resume;
    options.workers = workers;
    return options;
  }
  StudyTable TableOf(const Study& study) const { return StudyTable(study, Journal(study)); }
  StudyJournalReader Journal(const Study& study) const {
    return StudyJournalReader(StudyRun::JournalIn(Path() / "results", study.File()));
  }
};

constexpr char kSweep[] =
    "<Vary Id=\"k\" Argument=\"pond.k\" Unit=\"d\" From=\"0.5\" To=\"50\" Scale=\"log\"/>\n"
    "<Design Method=\"latin-hypercube\" Members=\"60\" Seed=\"3\"/>\n"
    "<Objective Id=\"mean\" Item=\"pond.flow\" Measure=\"mean\"/>\n";

std::string BytesOf(const std::filesystem::path& path) {
  return ReadWholeFile(path);
}

TEST(StudyRun, GivesTheRowsOfEachMemberRunAlone) {
  const StudyPlace place;
  const Study study = place.Make(kSweep);
  ASSERT_TRUE(StudyRun(study, place.Options(2)).Run());
  const StudyJournalReader journal = place.Journal(study);
  for (const std::uint64_t member : {0u, 17u, 59u}) {
    Composition composition(study.Plan().Make(study.Values(member), place.Path()).composition);
    Problems problems;
    composition.Load(problems);
    composition.Connect(problems);
    CheckComposition(composition, problems);
    RunOptions options;
    options.write_results = false;
    const RunRecord alone = CompositionRun(composition, problems, options).Run();
    const auto result = journal.Read(member);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->end, MemberEnd::Done);
    EXPECT_EQ(result->series[0].values, alone.series[0].values);
    EXPECT_EQ(journal.Shapes().at(result->series[0].shape).times, alone.series[0].times);
  }
}

TEST(StudyRun, ResultFilesAreTheSameOnOneWorkerAndTwo) {
  std::vector<std::string> csv, netcdf;
  for (const int workers : {1, 2}) {
    const StudyPlace place;
    const Study study = place.Make(kSweep);
    ASSERT_TRUE(StudyRun(study, place.Options(workers)).Run());
    WriteStudyResults(study, place.Journal(study), place.Path() / "results", {.with_report = false});
    csv.push_back(BytesOf(place.Path() / "results/s-members.csv"));
    netcdf.push_back(BytesOf(place.Path() / "results/s.nc"));
  }
  EXPECT_EQ(csv[0], csv[1]);
  EXPECT_EQ(netcdf[0], netcdf[1]);
}

TEST(StudyRun, NamesEachBadEndAndLeavesTheOthersAlone) {
  const StudyPlace place;
  std::string values;
  const std::vector<std::pair<const char*, MemberEnd>> moods = {
      {"well", MemberEnd::Done},   {"segfault", MemberEnd::Died}, {"well", MemberEnd::Done},
      {"exit", MemberEnd::Died},   {"loop", MemberEnd::Late},     {"memory", MemberEnd::Failed},
      {"disk", MemberEnd::Failed}, {"nan", MemberEnd::NoNumber},  {"throw", MemberEnd::Failed},
      {"kill", MemberEnd::Died},   {"well", MemberEnd::Done}};
  for (const auto& [mood, end] : moods) values += std::string("<Value Is=\"") + mood + "\"/>";
  const Study study = place.Make("<Vary Id=\"mood\" Argument=\"pond.mood\">" + values +
                                 "</Vary>\n<Design Method=\"list\"/>\n<Objective Id=\"mean\" Item=\"pond.flow\" "
                                 "Measure=\"mean\"/><Workers TimeLimit=\"PT3S\" MemoryLimit=\"500 MB\"/>\n");
  StudyRun run(study, place.Options(2));
  ASSERT_TRUE(run.Run());
  EXPECT_EQ(run.Progress().failed, 8u);
  const StudyTable table = place.TableOf(study);
  for (std::size_t i = 0; i < moods.size(); ++i) {
    const MemberRow& row = table.Rows()[i];
    EXPECT_EQ(row.end, moods[i].second) << moods[i].first << ": " << row.problem;
    EXPECT_EQ(row.values[0], moods[i].first);
    EXPECT_EQ(row.problem.empty(), row.IsDone());
  }
  EXPECT_THAT(table.Rows()[1].problem, HasSubstr("was killed by signal 11"));
  EXPECT_THAT(table.Rows()[3].problem, HasSubstr("3"));
  EXPECT_THAT(table.Rows()[4].problem, HasSubstr("did not answer within 3 s"));
  EXPECT_THAT(table.Rows()[5].problem, HasSubstr("bad_alloc"));
  EXPECT_THAT(table.Rows()[6].problem, HasSubstr("No space left on device"));
  EXPECT_THAT(table.Rows()[8].problem, HasSubstr("expected a positive depth"));
  EXPECT_EQ(table.Rows()[0].objectives, table.Rows()[10].objectives);
  const std::string csv = table.Csv(study.File());
  EXPECT_THAT(csv, HasSubstr("\n5,late,loop,"));
  WriteStudyResults(study, place.Journal(study), place.Path() / "results", {});
  const std::string report = BytesOf(place.Path() / "results/s.html");
  EXPECT_THAT(report, HasSubstr("mood = segfault"));
}

/// The processes of a program whose parent is this process.
std::vector<int> WorkersOfThisProcess() {
  std::vector<int> found;
  std::ifstream children("/proc/self/task/" + std::to_string(getpid()) + "/children");
  for (int pid = 0; children >> pid;) found.push_back(pid);
  return found;
}

TEST(StudyRun, LosesNothingWhenWorkersAreKilled) {
  const StudyPlace place;
  const Study study = place.Make(kSweep);
  std::atomic<bool> is_over = false;
  std::atomic<int> killed = 0;
  std::jthread killer([&] {
    while (!is_over && killed < 10) {
      std::this_thread::sleep_for(std::chrono::milliseconds(40));
      for (const int pid : WorkersOfThisProcess()) {
        if (kill(pid, SIGKILL) == 0) ++killed;
        break;
      }
    }
  });
  StudyRun run(study, place.Options(2));
  const bool is_complete = run.Run();
  is_over = true;
  killer.join();
  ASSERT_TRUE(is_complete);
  EXPECT_EQ(run.Progress().failed, 0u);
  EXPECT_EQ(place.TableOf(study).CountOf(MemberEnd::Done), 60u);
  EXPECT_GT(killed, 0);
}

TEST(StudyRun, ResumesToTheSameFilesAfterAnInterruption) {
  std::vector<std::string> netcdf;
  for (const bool is_interrupted : {false, true}) {
    const StudyPlace place;
    const Study study = place.Make(kSweep);
    if (is_interrupted) {
      StudyRunOptions options = place.Options(2);
      int asked = 0;
      options.is_interrupted = [&asked] { return ++asked > 25; };
      ASSERT_FALSE(StudyRun(study, options).Run());
      ASSERT_GT(place.TableOf(study).NotRun(), 0u);
      ASSERT_GT(place.TableOf(study).CountOf(MemberEnd::Done), 0u);
    }
    ASSERT_TRUE(StudyRun(study, place.Options(2, is_interrupted)).Run());
    WriteStudyResults(study, place.Journal(study), place.Path() / "results", {.with_report = false});
    netcdf.push_back(BytesOf(place.Path() / "results/s.nc"));
  }
  EXPECT_EQ(netcdf[0], netcdf[1]);
}

TEST(StudyRun, ResumeRefusesAnotherStudy) {
  const StudyPlace place;
  const Study study = place.Make(kSweep);
  ASSERT_TRUE(StudyRun(study, place.Options(1)).Run());
  const Study other = place.Make(std::string(kSweep) + "<!-- changed -->");
  try {
    const StudyRun run(other, place.Options(1, true));
    FAIL() << "expected a refusal";
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("found that the study was changed"));
  }
}

constexpr char kCalibration[] =
    "<Vary Id=\"k\" Argument=\"pond.k\" From=\"0.5\" To=\"50\" Scale=\"log\"/>\n"
    "<Vary Id=\"pause\" Argument=\"pond.pause\" From=\"0\" To=\"0.000001\"/>\n"
    "<Objective Id=\"top\" Item=\"pond.flow\" Measure=\"maximum\" Weight=\"1\"/>\n";

TEST(StudyRun, ACalibrationIsTheSameOnOneWorkerAndTwoAndAfterAKill) {
  for (const char* method : {"dds", "differential-evolution"}) {
    std::vector<std::string> tables;
    for (const int workers : {1, 2, 3}) {
      const StudyPlace place;
      const Study study =
          place.Make(std::string(kCalibration) + "<Calibrate Method=\"" + method + "\" Budget=\"60\" Seed=\"5\"/>");
      if (workers == 3) {  // interrupted and resumed
        StudyRunOptions options = place.Options(2);
        int asked = 0;
        options.is_interrupted = [&asked] { return ++asked > 20; };
        ASSERT_FALSE(StudyRun(study, options).Run());
      }
      ASSERT_TRUE(StudyRun(study, place.Options(workers, workers == 3)).Run());
      tables.push_back(place.TableOf(study).Csv(study.File()));
    }
    EXPECT_EQ(tables[0], tables[1]) << method;
    EXPECT_EQ(tables[0], tables[2]) << method;
  }
}

TEST(StudyRun, AnObjectiveWithoutWeightDoesNotDecideAboutACalibration) {
  const StudyPlace place;
  const Study study = place.Make(std::string(kCalibration) +
                                 "<Objective Id=\"none\" Item=\"pond.flow\" Element=\"no such\" Measure=\"mean\"/>\n"
                                 "<Calibrate Method=\"dds\" Budget=\"8\"/>");
  StudyRun run(study, place.Options(1));
  ASSERT_TRUE(run.Run());
  EXPECT_EQ(run.Progress().failed, 0u);
  EXPECT_TRUE(run.Progress().best.has_value());
}

constexpr char kBranched[] =
    "<Vary Id=\"k\" Argument=\"pond.k\" From=\"0.5\" To=\"50\" Scale=\"log\"/>\n"
    "<Design Method=\"latin-hypercube\" Members=\"6\" Seed=\"3\"/>\n<Branch At=\"2020-07-01T00:00Z\"/>\n";

TEST(StudyRun, MembersBranchFromOneState) {
  const StudyPlace place;
  Study study = place.Make(kBranched);
  study.SetFolder(place.Path() / "results");
  ASSERT_TRUE(StudyRun(study, place.Options(2)).Run());
  const StudyJournalReader journal = place.Journal(study);
  std::set<double> first_values;
  for (std::uint64_t member = 0; member < 6; ++member) {
    const auto result = journal.Read(member);
    ASSERT_TRUE(result.has_value());
    ASSERT_EQ(result->end, MemberEnd::Done) << result->problem;
    const SeriesShape& shape = journal.Shapes().at(result->series[0].shape);
    EXPECT_EQ(shape.times.back() - shape.times.front(), 183.0);  // from July to the end of December
    first_values.insert(result->series[0].values.front());
  }
  EXPECT_EQ(first_values.size(), 1u);  // at the branch, before anything varies
  const Member printed = study.Plan().Make(study.Values(0), place.Path());
  EXPECT_THAT(printed.composition.components[0].initial_state, HasSubstr("s-branch/pond.state"));
  EXPECT_TRUE(std::filesystem::exists(printed.composition.components[0].initial_state));
  // Neither a check nor a run that is refused touches the states of a study that may be running.
  Problems problems;
  EXPECT_TRUE(CheckStudy(study, place.Path() / "results", 1, true, problems).has_value());
  EXPECT_THROW(StudyRun(study, place.Options(1)), FileError);
  EXPECT_TRUE(std::filesystem::exists(printed.composition.components[0].initial_state));
  for (const auto& entry : std::filesystem::directory_iterator(place.Path() / "results")) {
    EXPECT_THAT(entry.path().filename().string(), testing::AnyOf("s.study", "s-branch"));
  }
  std::filesystem::remove(printed.composition.components[0].initial_state);
  EXPECT_THROW(study.Plan().Make(study.Values(0), place.Path()), FileError);
}

TEST(CheckStudy, ReportsArgumentsValuesAndUnits) {
  const StudyPlace place;
  const Study study = place.Make(
      "<Vary Id=\"a\" Argument=\"pond.kk\" From=\"1\" To=\"2\"/>\n"
      "<Vary Id=\"b\" Argument=\"pond.k\" Unit=\"h\" From=\"0.01\" To=\"2\"/>\n"
      "<Vary Id=\"c\" Argument=\"pond.mood\"><Value Is=\"well\"/>\n<Value Is=\"merry\"/></Vary>\n"
      "<Design Method=\"latin-hypercube\" Members=\"5\"/>\n");
  Problems problems;
  EXPECT_FALSE(CheckStudy(study, place.Path() / "results", 1, true, problems).has_value());
  std::string all;
  for (const Problem& problem : problems) all += FormatProblem(problem) + "\n";
  EXPECT_THAT(all, HasSubstr("study.xml:2: pond: expected an argument of 'pond', found 'kk'; there are: start-time"));
  EXPECT_THAT(all, HasSubstr("study.xml:3: pond: expected the unit 'd' of the argument 'k', found 'h'"));
  EXPECT_THAT(all, HasSubstr("study.xml:3: pond: expected a number in d of at least 0.1"));
  EXPECT_THAT(all, HasSubstr("study.xml:5: pond: "));
  EXPECT_THAT(all, HasSubstr("the value 'merry' of 'c'"));
}

// Whatever is wrong, and wherever: one call says it all.
TEST(CheckStudy, ReportsTablesArgumentsAndSpaceAtOnce) {
  const StudyPlace place;
  place.Write("members.csv", "a,b,colour\n1,2,red\n");
  place.Write("study.xml",
              "<Study xmlns=\"urn:openmi2:study:1\" Id=\"s\" Composition=\"pond.xml\">\n"
              "<Vary Id=\"a\" Argument=\"pond.depth\"/>\n<Vary Id=\"b\" Argument=\"pond.k\" Unit=\"h\"/>\n"
              "<Objective Id=\"o\" Item=\"pond.flows\" Measure=\"mean\"/>\n"
              "<Design Method=\"table\" Table=\"members.csv\"/></Study>");
  Problems problems;
  const Study table(place.Path() / "study.xml", {}, problems);
  EXPECT_TRUE(table.IsSound());
  EXPECT_FALSE(CheckStudy(table, place.Path() / "results", 1, true, problems).has_value());
  std::string all;
  for (const Problem& problem : problems) all += FormatProblem(problem) + "\n";
  EXPECT_THAT(all, HasSubstr("members.csv:1: expected a Vary for the column 'colour'"));
  EXPECT_THAT(all, HasSubstr("study.xml:2: pond: expected an argument of 'pond', found 'depth'"));
  EXPECT_THAT(all, HasSubstr("study.xml:3: pond: expected the unit 'd' of the argument 'k', found 'h'"));
  EXPECT_THAT(all, HasSubstr("study.xml:4: expected an observed item of 'pond.xml', found 'pond.flows'"));

  place.Write(
      "study.xml",
      "<Study xmlns=\"urn:openmi2:study:1\" Id=\"s\" Composition=\"pond.xml\">\n"
      "<Vary Id=\"a\" Argument=\"pond.depth\" From=\"1\" To=\"2\" Steps=\"1000000\"/>\n"
      "<Vary Id=\"b\" Argument=\"pond.k\" From=\"1\" To=\"2\" Steps=\"1000\"/>\n<Design Method=\"grid\"/></Study>");
  problems.clear();
  const Study grid(place.Path() / "study.xml", {}, problems);
  EXPECT_FALSE(CheckStudy(grid, place.Path() / "results", 1, true, problems).has_value());
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_THAT(FormatProblem(problems[0]), HasSubstr("found 'depth'"));
  EXPECT_THAT(FormatProblem(problems[1]), HasSubstr("expected room for 1000000000 members"));
}

TEST(CheckStudy, EstimatesTimeAndSpace) {
  const StudyPlace place;
  const Study study = place.Make(kSweep);
  Problems problems;
  const auto estimate = CheckStudy(study, place.Path() / "results", 2, true, problems);
  for (const Problem& problem : problems) ADD_FAILURE() << FormatProblem(problem);
  ASSERT_TRUE(estimate.has_value());
  EXPECT_EQ(estimate->members, 60u);
  EXPECT_GT(estimate->seconds, 0.0);
  EXPECT_GT(estimate->bytes, 60.0 * 365 * 8 * 2);
  EXPECT_LT(estimate->bytes, 60.0 * 365 * 8 * 3);
}

TEST(CheckStudy, RefusesMoreThanTheDiskHolds) {
  const StudyPlace place;
  const Study study = place.Make(
      "<Vary Id=\"k\" Argument=\"pond.k\" From=\"1\" To=\"2\" Steps=\"1000000\"/>\n"
      "<Vary Id=\"p\" Argument=\"pond.pause\" From=\"0\" To=\"0.000001\" Steps=\"1000\"/>\n<Design "
      "Method=\"grid\"/>\n");
  Problems problems;
  EXPECT_FALSE(CheckStudy(study, place.Path() / "results", 2, true, problems).has_value());
  ASSERT_FALSE(problems.empty());
  EXPECT_THAT(FormatProblem(problems.back()), HasSubstr("expected room for 1000000000 members"));
}

}  // namespace
}  // namespace openmi
