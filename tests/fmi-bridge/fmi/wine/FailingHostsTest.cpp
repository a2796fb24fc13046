// Hosts of FMUs for Windows that crash, end, hang or are killed: each costs itself.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/fmi/run/StateFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/ChildTrial.hpp"
#include "tests/fmi-bridge/fmi/wine/WindowsFmu.hpp"
#include "tests/fmi-bridge/run/ComponentRun.hpp"

namespace openmi::fmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

struct StrangeFmu {
  StrangeFmu() {
    Problems problems;
    description = ReadFmuDescription(folder, problems);
    ThrowIfErrors(problems);
  }
  std::unique_ptr<Instance> Start(const std::string& name) const {
    InstanceOptions options;
    options.name = name;
    auto instance = Instance::Make(folder, description, std::move(options));
    instance->EnterInitialization({});
    instance->ExitInitialization();
    return instance;
  }
  std::filesystem::path folder = WindowsPath(2, "Strange");
  ModelDescription description;
};

void Step(Instance& instance) {
  StepResult result;
  instance.DoStep(0.0, 1.0, true, result);
}
double Count(Instance& instance) {
  const ValueReference reference = 0;
  double value = 0.0;
  instance.Get(VariableType::Float64, {&reference, 1}, &value, 1);
  return value;
}

/// The processes that descend from one.
std::vector<int> Below(int parent) {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string text;
    std::getline(file, text);
    const std::size_t end = text.rfind(')');
    char state = 0;
    int its_parent = 0;
    if (end == std::string::npos || std::sscanf(text.c_str() + end + 1, " %c %d", &state, &its_parent) != 2) continue;
    if (its_parent != parent || state == 'Z') continue;
    const int pid = std::atoi(entry.path().filename().c_str());
    found.push_back(pid);
    for (const int one : Below(pid)) found.push_back(one);
  }
  return found;
}

/// The processes that have mapped the library of the FMU.
std::vector<std::string> Orphans(const std::filesystem::path& fmu) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "maps");
    for (std::string line; std::getline(file, line);) {
      if (line.find(fmu.string()) == std::string::npos) continue;
      found.push_back(entry.path().filename());
      break;
    }
  }
  return found;
}

TEST(FailingHosts, EndOnlyTheirInstance) {
  const StrangeFmu fmu;
  const auto healthy = fmu.Start("healthy");
  for (const char* name : {"crash", "exit"}) {
    const auto instance = fmu.Start(name);
    Step(*instance);
    EXPECT_THAT([&] { Step(*instance); },
                ThrowsMessage<ModelError>(
                    AllOf(HasSubstr(name), HasSubstr("Strange.dll"),
                          HasSubstr("expected fmi2DoStep to return from the Windows host of the FMU, found that it "),
                          HasSubstr(name == std::string("exit") ? "ended with exit code 7" : OPENMI_TEST_CRASH))));
    EXPECT_THAT([&] { Count(*instance); }, ThrowsMessage<ModelError>(HasSubstr("ended earlier")));
  }
  Step(*healthy);
  Step(*healthy);
  EXPECT_EQ(Count(*healthy), 2.0);
}

TEST(FailingHosts, ThatAreKilledAreNamed) {
  const StrangeFmu fmu;
  const auto healthy = fmu.Start("healthy");
  const std::vector<int> before = Below(getpid());
  const auto instance = fmu.Start("killed");
  for (const int pid : Below(getpid())) {
    if (std::ranges::find(before, pid) == before.end()) kill(pid, SIGKILL);
  }
  EXPECT_THAT([&] { Step(*instance); }, ThrowsMessage<ModelError>(AllOf(HasSubstr("killed"), HasSubstr("signal 9"))));
  Step(*healthy);
  EXPECT_EQ(Count(*healthy), 1.0);
}

TEST(Hosts, AreProcessesOfTheirOwnForFmusThatNeedThat) {
  StrangeFmu fmu;
  fmu.description.Of(InterfaceKind::CoSimulation)->only_once_per_process = true;
  const auto first = fmu.Start("first");
  const auto second = fmu.Start("second");
  Step(*first);
  EXPECT_EQ(Count(*first), 1.0);
  EXPECT_EQ(Count(*second), 0.0);
}

TEST(FailingHosts, AreLeftAloneByACopyOfTheProcess) {
  const StrangeFmu fmu;
  auto instance = fmu.Start("healthy");
  Step(*instance);
  const ChildTrial trial = TryInChild(
      [&] {
        const auto ends = std::move(instance);
        Step(*ends);
      },
      std::chrono::seconds(10));
  EXPECT_THAT(trial.found, HasSubstr("belongs to the process of which this one is a copy"));
  Step(*instance);
  EXPECT_EQ(Count(*instance), 2.0);
}

TEST(FailingHosts, WithAFatalInstanceLeaveTheOthers) {
  const WindowsFmu fmu(2, "Failing");
  const auto start = [&](const std::string& name) {
    InstanceOptions options;
    options.name = name;
    auto instance = Instance::Make(fmu.folder, fmu.native.description, std::move(options));
    instance->EnterInitialization({});
    instance->ExitInitialization();
    return instance;
  };
  const auto healthy = start("healthy");
  const auto fatal = start("DoStep:1=Fatal");
  EXPECT_THAT([&] { Step(*fatal); }, ThrowsMessage<ModelError>(HasSubstr("this instance cannot be used any more")));
  EXPECT_THAT([&] { Step(*fatal); }, ThrowsMessage<ModelError>(HasSubstr("returned Fatal")));
  Step(*healthy);
  Step(*start("another"));
}

/// The component runs for 0.1 s. \returns the error
std::string RunWith(const std::string& fmu, const char* key, const std::string& file, const char* caption = "x") {
  ComponentRun run(3, "VanDerPol", 0.1);
  run.fmu.SetCaption(caption);
  run.driver.Set("fmu", fmu).Set("time-step", "PT0.05S").Set(key, file);
  try {
    run.Prepare();
    run.driver.UpdateToEnd();
    run.driver.Finish();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(StatesInFiles, OfLibrariesForWindowsAreTriedInAnotherHost) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  const std::string fmu = WindowsPath(3, "VanDerPol").string();
  EXPECT_EQ(RunWith(fmu, "end-state", file), "");
  StateFile state =
      ReadStateFile(file, file, StateFileOf(ExampleFmu(3, "VanDerPol").description, InterfaceKind::CoSimulation, true));
  EXPECT_EQ(state.platform, "x86_64-windows");
  EXPECT_EQ(RunWith(fmu, "start-state", file), "");
  EXPECT_THAT(RunWith(ExamplePath(3, "VanDerPol").string(), "start-state", file),
              AllOf(HasSubstr("with the platform 'x86_64-linux', found 'x86_64-windows'")));
  state.fmu.resize(3);
  WriteStateFile(file, state);
  EXPECT_THAT(RunWith(fmu, "start-state", file),
              AllOf(HasSubstr("expected a state that the FMU takes in another Windows host, found: "),
                    HasSubstr("try-states = false")));
}

TEST(StatesInFiles, ThatCrashALibraryForWindowsAreRefused) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  const std::string fmu = WindowsPath(3, "Failing").string();
  const char* const caption = "GetFloat64:4=Crash";  // in the state there were three
  EXPECT_EQ(RunWith(fmu, "end-state", file, caption), "");
  EXPECT_THAT(RunWith(fmu, "start-state", file, caption),
              AllOf(HasSubstr("takes in another Windows host, found: "), HasSubstr(OPENMI_TEST_CRASH)));
}

TEST(FailingHosts, KeepWhatTheFmuPrintsFromTheLetters) {
  const StrangeFmu fmu;
  const auto instance = fmu.Start("print");
  for (int n = 0; n < 3; ++n) Step(*instance);
  EXPECT_EQ(Count(*instance), 3.0);
}

TEST(FailingHosts, ThatMakeNoInstanceLeaveNoProcess) {
  const StrangeFmu fmu;
  const std::size_t before = Below(getpid()).size();
  EXPECT_THROW(fmu.Start("nothing"), ModelError);
  EXPECT_EQ(Below(getpid()).size(), before);
}

TEST(FailingHosts, ThatHangAreEndedAtTheLimitThatBeginsWhenItIsSet) {
  const StrangeFmu fmu;
  const auto healthy = fmu.Start("healthy");
  const std::vector<int> before = Below(getpid());
  const auto instance = fmu.Start("hang");
  std::this_thread::sleep_for(std::chrono::milliseconds(2600));
  instance->LimitAnswers(std::chrono::milliseconds(2500));
  Step(*instance);
  EXPECT_THAT([&] { Step(*instance); },
              ThrowsMessage<ModelError>(HasSubstr("found that it did not answer within 2.5 s and was killed")));
  EXPECT_EQ(Below(getpid()), before);
  Step(*healthy);
}

/// Runs an FMU in a process of its own, with a time limit. \returns what the run says
std::string RunApart(const std::filesystem::path& fmu, const std::string& caption, const std::string& more = {}) {
  const ScratchFolder folder;
  const std::string path = folder.Write(
      "hang.xml", fmt::format("<?xml version=\"1.0\"?>\n<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"all\">\n"
                              "<Component Id=\"{}\" Type=\"openmi.fmi.Fmu\" "
                              "Assembly=\"openmi-fmi-bridge\" Isolation=\"process\" TimeLimit=\"PT{}S\">"
                              "<Argument Key=\"fmu\" Value=\"{}\"/><Argument Key=\"time-step\" Value=\"PT1S\"/>{}"
                              "</Component>\n"
                              "<Run From=\"2000-01-01T00:00Z\" To=\"2000-01-01T00:00:05Z\"/></Composition>\n",
                              caption, OPENMI_TEST_SECONDS, fmu.string(), more));
  Problems problems;
  Composition composition(ReadCompositionFile(path, problems));
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  ThrowIfErrors(problems);
  RunOptions options;
  options.write_results = false;
  CompositionRun run(composition, problems, options);
  try {
    run.Begin();
  } catch (const Error& error) {
    return error.what();
  }
  while (run.Advance()) continue;
  std::string said;
  for (const Problem& problem : run.End().problems) said += FormatProblem(problem) + "\n";
  return said;
}

/// Waits up to 30 s until no process holds the library of the FMU.
void ExpectNoOrphans(const std::filesystem::path& fmu) {
  for (int tries = 0; tries < 300 && !Orphans(fmu).empty(); ++tries) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_THAT(Orphans(fmu), testing::IsEmpty()) << "they hold the library of the FMU";
}

TEST(FailingHosts, ThatHangAreEndedWithTheirWorker) {
  const std::filesystem::path fmu = WindowsPath(2, "Strange");
  EXPECT_THAT(RunApart(fmu, "hang"), HasSubstr("did not answer within"));
  ExpectNoOrphans(fmu);
}

TEST(StatesInFiles, ThatHangALibraryForWindowsEndWithItsWorker) {
  const ScratchFolder folder;
  const std::string file = folder / "end.state";
  const std::filesystem::path fmu = WindowsPath(3, "Failing");
  const char* const caption = "GetFloat64:4=Hang";  // in the state there were three
  EXPECT_EQ(RunWith(fmu.string(), "end-state", file, caption), "");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(RunApart(fmu, caption, fmt::format("<Argument Key=\"start-state\" Value=\"{}\"/>", file)),
              HasSubstr("did not answer within"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << "the limit of a trial";
  ExpectNoOrphans(fmu);
}

}  // namespace
}  // namespace openmi::fmi
