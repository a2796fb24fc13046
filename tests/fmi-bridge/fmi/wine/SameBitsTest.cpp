// FMUs whose library is for Windows beside the same FMUs for this machine: the same rows, messages and states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/fmi/wine/WindowsFmu.hpp"

namespace openmi::fmi {
namespace {

struct Case {
  int version;
  std::string name;
  InterfaceKind kind = InterfaceKind::CoSimulation;
  bool event_mode = false;
};

std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.name << one.version << Name(one.kind) << (one.event_mode ? " with events" : "");
}

std::vector<Case> AllCases() {
  std::vector<Case> cases;
  for (const char* name : {"BouncingBall", "Dahlquist", "VanDerPol", "Stairs", "Feedthrough", "Resource", "Cacc",
                           "Integrator", "Linear", "GateController", "Manners"}) {
    for (const int version : {1, 2, 3}) {
      if (version > 1 || name != std::string("Stairs")) cases.push_back({version, name});  // it ends the simulation
    }
  }
  for (const char* name : {"BouncingBall", "Dahlquist", "VanDerPol", "Stairs", "Feedthrough"}) {
    for (const int version : {2, 3}) cases.push_back({version, name, InterfaceKind::ModelExchange});
  }
  for (const char* name : {"BouncingBall", "Stairs", "Clocks", "Ticks", "Sawtooth"}) {
    cases.push_back({3, name, InterfaceKind::CoSimulation, true});
  }
  cases.push_back({3, "Arrays"});
  cases.push_back({3, "Heat", InterfaceKind::ModelExchange});
  cases.push_back({3, "Partitions", InterfaceKind::ScheduledExecution});
  return cases;
}

std::vector<std::uint64_t> Bits(const std::vector<std::vector<double>>& numbers) {
  std::vector<std::uint64_t> bits;
  for (const auto& column : numbers) {
    for (const double number : column) bits.push_back(std::bit_cast<std::uint64_t>(number));
  }
  return bits;
}

struct Life {
  MemoryRecorder recorder;
  std::vector<std::string> messages;
};

template <class SomeFmu>
Life Live(const SomeFmu& fmu, const Case& one) {
  Life life;
  SimulationOptions options;
  options.kind = one.kind;
  options.event_mode = one.event_mode;
  options.logging = true;
  options.log = [&](const LogMessage& message) {
    life.messages.push_back(std::string(message.instance) + " " + std::string(message.category) + ": " +
                            std::string(message.text));
  };
  fmu.Run(options, life.recorder);
  return life;
}

class SameBits : public testing::TestWithParam<Case> {};

TEST_P(SameBits, InRowsAndMessages) {
  const WindowsFmu fmu(GetParam().version, GetParam().name);
  const Life native = Live(fmu.native, GetParam());
  const Life windows = Live(fmu, GetParam());
  EXPECT_GT(native.recorder.times.size(), 1U);
  EXPECT_EQ(windows.recorder.times, native.recorder.times);
  if (GetParam().name == "Heat" && !OPENMI_TEST_SAME_MATH) {
    // It calls sin and exp, of which mingw-w64 rounds some last bits differently than glibc.
    ASSERT_EQ(windows.recorder.numbers.size(), native.recorder.numbers.size());
    for (std::size_t i = 0; i < native.recorder.numbers.size(); ++i) {
      EXPECT_THAT(windows.recorder.numbers[i],
                  testing::Pointwise(testing::DoubleNear(1e-7), native.recorder.numbers[i]));
    }
  } else {
    EXPECT_EQ(Bits(windows.recorder.numbers), Bits(native.recorder.numbers));
  }
  EXPECT_EQ(windows.recorder.texts, native.recorder.texts);
  EXPECT_EQ(windows.messages, native.messages);
}

INSTANTIATE_TEST_SUITE_P(Examples, SameBits, testing::ValuesIn(AllCases()), [](const auto& made) {
  const Case& one = made.param;
  return one.name + std::to_string(one.version) + (one.kind == InterfaceKind::ModelExchange ? "ModelExchange" : "") +
         (one.event_mode ? "Events" : "");
});

std::unique_ptr<Instance> Make(const std::filesystem::path& folder, const ModelDescription& description,
                               const std::string& name) {
  InstanceOptions options;
  options.name = name;
  options.logging = true;
  return Instance::Make(folder, description, std::move(options));
}

std::vector<double> Steps(Instance& instance, int from, int to) {
  std::vector<double> values;
  for (int n = from; n < to; ++n) {
    StepResult result;
    instance.DoStep(0.1 * n, 0.1, false, result);
    const ValueReference reference = 1;
    double value = 0.0;
    instance.Get(VariableType::Float64, {&reference, 1}, &value, 1);
    values.push_back(value);
  }
  return values;
}

TEST(WindowsStates, AreKeptSerializedAndTakenUpInAnotherProcess) {
  for (const int version : {2, 3}) {
    const WindowsFmu fmu(version, "VanDerPol");
    const auto first = Make(fmu.folder, fmu.native.description, "first");
    first->EnterInitialization({});
    first->ExitInitialization();
    Steps(*first, 0, 3);
    void* const state = first->GetState();
    const Bytes bytes = first->Serialize(state);
    const std::vector<double> on = Steps(*first, 3, 6);
    first->SetState(state, Instance::Mode::Step);
    EXPECT_EQ(Steps(*first, 3, 6), on) << version;
    first->FreeState(state);

    for (const auto& folder : {fmu.folder, std::filesystem::path(fmu.native.files->Folder())}) {
      const auto second = Make(folder, fmu.native.description, "second");
      second->EnterInitialization({});
      second->ExitInitialization();
      void* const taken = second->Deserialize(bytes);
      second->SetState(taken, Instance::Mode::Step);
      EXPECT_EQ(Steps(*second, 3, 6), on) << version << " in " << folder;
      second->FreeState(taken);
    }
  }
}

TEST(WindowsLogs, HaveTheTextsThatTheFmuFormats) {
  for (const int version : {1, 2, 3}) {
    const WindowsFmu fmu(version, "Failing");
    std::vector<std::string> texts[2];
    for (const bool windows : {false, true}) {
      InstanceOptions options;
      options.name = "DoStep:2=Error";
      options.logging = true;
      options.log = [&](const LogMessage& message) {
        texts[windows].push_back(std::string(message.category) + ": " + std::string(message.text));
      };
      const auto instance = Instance::Make(windows ? fmu.folder : std::filesystem::path(fmu.native.files->Folder()),
                                           fmu.native.description, std::move(options));
      instance->EnterInitialization({});
      instance->ExitInitialization();
      try {
        Steps(*instance, 0, 3);
        ADD_FAILURE() << "it fails in the second step";
      } catch (const ModelError& error) {
        texts[windows].emplace_back(error.Problem());
      }
    }
    EXPECT_GE(texts[0].size(), 3U);
    EXPECT_EQ(texts[1], texts[0]) << version;
  }
}

TEST(WindowsFmus, HaveAProcessForEachInstance) {
  const WindowsFmu fmu(2, "Dahlquist");
  const auto first = Make(fmu.folder, fmu.native.description, "first");
  const auto second = Make(fmu.folder, fmu.native.description, "second");
  for (const auto* one : {&first, &second}) {
    (*one)->EnterInitialization({});
    (*one)->ExitInitialization();
  }
  const std::vector<double> values = Steps(*first, 0, 3);
  EXPECT_EQ(Steps(*second, 0, 3), values);
}

}  // namespace
}  // namespace openmi::fmi
