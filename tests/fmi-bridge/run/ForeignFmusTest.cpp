// FMUs as other people's tools write them: for another machine, with libraries beside their library, for one instance
// in a process, with a need of the tool.
#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "composition/check/CheckComposition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/fmi/InspectFmu.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "fmi-bridge/fmi/run/SiblingLibraries.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/run/ExampleFmu.hpp"
#include "tests/support/Environment.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

std::string TextOf(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems)
    text += SeverityName(problem.severity) + (": " + FormatProblem(problem)) + "\n";
  return text;
}

class ForeignFmus : public testing::Test {
 protected:
  /// An unpacked example FMU, to be changed.
  fs::path Copy(int version, const std::string& name, const std::string& as) {
    fs::copy(ExamplePath(version, name).replace_extension(), scratch_ / as, fs::copy_options::recursive);
    return scratch_.Path() / as;
  }
  static void Replace(const fs::path& fmu, const std::string& what, const std::string& with) {
    const fs::path file = fmu / "modelDescription.xml";
    std::ostringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    std::string text = bytes.str();
    ASSERT_NE(text.find(what), std::string::npos) << what;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
      text.replace(at, what.size(), with);
    }
    std::ofstream(file, std::ios::binary) << text;
  }
  static std::string Part(const std::string& id, const std::string& fmu, const std::string& attributes = {}) {
    return "<Component Id=\"" + id + "\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\" " + attributes +
           "><Argument Key=\"fmu\" Value=\"" + fmu + "\"/></Component>\n";
  }
  std::string Write(const std::string& inside) const {
    return scratch_.Write(
        "all.xml", "<?xml version=\"1.0\"?>\n<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"all\">\n" + inside +
                       "<Run From=\"2000-01-01T00:00Z\" To=\"2000-01-01T00:00:01Z\"/></Composition>\n");
  }
  /// The last number of each output, "component.item"; what was told before goes to `told`.
  static std::map<std::string, double> Run(const std::string& path, std::string& told) {
    Problems problems;
    Composition composition(ReadCompositionFile(path, problems));
    composition.Load(problems);
    composition.Connect(problems);
    CheckComposition(composition, problems);
    told = TextOf(problems);
    std::map<std::string, double> last;
    if (HasErrors(problems)) return last;
    RunOptions options;
    options.write_results = false;
    CompositionRun run(composition, problems, options);
    run.Begin();
    while (run.Advance()) continue;
    for (const openmi::Instance& instance : composition.Instances()) {
      for (IBaseOutput* output : instance.Component().Outputs()) {
        const auto& values = dynamic_cast<ITimeSpaceOutput&>(*output).Values();
        last[instance.Id() + "." + output->Id()] =
            values.GetValue(static_cast<int>(values.GetIndexCount({})) - 1, 0).Number().value_or(-999.0);
      }
    }
    EXPECT_TRUE(run.End().is_complete);
    return last;
  }

  const ScratchFolder scratch_{"foreign"};
};

TEST_F(ForeignFmus, ForAnotherMachineAreRefusedByTheCheck) {
  const Environment host("OPENMI_WINDOWS_HOST", "/no/such/host.exe");  // also where Wine could run them
  for (const int version : {1, 2, 3}) {
    const fs::path fmu = Copy(version, "Linear", fmt::format("Linear{}", version));
    const std::string here = PlatformFolders(version == 3 ? FmiMajor::Fmi3 : FmiMajor::Fmi2)[0];
    fs::create_directories(fmu / "binaries/win64");
    fs::rename(fmu / "binaries" / here / "Linear.so", fmu / "binaries/win64/Linear.dll");
    fs::remove(fmu / "binaries" / here);
    const std::string path = Write(Part("a", fmu.string()) + "<Observe Item=\"a.y\"/>\n");
    const std::string wanted = fmt::format("expected a library binaries/{}/Linear.so", here);
    EXPECT_THAT(TextOf(CheckComposition(path, {})),
                AllOf(HasSubstr("error: " + path + ":"), HasSubstr("a.fmu: " + wanted +
                                                                   " for this machine, found some "
                                                                   "for win64; to run its library for Windows, ")));
    Problems read, run;
    InspectFmu(fmu, read);
    EXPECT_FALSE(HasErrors(read)) << TextOf(read) << "it can be read about anywhere";
    InspectFmu(fmu, run, LibrariesFor::ThisMachine);
    EXPECT_THAT(TextOf(run), AllOf(HasSubstr("error: "), HasSubstr(wanted), HasSubstr("found one for win64")));
    // The folder is there, and nothing in it; or only sources.
    fs::create_directories(fmu / "binaries" / here);
    EXPECT_THAT(TextOf(CheckComposition(path, {})), HasSubstr("found no file in binaries/" + here));
    fs::remove_all(fmu / "binaries");
    fs::create_directories(fmu / "sources");
    EXPECT_THAT(TextOf(CheckComposition(path, {})), HasSubstr("found no libraries; compile the sources"));
  }
}

TEST_F(ForeignFmus, ThatAreThereOnceInAProcessGetProcessesOfTheirOwn) {
  const fs::path fmu = Copy(2, "Linear", "Once");
  const auto write = [&](const std::string& attributes) {
    return Write(Part("a", fmu.string(), attributes) + Part("b", fmu.string(), attributes) +
                 Part("c", fmu.string(), attributes) +
                 "<Link From=\"a.y\" To=\"b.u\"/>\n<Link From=\"b.y\" To=\"c.u\"/>\n<Observe Item=\"c.y\"/>\n");
  };
  std::string told;
  const auto free = Run(write({}), told);
  EXPECT_THAT(told, Not(HasSubstr("another process")));
  ASSERT_TRUE(free.contains("c.y")) << told;
  Replace(fmu, "canBeInstantiatedOnlyOncePerProcess=\"false\"", "canBeInstantiatedOnlyOncePerProcess=\"true\"");
  for (const char* attributes : {"", "Isolation=\"process\""}) {
    EXPECT_EQ(Run(write(attributes), told), free) << attributes << "\n" << told;
    EXPECT_THAT(told, AllOf(HasSubstr("b: runs in another process, because 'a' also claims the only instance of"),
                            HasSubstr("c: runs in another process, because 'a' also claims the only instance of")));
    EXPECT_FALSE(HasErrors(CheckComposition(write(attributes), {})));
  }
}

TEST_F(ForeignFmus, MayNameItemsOfEnumerationsWithBlanks) {
  for (const int version : {2, 3}) {
    const fs::path fmu = Copy(version, "Feedthrough", fmt::format("Blanks{}", version));
    Replace(fmu, "Option_", "Option  ");
    const std::string part = Part("a", fmu.string());
    const std::string set = "<Argument Key=\"Enumeration_input\" Value=\"Option  2\"/></Component>";
    std::string told;
    const auto last =
        Run(Write(part.substr(0, part.find("</Component>")) + set + Part("b", fmu.string()) + Part("c", fmu.string()) +
                  "<Link From=\"a.Enumeration_output\" To=\"b.Enumeration_input\"/>\n"
                  "<Link From=\"b.Enumeration_output\" To=\"c.Float64_continuous_input\">"
                  "<Adaptor Id=\"categories-to-numbers\"><Argument Key=\"table\" "
                  "Value=\"Option  1=10; Option  2=20\"/><Argument Key=\"unit\" Value=\"m\"/></Adaptor></Link>\n"
                  "<Observe Item=\"c.Float64_continuous_output\"/>\n"),
            told);
    ASSERT_TRUE(last.contains("c.Float64_continuous_output")) << told;
    EXPECT_EQ(last.at("c.Float64_continuous_output"), 20.0) << version;
  }
}

TEST_F(ForeignFmus, ThatNeedTheirToolSaySo) {
  const fs::path fmu = Copy(3, "Linear", "Tool");
  Replace(fmu,
          "canBeInstantiatedOnlyOncePerProcess=", "needsExecutionTool=\"true\" canBeInstantiatedOnlyOncePerProcess=");
  std::string told;
  Run(Write(Part("a", fmu.string())), told);
  EXPECT_THAT(told, HasSubstr("a.fmu: expected an FMU that runs by itself, found one that needs the program"));
  Problems problems;
  InspectFmu(fmu, problems, LibrariesFor::ThisMachine);
  EXPECT_THAT(TextOf(problems), HasSubstr("warning: "));
  EXPECT_THAT(TextOf(problems), HasSubstr("(needsExecutionTool)"));
}

/// FMUs whose libraries need others in their folders.
class FmusWithSiblings : public ForeignFmus {
 protected:
  /// \param way  the folder of the libraries
  fs::path Make(const std::string& way) {
    const fs::path fmu = scratch_.Path() / way;
    const fs::path libraries = fmu / "binaries" / PlatformFolders(FmiMajor::Fmi2)[0];
    fs::create_directories(libraries);
    for (const auto& file : fs::directory_iterator(fs::path(OPENMI_SIBLING_FMUS) / way)) {
      fs::copy(file.path(), libraries);
    }
    scratch_.Write(
        way + "/modelDescription.xml",
        "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"Siblings\" guid=\"{d}\"><CoSimulation "
        "modelIdentifier=\"siblings\" canHandleVariableCommunicationStepSize=\"true\"/><DefaultExperiment "
        "startTime=\"0\" stopTime=\"1\" stepSize=\"0.1\"/><ModelVariables><ScalarVariable name=\"y\" "
        "valueReference=\"1\" causality=\"output\" initial=\"calculated\"><Real/></ScalarVariable>"
        "</ModelVariables><ModelStructure><Outputs><Unknown index=\"1\"/></Outputs><InitialUnknowns><Unknown "
        "index=\"1\"/></InitialUnknowns></ModelStructure></fmiModelDescription>");
    return fmu;
  }
};

TEST_F(FmusWithSiblings, RunTogether) {
  std::string told;
  const auto last = Run(Write(Part("a", Make("first").string()) + Part("b", Make("third").string())), told);
  EXPECT_EQ(last.at("a.y"), 43.0) << told;
  EXPECT_EQ(last.at("b.y"), 45.0) << told;
  EXPECT_THAT(told, Not(HasSubstr("runs in another process")));
}

TEST_F(FmusWithSiblings, OfOneNameRunApart) {
  const std::string first = Make("first").string(), second = Make("second").string();
  std::string told;
  const auto last = Run(Write(Part("a", first) + Part("b", second) + Part("c", first)), told);
  EXPECT_EQ(last.at("a.y"), 43.0) << told;
  EXPECT_EQ(last.at("b.y"), 44.0) << told;
  EXPECT_EQ(last.at("c.y"), 43.0) << told;
  EXPECT_THAT(told, HasSubstr("b: runs in another process, because 'a' also claims the library libhelper.so, which"));
  EXPECT_THAT(told, Not(HasSubstr("c: runs in another process"))) << "its library is the first's";
}

TEST_F(FmusWithSiblings, ThatDoNotFitSayWhy) {
  const fs::path libraries = Make("named") / "binaries" / PlatformFolders(FmiMajor::Fmi2)[0];
  fs::copy(libraries / "libsibling-inner.so", libraries / "libsibling-outer.so", fs::copy_options::overwrite_existing);
  try {
    FmuLibrary::Load(libraries / "siblings.so", FmiMajor::Fmi2, "siblings");
    ADD_FAILURE() << "was loaded";
  } catch (const LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("undefined symbol: SiblingNumber"));
  }
}

/// An FMU with a library that needs another in its folder, which needs a third one there. Built three ways: the needed
/// ones with and without a name of their own (SONAME), and with a RUNPATH that leads elsewhere.
class FmuWithSiblings : public FmusWithSiblings, public testing::WithParamInterface<const char*> {};

TEST_P(FmuWithSiblings, Runs) {
  const fs::path fmu = Make(GetParam());
  const fs::path library = fmu / "binaries" / PlatformFolders(FmiMajor::Fmi2)[0] / "siblings.so";
  EXPECT_THAT(SiblingsNeeded(library), testing::ElementsAre("libsibling-inner.so", "libsibling-outer.so"));
  ASSERT_EQ(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), nullptr) << "the loader finds them by itself";
  std::string told;
  for (int time = 0; time < 2; ++time) {  // again, after all were closed
    EXPECT_EQ(Run(Write(Part("a", fmu.string())), told)["a.y"], 42.0) << told;
    EXPECT_EQ(dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
    EXPECT_EQ(dlopen((library.parent_path() / "libsibling-inner.so").c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
  }
}

TEST_P(FmuWithSiblings, ThatLackOneSayWhich) {
  const fs::path libraries = Make(GetParam()) / "binaries" / PlatformFolders(FmiMajor::Fmi2)[0];
  fs::remove(libraries / "libsibling-inner.so");
  try {
    FmuLibrary::Load(libraries / "siblings.so", FmiMajor::Fmi2, "siblings");
    ADD_FAILURE() << "was loaded";
  } catch (const LoadError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected a library that can be loaded, found: libsibling-inner.so"));
  }
}

INSTANTIATE_TEST_SUITE_P(All, FmuWithSiblings, testing::Values("named", "nameless", "elsewhere"),
                         [](const auto& one) { return std::string(one.param); });

TEST_F(ForeignFmus, ThatEndTheSimulationAreReported) {
  std::string told;
  const std::string path = Write(Part("a", ExamplePath(2, "Stairs").string()) + "<Observe Item=\"a.y\"/>\n");
  Problems problems;
  CompositionFile file = ReadCompositionFile(path, problems);
  file.run->to = *file.run->from + Seconds(30.0);
  Composition composition(std::move(file));
  composition.Load(problems);
  composition.Connect(problems);
  CheckComposition(composition, problems);
  RunOptions options;
  options.write_results = false;
  CompositionRun run(composition, problems, options);
  run.Begin();
  while (run.Advance()) continue;
  EXPECT_THAT(TextOf(run.End().problems),
              AllOf(HasSubstr("warning: "), HasSubstr("ended the simulation at 2000-01-01T00:00:")));
}

TEST_F(ForeignFmus, LogTheCategoriesThatAreChosen) {
  const auto log_of = [&](const std::string& categories) {
    const std::string path = scratch_ / "log.txt";
    fs::remove(path);
    std::string part = Part("a", ExamplePath(2, "BouncingBall").string());
    part.insert(part.find("</Component>"), "<Argument Key=\"log-file\" Value=\"" + path +
                                               "\"/><Argument Key=\"log-categories\" Value=\"" + categories + "\"/>");
    std::string told;
    Run(Write(part), told);
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return told + text.str();
  };
  EXPECT_THAT(log_of(""), HasSubstr("bounce at"));
  EXPECT_THAT(log_of("logEvents; logStatusError"), HasSubstr("bounce at"));
  EXPECT_THAT(log_of("logStatusError"), Not(HasSubstr("bounce at")));
  EXPECT_THAT(log_of("logEvent"), HasSubstr("expected a log category of the FMU, found 'logEvent'; did you mean "
                                            "'logEvents'?"));
}

}  // namespace
}  // namespace openmi::fmi
