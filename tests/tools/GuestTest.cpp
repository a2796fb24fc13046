// `openmi run` with a component that does something to the process it shares with the others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/support/Sanitized.hpp"
#include "tests/tools/Command.hpp"

namespace {

using openmi::ChildResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A guest beside a wave, of which an expression makes a flow that is rounded and one of tiny numbers.
class Guests : public testing::Test {
 protected:
  Guests() {
    here_.WriteOmi("guest.omi", "test.Guest");
    here_.WriteOmi("wave.omi", "test.Wave");
    here_.Write("guest.xml",
                "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"guest\">\n"
                "  <Component Id=\"visitor\" Omi=\"guest.omi\"><Argument Key=\"does\" Value=\"${does}\"/></Component>\n"
                "  <Component Id=\"wave\" Omi=\"wave.omi\"/>\n"
                "  <Component Id=\"spring\" Type=\"openmi.Expression\" Assembly=\"openmi-components\">\n"
                "    <Argument Key=\"inputs\" Value=\"b[m3 s-1]\"/>\n"
                "    <Argument Key=\"outputs\" Value=\"flow=2/3+b/7[m3 s-1];tiny=1e-310*b/3[m3 s-1]\"/>\n"
                "  </Component>\n"
                "  <Link From=\"wave.flow\" To=\"spring.b\"/>\n"
                "  <Observe Item=\"visitor.flow\"/>\n"
                "  <Observe Item=\"spring.flow\"/>\n"
                "  <Observe Item=\"spring.tiny\"/>\n"
                "  <Observe Item=\"wave.flow\" Every=\"PT7H\" As=\"mean\"/>\n"
                "  <Run From=\"2020-01-01T00:00Z\" To=\"2020-01-11T00:00Z\" Mode=\"step\"/>\n"
                "</Composition>\n");
  }
  ChildResult Run(const std::string& does, std::vector<std::string> further = {}) {
    std::vector<std::string> arguments = {"run", "guest.xml", "--set", "does=" + does, "--overwrite"};
    arguments.insert(arguments.end(), further.begin(), further.end());
    return here_.Run(arguments);
  }
  /// The rows of the table, without the lines that say how it came to be.
  std::string Rows() const {
    std::ifstream file(here_ / "results/guest.csv");
    std::string rows;
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with('#')) rows += line + '\n';
    }
    return rows;
  }
  bool Has(const std::string& name) const { return std::filesystem::exists(here_ / ("results/" + name)); }

  const Workplace here_;
};

class GuestsThatEnd : public Guests, public testing::WithParamInterface<const char*> {};

TEST_P(GuestsThatEnd, TheProgramAreAFailureWithResults) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "sanitizers have functions of these names";
  ASSERT_EQ(Run("nothing").exit_code, 0);
  const std::string whole = Rows();
  for (const char* threads : {"1", "2"}) {
    SCOPED_TRACE(threads);
    const ChildResult result = Run(GetParam(), {"--threads", threads});
    EXPECT_EQ(result.exit_code, 6) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("visitor"), HasSubstr("its code ended the program")));
    const std::string rows = Rows();
    EXPECT_THAT(rows, HasSubstr("\n2020-01-01T02"));
    EXPECT_TRUE(whole.starts_with(rows.substr(0, rows.find("2020-01-01T03")))) << rows;
    EXPECT_TRUE(Has("guest.nc") && Has("guest.html") && !Has("guest.nc.journal"));
  }
}

INSTANTIATE_TEST_SUITE_P(, GuestsThatEnd, testing::Values("exit", "quick_exit", "_exit"));

TEST_F(Guests, ThatEndTheProgramInAConstructorAreNamed) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "sanitizers have functions of these names";
  here_.WriteComposition("pond.xml", "test.Leaving");
  const ChildResult result = here_.Run({"run", "pond.xml"});
  EXPECT_EQ(result.exit_code, 6) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("the component 'wave' ended the program"), HasSubstr("--isolate")));
}

TEST_F(Guests, ThatEndTheProgramWhenTheyFinishHaveAllResults) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "sanitizers have functions of these names";
  ASSERT_EQ(Run("nothing").exit_code, 0);
  const std::string whole = Rows();
  const ChildResult result = Run("exit-at-the-end");
  EXPECT_EQ(result.exit_code, 6) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("visitor"), HasSubstr("its code ended the program")));
  EXPECT_EQ(Rows(), whole);
}

class GuestsThatChange : public Guests, public testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(GuestsThatChange, TheProcessChangeNothingForOthersAndAreNamed) {
  const auto& [does, sentence] = GetParam();
  const bool needs_command = std::string(does) == "folder" || std::string(does) == "file-modes";
  if (openmi::test::kIsSanitized && needs_command) GTEST_SKIP() << "functions of these names are not seen there";
  ASSERT_EQ(Run("nothing").exit_code, 0);
  const std::string whole = Rows();
  struct stat before = {};
  ASSERT_EQ(stat((here_ / "results/guest.nc").c_str(), &before), 0);
  const ChildResult result = Run(does);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("guest.xml:2: visitor: "), HasSubstr(sentence)));
  EXPECT_EQ(Rows(), whole);
  struct stat after = {};
  ASSERT_EQ(stat((here_ / "results/guest.nc").c_str(), &after), 0);
  EXPECT_EQ(after.st_mode, before.st_mode);
  EXPECT_TRUE(Has("guest.html"));
}

INSTANTIATE_TEST_SUITE_P(, GuestsThatChange,
                         testing::Values(std::pair{"round-up", "changed how numbers are computed"},
#if defined(__x86_64__)
                                         std::pair{"no-tiny-numbers", "changed how numbers are computed"},
#endif
                                         std::pair{"stop-at-faults", "changed how numbers are computed"},
                                         std::pair{"folder", "changed the working folder"},
                                         std::pair{"file-modes", "changed the permissions that new files get"},
                                         std::pair{"fork", "split the process in two (fork)"}),
                         [](const auto& parameter) {
                           std::string name = parameter.param.first;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(Guests, ThatRemoveResultsAreNoticed) {
  const ChildResult result = Run("remove-results");
  EXPECT_EQ(result.exit_code, 7) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("guest.csv"), HasSubstr("removed or moved during the run")));
  EXPECT_TRUE(Has("guest.nc")) << "the other file is completed";
}

class GuestsThatStay : public Guests, public testing::WithParamInterface<const char*> {};

TEST_P(GuestsThatStay, InAStepAreGivenUpWhenTheRunIsToEnd) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "sanitizers hold signals back";
  for (const char* threads : {"1", "2"}) {
    SCOPED_TRACE(threads);
    const ChildResult result = Run(GetParam(), {"--threads", threads, "--end-wait", "0.4"});
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("the step is abandoned if it takes more than 0.4 s"),
                                  HasSubstr("visitor: expected the component to return from its step")));
    EXPECT_THAT(Rows(), HasSubstr("\n2020-01-01T02"));
    EXPECT_TRUE(Has("guest.nc") && Has("guest.html") && !Has("guest.nc.journal"));
  }
}

INSTANTIATE_TEST_SUITE_P(, GuestsThatStay, testing::Values("told-sleep", "told-spin", "told-allocate"),
                         [](const auto& parameter) { return std::string(parameter.param).substr(5); });

TEST_F(Guests, ThatStayInAProcessOfTheirOwnAreKilled) {
  const ChildResult result = Run("apart-sleep", {"--isolate", "--end-wait", "0.4"});
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("visitor"), HasSubstr("was killed because it was still computing when the run")));
  EXPECT_THAT(Rows(), HasSubstr("\n2020-01-01T02"));
  EXPECT_TRUE(Has("guest.nc") && Has("guest.html") && !Has("guest.nc.journal"));
}

TEST_F(Guests, ThatEndTheirStepInTimeAreNotGivenUp) {
  for (const std::string does : {"told-nap", "apart-nap"}) {
    SCOPED_TRACE(does);
    std::vector<std::string> further = {"--quiet", "--end-wait", "60"};
    if (does == "apart-nap") further.emplace_back("--isolate");
    const ChildResult result = Run(does, further);
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("found it interrupted at"), Not(HasSubstr("visitor"))));
  }
}

TEST_F(Guests, ThatStayAreGivenUpWhenTheOperatorEndsTheRun) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "sanitizers hold signals back";
  ChildResult result;
  std::thread run([&] { result = Run("unreported-sleep", {"--control=door", "--end-wait", "0.4"}); });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto waits = [&] { return std::chrono::steady_clock::now() < deadline; };
  while (waits() && Rows().find("\n2020-01-01T02") == std::string::npos) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const ChildResult told = here_.Run({"control", "--at", "door", "end"});
  run.join();
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_EQ(result.exit_code, 6) << result.err;
  EXPECT_THAT(result.err, HasSubstr("visitor: expected the component to return from its step"));
  EXPECT_TRUE(Has("guest.nc") && Has("guest.html") && !Has("guest.nc.journal"));
}

TEST_F(Guests, ACrashOfTheRunIsNotLaidToOneThatRunsApart) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "sanitizers have a report of their own";
  const ChildResult apart = Run("apart-crash", {"--isolate"});
  EXPECT_EQ(apart.signal, SIGSEGV) << apart.err;
  // The run waits for the processes of all its components, so none of them is named.
  EXPECT_THAT(apart.err, AllOf(HasSubstr("the run itself crashed"), Not(HasSubstr("'visitor'")),
                               Not(HasSubstr("--isolate runs libraries"))));
}

TEST_F(Guests, ATerminalThatIsClosedEndsTheRunInOrder) {
  const ChildResult result = Run("hang-up");
  EXPECT_EQ(result.exit_code, 130) << result.err;
  EXPECT_TRUE(Has("guest.nc") && Has("guest.html"));
  EXPECT_THAT(result.err, HasSubstr("interrupted at"));
}

}  // namespace
