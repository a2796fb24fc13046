#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <memory>

#include "fmi-bridge/fmi/run/CoSimulation.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"

namespace openmi::fmi {
namespace {

using testing::HasSubstr;

std::vector<std::string> messages;

std::unique_ptr<Instance> Make(const ExampleFmu& fmu, const std::string& name,
                               InterfaceKind kind = InterfaceKind::CoSimulation) {
  InstanceOptions options;
  options.name = name;
  options.kind = kind;
  options.logging = true;
  options.log = [](const LogMessage& message) { messages.emplace_back(message.text); };
  return Instance::Make(fmu.files->Folder(), fmu.description, std::move(options));
}

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
    void* state = instance->GetState();
    const auto bytes = instance->Serialize(state);
    void* again = instance->Deserialize(bytes);
    instance->SetState(again, Instance::Mode::Step);
    instance->FreeState(again);
    instance->FreeState(state);
  }
  instance->Terminate();
  instance->Reset();
}

TEST(FailingFmus, ErrorAtEachCallIsAnExceptionAndTheNextInstanceLives) {
  for (int version : {2, 3}) {
    const ExampleFmu fmu(version, "Failing");
    const std::string set = version == 2 ? "SetReal" : "SetFloat64";
    const std::string get = version == 2 ? "GetReal" : "GetFloat64";
    const std::string state = version == 2 ? "FMUstate" : "FMUState";
    for (const std::string& call :
         {std::string("EnterInitializationMode"), std::string("ExitInitializationMode"), std::string("DoStep"), set,
          get, "Get" + state, "Set" + state, "Free" + state, "Serialized" + state + "Size", "Serialize" + state,
          (version == 2 ? "DeSerialize" : "Deserialize") + state, std::string("Terminate"), std::string("Reset")}) {
      messages.clear();
      try {
        Live(fmu, call + ":1=Error");
        FAIL() << call;
      } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), HasSubstr("fmi" + std::to_string(version) + call + " to succeed, found Error"));
        EXPECT_THAT(error.what(), HasSubstr(call + " failed")) << "what the FMU logged";
      }
      EXPECT_THAT(messages, testing::Contains(HasSubstr("100% =Error"))) << "a % in a message is no format";
      EXPECT_NO_THROW(Live(fmu, "fine"));
    }
    EXPECT_THROW(Make(fmu, "Instantiate:1=Error"), ModelError);
  }
}

TEST(FailingFmus, WarningsAreToldAndGoOn) {
  messages.clear();
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
          if (std::string(error.what()).find("ended with Fatal") != std::string::npos) ++good;
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
  EXPECT_EXIT(Live(ExampleFmu(2, "Failing"), "DoStep:2=Crash"), testing::KilledBySignal(SIGSEGV), "");
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

TEST(FailingFmus, ScheduledExecutionIsRefused) {
  ExampleFmu fmu(3, "Dahlquist");
  try {
    Make(fmu, "scheduled", InterfaceKind::ScheduledExecution);
    FAIL() << "it is refused";
  } catch (const LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("found one for scheduled execution"));
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

long ResidentKilobytes() {
  std::ifstream file("/proc/self/statm");
  long size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4;
}

TEST(ManyFmus, TwoThousandLoadsLeaveNothingBehind) {
  const ExampleFmu fmu(2, "Failing");
  const auto file = LibraryFileOf(fmu.files->Folder(), fmu.description, InterfaceKind::CoSimulation);
  long before = 0;
  for (int i = 0; i < 2'000; ++i) {
    if (i == 200) before = ResidentKilobytes();
    Live(fmu, "cycle");
    std::ifstream maps("/proc/self/maps");
    if (i % 500 == 499) {
      const std::string text((std::istreambuf_iterator<char>(maps)), {});
      EXPECT_EQ(text.find(file.filename().string()), std::string::npos) << "the library is still mapped";
    }
  }
  EXPECT_LT(ResidentKilobytes() - before, 2'000) << "kB more after 1 800 cycles";
}

}  // namespace
}  // namespace openmi::fmi
