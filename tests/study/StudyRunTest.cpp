#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <fstream>
#include <set>
#include <span>
#include <thread>

#include "composition/link/Composition.hpp"
#include "study/StudyResults.hpp"
#include "study/results/StudyTable.hpp"
#include "study/run/CheckStudy.hpp"
#include "study/run/StudyRun.hpp"
#include "tests/support/RunChecked.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

using testing::AllOf;
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
  /// Runs a study, or what is left of it.
  /// \param passes  of the loop, after which it is interrupted; 0: never
  bool Run(Study& study, int workers, bool resume = false, int passes = 0) const {
    StudyQueue queue(study, {.folder = Path() / "results", .resume = resume}, static_cast<std::size_t>(workers));
    int asked = 0;
    return StudyRun(queue).Run({.is_interrupted = [&] { return passes > 0 && ++asked > passes; }});
  }
  StudyTable TableOf(const Study& study) const { return StudyTable(study, Journal(study)); }
  StudyJournalReader Journal(const Study& study) const {
    return StudyJournalReader(StudyQueue::JournalIn(Path() / "results", study.File()));
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
  Study study = place.Make(kSweep);
  ASSERT_TRUE(place.Run(study, 2));
  const StudyJournalReader journal = place.Journal(study);
  for (const std::uint64_t member : {0u, 17u, 59u}) {
    Composition composition(study.Plan().Make(study.Values(member), place.Path()).composition);
    const RunRecord alone = test::RunChecked(composition);
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
    Study study = place.Make(kSweep);
    ASSERT_TRUE(place.Run(study, workers));
    WriteStudyResults(study, place.Journal(study), place.Path() / "results", {.with_report = false});
    csv.push_back(BytesOf(place.Path() / "results/s-members.csv"));
    netcdf.push_back(BytesOf(place.Path() / "results/s.nc"));
  }
  EXPECT_EQ(csv[0], csv[1]);
  EXPECT_EQ(netcdf[0], netcdf[1]);
}

/// Workers that a launcher starts, on this machine in fact.
StudyPlaces PlacesAt(std::vector<std::string> hosts, const std::string& launcher = "env {command}") {
  StudyPlaces places{.hosts = std::move(hosts)};
  places.placement.launcher = launcher;
  places.placement.listen = "127.0.0.1";
  places.placement.program = OPENMI_BINARY_DIR "/bin/openmi";
  return places;
}

TEST(StudyHosts, GiveTheFilesOfOneMachine) {
  std::vector<std::string> csv, netcdf;
  for (const StudyPlaces& places : {StudyPlaces{}, PlacesAt({"one", "two", kThisHost, "one"})}) {
    const StudyPlace place;
    Study study = place.Make(kSweep);
    StudyQueue queue(study, {.folder = place.Path() / "results"}, 4);
    ASSERT_TRUE(StudyRun(queue, places).Run());
    WriteStudyResults(study, place.Journal(study), place.Path() / "results", {.with_report = false});
    csv.push_back(BytesOf(place.Path() / "results/s-members.csv"));
    netcdf.push_back(BytesOf(place.Path() / "results/s.nc"));
  }
  EXPECT_EQ(csv[0], csv[1]);
  EXPECT_EQ(netcdf[0], netcdf[1]);
}

TEST(StudyHosts, ThatDoNotStartAWorkerAreNamedAndLeftOut) {
  const StudyPlace place;
  Study study = place.Make(kSweep);
  const std::string launcher = "sh -c 'test $0 != bad || exit 7; exec \"$@\"' {host} {command}";
  {
    StudyQueue queue(study, {.folder = place.Path() / "results"}, 2);
    StudyRun run(queue, PlacesAt({"bad", "good", "bad"}, launcher));
    std::vector<std::string> lost;
    ASSERT_TRUE(run.Run({.lost = [&](const std::string& reason) { lost.push_back(reason); }}));
    ASSERT_EQ(lost.size(), 2U);
    EXPECT_THAT(lost[0], AllOf(HasSubstr("expected a worker for study 's' on bad"), HasSubstr("exit code 7")));
  }
  EXPECT_EQ(place.TableOf(study).CountOf(MemberEnd::Done), 60U);
  StudyQueue again(study, {.folder = place.Path() / "results", .overwrite = true}, 1);
  EXPECT_THAT([&] { StudyRun(again, PlacesAt({"bad"}, launcher)).Run(); },
              testing::ThrowsMessage<FileError>(HasSubstr("exit code 7")));
}

TEST(StudyHosts, ThatAreLostGiveTheirMembersToOthers) {
  const StudyPlace place;
  Study study = place.Make(
      "<Vary Id=\"k\" Argument=\"pond.k\" Unit=\"d\" From=\"0.5\" To=\"50\"/>\n"
      "<Design Method=\"latin-hypercube\" Members=\"1500\"/>\n<Objective Id=\"mean\" Item=\"pond.flow\" "
      "Measure=\"mean\"/>\n");
  const std::string mark = (place.Path() / "stopped").string();
  const std::string journal = StudyQueue::JournalIn(place.Path() / "results", study.File()).string();
  // The first worker is stopped, as if its host were gone, when it has been let in (it then has threads that watch its
  // connection) and members were done.
  const std::string launcher =
      "sh -c 'test -e \"" + mark + "\" || { touch \"" + mark +
      "\"; (until test $(ls /proc/$$/task | wc -l) -ge 3 && test $(wc -c <\"" + journal +
      "\") -gt 20000; do kill -0 $$ || exit; sleep 0.02; done; sleep 0.2; kill -STOP $$) 2>/dev/null & }; "
      "exec \"$@\"' sh {command}";
  StudyQueue queue(study, {.folder = place.Path() / "results"}, 2);
  ASSERT_TRUE(StudyRun(queue, PlacesAt({"one", "two"}, launcher)).Run());
  const StudyTable table = place.TableOf(study);
  EXPECT_EQ(table.CountOf(MemberEnd::Done), 1500U);
  EXPECT_EQ(std::ranges::count_if(table.Rows(), [](const MemberRow& row) { return row.attempts > 1; }), 1);
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
  Study study = place.Make("<Vary Id=\"mood\" Argument=\"pond.mood\">" + values +
                           "</Vary>\n<Design Method=\"list\"/>\n<Objective Id=\"mean\" Item=\"pond.flow\" "
                           "Measure=\"mean\"/><Workers TimeLimit=\"PT15S\" MemoryLimit=\"500 MB\"/>\n");
  ASSERT_TRUE(place.Run(study, 2));
  const StudyTable table = place.TableOf(study);
  for (std::size_t i = 0; i < moods.size(); ++i) {
    const MemberRow& row = table.Rows()[i];
    EXPECT_EQ(row.end, moods[i].second) << moods[i].first << ": " << row.problem;
    EXPECT_EQ(row.values[0], moods[i].first);
    EXPECT_EQ(row.problem.empty(), row.IsDone());
  }
  EXPECT_THAT(table.Rows()[1].problem, HasSubstr("was killed by signal 11"));
  EXPECT_THAT(table.Rows()[3].problem, HasSubstr("3"));
  EXPECT_THAT(table.Rows()[4].problem, HasSubstr("did not answer within 15 s"));
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
  Study study = place.Make(kSweep);
  std::atomic<bool> is_over = false;
  std::atomic<int> killed = 0;
  const std::filesystem::path file = StudyQueue::JournalIn(place.Path() / "results", study.File());
  const auto count_done = [&file] {
    const bool is_there = std::filesystem::exists(file) && std::filesystem::file_size(file) >= 8;
    return is_there ? StudyJournalReader(file).DoneCount() : 0;
  };
  std::jthread killer([&] {
    std::uint64_t wanted = 3;  // done before the next kill: a member that loses worker after worker is given up
    while (!is_over && killed < 10) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (count_done() < wanted) continue;
      wanted = count_done() + 3;
      for (const int pid : WorkersOfThisProcess()) {
        if (kill(pid, SIGKILL) == 0) ++killed;
        break;
      }
    }
  });
  const bool is_complete = place.Run(study, 2);
  is_over = true;
  killer.join();
  ASSERT_TRUE(is_complete);
  const StudyTable table = place.TableOf(study);
  for (const MemberRow& row : table.Rows()) EXPECT_TRUE(row.IsDone()) << row.problem;
  EXPECT_GT(killed, 0);
}

TEST(StudyRun, ResumesToTheSameFilesAfterAnInterruption) {
  std::vector<std::string> netcdf;
  for (const bool is_interrupted : {false, true}) {
    const StudyPlace place;
    Study study = place.Make(kSweep);
    if (is_interrupted) {
      ASSERT_FALSE(place.Run(study, 2, false, 25));
      ASSERT_GT(place.TableOf(study).NotRun(), 0u);
      ASSERT_GT(place.TableOf(study).CountOf(MemberEnd::Done), 0u);
    }
    ASSERT_TRUE(place.Run(study, 2, is_interrupted));
    WriteStudyResults(study, place.Journal(study), place.Path() / "results", {.with_report = false});
    netcdf.push_back(BytesOf(place.Path() / "results/s.nc"));
  }
  EXPECT_EQ(netcdf[0], netcdf[1]);
}

TEST(StudyRun, ResumeRefusesAnotherStudy) {
  const StudyPlace place;
  Study study = place.Make(kSweep);
  ASSERT_TRUE(place.Run(study, 1));
  Study other = place.Make(std::string(kSweep) + "<!-- changed -->");
  try {
    place.Run(other, 1, true);
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
      Study study =
          place.Make(std::string(kCalibration) + "<Calibrate Method=\"" + method + "\" Budget=\"60\" Seed=\"5\"/>");
      if (workers == 3) {  // interrupted and resumed
        ASSERT_FALSE(place.Run(study, 2, false, 20));
      }
      ASSERT_TRUE(place.Run(study, workers, workers == 3));
      tables.push_back(place.TableOf(study).Csv(study.File()));
    }
    EXPECT_EQ(tables[0], tables[1]) << method;
    EXPECT_EQ(tables[0], tables[2]) << method;
  }
}

// Two workers compute points ahead, some of them for values that do not come.
TEST(StudyRun, FilesOfGuessesAreNotThoseOfMembers) {
  const StudyPlace place;
  Study study = place.Make(std::string(kCalibration) +
                           "<Vary Id=\"written\" Argument=\"pond.written\"><Value Is=\"k.txt\"/></Vary>\n"
                           "<Calibrate Method=\"dds\" Budget=\"30\" Seed=\"5\"/>");
  StudyQueue queue(study, {.folder = place.Path() / "results"}, 4);
  ASSERT_TRUE(StudyRun(queue).Run());
  ASSERT_GT(queue.Progress().computed, 30u);  // some guesses were wrong
  queue.Finish();
  const StudyTable table = place.TableOf(study);
  for (const MemberRow& row : table.Rows()) {
    const auto folder = place.Path() / "results/s-members" / std::to_string(row.member + 1);
    ASSERT_TRUE(row.IsDone()) << row.problem;
    EXPECT_NEAR(std::stod(BytesOf(folder / "k.txt")), std::stod(row.values[0]), 1e-3) << row.member + 1;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(place.Path() / "results/s-members"), {}), 30);
}

TEST(StudyRun, AProgramAsksForMembersAndGoesOn) {
  const StudyPlace place;
  const std::string asked = std::string(kCalibration) + "<Design Method=\"program\"/>";
  const StudyStart start{.folder = place.Path() / "results"};
  std::vector<double> first;
  {
    Study study = place.Make(asked);
    StudyQueue queue(study, start, 2);
    StudyRun run(queue);
    EXPECT_EQ(queue.Ask({"2", "0"}), 0u);
    EXPECT_EQ(queue.Ask({"4", "0"}), 1u);
    EXPECT_EQ(queue.Ask({"2", "0"}), 0u);  // known
    ASSERT_TRUE(run.Run());
    first = queue.Objectives(1);
    ASSERT_EQ(first.size(), 1u);
    queue.Ask({"8", "0"});
    queue.Next();  // starts, and is killed with this process
  }
  Study study = place.Make(asked);
  StudyQueue queue(study, {.folder = start.folder, .resume = true}, 2);
  EXPECT_EQ(queue.Ask({"4", "0"}), 1u);
  EXPECT_EQ(queue.Objectives(1), first);  // without a run
  EXPECT_EQ(queue.Ask({"16", "0"}), 2u);  // the number that has no result
  EXPECT_EQ(queue.Ask({"32", "0"}), 3u);
  ASSERT_TRUE(StudyRun(queue).Run());
  EXPECT_EQ(queue.Progress().computed, 2u);
  EXPECT_EQ(place.TableOf(study).CountOf(MemberEnd::Done), 4u);
  EXPECT_EQ(place.TableOf(study).Rows()[2].values[0], "16");
}

TEST(StudyRun, AnObjectiveWithoutWeightDoesNotDecideAboutACalibration) {
  const StudyPlace place;
  Study study = place.Make(std::string(kCalibration) +
                           "<Objective Id=\"none\" Item=\"pond.flow\" Element=\"no such\" Measure=\"mean\"/>\n"
                           "<Calibrate Method=\"dds\" Budget=\"8\"/>");
  ASSERT_TRUE(place.Run(study, 1));
  EXPECT_EQ(place.TableOf(study).CountOf(MemberEnd::Done), 8u);
  EXPECT_NE(place.TableOf(study).Best(), nullptr);
}

constexpr char kBranched[] =
    "<Vary Id=\"k\" Argument=\"pond.k\" From=\"0.5\" To=\"50\" Scale=\"log\"/>\n"
    "<Design Method=\"latin-hypercube\" Members=\"6\" Seed=\"3\"/>\n<Branch At=\"2020-07-01T00:00Z\"/>\n";

TEST(StudyRun, MembersBranchFromOneState) {
  const StudyPlace place;
  Study study = place.Make(kBranched);
  study.SetFolder(place.Path() / "results");
  ASSERT_TRUE(place.Run(study, 2));
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
  EXPECT_THROW(place.Run(study, 1), FileError);
  EXPECT_TRUE(std::filesystem::exists(printed.composition.components[0].initial_state));
  for (const auto& entry : std::filesystem::directory_iterator(place.Path() / "results")) {
    EXPECT_THAT(entry.path().filename().string(), testing::AnyOf("s.study", "s-branch"));
  }
  std::filesystem::remove(printed.composition.components[0].initial_state);
  EXPECT_THROW(study.Plan().Make(study.Values(0), place.Path()), FileError);
}

// The next row of a series is after the branch: its state is ahead, as it is in a run that does not branch. A
// population branches like any other component.
TEST(StudyRun, ABranchGoesOnLikeARunThatDoesNotBranch) {
  const StudyPlace place;
  place.Write("rain.csv",
              "time,a,b\n2020-01-01T00:00Z,1,3\n2020-01-06T00:00Z,0,1\n2020-01-11T00:00Z,4,2\n2020-01-16T00:00Z,1,0\n"
              "2020-01-21T00:00Z,2,2\n");
  place.Write("cells.csv", "id,k\na,12\nb,48\n");
  place.Write("nash.omi",
              "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"openmi.NashCascade\" "
              "Assembly=\"openmi-components\"/>\n");
  place.Write("pond.xml", R"(<Composition xmlns="urn:openmi2:composition:1" Id="pond">
  <Component Id="rain" Type="openmi.CsvSeries" Assembly="openmi-components">
    <Argument Key="file" Value="rain.csv"/><Argument Key="item" Value="rain"/>
    <Argument Key="elements-from-columns" Value="true"/><Argument Key="unit" Value="mm d-1"/>
  </Component>
  <Population Id="cells" Omi="nash.omi" Of="cells.csv" Key="id">
    <Argument Key="unit" Value="mm d-1"/><Argument Key="time-step" Value="PT6H"/>
    <Argument Key="residence-time" Value="{{k}}"/><Argument Key="initial-outflow" Value="1"/>
  </Population>
  <Link From="rain.rain" To="cells.inflow"><Adaptor Id="mean-over-span"/></Link>
  <Observe Item="cells.outflow"/>
  <Run From="2020-01-01T00:00Z" To="2020-01-21T00:00Z" Trigger="cells"/>
</Composition>)");
  const std::string what =
      "<Vary Id=\"h\" Argument=\"cells.residence-time\"><Value Is=\"{{k}}\"/></Vary>"
      "<Design Method=\"list\"/>";
  std::vector<MemberResult> results;
  for (const char* branch : {"", "<Branch At=\"2020-01-04T12:00Z\"/>"}) {
    Study study = place.Make(what + branch);
    study.SetFolder(place.Path() / "results");
    StudyQueue queue(study, {.folder = place.Path() / "results", .overwrite = true}, 1);
    ASSERT_TRUE(StudyRun(queue).Run());
    results.push_back(place.Journal(study).Read(0).value());
    ASSERT_EQ(results.back().end, MemberEnd::Done) << results.back().problem;
  }
  const std::vector<double>& whole = results[0].series[0].values;
  const std::vector<double>& branched = results[1].series[0].values;
  ASSERT_LT(branched.size(), whole.size());
  ASSERT_GT(branched.size(), 100u);
  ASSERT_TRUE(std::ranges::all_of(whole, [](double value) { return std::isfinite(value); }));
  EXPECT_TRUE(std::ranges::equal(branched, std::span(whole).last(branched.size())));
}

TEST(CheckStudy, RefusesABranchWhoseStatesAreNotTaken) {
  const StudyPlace place;
  std::string flooded = BytesOf(place.Path() / "pond.xml");
  flooded.insert(flooded.find("</Component>"), "<Argument Key=\"k\" Value=\"1e9\"/>");
  place.Write("pond.xml", flooded.replace(flooded.find("2020-01-01"), 10, "0020-01-01"));
  Study study = place.Make(
      "<Vary Id=\"k\" Argument=\"pond.k\" From=\"0.5\" To=\"50\"/>\n<Design Method=\"sobol\" Members=\"4\"/>\n"
      "<Branch At=\"2020-07-01T00:00Z\"/>\n");
  Problems problems;
  EXPECT_FALSE(CheckStudy(study, place.Path() / "results", 1, false, problems).has_value());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_THAT(
      FormatProblem(problems[0]),
      AllOf(HasSubstr("study.xml:4: expected a composition that can go on from the states of the branch, found: "),
            HasSubstr("pond: expected a volume that fits into the pond")));
}

TEST(CheckStudy, ReportsArgumentsValuesAndUnits) {
  const StudyPlace place;
  Study study = place.Make(
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
  Study study = place.Make(kSweep);
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
  Study study = place.Make(
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
