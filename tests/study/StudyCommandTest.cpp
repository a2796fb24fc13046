// The command `openmi study`, as people use it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "composition/results/CompareResults.hpp"
#include "study/run/StudyJournal.hpp"
#include "tests/tools/Command.hpp"

namespace {

using openmi::ChildResult;
using testing::HasSubstr;

class StudyCommand : public testing::Test {
 protected:
  StudyCommand() {
    place_.WriteOmi("moody.omi", "test.Moody", "study_components");
    place_.Write("pond.xml",
                 "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"pond\">\n"
                 "<Component Id=\"pond\" Omi=\"moody.omi\"><Argument Key=\"time-step\" Value=\"P1D\"/></Component>\n"
                 "<Observe Item=\"pond.flow\"/>\n<Run From=\"2020-01-01T00:00Z\" To=\"2020-12-31T00:00Z\"/>\n"
                 "</Composition>\n");
    place_.Write("study.xml",
                 "<Study xmlns=\"urn:openmi2:study:1\" Id=\"storage\" Composition=\"pond.xml\">\n"
                 "<Vary Id=\"k\" Argument=\"pond.k\" From=\"0.5\" To=\"50\" Scale=\"log\"/>\n"
                 "<Design Method=\"sobol\" Members=\"40\"/>\n"
                 "<Objective Id=\"mean\" Item=\"pond.flow\" Measure=\"mean\" Weight=\"1\"/>\n</Study>\n");
  }
  Workplace place_;
};

TEST_F(StudyCommand, ChecksAndEstimates) {
  const ChildResult result = place_.Run({"study", "check", "study.xml"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("no problems"));
  EXPECT_THAT(result.out, HasSubstr("40 members, about "));
}

TEST_F(StudyCommand, RunsAndSaysHowFarItIs) {
  const ChildResult run = place_.Run({"study", "run", "study.xml", "--results", "out", "--csv"});
  EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("40 of 40 members done"));
  EXPECT_THAT(run.out, HasSubstr("best member"));
  for (const char* file : {"out/storage.nc", "out/storage.csv", "out/storage-members.csv", "out/storage.html",
                           "out/storage-best.xml", "out/storage.study"}) {
    EXPECT_TRUE(std::filesystem::exists(place_ / file)) << file;
  }
  EXPECT_THAT(place_.Run({"study", "status", "study.xml", "--results", "out"}).out,
              HasSubstr("storage: 40 members, 40 done; best "));
  const ChildResult again = place_.Run({"study", "run", "study.xml", "--results", "out"});
  EXPECT_EQ(again.exit_code, 7);
  EXPECT_THAT(again.err, HasSubstr("storage.study"));
}

// The acceptance of a study: a member is a composition that anybody can run, to the same bytes.
TEST_F(StudyCommand, AMemberShownAndRunAloneGivesTheSameRows) {
  ASSERT_EQ(place_.Run({"study", "run", "study.xml", "--results", "out", "--csv", "--quiet"}).exit_code, 0);
  ASSERT_EQ(place_.Run({"study", "show", "study.xml", "17", "-o", "alone/member.xml"}).exit_code, 7);  // no such folder
  std::filesystem::create_directory(place_ / "alone");
  ASSERT_EQ(place_.Run({"study", "show", "study.xml", "17", "-o", "alone/member.xml"}).exit_code, 0);
  const ChildResult run = place_.Run({"run", "alone/member.xml", "--results", "single", "--no-report", "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  std::vector<std::string> rows;
  std::istringstream all(place_.Read("out/storage.csv"));
  for (std::string line; std::getline(all, line);) {
    if (line.starts_with("17,")) rows.push_back(line.substr(3));
  }
  std::vector<std::string> alone;
  std::istringstream single(place_.Read("single/pond.csv"));
  for (std::string line; std::getline(single, line);) {
    if (line.starts_with("20")) alone.push_back(line);
  }
  ASSERT_GT(rows.size(), 300u);
  EXPECT_EQ(rows, alone);
}

TEST_F(StudyCommand, GoesOnAfterItsManagerIsKilled) {
  place_.Write("slow.xml",
               "<Study xmlns=\"urn:openmi2:study:1\" Id=\"storage\" Composition=\"pond.xml\">\n"
               "<Vary Id=\"k\" Argument=\"pond.k\" From=\"0.5\" To=\"50\" Scale=\"log\"/>\n"
               "<Vary Id=\"pause\" Argument=\"pond.pause\" From=\"0.0001\" To=\"0.0002\"/>\n"
               "<Design Method=\"sobol\" Members=\"40\"/>\n</Study>\n");
  const pid_t child = fork();
  if (child == 0) {
    std::filesystem::current_path(place_.Path());
    execl(Workplace::Program().c_str(), "openmi", "study", "run", "slow.xml", "--results", "out", "--quiet", nullptr);
    _exit(127);
  }
  const auto journal = place_.Path() / "out/storage.study";
  std::uint64_t done = 0;
  for (int i = 0; i < 12'000 && done < 5; ++i) {
    usleep(5000);
    if (!std::filesystem::exists(journal) || std::filesystem::file_size(journal) < 8) continue;
    done = openmi::StudyJournalReader(journal).DoneCount();
  }
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_GE(done, 5u);
  const std::uint64_t before = openmi::StudyJournalReader(journal).DoneCount();
  ASSERT_LT(before, 40u);
  const ChildResult resume = place_.Run({"study", "resume", "slow.xml", "--results", "out"});
  EXPECT_EQ(resume.exit_code, 0) << resume.out << resume.err;
  EXPECT_THAT(resume.out, HasSubstr("40 of 40 members done"));
  EXPECT_EQ(openmi::StudyJournalReader(journal).DoneCount(), 40u);
}

// The budget of an option is kept in the journal, so that other commands need not be told.
TEST_F(StudyCommand, KnowsTheBudgetOfARun) {
  place_.Write("fit.xml",
               "<Study xmlns=\"urn:openmi2:study:1\" Id=\"fit\" Composition=\"pond.xml\">\n"
               "<Vary Id=\"k\" Argument=\"pond.k\" From=\"0.5\" To=\"50\"/>\n"
               "<Objective Id=\"top\" Item=\"pond.flow\" Measure=\"maximum\" Weight=\"1\"/>\n"
               "<Calibrate Method=\"dds\" Budget=\"6\"/>\n</Study>\n");
  const ChildResult run = place_.Run({"study", "run", "fit.xml", "--budget", "9", "--no-report"});
  ASSERT_EQ(run.exit_code, 0) << run.out << run.err;
  EXPECT_THAT(place_.Run({"study", "status", "fit.xml"}).out, HasSubstr("fit: 9 members, 9 done; best "));
  EXPECT_EQ(place_.Run({"study", "show", "fit.xml", "9"}).exit_code, 0);
  const ChildResult resume = place_.Run({"study", "resume", "fit.xml", "--no-report"});
  EXPECT_EQ(resume.exit_code, 0) << resume.err;
  EXPECT_THAT(resume.out, HasSubstr("9 of 9 members done"));
}

TEST_F(StudyCommand, RetriesWhatFailed) {
  place_.Write("moods.csv", "mood\nwell\nthrow\nwell\n");
  place_.Write(
      "moods.xml",
      "<Study xmlns=\"urn:openmi2:study:1\" Id=\"moods\" Composition=\"pond.xml\">\n"
      "<Vary Id=\"mood\" Argument=\"pond.mood\"/>\n<Design Method=\"table\" Table=\"moods.csv\"/>\n</Study>\n");
  const ChildResult run = place_.Run({"study", "run", "moods.xml"});
  EXPECT_EQ(run.exit_code, 6) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("2 of 3 members done, 1 failed"));
  EXPECT_THAT(run.out, HasSubstr("member 2 failed: "));
  const ChildResult retry = place_.Run({"study", "retry", "moods.xml"});
  EXPECT_EQ(retry.exit_code, 6) << retry.out << retry.err;
  EXPECT_THAT(retry.out, HasSubstr("2 of 3 members done, 1 failed"));
}

}  // namespace
