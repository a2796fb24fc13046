// FMUs that bring sources and no library for this machine.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>
#include <vector>

#include "fmi-bridge/fmi/InspectFmu.hpp"
#include "fmi-bridge/fmi/compile/CompileFmu.hpp"
#include "fmi-bridge/fmi/compile/SourceSets.hpp"
#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi::fmi {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// y = FACTOR * time, as other people write sources: the headers of the standard, and a prefix for static libraries.
constexpr const char* kSecondSource = R"(
#define FMI2_FUNCTION_PREFIX Ramp_
#include "fmi2TypesPlatform.h"
#include "fmi2Functions.h"
#include <stdlib.h>
#include "factor.h"
typedef struct { fmi2Real time; fmi2String name; } Ramp;
const char* fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char* fmi2GetVersion(void) { return fmi2Version; }
fmi2Component fmi2Instantiate(fmi2String n, fmi2Type t, fmi2String g, fmi2String r, const fmi2CallbackFunctions* f,
                              fmi2Boolean v, fmi2Boolean l) {
  Ramp* made = f->allocateMemory(1, sizeof(Ramp));
  made->name = n;
  return t == fmi2CoSimulation ? made : NULL;
}
void fmi2FreeInstance(fmi2Component c) { free(c); }
fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean d, fmi2Real t, fmi2Real s, fmi2Boolean e, fmi2Real o) {
  ((Ramp*)c)->time = s;
  return fmi2OK;
}
fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2ExitInitializationMode(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2Terminate(fmi2Component c) { return fmi2OK; }
fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Real y[]) {
  for (size_t i = 0; i < n; ++i) y[i] = FACTOR * ((Ramp*)c)->time;
  return fmi2OK;
}
fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean b) {
  ((Ramp*)c)->time = t + h;
  return b == fmi2True || b == fmi2False ? fmi2OK : fmi2Error;
}
)";
constexpr const char* kSecond = R"(<fmiModelDescription fmiVersion="2.0" modelName="Ramp" guid="{2}">
<CoSimulation modelIdentifier="Ramp" canHandleVariableCommunicationStepSize="true"><SourceFiles><File name="ramp.c"/></SourceFiles></CoSimulation>
<DefaultExperiment startTime="0" stopTime="1" stepSize="0.25"/>
<ModelVariables><ScalarVariable name="y" valueReference="1" causality="output"><Real/></ScalarVariable></ModelVariables>
<ModelStructure><Outputs><Unknown index="1"/></Outputs></ModelStructure></fmiModelDescription>
)";

/// The same in C++.
constexpr const char* kThirdSource = R"(
#include "fmi3Functions.h"
#include <memory>
#include "factor.h"
struct Ramp { fmi3Float64 time = 0.0; };
extern "C" {
const char* fmi3GetVersion(void) { return fmi3Version; }
fmi3Instance fmi3InstantiateCoSimulation(fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                         fmi3Boolean, const fmi3ValueReference[], size_t, fmi3InstanceEnvironment,
                                         fmi3LogMessageCallback, fmi3IntermediateUpdateCallback) {
  return std::make_unique<Ramp>().release();
}
void fmi3FreeInstance(fmi3Instance c) { delete static_cast<Ramp*>(c); }
fmi3Status fmi3EnterInitializationMode(fmi3Instance, fmi3Boolean, fmi3Float64, fmi3Float64, fmi3Boolean, fmi3Float64) {
  return fmi3OK;
}
fmi3Status fmi3ExitInitializationMode(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3Terminate(fmi3Instance) { return fmi3OK; }
fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference[], size_t, fmi3Float64 y[], size_t n) {
  for (size_t i = 0; i < n; ++i) y[i] = SIGN FACTOR * static_cast<Ramp*>(c)->time;
  return fmi3OK;
}
fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean, fmi3Boolean* e, fmi3Boolean* end,
                      fmi3Boolean* early, fmi3Float64* last) {
  static_cast<Ramp*>(c)->time = *last = t + h;
  *e = *end = *early = fmi3False;
  return fmi3OK;
}
}
)";
constexpr const char* kThird = R"(<fmiModelDescription fmiVersion="3.0" modelName="Ramp" instantiationToken="{3}">
<CoSimulation modelIdentifier="Ramp" canHandleVariableCommunicationStepSize="true"/>
<DefaultExperiment startTime="0" stopTime="1" stepSize="0.25"/>
<ModelVariables><Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
<Float64 name="y" valueReference="1" causality="output"/></ModelVariables>
<ModelStructure><Output valueReference="1"/></ModelStructure></fmiModelDescription>
)";
constexpr const char* kBuild = R"(<fmiBuildDescription fmiVersion="3.0">
<BuildConfiguration modelIdentifier="Ramp" platform="x86_64-windows"><SourceFileSet><SourceFile name="other.c"/></SourceFileSet></BuildConfiguration>
<BuildConfiguration modelIdentifier="Ramp"><SourceFileSet language="C++17">
<SourceFile name="model/ramp.src"/><PreprocessorDefinition name="SIGN" value="-"/><PreprocessorDefinition name="DEBUG" optional="true"/>
<IncludeDirectory name="include"/></SourceFileSet></BuildConfiguration></fmiBuildDescription>
)";

class CompiledFmus : public testing::Test {
 protected:
  /// An unpacked FMU; its factor is 3.
  fs::path Make(int version) {
    const bool is_second = version == 2;
    const std::string name = "Ramp" + std::to_string(version);
    const fs::path folder = scratch_.Path() / name;
    Put(folder / "modelDescription.xml", is_second ? kSecond : kThird);
    Put(folder / (is_second ? "sources/ramp.c" : "sources/model/ramp.src"), is_second ? kSecondSource : kThirdSource);
    Put(folder / (is_second ? "sources/factor.h" : "sources/include/factor.h"), "#define FACTOR 3.0\n");
    if (!is_second) Put(folder / kBuildDescription, kBuild);
    return folder;
  }
  static void Put(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  CompileOptions Options() const { return {.is_allowed = true, .cache = scratch_.Path() / "cache"}; }
  fs::path Compile(const fs::path& fmu) { return Compile(fmu, Options()); }
  static fs::path Compile(const fs::path& fmu, const CompileOptions& options) {
    Problems problems;
    return LibraryFor(fmu, ReadFmuDescription(fmu, problems), InterfaceKind::CoSimulation, options);
  }
  /// The last y of a simulation to time 1.
  double Simulated(const fs::path& fmu) const {
    Problems problems;
    MemoryRecorder recorder;
    SimulationOptions options;
    options.compile = Options();
    Simulate(fmu, ReadFmuDescription(fmu, problems), options, recorder);
    return recorder.last;
  }
  struct MemoryRecorder final : IRecorder {
    void Begin(std::span<const RecordedColumn>) override {}
    void Row(double, std::span<const double> numbers, std::span<const std::string>) override { last = numbers[0]; }
    double last = 0.0;
  };
  ScratchFolder scratch_;
};

TEST_F(CompiledFmus, RunInBothVersions) {
  EXPECT_EQ(Simulated(Make(2)), 3.0);
  EXPECT_EQ(Simulated(Make(3)), -3.0);
}

TEST_F(CompiledFmus, AreCompiledOnlyWhereThatIsAllowed) {
  const fs::path fmu = Make(2);
  CompileOptions options = Options();
  options.is_allowed = false;
  EXPECT_THAT([&] { Compile(fmu, options); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("found no libraries"), HasSubstr("compile=true"))));
  EXPECT_FALSE(fs::exists(options.cache));
}

TEST_F(CompiledFmus, AreComponents) {
  ASSERT_EQ(setenv("XDG_CACHE_HOME", scratch_.Path().c_str(), 1), 0);
  Fmu fmu;
  Driver driver(fmu);
  driver.Set("fmu", Make(3).string()).Set("compile", "true").Set("compiler", "gcc");
  driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T00:00:01Z").Initialize();
  ASSERT_TRUE(driver.Validate());
  driver.Prepare();
  driver.UpdateToEnd();
  EXPECT_EQ(dynamic_cast<NumericOutput&>(*fmu.Outputs()[0]).LastRow()[0], -3.0);
  driver.Finish();
  EXPECT_TRUE(fs::exists(scratch_.Path() / "openmi/fmus"));
  unsetenv("XDG_CACHE_HOME");
}

// Wherever they are unpacked; whatever they are made of counts.
TEST_F(CompiledFmus, AreKeptAsLongAsNothingChanges) {
  const fs::path fmu = Make(3);
  const fs::path library = Compile(fmu);
  const auto time = fs::last_write_time(library);
  const fs::path moved = scratch_.Path() / "elsewhere";
  fs::rename(fmu, moved);
  EXPECT_EQ(Compile(moved), library);
  EXPECT_EQ(fs::last_write_time(library), time);
  Put(moved / "sources/include/factor.h", "#define FACTOR 5.0\n");
  EXPECT_NE(Compile(moved), library);
  EXPECT_EQ(Simulated(moved), -5.0);
  Put(moved / "sources/include/factor.h", "#define FACTOR 3.0\n");
  EXPECT_EQ(Compile(moved), library);
  CompileOptions other = Options();
  other.compiler = "gcc";
  EXPECT_NE(Compile(moved, other), library);
}

TEST_F(CompiledFmus, AreRemovedWhereTheyWereNotUsedForLong) {
  const auto age = [](const fs::path& folder, int days) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(24 * days));
  };
  const fs::path fmu = Make(2);
  const fs::path used = Compile(fmu).parent_path();
  const fs::path old = Options().cache / std::string(64, 'a'), newer = Options().cache / std::string(64, 'b'),
                 other = Options().cache / "notes";
  for (const fs::path& folder : {old, newer, other}) Put(folder / "x.so", "x");
  age(used, 91);
  age(old, 91);
  age(newer, 89);
  age(other, 91);
  Compile(fmu);  // used again
  EXPECT_TRUE(fs::exists(old)) << "nothing new was kept";
  Put(fmu / "sources/factor.h", "#define FACTOR 4.0\n");
  Compile(fmu);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(used) && fs::exists(newer) && fs::exists(other));
}

TEST_F(CompiledFmus, OfFaultySourcesShowWhatTheCompilerSays) {
  const fs::path fmu = Make(2);
  Put(fmu / "sources/factor.h", "#define FACTOR 3.0 +\n");
  EXPECT_THAT([&] { Compile(fmu); },
              ThrowsMessage<LoadError>(AllOf(HasSubstr("sources/ramp.c that 'cc' compiles"), HasSubstr("exit code 1"),
                                             HasSubstr("error: invalid type argument"))));
  Put(fmu / "sources/factor.h", "double Missing(void);\n#define FACTOR Missing()\n");
  EXPECT_THAT([&] { Compile(fmu); }, ThrowsMessage<LoadError>(HasSubstr("Missing")));
  fs::remove(fmu / "sources/ramp.c");
  EXPECT_THAT([&] { Compile(fmu); }, ThrowsMessage<FormatError>(HasSubstr("expected the source 'ramp.c'")));
}

TEST_F(CompiledFmus, AreNotWaitedForWithoutEndAndNeedACompiler) {
  const fs::path fmu = Make(2);
  CompileOptions options = Options();
  options.compiler = "no-such-compiler";
  EXPECT_THAT([&] { Compile(fmu, options); },
              ThrowsMessage<LoadError>(HasSubstr("expected a compiler 'no-such-compiler'")));
  const fs::path slow = scratch_.Path() / "slow";
  Put(slow, "#!/bin/sh\n[ \"$1\" = --version ] || sleep 60\n");
  fs::permissions(slow, fs::perms::owner_all);
  options.compiler = slow.string();
  options.time = std::chrono::seconds(1);
  EXPECT_THAT([&] { Compile(fmu, options); }, ThrowsMessage<LoadError>(HasSubstr("was killed")));
  options = Options();
  options.memory = std::size_t{8} << 20;  // not enough for any compiler
  EXPECT_THROW(Compile(fmu, options), LoadError);
}

// Code is loaded from it.
TEST_F(CompiledFmus, AreKeptWhereNobodyElseMayWrite) {
  const fs::path cache = Options().cache;
  fs::create_directories(cache);
  fs::permissions(cache, fs::perms::all);
  const fs::path kept = Compile(Make(2)).parent_path();
  EXPECT_EQ(fs::status(kept).permissions(), fs::perms::owner_all);
  EXPECT_EQ(fs::status(cache).permissions() & (fs::perms::group_write | fs::perms::others_write), fs::perms::none);
}

// A process of another host can have the same number and the same home folder, and other threads have them anyway.
TEST_F(CompiledFmus, ArePutInPlaceUnderNamesOfTheirOwn) {
  const fs::path fmu = Make(2);
  const fs::path library = Compile(fmu);
  fs::remove(library);
  fs::create_directory(library.parent_path() / fmt::format("Ramp-{}", getpid()));
  EXPECT_EQ(Compile(fmu), library);
  fs::remove_all(library.parent_path());
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([this, &fmu, &library] { EXPECT_EQ(Compile(fmu), library); });
  threads.clear();
  EXPECT_EQ(std::distance(fs::directory_iterator(library.parent_path()), {}), 1) << "nothing but the library stays";
  EXPECT_EQ(Simulated(fmu), 3.0);
}

// It could load a plug-in into the compiler, or be another program.
TEST_F(CompiledFmus, NameNoCompilerAndNoOptions) {
  const fs::path fmu = Make(3);
  std::string build = kBuild;
  const fs::path mark = scratch_.Path() / "mark";
  build.replace(build.find("language="), 0,
                "compiler=\"touch " + mark.string() + "\" compilerOptions=\"-fplugin=x.so\" ");
  Put(fmu / kBuildDescription, build);
  EXPECT_EQ(Simulated(fmu), -3.0);
  EXPECT_FALSE(fs::exists(mark));
  Problems problems;
  InspectFmu(fmu, problems, LibrariesFor::ThisMachine);
  std::string text;
  for (const Problem& problem : problems) text += FormatProblem(problem) + "\n";
  EXPECT_THAT(text, AllOf(HasSubstr("found compilerOptions '-fplugin=x.so', which is not used"),
                          HasSubstr("compile the sources that the FMU carries: compile=true")));
}

// One of the Reference FMUs has another name there.
TEST(SourceSets, AreTakenUnderAnotherNameWhereTheyAreTheOnlyOnes) {
  Problems problems;
  const ModelDescription description = ReadModelDescription(kThird, "modelDescription.xml", problems);
  problems.clear();
  std::string build = kBuild;
  build.replace(build.find("\"Ramp\">"), 6, "\"Rump\"");
  const std::vector<SourceSet> sets = SourceSetsOf(description, InterfaceKind::CoSimulation, build, problems);
  EXPECT_EQ(sets.size(), 1U);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_THAT(FormatProblem(problems[0]), HasSubstr("buildDescription.xml:3: expected a BuildConfiguration"));
  EXPECT_FALSE(HasErrors(problems));
}

TEST(SourceSets, AreReadWithLanguageDefinitionsAndFolders) {
  Problems problems;
  const ModelDescription description = ReadModelDescription(kThird, "modelDescription.xml", problems);
  problems.clear();
  const std::vector<SourceSet> sets = SourceSetsOf(description, InterfaceKind::CoSimulation, kBuild, problems);
  EXPECT_TRUE(problems.empty());
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_EQ(sets[0].standard, "gnu++17");
  EXPECT_TRUE(IsCxx(sets[0]));
  EXPECT_THAT(sets[0].files, ElementsAre("model/ramp.src"));
  EXPECT_THAT(sets[0].includes, ElementsAre("include"));
  EXPECT_THAT(sets[0].defines, ElementsAre(std::pair<std::string, std::string>("SIGN", "-")));
}

}  // namespace
}  // namespace openmi::fmi
