// A composition of ready components as an FMU: the order of calls, states, processes that end, what is inside.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <memory>
#include <set>
#include <stdexcept>

#include "fmi-bridge/export/fmu/RuntimeFiles.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/run/StateFile.hpp"
#include "fmi-bridge/fmi/simulate/Simulation.hpp"
#include "openmi/omi/LibraryFile.hpp"
#include "openmi/omi/SafeProbe.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/ChildTrial.hpp"
#include "tests/fmi-bridge/export/fmu/ExportedFmu.hpp"
#include "tests/fmi-bridge/support/ProcessMemory.hpp"
#include "tests/fmi-bridge/support/SmallComposition.hpp"

namespace fmutest {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class SmallFmu : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    source_ = std::make_unique<ScratchFolder>("source");
    source_->Write("small.xml", openmi::test::SmallComposition("2020-03-01T00:00Z"));
    setenv("SOURCE_DATE_EPOCH", "1700000000", 1);
    fmu2_ = std::make_unique<Fmu>(Options(2));
  }
  static void TearDownTestSuite() {
    fmu2_.reset();
    source_.reset();
    unsetenv("SOURCE_DATE_EPOCH");
  }
  static openmi::exported::ExportOptions Options(int version) {
    openmi::exported::ExportOptions options;
    options.source = source_->Path() / "small.xml";
    options.version = version;
    return options;
  }
  static inline std::unique_ptr<ScratchFolder> source_;
  static inline std::unique_ptr<Fmu> fmu2_;
  Fmu* fmu = fmu2_.get();
};

TEST_F(SmallFmu, ComputesWithTheInputsThatHoldFromEachCommunicationPoint) {
  Instance2 one(*fmu2_);
  ASSERT_NE(one.component, nullptr) << one.log;
  EXPECT_EQ(one.Set("sum.b", 1.0), fmi2OK);
  one.Begin(7200.0);
  EXPECT_TRUE(std::isnan(one.Get("sum.c"))) << "no value yet";
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("sum.c"), 9.0);
  EXPECT_EQ(one.Get("time"), 600.0);
  EXPECT_EQ(one.Set("sum.b", 10.0), fmi2OK);
  EXPECT_EQ(one.Step(600.0, 1800.0), fmi2OK) << "three steps of the component";
  EXPECT_EQ(one.Get("sum.c"), 27.0);
  EXPECT_EQ(one.Set("sum.b", 100.0), fmi2OK);
  EXPECT_EQ(one.Step(2400.0, 300.0), fmi2OK) << "half a step of the component";
  EXPECT_EQ(one.Get("sum.c"), 207.0);
  EXPECT_EQ(FMUTEST_CALL(fmi2, Terminate)(one.component), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("sum.c"), 207.0) << "last values stay";
  EXPECT_EQ(one.log, "");
}

TEST_F(SmallFmu, ParametersAreArguments) {
  Instance2 one(*fmu2_);
  const fmi2ValueReference references[] = {fmu2_->Variable("sum.outputs").first, fmu2_->Variable("given.value").first};
  const char* texts[] = {nullptr, nullptr};
  EXPECT_EQ(FMUTEST_CALL(fmi2, GetString)(one.component, references, 2, texts), fmi2OK);
  EXPECT_STREQ(texts[0], "c=a+2*b[mm d-1]");
  EXPECT_STREQ(texts[1], "7");
  const char* others[] = {"c=a-b[mm d-1]", "5"};
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetString)(one.component, references, 2, others), fmi2OK);
  EXPECT_EQ(one.Set("sum.b", 1.0), fmi2OK);
  one.Begin(3600.0);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("sum.c"), 4.0);
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetString)(one.component, references, 2, others), fmi2Error) << "fixed";
  EXPECT_THAT(one.log, HasSubstr("before the end of Initialization Mode"));
}

TEST_F(SmallFmu, AParameterThatMakesAnotherModelOfItIsAnError) {
  Instance2 one(*fmu2_);
  const fmi2ValueReference formula = fmu2_->Variable("sum.outputs").first;
  const char* other = "c=a+b[m s-1]";
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetString)(one.component, &formula, 1, &other), fmi2OK);
  EXPECT_EQ(one.Setup(0.0, 600.0), fmi2OK);
  EXPECT_EQ(FMUTEST_CALL(fmi2, EnterInitializationMode)(one.component), fmi2OK);
  EXPECT_EQ(FMUTEST_CALL(fmi2, ExitInitializationMode)(one.component), fmi2Error);
  EXPECT_THAT(one.log, HasSubstr("expected the unit mm d-1"));
}

TEST_F(SmallFmu, TwoInstancesInOneProcessKnowNothingOfEachOther) {
  Instance2 one(*fmu2_);
  Instance2 other(*fmu2_);
  EXPECT_EQ(Children().size(), 2u);
  one.Set("sum.b", 1.0);
  other.Set("sum.b", 2.0);
  one.Begin(3600.0);
  other.Begin(3600.0);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK);
  EXPECT_EQ(other.Step(0.0, 1200.0), fmi2OK);
  EXPECT_EQ(one.Get("sum.c"), 9.0);
  EXPECT_EQ(other.Get("sum.c"), 11.0);
  EXPECT_EQ(one.Get("time"), 600.0);
}

TEST_F(SmallFmu, LeavesNoProcessBehind) {
  { Instance2 one(*fmu2_); }
  EXPECT_THAT(Children(), ::testing::IsEmpty());
}

TEST_F(SmallFmu, CallsOutOfOrderAreErrorsThatSaySo) {
  Instance2 one(*fmu2_);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2Error);
  EXPECT_THAT(one.log, HasSubstr("a step: expected an instance that is between two steps, found it instantiated"));
  EXPECT_EQ(FMUTEST_CALL(fmi2, EnterInitializationMode)(one.component), fmi2Error) << "not set up";
  EXPECT_EQ(FMUTEST_CALL(fmi2, ExitInitializationMode)(one.component), fmi2Error);
  EXPECT_EQ(FMUTEST_CALL(fmi2, Terminate)(one.component), fmi2Error);
  EXPECT_EQ(one.Setup(0.0, -1.0), fmi2Error) << "ends before it begins";
  EXPECT_EQ(one.Setup(0.0, 3600.0), fmi2OK);
  const fmi2ValueReference output = fmu2_->Variable("sum.c").first;
  double value = 0.0;
  EXPECT_EQ(FMUTEST_CALL(fmi2, GetReal)(one.component, &output, 1, &value), fmi2Error) << "nothing to get yet";
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetReal)(one.component, &output, 1, &value), fmi2Error) << "an output";
  const fmi2ValueReference unknown = 100000;
  EXPECT_EQ(FMUTEST_CALL(fmi2, GetReal)(one.component, &unknown, 1, &value), fmi2Error);
  EXPECT_THAT(one.log, HasSubstr("found 100000, which there is none of"));
  fmi2Integer whole = 0;
  EXPECT_EQ(FMUTEST_CALL(fmi2, GetInteger)(one.component, &output, 1, &whole), fmi2Error) << "another type";
  EXPECT_EQ(FMUTEST_CALL(fmi2, EnterInitializationMode)(one.component), fmi2OK) << "all of that did no harm";
  EXPECT_EQ(FMUTEST_CALL(fmi2, ExitInitializationMode)(one.component), fmi2OK);
  EXPECT_EQ(one.Setup(0.0, 3600.0), fmi2Error) << "too late";
  EXPECT_EQ(one.Step(600.0, 600.0), fmi2Error) << "not where it is";
  EXPECT_EQ(one.Step(0.0, 0.0), fmi2Error);
  EXPECT_EQ(one.Step(0.0, std::nan("")), fmi2Error);
  EXPECT_EQ(one.Step(0.0, 7200.0), fmi2Error) << "beyond the stop time";
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK) << one.log;
  EXPECT_EQ(FMUTEST_CALL(fmi2, CancelStep)(one.component), fmi2Error);
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetTime)(one.component, 1.0), fmi2Error);
}

TEST_F(SmallFmu, StatesGoBackInTimeAndIntoOtherInstances) {
  Instance2 one(*fmu2_);
  one.Set("sum.b", 1.0);
  one.Begin(7200.0);
  EXPECT_EQ(one.Step(0.0, 900.0), fmi2OK);
  fmi2FMUstate state = nullptr;
  ASSERT_EQ(FMUTEST_CALL(fmi2, GetFMUstate)(one.component, &state), fmi2OK) << one.log;
  one.Set("sum.b", 3.0);
  EXPECT_EQ(one.Step(900.0, 900.0), fmi2OK);
  const double after = one.Get("sum.c");
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetFMUstate)(one.component, state), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("time"), 900.0);
  EXPECT_EQ(one.Get("sum.b"), 1.0);
  one.Set("sum.b", 3.0);
  EXPECT_EQ(one.Step(900.0, 900.0), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("sum.c"), after);

  std::size_t size = 0;
  ASSERT_EQ(FMUTEST_CALL(fmi2, SerializedFMUstateSize)(one.component, state, &size), fmi2OK) << one.log;
  std::vector<char> bytes(size);
  ASSERT_EQ(FMUTEST_CALL(fmi2, SerializeFMUstate)(one.component, state, bytes.data(), size), fmi2OK);
  EXPECT_EQ(FMUTEST_CALL(fmi2, FreeFMUstate)(one.component, &state), fmi2OK);
  EXPECT_EQ(state, nullptr);

  Instance2 other(*fmu2_);
  ASSERT_EQ(FMUTEST_CALL(fmi2, DeSerializeFMUstate)(other.component, bytes.data(), size, &state), fmi2OK) << other.log;
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetFMUstate)(other.component, state), fmi2OK) << other.log;
  EXPECT_EQ(other.Get("time"), 900.0);
  other.Set("sum.b", 3.0);
  EXPECT_EQ(other.Step(900.0, 900.0), fmi2OK) << other.log;
  EXPECT_EQ(other.Get("sum.c"), after);
  EXPECT_EQ(FMUTEST_CALL(fmi2, FreeFMUstate)(other.component, &state), fmi2OK);

  bytes[size / 2] = static_cast<char>(bytes[size / 2] ^ 1);
  EXPECT_EQ(FMUTEST_CALL(fmi2, DeSerializeFMUstate)(other.component, bytes.data(), size, &state), fmi2Error);
  EXPECT_THAT(other.log, HasSubstr("damaged"));
}

// A copy of the process (fork) shares the connection to the FMU's own process, and the memory with its values.
TEST_F(SmallFmu, DoesNothingInACopyOfItsImporter) {
  Instance2 one(*fmu2_);
  one.Set("sum.b", 1.0);
  one.Begin(7200.0);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK);
  const openmi::ChildTrial trial = openmi::TryInChild(
      [&] {
        fmi2FMUstate state = nullptr;
        const fmi2ValueReference input = fmu2_->Variable("sum.b").first;
        double value = 5.0;
        const bool answers = one.Step(600.0, 600.0) == fmi2OK ||
                             FMUTEST_CALL(fmi2, GetFMUstate)(one.component, &state) == fmi2OK ||
                             FMUTEST_CALL(fmi2, SetReal)(one.component, &input, 1, &value) == fmi2OK ||
                             FMUTEST_CALL(fmi2, GetReal)(one.component, &input, 1, &value) == fmi2OK;
        FMUTEST_CALL(fmi2, FreeInstance)(one.component);
        throw std::runtime_error(answers ? "an answer" : one.log);
      },
      std::chrono::seconds(10));
  EXPECT_THAT(trial.found, AllOf(HasSubstr(openmi::kServesNoCopy), Not(HasSubstr("had ended"))));
  EXPECT_EQ(one.Get("sum.b"), 1.0);
  EXPECT_EQ(one.Step(600.0, 600.0), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("sum.c"), 9.0);
  EXPECT_EQ(one.Get("time"), 1200.0);
}

TEST_F(SmallFmu, ItsStateInAFileStartsAnotherRun) {
  openmi::Problems problems;
  const std::string file = source_->Path() / "end.state";
  for (const int version : {2, 3}) {
    const Fmu exported(Options(version));
    const auto description = openmi::fmi::ReadFmuDescription(exported.root.string(), problems);
    const auto run = [&](double stop, const std::string& from, const std::string& to) {
      openmi::fmi::SimulationOptions options;
      options.step = 600.0;
      options.stop = stop;
      options.start_state = from;
      options.end_state = to;
      options.inputs = source_->Write("inputs.csv", "time,sum.b\n0,1\n1200,1\n3600,5\n");
      openmi::fmi::MemoryRecorder rows;
      openmi::fmi::Simulate(exported.root, description, options, rows);
      return rows.Column("sum.c");
    };
    const std::vector<double> whole = run(3600.0, "", "");
    run(1800.0, "", file);
    EXPECT_EQ(run(3600.0, file, ""), std::vector(whole.begin() + 3, whole.end())) << version;

    openmi::fmi::StateFile state = openmi::fmi::ReadStateFile(
        file, file, openmi::fmi::StateFileOf(description, openmi::fmi::InterfaceKind::CoSimulation, false));
    state.fmu[state.fmu.size() / 2] = static_cast<char>(state.fmu[state.fmu.size() / 2] ^ 1);
    openmi::fmi::WriteStateFile(file, state);
    try {
      run(3600.0, file, "");
      ADD_FAILURE();
    } catch (const openmi::Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("damaged"));
    }
  }
}

TEST_F(SmallFmu, AHandleThatIsNoneIsRefused) {
  Instance2 one(*fmu2_);
  one.Begin(7200.0);
  double strange[4] = {};
  fmi2FMUstate state = strange;
  std::size_t size = 0;
  char bytes[8];
  EXPECT_EQ(FMUTEST_CALL(fmi2, GetFMUstate)(one.component, &state), fmi2Error);
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetFMUstate)(one.component, state), fmi2Error);
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetFMUstate)(one.component, nullptr), fmi2Error);
  EXPECT_EQ(FMUTEST_CALL(fmi2, SerializedFMUstateSize)(one.component, state, &size), fmi2Error);
  EXPECT_EQ(FMUTEST_CALL(fmi2, SerializeFMUstate)(one.component, state, bytes, sizeof bytes), fmi2Error);
  EXPECT_EQ(FMUTEST_CALL(fmi2, FreeFMUstate)(one.component, &state), fmi2Error);
  EXPECT_THAT(one.log, HasSubstr("expected a state that was got from this instance and not freed, found another"));
  state = nullptr;
  ASSERT_EQ(FMUTEST_CALL(fmi2, GetFMUstate)(one.component, &state), fmi2OK);
  fmi2FMUstate freed = state;
  // fmusim gives the handle in place of where it lies.
  EXPECT_EQ(FMUTEST_CALL(fmi2, FreeFMUstate)(one.component, static_cast<fmi2FMUstate*>(state)), fmi2OK) << one.log;
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetFMUstate)(one.component, freed), fmi2Error) << "freed";
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK) << "no harm was done: " << one.log;
}

TEST_F(SmallFmu, AProcessThatEndsIsAnErrorAndNoHang) {
  Instance2 one(*fmu2_);
  one.Set("sum.b", 1.0);
  one.Begin(7200.0);
  const std::vector<int> children = Children();
  ASSERT_EQ(children.size(), 1u);
  kill(children.front(), SIGKILL);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2Error);
  EXPECT_THAT(one.log, HasSubstr("was killed by signal 9"));
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2Error);
  EXPECT_EQ(one.Set("sum.b", 1.0), fmi2Error);
  EXPECT_EQ(FMUTEST_CALL(fmi2, Reset)(one.component), fmi2OK) << one.log;
  one.Set("sum.b", 1.0);
  one.Begin(7200.0);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("sum.c"), 9.0);
}

TEST_F(SmallFmu, AProcessThatDoesNotAnswerIsEndedAtTheTimeLimit) {
  openmi::exported::ExportOptions options = Options(2);
  options.time_limit_seconds = 4.0;
  Fmu limited(options);
  fmu = &limited;
  Instance2 one(limited);
  one.Begin(7200.0);
  const std::vector<int> children = Children();
  ASSERT_EQ(children.size(), 1u);
  kill(children.front(), SIGSTOP);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2Error);
  EXPECT_THAT(one.log, HasSubstr("did not answer within 4 s and was killed"));
  EXPECT_THAT(Children(), ::testing::IsEmpty());
  EXPECT_EQ(FMUTEST_CALL(fmi2, Reset)(one.component), fmi2OK) << one.log;
  one.Begin(7200.0);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK) << one.log;
}

TEST_F(SmallFmu, AProgramOfAnotherProtocolIsRefusedByItsGreeting) {
  Fmu mixed(Options(2));
  const fs::path programs = mixed.root / "resources" / openmi::fmu::PlatformTuple() / "bin";
  fs::copy_file(programs / "openmi-component-host", programs / "openmi-fmu-host", fs::copy_options::overwrite_existing);
  Instance2 one(mixed);
  EXPECT_EQ(one.component, nullptr);
  EXPECT_THAT(one.log, AllOf(HasSubstr("expected the program of this FMU (openmi-fmu-host protocol="),
                             HasSubstr("unpack the whole FMU")));
  EXPECT_THAT(Children(), ::testing::IsEmpty());
}

TEST_F(SmallFmu, ResetGivesTheSameRunAgain) {
  Instance2 one(*fmu2_);
  one.Set("sum.b", 4.0);
  one.Begin(7200.0);
  one.Step(0.0, 600.0);
  EXPECT_EQ(FMUTEST_CALL(fmi2, Reset)(one.component), fmi2OK);
  EXPECT_EQ(one.Get("sum.b"), 0.0) << "its start value";
  one.Set("sum.b", 4.0);
  one.Begin(7200.0);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("sum.c"), 15.0);
}

TEST_F(SmallFmu, IsRefusedWithoutItsResourcesOrWithAnotherToken) {
  Instance2 nowhere(*fmu2_, fmu2_->interface.token, "file:///nowhere/resources");
  EXPECT_EQ(nowhere.component, nullptr);
  EXPECT_THAT(nowhere.log, HasSubstr("found no /nowhere/resources/"));
  Instance2 strange(*fmu2_, "{other}", fmu2_->Uri());
  EXPECT_EQ(strange.component, nullptr);
  EXPECT_THAT(strange.log, HasSubstr("found '{other}'"));
  EXPECT_THAT(Children(), ::testing::IsEmpty());
  const fs::path file = fmu2_->root / "resources" / "model" / "composition.xml";
  fs::rename(file, file.string() + ".away");
  Instance2 lacking(*fmu2_);
  EXPECT_EQ(lacking.Setup(0.0, 600.0), fmi2OK);
  FMUTEST_CALL(fmi2, EnterInitializationMode)(lacking.component);
  EXPECT_EQ(FMUTEST_CALL(fmi2, ExitInitializationMode)(lacking.component), fmi2Error);
  EXPECT_THAT(lacking.log, HasSubstr("composition.xml"));
  fs::rename(file.string() + ".away", file);
}

TEST_F(SmallFmu, AWrongParameterIsAnErrorThatNamesTheComponent) {
  Instance2 one(*fmu2_);
  const fmi2ValueReference formula = fmu2_->Variable("sum.outputs").first;
  const char* nonsense = "c=a+[";
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetString)(one.component, &formula, 1, &nonsense), fmi2OK);
  EXPECT_EQ(one.Setup(0.0, 600.0), fmi2OK);
  EXPECT_EQ(FMUTEST_CALL(fmi2, EnterInitializationMode)(one.component), fmi2OK);
  EXPECT_EQ(FMUTEST_CALL(fmi2, ExitInitializationMode)(one.component), fmi2Error);
  EXPECT_THAT(one.log, HasSubstr("sum.outputs"));
}

TEST_F(SmallFmu, ItsLibraryShowsTheFunctionsOfFmiAndNeedsTheCLibraryOnly) {
  const openmi::ChildResult symbols = openmi::RunInChild({"nm", "-D", "--defined-only", fmu2_->library.string()});
  ASSERT_TRUE(symbols.Succeeded()) << symbols.err;
  std::istringstream lines(symbols.out);
  std::vector<std::string> names;
  for (std::string address, kind, name; lines >> address >> kind >> name;) names.push_back(name);
  EXPECT_GT(names.size(), 100u);
  EXPECT_THAT(names, Each(StartsWith("fmi")));
  for (const std::string& needed : openmi::InspectLibrary(fmu2_->library.string()).needed) {
    EXPECT_TRUE(needed.starts_with("libc.so") || needed.starts_with("libm.so") || needed.starts_with("ld-linux"))
        << needed;
  }
}

TEST_F(SmallFmu, ItsLibraryLeavesNothingBehindWhenItIsUnloaded) {
  if (openmi::test::kKeepsFreedMemory) GTEST_SKIP() << "a sanitizer keeps what was freed";
  const auto fmu2 = std::make_unique<Fmu>(Options(2));
  const fs::path copy = fmu2->root / "another.so";  // which nobody else holds
  fs::copy_file(fmu2->library, copy);
  std::size_t before = 0;
  for (int i = 0; i < 400; ++i) {
    if (i == 100) before = openmi::test::HeapBytes();
    void* handle = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << dlerror();
    dlclose(handle);
  }
  EXPECT_LT(openmi::test::HeapBytes(), before + 100'000) << "after 300 cycles";
}

/// The files that a process has mapped and that are no part of `root`.
std::vector<std::string> MappedElsewhere(int pid, const fs::path& root) {
  std::ifstream maps("/proc/" + std::to_string(pid) + "/maps");
  std::set<std::string> files;
  for (std::string line; std::getline(maps, line);) {
    const std::size_t at = line.find('/');
    if (at != std::string::npos && !line.substr(at).starts_with(fs::canonical(root).string())) {
      files.insert(fs::path(line.substr(at)).filename().string());
    }
  }
  return {files.begin(), files.end()};
}

TEST_F(SmallFmu, CarriesTheLibrariesThatItNeedsAndNoOthers) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "a sanitizer adds libraries, and keeps all of ours";
  Fmu whole(Options(2), Libraries::Needed);
  EXPECT_LT(whole.Size(), 10'000'000U) << "39 MB with everything that our libraries are linked with";
  fmu = &whole;
  Instance2 one(whole);
  ASSERT_NE(one.component, nullptr) << one.log;
  one.Set("sum.b", 1.0);
  one.Begin(7200.0);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("sum.c"), 9.0);
  // Nothing is taken from this machine but the C library: so it runs on one that has no more.
  for (const std::string& file : MappedElsewhere(Children().front(), whole.root)) {
    if (file.find(".so") == std::string::npos) continue;  // shared memory, locales
    EXPECT_THAT(file, ::testing::MatchesRegex("(ld-linux|lib(c|m|dl|pthread|rt|resolv)\\.so|gconv).*"));
  }
}

TEST_F(SmallFmu, LibrariesThatReadDataOfAFormGoWithSuchData) {
  if (openmi::test::kIsSanitized) GTEST_SKIP() << "a sanitizer adds libraries, and keeps all of ours";
  const fs::path libraries = fs::path("resources") / openmi::fmu::PlatformTuple() / "lib";
  const auto size_of = [&](const Fmu& of, const std::string& name) -> std::uintmax_t {
    for (const auto& entry : fs::directory_iterator(of.root / libraries)) {
      if (entry.path().filename().string().starts_with(name)) return fs::file_size(entry.path());
    }
    return 0;
  };
  constexpr std::uintmax_t kPlaceholder = 30'000;
  const Fmu plain(Options(2), Libraries::Needed);
  for (const char* name : {"libnetcdf", "libproj", "libicuuc", "libxerces", "libcurl"}) {
    EXPECT_LT(size_of(plain, name), kPlaceholder) << name;
  }
  openmi::exported::ExportOptions with_data = Options(2);
  source_->Write("data.bin", std::string("CDF\1", 4) + std::string(28, '\0'));
  source_->Write("old.xml", "<?xml version=\"1.0\" encoding=\"windows-1252\"?><old/>");
  with_data.include = {source_->Path() / "data.bin", source_->Path() / "old.xml"};
  const Fmu fed(with_data, Libraries::Needed);
  EXPECT_GT(size_of(fed, "libnetcdf"), kPlaceholder);
  EXPECT_GT(size_of(fed, "libicuuc"), kPlaceholder);
  EXPECT_GT(size_of(fed, "libicudata"), kPlaceholder);
  EXPECT_LT(size_of(fed, "libproj"), kPlaceholder);
  const Fmu complete(Options(2), Libraries::All);
  for (const char* name : {"libnetcdf", "libproj", "libicuuc", "libxerces", "libcurl"}) {
    EXPECT_GT(size_of(complete, name), kPlaceholder) << name;
  }
}

TEST_F(SmallFmu, TheSameModelGivesTheSameBytes) {
  openmi::Problems problems;
  openmi::exported::ExportOptions options = Options(2);
  options.lean = true;
  options.output = source_->Path() / "again.fmu";
  EXPECT_EQ(openmi::fmu::ExportFmu(options, problems).token, fmu2_->interface.token);
  EXPECT_TRUE(source_->Read("again.fmu") == fmu2_->Read("model.fmu"));
}

TEST_F(SmallFmu, DescribesItself) {
  const std::string text = fmu2_->Read("elsewhere/modelDescription.xml");
  EXPECT_THAT(text, HasSubstr("modelName=\"A &lt;small&gt; composition\""));
  EXPECT_THAT(text, HasSubstr("modelIdentifier=\"small_one\""));
  EXPECT_THAT(text, HasSubstr("canGetAndSetFMUstate=\"true\""));
  EXPECT_THAT(text, HasSubstr("<DefaultExperiment startTime=\"0\" stopTime=\"172800\" stepSize=\"600\"/>"));
  EXPECT_THAT(text, HasSubstr("<Unit name=\"mm d-1\"><BaseUnit m=\"1\" s=\"-1\" factor=\"1.1574074074074074e-08\"/>"));
  EXPECT_THAT(text, HasSubstr("name=\"sum.b\""));
  EXPECT_THAT(text, Not(HasSubstr("name=\"sum.a\""))) << "linked inside";
  EXPECT_TRUE(fs::exists(fmu2_->root / "documentation" / "index.html"));
}

TEST_F(SmallFmu, ALinkedInputThatIsChosenTakesThePlaceOfItsLink) {
  openmi::exported::ExportOptions options = Options(3);
  options.inputs = {"sum.a", "sum.b"};
  options.parameters = {"none"};
  Fmu chosen(options);
  Instance3 one(chosen);
  ASSERT_NE(one.instance, nullptr) << one.log;
  const std::uint32_t references[] = {chosen.Variable("sum.a").first, chosen.Variable("sum.b").first};
  const double values[] = {3.0, 4.0};
  fmu = &chosen;
  EXPECT_EQ(FMUTEST_CALL(fmi3, SetFloat64)(one.instance, references, 2, values, 2), fmi3OK) << one.log;
  EXPECT_EQ(FMUTEST_CALL(fmi3, SetFloat64)(one.instance, references, 2, values, 1), fmi3Error) << "one value short";
  one.Begin(3600.0);
  EXPECT_EQ(one.Step(0.0, 600.0), fmi3OK) << one.log;
  EXPECT_EQ(one.Get("sum.c").front(), 11.0);
  EXPECT_NE(chosen.interface.token, fmu2_->interface.token) << "another description";
  options.inputs = {"sum.x"};
  options.output = source_->Path() / "c.fmu";
  openmi::Problems problems;
  EXPECT_THROW(openmi::fmu::ExportFmu(options, problems), openmi::ArgumentError);
  EXPECT_FALSE(fs::exists(options.output));
}

}  // namespace
}  // namespace fmutest
