#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <fstream>

#include "openmi/omi/SafeProbe.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

ChildResult Shell(const std::string& script, const ChildLimits& limits = {}) {
  return RunInChild({"/bin/sh", "-c", script}, limits);
}

TEST(RunInChild, GivesOutputsAndExitCode) {
  const ChildResult result = Shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_FALSE(result.Succeeded());
  EXPECT_EQ(result.Sentence(), "ended with exit code 3");
  EXPECT_TRUE(Shell("exit 0").Succeeded());
}

TEST(RunInChild, NamesTheSignalThatEndedIt) {
  const ChildResult result = Shell("kill -SEGV $$");
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.Sentence(), "was killed by signal 11 (Segmentation fault)");
}

TEST(RunInChild, EndsAtTheTimeLimitWithAllItStarted) {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = Shell("sleep 60 & echo $!; sleep 60", {.time = 1500ms});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  EXPECT_TRUE(result.timed_out);
  EXPECT_FALSE(result.Succeeded());
  EXPECT_EQ(result.Sentence(), "did not end within 1.5 s and was killed");
  const pid_t grandchild = std::stoi(result.out);
  for (int i = 0; i < 1000 && kill(grandchild, 0) == 0; ++i)
    usleep(10'000);  // until its new parent has taken its status
  const std::string state = "/proc/" + std::to_string(grandchild) + "/stat";
  std::ifstream file(state);
  std::string line;
  std::getline(file, line);
  EXPECT_TRUE(line.empty() || line.find(") Z") != std::string::npos) << line;
}

TEST(RunInChild, DoesNotWaitForWhatTheChildLeftBehind) {
  const auto begin = std::chrono::steady_clock::now();
  const ChildResult result = Shell("sleep 60 & echo done");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(result.out, "done\n");
  EXPECT_TRUE(result.Succeeded());
}

TEST(RunInChild, KeepsABoundedOutput) {
  const ChildResult result = Shell("yes | head -c 3000000; exit 0", {.output = 1000});
  EXPECT_EQ(result.out.size(), 1000U);
  EXPECT_TRUE(result.truncated);
  EXPECT_TRUE(result.Succeeded());
  const ChildResult endless = Shell("yes", {.time = 1500ms, .output = 10});
  EXPECT_EQ(endless.out.size(), 10U);
  EXPECT_TRUE(endless.timed_out);
}

TEST(RunInChild, ALargeOutputArrivesWhole) {
  const ChildResult result = Shell("head -c 5000000 /dev/zero; head -c 3000000 /dev/zero >&2");
  EXPECT_EQ(result.out.size(), 5'000'000U);
  EXPECT_EQ(result.err.size(), 3'000'000U);
  EXPECT_FALSE(result.truncated);
}

TEST(RunInChild, HasNoInputAndNoneOfOurFiles) {
  const int open_here = open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GT(open_here, 2);
  const ChildResult result = Shell("cat; ls /proc/self/fd | wc -l; test -e /proc/self/fd/" + std::to_string(open_here) +
                                   " && echo leaked; ulimit -c");
  close(open_here);
  EXPECT_THAT(result.out, Not(HasSubstr("leaked")));
  EXPECT_THAT(result.out, HasSubstr("\n0\n"));
}

TEST(RunInChild, LimitsMemory) {
  const std::string allocate = "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}";
  EXPECT_EQ(Shell(allocate, {.memory = std::size_t{64} << 20}).out.find("200000000"), std::string::npos);
}

TEST(RunInChild, SaysWhenItCannotStart) {
  EXPECT_THAT([] { RunInChild({"/no/such/program"}); },
              ThrowsMessage<FileError>(AllOf(HasSubstr("/no/such/program: expected a program that can be started"),
                                             HasSubstr("No such file"))));
  EXPECT_THROW(RunInChild({}), FileError);
}

}  // namespace
}  // namespace openmi
