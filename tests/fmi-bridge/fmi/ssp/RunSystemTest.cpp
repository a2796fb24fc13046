// Packages with FMUs of our own, imported and run: each transformation, unit conversions, systems in systems and the
// priority of parameters have answers that are known.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "composition/check/CheckComposition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/fmi/ssp/ExportSystemStructure.hpp"
#include "tests/fmi-bridge/fmi/ssp/SystemFixture.hpp"

namespace openmi::ssp {
namespace {

class RunSystems : public SystemFixture {
 protected:
  static std::string FileBytes(const std::filesystem::path& path) {
    std::ostringstream bytes;
    bytes << std::ifstream(path, std::ios::binary).rdbuf();
    return bytes.str();
  }
  static std::filesystem::path Example(const std::string& name, const char* version = "2") {
    return std::filesystem::path(OPENMI_BINARY_DIR) / "examples" / "fmus" / version / name;
  }

  /// Feedthrough with its lengths in another unit.
  static std::string InMillimetres() {
    std::vector<test::ZipEntry> entries;
    for (const auto& file : std::filesystem::recursive_directory_iterator(Example("Feedthrough"))) {
      if (!file.is_regular_file()) continue;
      std::string text = FileBytes(file.path());
      if (file.path().filename() == "modelDescription.xml") {
        Replace(text, "<BaseUnit m=\"1\"/>", "<BaseUnit m=\"1\" factor=\"0.001\"/>");
        Replace(text, "<Unit name=\"m\">", "<Unit name=\"mm\">");
        Replace(text, "unit=\"m\"", "unit=\"mm\"");
      }
      entries.push_back({file.path().lexically_relative(Example("Feedthrough")).string(), std::move(text)});
    }
    return test::ZipBytes(entries);
  }
  static void Replace(std::string& text, const std::string& what, const std::string& with) {
    ASSERT_NE(text.find(what), std::string::npos) << what;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size()) {
      text.replace(at, what.size(), with);
    }
  }

  static std::string Part(const std::string& name, const std::string& fmu, const std::string& more = {}) {
    return "<Component name=\"" + name + "\" source=\"resources/" + fmu + ".fmu\">" +
           Connectors({{"Float64_continuous_input", "input"},
                       {"Float64_continuous_output", "output"},
                       {"Float64_discrete_input", "input"},
                       {"Float64_discrete_output", "output"},
                       {"Int32_input", "input"},
                       {"Int32_output", "output"},
                       {"Boolean_input", "input"},
                       {"Boolean_output", "output"},
                       {"Enumeration_input", "input"},
                       {"Enumeration_output", "output"},
                       {"String_input", "input"},
                       {"String_output", "output"}}) +
           more + "</Component>\n";
  }
  static std::string Linear(const std::string& name, const std::string& more = {}) {
    return "<Component name=\"" + name + "\" source=\"resources/Linear.fmu\">" +
           Connectors({{"u", "input"}, {"y", "output"}, {"a", "parameter"}, {"b", "parameter"}}) + more +
           "</Component>\n";
  }
  /// A connection from a's output of a kind to z's input of it.
  static std::string Through(const std::string& kind, const std::string& transformation,
                             const std::string& flags = {}) {
    std::string text = Wire("a", kind + "_output", "z", kind + "_input", transformation);
    if (!flags.empty()) text.insert(text.find("startElement"), flags + " ");
    return text;
  }

  /// What each output shows at the end, as text: "component.item".
  std::map<std::string, std::string> Run(const std::string& ssd) {
    const std::string path = scratch_.Write(
        "sys tem.ssp", test::ZipBytes({{"SystemStructure.ssd", ssd, 8},
                                       {"resources/metres.fmu", FileBytes(Example("Feedthrough.fmu"))},
                                       {"resources/millimetres.fmu", InMillimetres()},
                                       {"resources/Arrays.fmu", FileBytes(Example("Arrays.fmu", "3"))},
                                       {"resources/Linear.fmu", FileBytes(Example("Linear.fmu"))},
                                       {"resources/CanNode.fmu", FileBytes(Example("CanNode.fmu", "3"))},
                                       {"resources/Partitions.fmu", FileBytes(Example("Partitions.fmu", "3"))}}));
    Problems problems;
    ImportedSystem imported = ImportSystemStructure(path, problems);
    Composition composition(std::move(imported.composition));
    composition.Load(problems);
    composition.Connect(problems);
    CheckComposition(composition, problems);
    for (const Problem& problem : problems) {
      if (problem.severity == Problem::Error) ADD_FAILURE() << FormatProblem(problem);
    }
    std::map<std::string, std::string> last;
    if (HasErrors(problems)) return last;
    RunOptions options;
    options.write_results = false;
    CompositionRun run(composition, problems, options);
    run.Begin();
    while (run.Advance()) continue;
    for (const Instance& instance : composition.Instances()) {
      for (IBaseOutput* output : instance.Component().Outputs()) {
        const auto& values = dynamic_cast<ITimeSpaceOutput&>(*output).Values();
        const Value value = values.GetValue(static_cast<int>(values.GetIndexCount({})) - 1, 0);
        const auto number = value.Number();
        const auto* text = value.As<std::string>();
        last[instance.Id() + "." + output->Id()] = text != nullptr ? *text
                                                   : number        ? fmt::format("{}", *number)
                                                                   : std::string("none");
      }
    }
    EXPECT_TRUE(run.End().is_complete);
    return last;
  }
};

TEST_F(RunSystems, UnitsAreConvertedUnlessThatIsSuppressed) {
  const std::string elements =
      "<Elements>" +
      Part("a", "metres", Binding(Real("Float64_continuous_input", "3") + Real("Float64_discrete_input", "7"))) +
      Part("z", "millimetres") + "</Elements>";
  const auto of = [&](const std::string& transformation, const std::string& flags = {}) {
    return Run(Description(elements + "<Connections>" + Through("Float64_continuous", transformation, flags) +
                               Through("Float64_discrete", "") + "</Connections>",
                           "<DefaultExperiment stopTime=\"0.5\"/>"));
  };
  auto last = of("");
  EXPECT_EQ(last["z.Float64_continuous_output"], "3000") << "millimetres";
  EXPECT_EQ(last["z.Float64_discrete_output"], "7") << "neither has a unit";
  EXPECT_EQ(of("<LinearTransformation factor=\"2\" offset=\"-1.5\"/>")["z.Float64_continuous_output"], "5998.5")
      << "of what is converted";
  EXPECT_EQ(of("", "suppressUnitConversion=\"true\"")["z.Float64_continuous_output"], "3");
  EXPECT_EQ(
      of("<LinearTransformation factor=\"2\"/>", "suppressUnitConversion=\"true\"")["z.Float64_continuous_output"],
      "6");
}

TEST_F(RunSystems, EveryMappingMaps) {
  const auto of = [&](int number, const std::string& truth, int option) {
    const std::string start = "<Parameter name=\"Int32_input\"><Integer value=\"" + std::to_string(number) +
                              "\"/></Parameter><Parameter name=\"Boolean_input\"><Boolean value=\"" + truth +
                              "\"/></Parameter><Parameter name=\"Enumeration_input\"><Enumeration value=\"Option_" +
                              std::to_string(option) +
                              "\"/></Parameter><Parameter name=\"String_input\"><String value=\"a text\"/></Parameter>";
    return Run(Description(
        "<Elements>" + Part("a", "metres", Binding(start)) + Part("z", "metres") + Part("same", "metres") +
            "</Elements><Connections>" +
            Through("Int32",
                    "<IntegerMappingTransformation><MapEntry source=\"1\" target=\"10\"/><MapEntry source=\"2\" "
                    "target=\"-20\"/></IntegerMappingTransformation>") +
            Through("Boolean",
                    "<BooleanMappingTransformation><MapEntry source=\"true\" target=\"false\"/><MapEntry "
                    "source=\"false\" target=\"true\"/></BooleanMappingTransformation>") +
            Through("Enumeration",
                    "<EnumerationMappingTransformation><MapEntry source=\"Option_1\" target=\"Option_2\"/><MapEntry "
                    "source=\"Option_2\" target=\"Option_1\"/></EnumerationMappingTransformation>") +
            Wire("a", "Enumeration_output", "same", "Enumeration_input") +
            Wire("a", "Boolean_output", "same", "Boolean_input") + Wire("a", "String_output", "same", "String_input") +
            "</Connections>",
        "<DefaultExperiment stopTime=\"0.5\"/>"));
  };
  auto last = of(1, "true", 1);
  EXPECT_EQ(last["a.Int32_output"], "1");
  EXPECT_EQ(last["z.Int32_output"], "10");
  EXPECT_EQ(last["z.Boolean_output"], "false");
  EXPECT_EQ(last["z.Enumeration_output"], "Option_2");
  EXPECT_EQ(last["same.Enumeration_output"], "Option_1");
  EXPECT_EQ(last["same.Boolean_output"], "true");
  EXPECT_EQ(last["same.String_output"], "a text");
  last = of(2, "false", 2);
  EXPECT_EQ(last["z.Int32_output"], "-20");
  EXPECT_EQ(last["z.Boolean_output"], "true");
  EXPECT_EQ(last["z.Enumeration_output"], "Option_1");
  EXPECT_EQ(of(5, "true", 1)["z.Int32_output"], "5") << "what has no entry goes through";
}

TEST_F(RunSystems, SingleElementsOfArraysGoWhereTheIndicesSay) {
  // x' = B u: with B = diag(1, 10) of g, and u = (1 of its own start, 3 from f).
  const std::string connectors = Connectors({{"u", "input"}, {"y", "output"}});
  const std::string values =
      "<Parameter name=\"n\"><UInt64 value=\"2\"/></Parameter><Parameter name=\"B\"><Float64 value=\"1 0 0 10\"/>"
      "<Dimension size=\"2\"/><Dimension size=\"2\"/></Parameter>";
  const std::string start =
      "<Parameter name=\"x0\"><Float64 value=\"2 3\"/><Dimension size=\"2\"/></Parameter>"
      "<Parameter name=\"u\"><Float64 value=\"0 0\"/><Dimension size=\"2\"/></Parameter>";
  const auto part = [&](const std::string& name, const std::string& more) {
    return "<Component name=\"" + name + "\" source=\"resources/Arrays.fmu\">" + connectors + Binding(values + more) +
           "</Component>";
  };
  const std::string linear = Linear("z", Binding(Real("a", "1") + Real("b", "0")));
  auto last = Run(Description("<Elements>" + part("f", start) + part("g", "") + linear + "</Elements><Connections>" +
                                  Wire("f", "y", "g", "u").insert(12, "startIndices=\"2\" endIndices=\"2\" ") +
                                  Wire("g", "y", "z", "u").insert(12, "startIndices=\"2\" ") + "</Connections>",
                              "<DefaultExperiment stopTime=\"0.5\"/>"));
  EXPECT_EQ(last["f.y"], "2") << "the first element: it stays";
  EXPECT_NEAR(std::stod(last["g.y"]), 0.5, 1e-9) << "of its own start value 1";
  EXPECT_NEAR(std::stod(last["z.y"]), 15.0 + 0.9 * 0.9 * 0.9 * 0.9 * 0.9, 1e-9) << "10 * 3 * 0.5";
}

TEST_F(RunSystems, PartitionsAreScheduledBesideSteps) {
  const auto scheduled = [](const std::string& name, const std::string& input, const std::string& output) {
    return "<Component name=\"" + name +
           "\" source=\"resources/Partitions.fmu\" implementation=\"ScheduledExecution\">" +
           Connectors({{input, "input"}, {output, "output"}}) + "</Component>";
  };
  auto last = Run(Description("<Elements>" + Linear("z", Binding(Real("a", "0") + Real("b", "4"))) +
                                  scheduled("p", "signal", "sampled") + "</Elements><Connections>" +
                                  Wire("z", "y", "p", "signal") + "</Connections>",
                              "<DefaultExperiment stopTime=\"5\"/>"));
  EXPECT_NEAR(std::stod(last["p.sampled"]), 2.0 * (4.0 + std::pow(0.9, 50)), 1e-12) << "twice y at 5 s";
  EXPECT_EQ(last["p.total"], "19");
}

TEST_F(RunSystems, ClocksThatAreNotTriggeredAreOutputsInConnections) {
  const auto clock = [](const std::string& name, const std::string& kind, const char* interval) {
    return "<Connector name=\"" + name + "\" kind=\"" + kind + "\"><Clock intervalVariability=\"" + interval +
           "\"/></Connector>";
  };
  const auto data = [](const std::string& name, const std::string& kind, const std::string& of) {
    return "<Connector name=\"" + name + "\" kind=\"" + kind + "\"><Binary/><Clock name=\"" + of + "\"/></Connector>";
  };
  const auto node = [&](const std::string& name, const std::string& receiving) {
    return "<Component name=\"" + name + "\" source=\"resources/CanNode.fmu\"><Connectors>" +
           clock("Can.Tx_Clock", "input", "countdown") + clock("Can.Rx_Clock", "input", "triggered") +
           data("Can.Tx_Data", "output", "Can.Tx_Clock") + data("Can.Rx_Data", "input", receiving) +
           "<Connector name=\"frames\" kind=\"output\"/></Connectors></Component>";
  };
  const auto system = [&](const std::string& receiving) {
    return Description("<Elements>" + node("a", "Can.Rx_Clock") + node("z", receiving) + "</Elements><Connections>" +
                           Wire("a", "Can.Tx_Data", "z", "Can.Rx_Data") +
                           Wire("z", "Can.Rx_Clock", "a", "Can.Tx_Clock") + "</Connections>",
                       "<DefaultExperiment stopTime=\"2\"/>");
  };
  auto last = Run(system("Can.Rx_Clock"));
  EXPECT_GT(std::stoi(last["z.frames"]), 3);
  EXPECT_EQ(last["a.frames"], "0");
  // What is written names the clocks, and reads the same again.
  Problems problems;
  const ImportedSystem imported = ImportSystemStructure(scratch_ / "sys tem.ssp", problems);
  ExportComposition(imported.composition, SspVersion::V2, scratch_ / "again.ssp", problems);
  EXPECT_THAT(Archive(scratch_ / "again.ssp").Read("SystemStructure.ssd"),
              testing::HasSubstr("<ssd:Clock name=\"Can.Tx_Clock\"/>"));
  const ImportedSystem again = ImportSystemStructure(scratch_ / "again.ssp", problems);
  ASSERT_EQ(again.composition.links.size(), 2U);
  EXPECT_EQ(again.composition.links[1].Text(), "a.Can.Tx_Clock -> z.Can.Rx_Clock");
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems[0]);
  ImportSystemStructure(scratch_.Write("x.ssd", system("Can.Clock")), problems);
  std::string all;
  for (const Problem& problem : problems) all += FormatProblem(problem) + "\n";
  EXPECT_THAT(all, testing::HasSubstr("expected a clock among the connectors of the same element, found 'Can.Clock'"));
}

TEST_F(RunSystems, ASystemInASystemAndThePriorityOfParametersShowInTheResults) {
  // y = a u + b + x with x = 0.9^5 after half a second.
  const std::string inner =
      "<System name=\"inner\">" + Connectors({{"in", "input"}, {"out", "output"}, {"g", "parameter"}}) + "<Elements>" +
      Linear("p", Binding(Real("b", "1") + Real("a", "1"))) + Linear("q", Binding(Real("b", "7"))) +
      "</Elements><Connections>" + Wire("", "in", "p", "u", "<LinearTransformation factor=\"3\"/>") +
      Wire("p", "y", "", "out") + Wire("", "g", "q", "a", "<LinearTransformation factor=\"10\" offset=\"1\"/>") +
      "</Connections>" + Binding(Real("p.b", "2") + Real("p.b", "3")) + "</System>";
  const auto of = [&](const std::string& more) {
    auto last =
        Run(Description("<Elements>" + Linear("before", Binding(Real("a", "0") + Real("b", "5"))) + inner +
                            Linear("behind", Binding(Real("a", "1") + Real("b", "0"))) + "</Elements><Connections>" +
                            Wire("before", "y", "inner", "in", "<LinearTransformation offset=\"5\"/>") +
                            Wire("inner", "out", "behind", "u") + "</Connections>" + Binding(more),
                        "<DefaultExperiment stopTime=\"0.5\"/>"));
    std::map<std::string, double> numbers;
    for (const auto& [name, text] : last) numbers[name] = std::stod(text);
    return numbers;
  };
  const double x = 0.9 * 0.9 * 0.9 * 0.9 * 0.9;
  auto last = of(Real("inner.g", "2"));
  EXPECT_NEAR(last["before.y"], 5.0 + x, 1e-12);
  EXPECT_NEAR(last["inner/p.y"], 3.0 * (5.0 + x + 5.0) + 3.0 + x, 1e-12)
      << "b of the system, and there of the later one";
  EXPECT_NEAR(last["behind.y"], last["inner/p.y"] + x, 1e-12);
  EXPECT_NEAR(last["inner/q.y"], 7.0 + x, 1e-12) << "nobody around says otherwise; u is 0";
  last = of(Real("inner.p.b", "4") + Real("inner.q.u", "2") + Real("inner.g", "2"));
  EXPECT_NEAR(last["inner/p.y"], 3.0 * (5.0 + x + 5.0) + 4.0 + x, 1e-12) << "b of what stands around";
  EXPECT_NEAR(last["inner/q.y"], 21.0 * 2.0 + 7.0 + x, 1e-12) << "a through the wire of a parameter";
}

}  // namespace
}  // namespace openmi::ssp
