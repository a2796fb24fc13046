// Processes that hold components: several at once, with threads, and what becomes of them when something goes wrong.

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "composition/channel/Greeting.hpp"
#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/isolation/ApartFixture.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/Sanitized.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Two chains side by side whose questions reach further than the sweep foresees, and cross.
std::string Reaching(const std::string& first, const std::string& second) {
  const std::string cubic = AdaptorXml("cubic", ArgumentXml("extrapolation", "hold"));
  std::string text = Apart("source", "Trouble", "");
  for (const char* side : {"a", "b"}) {
    const std::string id = side;
    text += Apart(id + "1", "Counter", first, ArgumentXml("time-step", "PT40M"));
    text += Apart(id + "2", "Counter", second, ArgumentXml("time-step", "PT20M"));
    text += LinkXml("source.count", id + "1.in", cubic);
    text += "<Observe Item=\"" + id + "2.out\"/>";
  }
  return text + LinkXml("a1.out", "b2.in", cubic) + LinkXml("b1.out", "a2.in", cubic) + RunXml("2015-12-03T00:00Z");
}

TEST(Processes, RunWithThreadsWhateverIsAskedOfThem) {
  Made whole(Reaching("", ""));
  ASSERT_THAT(whole.Text(), IsEmpty());
  const RunRecord plain = whole.Run();
  ASSERT_THAT(ErrorsOf(plain), IsEmpty());
  const std::string process = "Isolation=\"process\"";
  const std::string instance = "Isolation=\"instance\"";
  const std::pair<std::string, std::string> cases[] = {
      {process, process}, {instance, instance}, {process, instance}, {"", process}, {instance, ""}};
  for (const auto& [first, second] : cases) {
    for (const std::size_t threads : {1U, 2U, 4U}) {
      for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
        const RunRecord record = Made(Reaching(first, second)).Run(mode, threads);
        ASSERT_THAT(ErrorsOf(record), IsEmpty());
        EXPECT_EQ(SeriesOf(record), SeriesOf(plain)) << first << ", " << second << ", " << threads << " threads";
      }
    }
  }
}

TEST(Processes, ComputeAtTheSameTimeAlsoWithOneThread) {
  const ScratchFolder folder;
  std::string text;
  for (int i = 0; i < 4; ++i) {
    const std::string id = "m" + std::to_string(i);
    text += Apart(id, "Meeting", "Isolation=\"instance\"",
                  ArgumentXml("number", std::to_string(i)) + ArgumentXml("count", "4") +
                      ArgumentXml("folder", folder.Path().string()));
    text += "<Observe Item=\"" + id + ".out\"/>";
  }
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    for (const std::size_t threads : {1U, 2U}) {
      for (const auto& entry : std::filesystem::directory_iterator(folder.Path())) std::filesystem::remove(entry);
      Made made(text + RunXml("2015-12-01T03:00Z"));
      ASSERT_THAT(made.Text(), IsEmpty());
      const RunRecord record = made.Run(mode, threads);
      ASSERT_THAT(ErrorsOf(record), IsEmpty());
      for (const RecordedSeries& series : record.series) {
        EXPECT_THAT(series.values, Each(4.0)) << series.series.id << " with " << threads << " threads";
      }
    }
  }
}

TEST(Processes, OneThatFailsBesideOthersIsNamed) {
  std::string text =
      Apart("good", "Trouble", "Isolation=\"instance\"") +
      Apart("bad", "Trouble", "Isolation=\"instance\"", ArgumentXml("how", "segfault") + ArgumentXml("at", "3")) +
      Apart("late", "Trouble", "Isolation=\"instance\" TimeLimit=\"PT30S\"") +
      "<Observe Item=\"good.count\"/><Observe Item=\"bad.count\"/>" + RunXml();
  const RunRecord record = Made(text).Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), AllOf(HasSubstr("bad"), HasSubstr("signal 11")));
  EXPECT_EQ(record.series[1].values.size(), 3U);
}

TEST(Processes, ElementsThatMoveThereAreFollowedHere) {
  const auto body = [](const std::string& how, const char* anew) {
    return Apart("m", "Moving", how, ArgumentXml("anew", anew)) + Apart("t", "Taker", "") +
           LinkXml("m.x", "t.in", AdaptorXml("area-weighted-mean")) + "<Observe Item=\"t.out\"/>" + RunXml();
  };
  for (const char* anew : {"false", "true"}) {
    for (const char* how : {"", "Isolation=\"process\""}) {
      Made made(body(how, anew));
      ASSERT_THAT(made.Text(), IsEmpty());
      const RunRecord record = made.Run();
      ASSERT_THAT(ErrorsOf(record), IsEmpty()) << how << anew;
      const std::vector<double>& out = record.series.at(0).values;
      ASSERT_GE(out.size(), 24U);
      // A cell's value is its left edge. Of a target, the part f is covered by the cell that begins 1 - f before it,
      // the rest by the one that begins f after its begin: f (T - 1 + f) + (1 - f) (T + f) = T, however far they moved.
      for (std::size_t i = out.size() - 24; i < out.size(); ++i) EXPECT_NEAR(out[i], 22.0, 1e-9) << i << how << anew;
    }
  }
}

TEST(Processes, ElementsThatMoveHereAreSeenThere) {
  // Where the question is foreseen, and where it is not: the steps of the one are longer.
  for (const auto& [step, anew] : {std::pair{"PT1H", "false"}, {"PT2H", "false"}, {"PT1H", "true"}, {"PT2H", "true"}}) {
    std::vector<double> plain;
    for (const char* how : {"", "Isolation=\"process\""}) {
      Made made(Apart("m", "Moving", "", ArgumentXml("anew", anew)) +
                Apart("l", "Looker", how, ArgumentXml("time-step", step)) + LinkXml("m.x", "l.in") +
                "<Observe Item=\"l.out\"/>" + RunXml());
      ASSERT_THAT(made.Text(), IsEmpty());
      const RunRecord record = made.Run();
      ASSERT_THAT(ErrorsOf(record), IsEmpty()) << how;
      const std::vector<double>& out = record.series.at(0).values;
      if (plain.empty()) plain = out;
      EXPECT_EQ(out, plain) << how << step;
      EXPECT_GT(out.back(), 2.0) << how << step;
    }
  }
}

TEST(Processes, WhatAComponentSaysThereAtTheEndIsReportedHere) {
  for (const char* how : {"", "Isolation=\"process\""}) {
    Made made(Apart("m", "Moving", "") + Apart("l", "Looker", how) + LinkXml("m.x", "l.in") + RunXml());
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run();
    const auto remark = std::ranges::find(record.problems, "expected cells that stay, found some that moved",
                                          [](const Problem& problem) { return problem.problem; });
    ASSERT_NE(remark, record.problems.end()) << how;
    EXPECT_EQ(remark->where.component, "l");
    EXPECT_EQ(remark->where.item, "in");
    EXPECT_EQ(remark->remedy, "hold them");
  }
}

TEST(Processes, AProgramOfAnotherBuildIsRefused) {
  const ScratchFolder folder;
  const std::string ours = GreetingText("openmi-component-host", HostBuildText());
  EXPECT_EQ(ours.size(), kGreetingSize);
  EXPECT_THAT(ours, AllOf(HasSubstr("protocol="), HasSubstr("byte-order="), HasSubstr("headers=")));
  for (const std::string& greeting :
       {std::string("openmi-component-host protocol=1 byte-order=big"), std::string("?")}) {
    const std::string padded = greeting + std::string(kGreetingSize - greeting.size(), '\n');
    folder.Write("greeting", padded);
    const std::string host =
        folder.Write("host", "#!/bin/sh\ncat \"$(dirname \"$0\")/greeting\" >&3\nexec sleep 100\n");
    std::filesystem::permissions(host, std::filesystem::perms::owner_all);
    setenv("OPENMI_COMPONENT_HOST", host.c_str(), 1);
    const std::string text = Made(Apart("a", "Memory", "Isolation=\"process\"") + RunXml()).Text();
    unsetenv("OPENMI_COMPONENT_HOST");
    EXPECT_THAT(text, AllOf(HasSubstr("expected the program of this build"), HasSubstr("OPENMI_COMPONENT_HOST")));
  }
}

/// Makes the system refuse pidfd_open from now on to this thread, and to what it starts.
bool RefusePidfdOpen() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0 &&
         syscall(SYS_pidfd_open, getpid(), 0) < 0;
}

TEST(Processes, TheEndOfOneIsSeenWithoutADescriptorOfItToo) {
  std::thread([] {
    ASSERT_TRUE(RefusePidfdOpen());
    const std::string text = Apart("bad", "Trouble", "Isolation=\"process\"", ArgumentXml("how", "segfault")) +
                             "<Observe Item=\"bad.count\"/>" + RunXml();
    EXPECT_THAT(ErrorsOf(Made(text).Run()), AllOf(HasSubstr("bad"), HasSubstr("signal 11")));
    const std::string good = Apart("good", "Trouble", "Isolation=\"process\"") + RunXml();
    EXPECT_THAT(ErrorsOf(Made(good).Run()), IsEmpty());
  }).join();
}

TEST(Processes, WhereTheProgramIgnoresItsChildrenTheCauseOfAnEndIsNotMadeUp) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const std::string text = Apart("bad", "Trouble", "Isolation=\"process\"", ArgumentXml("how", "segfault")) +
                           "<Observe Item=\"bad.count\"/>" + RunXml();
  const std::string errors = ErrorsOf(Made(text).Run());
  std::signal(SIGCHLD, before);
  EXPECT_THAT(errors, AllOf(HasSubstr("ended, how is not known"), Not(HasSubstr("exit code 0"))));
}

/// What the system says of a process after its name: its state, and numbers.
std::istringstream StatusOf(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t end = text.rfind(')');
  return std::istringstream(end != std::string::npos ? text.substr(end + 1) : "");
}

/// Whether there is such a process that has not ended, even if its end was not taken yet.
bool IsThere(pid_t pid) {
  char state = 'X';
  StatusOf(pid) >> state;
  return state != 'Z' && state != 'X';
}

/// How long a process has computed, in hundredths of a second.
long Computed(pid_t pid) {
  std::istringstream status = StatusOf(pid);
  std::string word;
  for (int i = 0; i < 11; ++i) status >> word;
  long ticks = 0;
  status >> ticks;
  return ticks;
}

/// A component in the middle of a step without end, in a process started by another one.
TEST(Processes, OneThatComputesEndsWithTheRun) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t run = fork();
  if (run == 0) {
    auto process = IsolatedProcess::Start({});
    const pid_t host = process->Id();
    LoadedComponent component = LoadIsolated(process, Omi("Trouble"));
    for (IArgument* argument : component.component->Arguments()) {
      if (argument->Id() == "how") argument->SetValueAsString("hang");
      if (argument->Id() == "at") argument->SetValueAsString("1");
      if (argument->Id() == "start-time") argument->SetValueAsString("2015-12-01T00:00Z");
    }
    component.component->Initialize();
    component.component->Validate();
    component.component->Prepare();
    if (write(ends[1], &host, sizeof host) != sizeof host) _exit(1);
    component.component->Update({});
    _exit(0);
  }
  pid_t host = -1;
  ASSERT_EQ(read(ends[0], &host, sizeof host), static_cast<ssize_t>(sizeof host));
  close(ends[0]);
  close(ends[1]);
  const long before = Computed(host);
  for (int tries = 0; tries < 6000 && Computed(host) < before + 10; ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_GE(Computed(host), before + 10) << "it is not in its step";
  ASSERT_TRUE(IsThere(host));
  kill(run, SIGKILL);
  waitpid(run, nullptr, 0);
  for (int tries = 0; tries < 3000 && IsThere(host); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_FALSE(IsThere(host)) << "it outlived the run";
  kill(host, SIGKILL);
}

TEST(Processes, AComponentThatCannotBeDestroyedDoesNotHoldTheRun) {
  auto process = IsolatedProcess::Start({});
  { const LoadedComponent dropped = LoadIsolated(process, Omi("Stuck")); }
  EXPECT_FALSE(process->IsAlive());
  EXPECT_THAT(process->End(), HasSubstr("did not answer within 10 s"));
}

}  // namespace
}  // namespace openmi::testing
