#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "fmi-bridge/fmi/run/CoSimulation.hpp"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "fmi-bridge/fmi/run/ModelExchange.hpp"
#include "fmi-bridge/fmi/run/ScheduledExecution.hpp"
#include "fmi-bridge/fmi/run/ValueBatch.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "tests/fmi-bridge/support/ProcessMemory.hpp"
#include "tests/support/RunChecked.hpp"
#include "tests/support/Sanitized.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<std::string> log_messages;

std::unique_ptr<Instance> Make(const ExampleFmu& fmu, const std::string& name,
                               InterfaceKind kind = InterfaceKind::CoSimulation, bool event_mode = false) {
  InstanceOptions options;
  options.event_mode = event_mode && kind == InterfaceKind::CoSimulation;
  options.name = name;
  options.kind = kind;
  options.logging = true;
  if (fmu.description.version != FmiMajor::Fmi1) options.log_categories = {"logEvents"};
  options.log = [](const LogMessage& message) { log_messages.emplace_back(message.text); };
  return Instance::Make(fmu.files->Folder(), fmu.description, std::move(options));
}

const bool children_crash = test::LetChildrenCrash();

/// A state of an FMU, freed at the latest when a test is left.
struct HeldState {
  HeldState(Instance& of, void* held) : instance(of), state(held) {}
  ~HeldState() {
    try {
      Free();
    } catch (const ModelError&) {  // it fails once, as told
    }
  }
  HeldState(const HeldState&) = delete;
  HeldState& operator=(const HeldState&) = delete;
  void Free() {
    if (state == nullptr) return;
    instance.FreeState(state);
    state = nullptr;
  }
  Instance& instance;
  void* state;
};

/// A whole life of three steps.
void Live(const ExampleFmu& fmu, const std::string& name) {
  const auto instance = Make(fmu, name);
  CoSimulation stepper(*instance);
  instance->EnterInitialization({});
  instance->ExitInitialization();
  stepper.Start(0.0);
  const ValueReference u = 1, x = 2;
  for (int n = 0; n < 3; ++n) {
    double value = 0.0;
    instance->Set(VariableType::Float64, {&u, 1}, &value, 1);
    stepper.Advance(n * 0.1, (n + 1) * 0.1, 0.1);
    instance->Get(VariableType::Float64, {&x, 1}, &value, 1);
  }
  if (instance->Offers().can_get_and_set_state) {
    HeldState state{*instance, instance->GetState()};
    const auto bytes = instance->Serialize(state.state);
    HeldState again{*instance, instance->Deserialize(bytes)};
    instance->SetState(again.state, Instance::Mode::Step);
    again.Free();
    state.Free();
  }
  instance->Terminate();
  instance->Reset();
}

/// A life in which every function is called that an importer calls for that kind.
void LiveInFull(const ExampleFmu& fmu, const std::string& name, InterfaceKind kind, bool event_mode) {
  const ModelDescription& description = fmu.description;
  const bool is_third = description.version == FmiMajor::Fmi3;
  const auto instance = Make(fmu, name, kind, event_mode);
  std::unique_ptr<IStepper> stepper;
  ModelExchange* exchange = nullptr;
  if (kind == InterfaceKind::ModelExchange) {
    auto made = ModelExchange::Make(*instance, SolverOptions{});
    exchange = made.get();
    stepper = std::move(made);
  } else if (kind == InterfaceKind::ScheduledExecution) {
    stepper = std::make_unique<ScheduledExecution>(*instance);
  } else {
    stepper = std::make_unique<CoSimulation>(*instance);
  }
  const std::vector<std::size_t> elements = ElementCounts(description, {});
  const auto set = [&](bool structural) {
    for (std::size_t i = 0; i < description.variables.size(); ++i) {
      const Variable& variable = description.variables[i];
      if (!variable.HasStart() || variable.type == VariableType::Clock) continue;
      if ((variable.causality == Causality::StructuralParameter) != structural) continue;
      SetStartValue(*instance,
                    ReadStartValue(description, static_cast<Index>(i), StartText(description, variable), elements[i]));
    }
  };
  if (is_third) {
    instance->EnterConfiguration();
    set(true);
    instance->ExitConfiguration();
  }
  set(false);
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    if (!description.variables[i].name.starts_with("given")) continue;
    stepper->ItsClocks().SetInterval(description, static_cast<Index>(i), 5.0);
  }
  instance->EnterInitialization({});
  stepper->Initialize(0.0);
  instance->ExitInitialization();
  stepper->Start(0.0);
  if (exchange == nullptr && !is_third) {
    const ValueReference u = 1;
    const std::int32_t order = 1;
    const double slope = 0.0;
    instance->SetInputDerivatives({&u, 1}, {&order, 1}, {&slope, 1});
  }
  stepper->Advance(0.0, 0.1, 0.1);
  if (exchange != nullptr) exchange->HandleEvent(0.1);
  if (event_mode) instance->EnterEventMode(), instance->EnterStepMode();
  stepper->Advance(0.1, 0.2, 0.1);
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.type == VariableType::Clock) continue;
    std::vector<std::string> texts(elements[i]);
    if (variable.type == VariableType::String) {
      instance->GetTexts({&variable.value_reference, 1}, texts);
    } else if (variable.type == VariableType::Binary) {
      instance->GetBinaries({&variable.value_reference, 1}, texts);
    } else {
      ValueBatch batch(*instance, variable.type);
      batch.Add(variable.value_reference, elements[i]);
      batch.Get(*instance);
    }
  }
  if (kind == InterfaceKind::CoSimulation) {
    const ValueReference x = 2;
    const std::int32_t order = 1;
    double slope = 0.0;
    instance->GetOutputDerivatives({&x, 1}, {&order, 1}, {&slope, 1});
  }
  if (instance->Offers().can_get_and_set_state) {
    HeldState state{*instance, instance->GetState()};
    const auto bytes = instance->Serialize(state.state);
    HeldState again{*instance, instance->Deserialize(bytes)};
    instance->SetState(again.state, instance->CurrentMode());
    again.Free();
    state.Free();
  }
  instance->Terminate();
  instance->Reset();
}

/// What the life says that fails; empty: nothing fails.
std::string FailureOf(const ExampleFmu& fmu, const std::string& name, InterfaceKind kind, bool event_mode) {
  try {
    LiveInFull(fmu, name, kind, event_mode);
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(FailingFmus, ErrorAtEveryCallIsAnExceptionAndTheNextInstanceLives) {
  std::size_t tried = 0;
  for (int version : {1, 2, 3}) {
    const ExampleFmu fmu(version, "Failing");
    struct Life {
      InterfaceKind kind;
      bool event_mode;
    };
    std::vector<Life> lives = {{InterfaceKind::CoSimulation, false}};
    if (version > 1) lives.push_back({InterfaceKind::ModelExchange, false});
    if (version > 2) lives.push_back({InterfaceKind::CoSimulation, true});
    if (version > 2) lives.push_back({InterfaceKind::ScheduledExecution, false});
    const auto fails_with = [&](const std::string& name, auto&& matcher) {
      return std::ranges::any_of(lives, [&](const Life& life) {
        return testing::Value(FailureOf(fmu, name, life.kind, life.event_mode), matcher);
      });
    };
    const std::string prefix = version == 1 ? "fmi" : version == 2 ? "fmi2" : "fmi3";
    for (const std::string function : Instance::FunctionsCalled(fmu.description.version)) {
      log_messages.clear();
      ASSERT_TRUE(function.starts_with(prefix)) << function;
      const std::string call = function.substr(prefix.size());
      ++tried;
      if (call.starts_with("Free") && call.ends_with("Instance")) {  // it answers nothing
        --tried;
      } else if (call.starts_with("Instantiate")) {
        const std::string its_name = version == 1 ? call : "Instantiate";
        EXPECT_TRUE(fails_with(its_name + ":1=Error", HasSubstr("expected an instance of the FMU, found none")));
        EXPECT_THAT(log_messages, testing::Contains(HasSubstr(its_name + " failed")));
      } else if (call == "SetRealInputDerivatives") {
        EXPECT_FALSE(fails_with(call + ":1=Error", HasSubstr("expected"))) << "inputs go without derivatives";
        EXPECT_THAT(log_messages, testing::Contains(HasSubstr(call + " failed")));
      } else if (call == "GetRealStatus" || call == "GetBooleanStatus") {
        // Asked after a step that was discarded; where it is not told, the FMU is where it was.
        EXPECT_TRUE(fails_with("DoStep:1=Discard;" + call + ":1=Error", HasSubstr("expected a step of"))) << function;
        EXPECT_THAT(log_messages, testing::Contains(HasSubstr(call + " failed")));
      } else {
        EXPECT_TRUE(fails_with(call + ":1=Error", AllOf(HasSubstr("expected " + function + " to succeed, found Error"),
                                                        HasSubstr(call + " failed"))))  // what the FMU logged
            << function;
        EXPECT_THAT(log_messages, testing::Contains(HasSubstr("100% =Error"))) << "a % in a message is no format";
      }
      for (const Life& life : lives) EXPECT_EQ(FailureOf(fmu, "fine", life.kind, life.event_mode), "") << function;
    }
  }
  EXPECT_GE(tried, 100U) << "functions of three versions";
  RecordProperty("functions", static_cast<int>(tried));
}

TEST(FailingFmus, ASetterThatFailsNamesItsVariables) {
  for (int version : {2, 3}) {
    const ExampleFmu fmu(version, "Failing");
    const std::string call = version == 2 ? "SetReal" : "SetFloat64";
    EXPECT_THAT([&] { Live(fmu, call + ":1=Error"); }, testing::ThrowsMessage<ModelError>(HasSubstr("(it sets u)")));
  }
}

TEST(FailingFmus, ALibraryThatIsNoneIsDamaged) {
  const ScratchFolder folder;
  const std::string file = folder.Write("m.so", "no library");
  try {
    FmuLibrary::Load(file, FmiMajor::Fmi2, "m");
    FAIL() << "it is a text";
  } catch (const LoadError& error) {
    EXPECT_THAT(error.Problem(), testing::Not(HasSubstr("m.so"))) << "the place names it";
    EXPECT_THAT(error.Remedy(), HasSubstr("get the FMU again"));
  }
}

TEST(FailingFmus, ItsOwnFunctionsAreCalledThoughTheHostHasOthersOfTheirNames) {
  // As a library with SUNDIALS of another version in it: ours, in its place, would give an error or crash.
  for (int version : {1, 2, 3}) {
    MemoryRecorder recorder;
    SimulationOptions options;
    ExampleFmu(version, "Failing").Run(options, recorder);
    EXPECT_NEAR(recorder.Column("x").back(), 1.0, 1e-12);
  }
}

TEST(FailingFmus, WarningsAreToldAndGoOn) {
  log_messages.clear();
  EXPECT_NO_THROW(Live(ExampleFmu(2, "Failing"), "DoStep:2=Warning"));
}

TEST(FailingFmus, ADiscardedStepIsTriedInSmallerOnes) {
  // 3.0 is as before the call: half the step is tried, and the rest follows.
  EXPECT_NO_THROW(Live(ExampleFmu(3, "Failing"), "DoStep:2=Discard"));
  // 2.0 is not: without the state of before there is no way back.
  const ExampleFmu fmu(2, "Failing");
  try {
    Live(fmu, "DoStep:2=Discard");
    FAIL() << "nothing was kept";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("set retry-steps to true"));
  }
  const auto instance = Make(fmu, "DoStep:2=Discard");
  CoSimulation stepper(*instance, {}, true);
  instance->EnterInitialization({});
  instance->ExitInitialization();
  stepper.Advance(0.0, 0.1, 0.1);
  const auto count_back = [&] {  // the state kept before the step has the count of before it: it fails for good
    stepper.Advance(0.1, 0.2, 0.1);
  };
  EXPECT_THROW(count_back(), ModelError);
}

TEST(FailingFmus, FatalEndsTheFmuForTheProcess) {
  // In a process of its own: afterwards the library must not be called by anybody.
  EXPECT_EXIT(
      {
        const ExampleFmu fmu(3, "Failing");
        const auto other = Make(fmu, "other");
        int good = 0;
        try {
          Live(fmu, "DoStep:1=Fatal");
        } catch (const ModelError&) {
          ++good;
        }
        try {
          other->EnterInitialization({});
        } catch (const ModelError& error) {
          if (std::string(error.what()).find("returned Fatal") != std::string::npos) ++good;
        }
        try {
          Make(fmu, "third");
        } catch (const ModelError&) {
          ++good;
        }
        std::_Exit(good);
      },
      testing::ExitedWithCode(3), "");
}

TEST(FailingFmus, ACrashStaysInAProcessOfItsOwn) {
  const auto has_crashed = [](int status) {
    return test::kIsSanitized ? WIFEXITED(status) && WEXITSTATUS(status) != 0
                              : WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
  };
  EXPECT_EXIT(Live(ExampleFmu(2, "Failing"), "DoStep:2=Crash"), has_crashed, "");
}

TEST(FailingFmus, ACrashOfAnIsolatedOneIsAProblemAndNoCrash) {
  Problems problems;
  CompositionFile file = ReadCompositionText(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\"><Component Id=\"DoStep:3=Crash\" "
      "Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\" Isolation=\"process\"><Argument Key=\"fmu\" Value=\"" +
          ExamplePath(3, "Failing").string() +
          "\"/></Component><Observe Item=\"DoStep:3=Crash.x\"/><Run From=\"2020-01-01T00:00Z\" "
          "To=\"2020-01-01T00:00:01Z\"/></Composition>",
      "c.xml", problems);
  Composition composition(std::move(file));
  const RunRecord record = test::RunChecked(composition, problems);
  EXPECT_FALSE(record.is_complete);
  ASSERT_FALSE(record.problems.empty());
  EXPECT_THAT(FormatProblem(record.problems.front()), AllOf(HasSubstr("DoStep:3=Crash"), HasSubstr("signal 11")));
  EXPECT_THAT(FormatProblem(record.problems.back()), HasSubstr("ended at 2020-01-01T00:00:00.2Z"));
  ASSERT_EQ(record.series.size(), 1U);
  EXPECT_EQ(record.series[0].values.size(), 3U) << "the begin and two steps are kept";
}

TEST(FailingFmus, AWrongTokenAndAMissingLibraryAreTold) {
  ExampleFmu fmu(3, "Failing");
  fmu.description.token = "{another}";
  try {
    Make(fmu, "wrong");
    FAIL() << "the token is wrong";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("wrong name or instantiation token"));
  }
  fmu.description.Of(InterfaceKind::CoSimulation)->model_identifier = "Absent";
  try {
    Make(fmu, "absent");
    FAIL() << "there is no such library";
  } catch (const LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("Absent.so for this machine"));
  }
}

TEST(FailingFmus, AMissingFunctionIsMissedWhenItIsNeeded) {
  ExampleFmu fmu(3, "Failing");
  fmu.description.version = FmiMajor::Fmi1;  // under the prefix of 1.0 there is none of these here
  fmu.description.Of(InterfaceKind::CoSimulation)->model_identifier = "Failing";
  EXPECT_NO_THROW(Make(ExampleFmu(1, "Failing"), "fine"));
  ExampleFmu only3(3, "Sawtooth");
  only3.description.version = FmiMajor::Fmi1;
  try {
    Make(only3, "x");
    FAIL() << "Sawtooth has no functions of 1.0";
  } catch (const LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected the function fmiInstantiateSlave"));
  }
}

TEST(FailingFmus, ASecondInstanceIsRefusedWhereThereMayBeOnlyOne) {
  ExampleFmu fmu(3, "Dahlquist");
  fmu.description.Of(InterfaceKind::CoSimulation)->only_once_per_process = true;
  const auto first = Make(fmu, "first");
  EXPECT_THROW(Make(fmu, "second"), LoadError);
}

TEST(FailingFmus, AKindThatIsNotOfferedIsRefused) {
  try {
    Make(ExampleFmu(3, "Dahlquist"), "scheduled", InterfaceKind::ScheduledExecution);
    FAIL() << "it is refused";
  } catch (const LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected an FMU for ScheduledExecution, found one for ModelExchange and Co"));
  }
}

TEST(ManyFmus, TenThousandInstancesShareALibrary) {
  const ExampleFmu fmu(3, "Dahlquist");
  std::vector<std::unique_ptr<Instance>> instances;
  for (int i = 0; i < 10'000; ++i) {
    instances.push_back(Make(fmu, "n" + std::to_string(i)));
    instances.back()->EnterInitialization({});
    instances.back()->ExitInitialization();
  }
  StepResult result;
  for (const auto& instance : instances) EXPECT_EQ(instance->DoStep(0.0, 0.1, true, result), CallStatus::OK);
}

TEST(ManyFmus, TwoThousandLoadsLeaveNothingBehind) {
  const ExampleFmu fmu(2, "Failing");
  const auto file = LibraryFileOf(fmu.files->Folder(), fmu.description, InterfaceKind::CoSimulation);
  long before = 0;
  for (int i = 0; i < 2'000; ++i) {
    if (i == 200) before = test::ResidentKilobytes();
    Live(fmu, "cycle");
    std::ifstream maps("/proc/self/maps");
    if (i % 500 == 499) {
      const std::string text((std::istreambuf_iterator<char>(maps)), {});
      EXPECT_EQ(text.find(file.filename().string()), std::string::npos) << "the library is still mapped";
    }
  }
  if (test::kKeepsFreedMemory) GTEST_SKIP() << "a sanitizer keeps what was freed";
  EXPECT_LT(test::ResidentKilobytes() - before, 2'000) << "kB more after 1 800 cycles";
}

}  // namespace
}  // namespace openmi::fmi
