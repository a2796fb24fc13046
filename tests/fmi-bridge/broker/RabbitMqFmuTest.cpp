#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <iterator>

#include "fmi-bridge/broker/fmu/RabbitMqFmu.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/broker/CaseTable.hpp"
#include "tests/fmi-bridge/export/fmu/ExportedFmu.hpp"
#include "timespace/testing/Driver.hpp"

// A stream as the RabbitMQ FMU, out of a recording: what its description says counts.

namespace openmi::broker {
namespace {

using fmutest::Fmu;
using fmutest::Instance2;
using fmutest::Instance3;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kSecret = "never-to-be-written";

std::string StreamMessages() {
  const char* const messages[] = {R"(0 p.x=1 b=10 n=3 f=true z=0 s="on")",
                                  "0.5 b=11 n=4",
                                  R"(1 p.x=2 s="off")",
                                  R"(1.5 f=false b=12)",
                                  R"(2 p.x=3)",
                                  R"(3 p.x=4)"};
  std::string lines;
  for (const char* message : messages) lines += BodyOf(message) + "\n";
  return lines;
}

/// A stream of a recording as an FMU: exported once for each version, unpacked anew each time.
struct Exported {
  explicit Exported(int version) {
    static std::array<std::unique_ptr<Fmu>, 2> fmus;
    std::unique_ptr<Fmu>& known = fmus[static_cast<std::size_t>(version - 2)];
    if (known == nullptr) known = Make(version);
    fmu = known.get();
    fmu->Place(place.Path() / "fmu");
  }
  static std::unique_ptr<Fmu> Make(int version) {
    const ScratchFolder source("stream");
    source.Write("stream.jsonl", StreamMessages());
    source.Write("key.pem", kSecret);
    source.Write("rabbitmq.omi", fmt::format(R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0"
        Type="openmi.broker.Stream" Assembly="openmi-broker-bridge"><Arguments>
      <Argument Key="recording" Value="stream.jsonl"/>
      <Argument Key="fields" Value="p.x=x[m], s:string"/>
      <Argument Key="password" Value="{}"/>
      <Argument Key="tls-key-file" Value="key.pem"/>
    </Arguments></LinkableComponent>)",
                                             kSecret));
    openmi::exported::ExportOptions options;
    options.source = source.Path() / "rabbitmq.omi";
    options.version = version;
    return std::make_unique<Fmu>(options);
  }
  std::string Description() const { return Text(fmu->root / "modelDescription.xml"); }
  void Describe(const std::string& text) const { std::ofstream(fmu->root / "modelDescription.xml") << text; }
  /// Puts a line before another in the description.
  void Add(const std::string& before, const std::string& line) const {
    std::string text = Description();
    const std::size_t at = text.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    Describe(text.insert(at, line + "\n    "));
  }
  static std::string Text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  ScratchFolder place{"place"};
  Fmu* fmu = nullptr;
};

/// What an instance of FMI 2.0 shows under value references.
struct Shown2 {
  double Real(fmi2ValueReference reference) {
    double value = -1.0;
    EXPECT_EQ(FMUTEST_CALL(fmi2, GetReal)(one.component, &reference, 1, &value), fmi2OK) << one.log;
    return value;
  }
  int Integer(fmi2ValueReference reference) {
    int value = -1;
    EXPECT_EQ(FMUTEST_CALL(fmi2, GetInteger)(one.component, &reference, 1, &value), fmi2OK) << one.log;
    return value;
  }
  bool Boolean(fmi2ValueReference reference) {
    fmi2Boolean value = 7;
    EXPECT_EQ(FMUTEST_CALL(fmi2, GetBoolean)(one.component, &reference, 1, &value), fmi2OK) << one.log;
    return value == fmi2True;
  }
  std::string Text(fmi2ValueReference reference) {
    const char* value = nullptr;
    EXPECT_EQ(FMUTEST_CALL(fmi2, GetString)(one.component, &reference, 1, &value), fmi2OK) << one.log;
    return value != nullptr ? value : "nothing";
  }
  Fmu* fmu;
  Instance2& one;
};

TEST(RabbitMqFmu, OutputsAddedByHandWorkWithoutARebuild) {
  const Exported exported(2);
  exported.Add(
      "<ScalarVariable name=\"x\"",
      R"(<ScalarVariable name="b" valueReference="250" causality="output" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="n" valueReference="251" causality="output" variability="discrete"><Integer/></ScalarVariable>
    <ScalarVariable name="f" valueReference="60" causality="output" variability="discrete"><Boolean/></ScalarVariable>
    <ScalarVariable name="z" valueReference="62" causality="output" variability="continuous"><Real/></ScalarVariable>
    <ScalarVariable name="nowhere" valueReference="61" causality="output" variability="continuous" initial="exact"><Real start="-5"/></ScalarVariable>)");
  Instance2 one(*exported.fmu);
  ASSERT_NE(one.component, nullptr) << one.log;
  Shown2 shown{exported.fmu, one};
  one.Begin(10.0);
  const fmi2ValueReference x = exported.fmu->Variable("x").reference;
  const fmi2ValueReference s = exported.fmu->Variable("s").reference;
  EXPECT_EQ(shown.Real(x), 1.0);
  EXPECT_EQ(shown.Real(250), 10.0);
  EXPECT_EQ(shown.Integer(251), 3);
  EXPECT_TRUE(shown.Boolean(60));
  EXPECT_EQ(shown.Real(61), -5.0) << "no value yet: the start value";
  EXPECT_EQ(shown.Real(62), 0.0) << "zero is a value";
  EXPECT_EQ(shown.Text(s), "on");
  EXPECT_EQ(one.Step(0.0, 0.75), fmi2OK) << one.log;
  EXPECT_EQ(shown.Real(x), 1.0);
  EXPECT_EQ(shown.Real(250), 11.0);
  EXPECT_EQ(one.Step(0.75, 0.25), fmi2OK) << one.log;
  EXPECT_EQ(shown.Real(x), 2.0);
  EXPECT_EQ(shown.Text(s), "off");
  EXPECT_TRUE(shown.Boolean(60));
  EXPECT_EQ(one.Step(1.0, 1.0), fmi2OK) << one.log;
  EXPECT_EQ(shown.Real(x), 3.0);
  EXPECT_EQ(shown.Real(250), 12.0);
  EXPECT_FALSE(shown.Boolean(60));
  EXPECT_EQ(one.Step(2.0, 5.0), fmi2Error);
  EXPECT_THAT(one.log, HasSubstr("found the end of the recording"));
}

TEST(RabbitMqFmu, ParametersAreSetByTheImporter) {
  const Exported exported(2);
  Fmu* fmu = exported.fmu;
  Instance2 one(*fmu);
  ASSERT_NE(one.component, nullptr) << one.log;
  const fmi2ValueReference age = exported.fmu->Variable("config.maxage").reference;
  EXPECT_EQ(age, 7U);
  const int value = 900;  // ms
  EXPECT_EQ(FMUTEST_CALL(fmi2, SetInteger)(one.component, &age, 1, &value), fmi2OK);
  one.Begin(10.0);
  EXPECT_EQ(one.Get("x"), 1.0);
  EXPECT_EQ(one.Step(0.0, 0.95), fmi2OK) << one.log;
  EXPECT_TRUE(std::isnan(one.Get("x"))) << "older than that";
  EXPECT_EQ(one.Step(0.95, 0.05), fmi2OK) << one.log;
  EXPECT_EQ(one.Get("x"), 2.0);
}

TEST(RabbitMqFmu, SpeaksFmi3Too) {
  const Exported exported(3);
  exported.Add("<Float64 name=\"x\"",
               R"(<Float64 name="b" valueReference="250" causality="output" variability="continuous"/>)");
  Instance3 one(*exported.fmu);
  ASSERT_NE(one.instance, nullptr) << one.log;
  Fmu* fmu = exported.fmu;
  EXPECT_EQ(fmu->Variable("time").reference, 20U);
  one.Begin(10.0);
  EXPECT_EQ(one.Step(0.0, 1.0), fmi3OK) << one.log;
  EXPECT_EQ(one.Get("x"), std::vector{2.0});
  const fmi3ValueReference b = 250;
  double value = 0.0;
  EXPECT_EQ(FMUTEST_CALL(fmi3, GetFloat64)(one.instance, &b, 1, &value, 1), fmi3OK) << one.log;
  EXPECT_EQ(value, 11.0);
  const fmi3ValueReference s = fmu->Variable("s").reference;
  const char* text = nullptr;
  EXPECT_EQ(FMUTEST_CALL(fmi3, GetString)(one.instance, &s, 1, &text, 1), fmi3OK) << one.log;
  EXPECT_STREQ(text, "off");
}

TEST(RabbitMqFmu, IsReadAmongTheResourcesWhereNothingElseIsUnpacked) {
  const Exported exported(2);
  const std::string line = R"(<ScalarVariable name="b" valueReference="250" causality="output"
      variability="continuous"><Real/></ScalarVariable>)";
  exported.Add("</ModelVariables>", line);
  std::filesystem::rename(exported.fmu->root / "modelDescription.xml",
                          exported.fmu->root / "resources/modelDescription.xml");
  Instance2 one(*exported.fmu);
  ASSERT_NE(one.component, nullptr) << one.log;
  one.Begin(10.0);
  EXPECT_EQ((Shown2{exported.fmu, one}.Real(250)), 10.0);
}

TEST(RabbitMqFmu, HoldsNoSecrets) {
  const Exported exported(2);
  std::string notes;
  for (const Problem& problem : exported.fmu->problems) notes += FormatProblem(problem) + "\n";
  EXPECT_THAT(notes, AllOf(HasSubstr("password"), HasSubstr("tls-key-file"), HasSubstr("OPENMI_BROKER_PASSWORD")));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(exported.fmu->root)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(Exported::Text(entry.path()).find(kSecret), std::string::npos) << entry.path();
  }
}

TEST(RabbitMqFmu, TakesTheDescriptionOfAnotherOne) {
  const Exported exported(2);
  const auto parameter = [](int reference, const char* name, const char* value) {
    return fmt::format(R"(<ScalarVariable name="{}" valueReference="{}" variability="fixed" causality="parameter"
        initial="exact">{}</ScalarVariable>)",
                       name, reference, value);
  };
  std::ofstream(exported.fmu->root / "modelDescription.xml")
      << R"(<?xml version="1.0" encoding="ISO-8859-1"?>
<fmiModelDescription fmiVersion="2.0" modelName="RabbitMq" guid="{another}" numberOfEventIndicators="0">
  <CoSimulation modelIdentifier="rabbitmq" needsExecutionTool="true" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables>
    <ScalarVariable name="b" valueReference="100" variability="continuous" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="far" valueReference="101" variability="continuous" causality="input"><Real start="0.0"/></ScalarVariable>)"
      << parameter(0, "config.hostname", R"(<String start="localhost"/>)")
      << parameter(1, "config.port", R"(<Integer start="5672"/>)")
      << parameter(3, "config.password", R"(<String start="guest"/>)")
      << parameter(4, "config.routingkey", R"(<String start="data.to_cosim"/>)")
      << parameter(7, "config.maxage", R"(<Integer start="1000"/>)")
      << parameter(11, "config.healthdata.exchangename", R"(<String start="fmi_digital_twin_sh"/>)")
      << parameter(13, "config.routingkey.from_cosim", R"(<String start="data.from_cosim"/>)")
      << parameter(16, "config.ssl", R"(<Boolean start="0"/>)") << R"(</ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/></Outputs><InitialUnknowns><Unknown index="1"/></InitialUnknowns></ModelStructure>
</fmiModelDescription>)";
  Instance2 one(*exported.fmu, "{another}", exported.fmu->Uri());
  ASSERT_NE(one.component, nullptr) << one.log;
  Shown2 shown{exported.fmu, one};
  one.Begin(10.0);
  EXPECT_EQ(shown.Real(100), 10.0);
  EXPECT_EQ(one.Step(0.0, 1.0), fmi2OK) << one.log;
  EXPECT_EQ(shown.Real(100), 11.0);
}

// What is there for others' descriptions only: theirs is noted, and whoever wants it is told that it does nothing.
TEST(RabbitMqFmu, RefusesParametersThatDoNothing) {
  const ScratchFolder folder;
  const std::string description = folder.Write("modelDescription.xml", R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="RabbitMq" guid="{one}" numberOfEventIndicators="0">
  <CoSimulation modelIdentifier="rabbitmq" canHandleVariableCommunicationStepSize="true"/>
  <ModelVariables>
    <ScalarVariable name="b" valueReference="100" variability="continuous" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="config.lookahead" valueReference="8" variability="fixed" causality="parameter" initial="exact">
      <Integer start="5"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure><Outputs><Unknown index="1"/></Outputs></ModelStructure>
</fmiModelDescription>)");
  const auto drive = [&](const std::string& parameter, const std::string& value, auto work) {
    RabbitMqFmu fmu;
    Driver driver(fmu);
    driver.Set("description", description).Set("source", "broker").Set("queue", "q");
    driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T01:00Z");
    if (!parameter.empty()) driver.Set(parameter, value);
    work(driver);
  };
  drive("", "", [](Driver& driver) {
    driver.Initialize();
    EXPECT_TRUE(driver.Validate());
    EXPECT_THAT(driver.Messages(), ::testing::Contains(HasSubstr("config.lookahead=5")));
  });
  drive("config.lookahead", "1", [](Driver& driver) {
    driver.Initialize();
    EXPECT_TRUE(driver.Validate());
    EXPECT_THAT(driver.Messages(), ::testing::Not(::testing::Contains(HasSubstr("config.lookahead"))));
  });
  for (const auto& setting : {std::pair{"config.lookahead", "7"}, {"config.healthdata.exchangename", "health"}}) {
    drive(setting.first, setting.second, [&](Driver& driver) {
      EXPECT_THAT([&] { driver.Initialize(); },
                  ::testing::ThrowsMessage<ArgumentError>(
                      AllOf(HasSubstr(setting.first), HasSubstr("has no effect here, found '"))));
    });
  }
}

TEST(RabbitMqFmu, SaysWhatIsWrongInADescription) {
  const Exported exported(2);
  const std::string good = exported.Description();
  const auto refusal = [&](const std::string& line) {
    exported.Describe(good);
    exported.Add("</ModelVariables>", line);
    Instance2 one(*exported.fmu);
    EXPECT_EQ(one.component, nullptr);
    return one.log;
  };
  EXPECT_THAT(
      refusal(
          R"(<ScalarVariable name="config.hostnam" valueReference="70" causality="parameter" variability="fixed"><String start=""/></ScalarVariable>)"),
      AllOf(HasSubstr("modelDescription.xml:"), HasSubstr("config.hostnam"), HasSubstr("config.hostname")));
  EXPECT_THAT(
      refusal(
          R"(<ScalarVariable name="y" valueReference="7" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>)"),
      HasSubstr("config.maxage has"));
  EXPECT_THAT(
      refusal(
          R"(<ScalarVariable name="y" valueReference="70" causality="input" variability="discrete"><String start=""/></ScalarVariable>)"),
      HasSubstr("Integer or Boolean"));
  EXPECT_THAT(
      refusal(
          R"(<ScalarVariable name="y" valueReference="4000000000" causality="input" variability="continuous"><Real start="0"/></ScalarVariable>)"),
      HasSubstr("value reference up to 1048576"));
  EXPECT_THAT(refusal("<ScalarVariable"), HasSubstr("modelDescription.xml:"));
  for (const char* file : {"modelDescription.xml", "resources/modelDescription.xml"}) {
    std::filesystem::remove(exported.fmu->root / file);
  }
  Instance2 one(*exported.fmu);
  EXPECT_EQ(one.component, nullptr);
  EXPECT_THAT(one.log, HasSubstr("modelDescription.xml"));
}

}  // namespace
}  // namespace openmi::broker
