// Models that break one rule each, made from two that break none.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/osmp/packaging/OsmpModel.hpp"
#include "tests/fmi-bridge/osmp/ModelText.hpp"

namespace openmi::osmp {
namespace {

OsmpModel Read(const std::string& text, bool is_good_fmu = true) {
  Problems problems;
  const fmi::ModelDescription description = fmi::ReadModelDescription(text, "model.xml", problems);
  EXPECT_EQ(HasErrors(problems) && is_good_fmu, false) << FormatProblem(problems.front());
  return ReadOsmpModel(description);
}

std::string Replaced(std::string text, const std::string& from, const std::string& to, bool all = false) {
  std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  for (; at != std::string::npos; at = all ? text.find(from, at + to.size()) : std::string::npos) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string Everything(const OsmpModel& model) {
  std::string text;
  for (const Problem& problem : ProblemsOf(model, "model.xml")) text += FormatProblem(problem) + "\n";
  return text;
}

TEST(Rules, AModelThatKeepsThemAllBreaksNone) {
  for (const std::string& text : {SensorText2(), SensorText3()}) {
    const OsmpModel model = Read(text);
    EXPECT_TRUE(model.is_osmp);
    EXPECT_TRUE(model.breaches.empty()) << Everything(model);
    EXPECT_EQ(model.version, "1.6.0");
    EXPECT_EQ(model.osi_version, "3.7.0");
    ASSERT_EQ(model.variables.size(), 5u);
    EXPECT_EQ(model.roles, std::vector{ModelRole::Sensor});
    std::set<std::string> messages;
    for (const BinaryVariable& one : model.variables) {
      messages.insert(one.message);
      EXPECT_EQ(one.osi_version, "3.7.0");
      EXPECT_TRUE(one.is_whole);
      EXPECT_NE(one.kind, Kind::Other);
    }
    EXPECT_EQ(messages, (std::set<std::string>{"SensorView", "SensorData", "SensorViewConfiguration", "GroundTruth"}));
  }
}

/// A change to a model that keeps all rules, and the rule that it breaks.
struct Case {
  const char* name;
  RuleId rule;
  std::string text;
};

std::vector<Case> Cases() {
  const std::string good = SensorText2();
  const std::string third = SensorText3();
  const auto view = [](const char* role) { return VariableText2("OSMPSensorViewIn", role, kViewIn); };
  const auto with = [&](const std::string& more) {
    return Replaced(good, "</ModelVariables>", more + "</ModelVariables>");
  };
  const std::string lidar = "application/x-open-simulation-interface; type=Lidar; version=3.7.0";
  return {
      {"no-marker", RuleId::Marker, Replaced(good, kMarker2, "")},
      {"two-markers", RuleId::Marker, Replaced(good, kMarker2, std::string(kMarker2) + kMarker2)},
      {"other-namespace", RuleId::Marker,
       Replaced(good, "xmlns:osmp=\"http://xsd.pmsf.net/OSISensorModelPackaging\"",
                "xmlns:osmp=\"http://example.com\"")},
      {"version-of-points", RuleId::PackagingVersion, Replaced(good, "version=\"1.6.0\"", "version=\"..\"")},
      {"version-two", RuleId::PackagingVersion, Replaced(good, "version=\"1.6.0\"", "version=\"2.0.0\"")},
      {"osi-version-short", RuleId::OsiVersion, Replaced(good, "osi-version=\"3.7.0\"", "osi-version=\"3.7\"")},
      {"model-exchange", RuleId::CoSimulation, Replaced(good, "<CoSimulation ", "<ModelExchange ")},
      {"fmi-1", RuleId::FmiVersion, FirstText()},
      {"flat-names", RuleId::StructuredNames,
       Replaced(good, "variableNamingConvention=\"structured\"", "variableNamingConvention=\"flat\"")},
      {"no-step", RuleId::StepSize, Replaced(good, " stepSize=\"0.02\"", "")},
      {"illegal-name", RuleId::LegalName, Replaced(good, "OSMPSensorDataOut", "OSMP SensorDataOut", true)},
      {"name-taken", RuleId::NameTaken,
       with(R"(<ScalarVariable name="OSMPSensorViewIn" valueReference="90"><Real start="0"/></ScalarVariable>)")},
      {"no-size", RuleId::OneOfEachRole, Replaced(good, view("size"), "")},
      {"two-sizes", RuleId::OneOfEachRole,
       with(Replaced(view("size"), "name=\"OSMPSensorViewIn.size\" valueReference=\"2\"",
                     "name=\"OSMPSensorViewIn.size2\" valueReference=\"91\""))},
      {"real-size", RuleId::ScalarType,
       Replaced(good, view("size"), Replaced(view("size"), "<Integer start=\"0\"/>", "<Real start=\"0\"/>"))},
      {"other-names", RuleId::NamesOfTheThree, Replaced(good, "OSMPSensorViewIn.base.lo", "OSMPSensorViewIn.lo")},
      {"size-is-continuous", RuleId::SameCausality,
       Replaced(good, view("size"), Replaced(view("size"), "causality=\"input\"", "causality=\"local\""))},
      {"start-is-one", RuleId::StartValue,
       Replaced(good, view("size"), Replaced(view("size"), "<Integer start=\"0\"/>", "<Integer start=\"1\"/>"))},
      {"start-is-bytes", RuleId::StartValue, Replaced(third, "<Start value=\"\"/>", "<Start value=\"00\"/>")},
      {"no-annotation", RuleId::Annotated,
       Replaced(good, view("size"), Replaced(view("size"), AnnotationText2("OSMPSensorViewIn", "size", kViewIn), ""))},
      {"mime-nonsense", RuleId::MimeTypeValid, Replaced(good, std::string(kViewIn), "SensorView", true)},
      {"mime-differs", RuleId::MimeTypesAgree, Replaced(good, view("size"), Replaced(view("size"), "3.7.0", "3.6.0"))},
      {"mime-differs-3", RuleId::MimeTypesAgree,
       Replaced(third, "mimeType=\"" + std::string(kViewIn), "mimeType=\"a/b")},
      {"mime-unknown-message", RuleId::MessageKnown, Replaced(good, std::string(kViewIn), lidar, true)},
      {"no-version", RuleId::OsiVersionGiven,
       Replaced(Replaced(good, "; version=3.7.0", "", true), " osi-version=\"3.7.0\"", "")},
      {"role-unknown", RuleId::RoleKnown, Replaced(good, "role=\"size\"", "role=\"length\"")},
      {"full-in-2", RuleId::RoleKnown, Replaced(good, "role=\"size\"", "role=\"full\"")},
      {"output-in", RuleId::KindCausality, Replaced(good, "OSMPSensorDataOut", "OSMPSensorDataIn", true)},
      {"continuous", RuleId::KindCausality,
       Replaced(good, "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"",
                "causality=\"parameter\" variability=\"tunable\" initial=\"exact\"", true)},
      {"mime-of-another-kind", RuleId::KindMessage, Replaced(good, std::string(kViewIn), std::string(kDataOut), true)},
      {"index-alone", RuleId::Indices, Replaced(good, "OSMPSensorDataOut", "OSMPSensorDataOut[2]", true)},
      {"index-from-two", RuleId::Indices,
       with(TripleText2("OSMPTrafficUpdateOut[2]", "TrafficUpdate", kOutputAttributes, 40) +
            TripleText2("OSMPTrafficUpdateOut[3]", "TrafficUpdate", kOutputAttributes, 50))},
      {"request-alone", RuleId::ConfigExists, Replaced(good, "OSMPSensorViewInConfig\"", "Config\"", true)},
      {"config-is-tunable", RuleId::ConfigVariability,
       Replaced(good, "causality=\"parameter\" variability=\"fixed\"",
                "causality=\"parameter\" variability=\"tunable\"", true)},
      {"config-of-nothing", RuleId::ConfigIndex,
       Replaced(Replaced(good, "OSMPSensorViewInConfigRequest", "OSMPSensorViewInConfigRequest[3]", true),
                "OSMPSensorViewInConfig\"", "OSMPSensorViewInConfig[3]\"", true)},
      {"two-ground-truths", RuleId::GroundTruthSingle,
       Replaced(good, "OSMPGroundTruthInit", "OSMPGroundTruthInit[1]", true)},
      {"unknown-prefix", RuleId::KnownPrefix,
       with(TripleText2("OSMPMotionRequestOut", "MotionRequest", kOutputAttributes, 40))},
  };
}

TEST(Rules, EveryModelThatBreaksOneIsNamedByIt) {
  std::set<RuleId> seen;
  for (const Case& one : Cases()) {
    SCOPED_TRACE(one.name);
    const OsmpModel model = Read(one.text, false);  // some break rules of FMI, too
    EXPECT_TRUE(model.is_osmp);
    EXPECT_TRUE(model.Breaks(one.rule)) << Everything(model);
    EXPECT_NE(Everything(model).find(fmt::format("OSMP rule {}: expected ", RuleOf(one.rule).Number())),
              std::string::npos)
        << Everything(model);
    seen.insert(one.rule);
  }
  for (const Rule& rule : Rules()) {
    if (rule.weight == RuleWeight::Runs || rule.id == RuleId::OtherVariables || rule.id == RuleId::GroundTruthExact) {
      continue;  // FMI itself has start values of inputs, and no other initial of a parameter
    }
    EXPECT_TRUE(seen.contains(rule.id)) << "no model breaks rule " << rule.Number();
  }
}

// Start values of inputs, and the initial of a parameter: FMI says the same.
TEST(Rules, WhatFmiForbidsTooIsNamed) {
  const OsmpModel input = Read(
      Replaced(
          SensorText2(), "</ModelVariables>",
          R"(<ScalarVariable name="u" valueReference="90" causality="input" variability="continuous"><Real/></ScalarVariable></ModelVariables>)"),
      false);
  EXPECT_TRUE(input.Breaks(RuleId::OtherVariables)) << Everything(input);
  // A parameter has no other initial: that is said when the description is read.
  const std::string text = Replaced(SensorText2(), R"(variability="fixed" initial="exact")",
                                    R"(variability="fixed" initial="approx")", true);
  Problems problems;
  fmi::ReadModelDescription(text, "model.xml", problems);
  EXPECT_TRUE(std::ranges::any_of(problems, [](const Problem& one) {
    return one.severity == Problem::Error && one.where.item.starts_with("OSMPGroundTruthInit");
  }));
}

TEST(Rules, AnAnnotationThatIsMissingIsReadOffTheName) {
  std::string text = SensorText2();
  for (const char* role : {"base.lo", "base.hi", "size"}) {
    text = Replaced(text, AnnotationText2("OSMPSensorViewIn", role, kViewIn), "");
  }
  const OsmpModel model = Read(text);
  ASSERT_EQ(model.variables.size(), 5u);
  EXPECT_EQ(model.variables[0].name, "OSMPSensorViewIn");
  EXPECT_EQ(model.variables[0].message, "SensorView");
  EXPECT_TRUE(model.variables[0].is_whole);
  EXPECT_TRUE(model.Breaks(RuleId::Annotated));
}

TEST(Rules, RolesFollowFromWhatGoesInAndOut) {
  const auto role = [](std::initializer_list<std::pair<const char*, const char*>> variables) {
    std::string text;
    int reference = 0;
    for (const auto& [name, message] : variables) {
      text += TripleText2(
          name, message,
          std::string_view(name).find("In") != std::string_view::npos ? kInputAttributes : kOutputAttributes,
          reference += 10);
    }
    const OsmpModel model = Read(ModelText2(text));
    EXPECT_TRUE(model.breaches.empty()) << Everything(model);
    return model.roles;
  };
  using enum ModelRole;
  EXPECT_EQ(role({{"OSMPSensorViewIn", "SensorView"}, {"OSMPSensorViewOut", "SensorView"}}),
            std::vector{EnvironmentEffect});
  EXPECT_EQ(role({{"OSMPSensorDataIn[1]", "SensorData"},
                  {"OSMPSensorDataIn[2]", "SensorData"},
                  {"OSMPSensorDataOut", "SensorData"}}),
            std::vector{Logical});
  EXPECT_EQ(role({{"OSMPSensorViewIn", "SensorView"},
                  {"OSMPTrafficCommandIn", "TrafficCommand"},
                  {"OSMPTrafficUpdateOut", "TrafficUpdate"},
                  {"OSMPTrafficCommandUpdateOut", "TrafficCommandUpdate"}}),
            std::vector{TrafficParticipant});
  EXPECT_EQ(role({{"OSMPStreamingUpdateIn", "StreamingUpdate"}}), std::vector{StreamingUpdateConsumer});
  EXPECT_EQ(role({{"OSMPSensorViewOut", "SensorView"}}), std::vector{Source});
  EXPECT_EQ(role({{"OSMPSensorViewIn", "SensorView"},
                  {"OSMPSensorDataOut", "SensorData"},
                  {"OSMPTrafficUpdateOut", "TrafficUpdate"}}),
            (std::vector{Sensor, TrafficParticipant}));
}

// As models are whose builder filled in no version.
TEST(Rules, AnEmptyVersionIsAWarning) {
  const OsmpModel model = Read(Replaced(Replaced(SensorText2(), "; version=3.7.0", "; version=", true),
                                        "osi-version=\"3.7.0\"", "osi-version=\"\""));
  EXPECT_FALSE(HasErrors(ProblemsOf(model, "model.xml"))) << Everything(model);
  EXPECT_NE(Everything(model).find("OSMP rule 21: expected a version of OSI in the MIME type or in the element osmp, "
                                   "found the parameter version empty; write version=3.7.0"),
            std::string::npos)
      << Everything(model);
  for (const BinaryVariable& variable : model.variables) EXPECT_FALSE(variable.message.empty()) << variable.name;
}

TEST(Rules, AMimeTypeThatIsNoneBreaksNoOtherRule) {
  std::string text =
      Replaced(SensorText2(), "application/x-open-simulation-interface; type=SensorData;", "SensorData;", true);
  for (const char* message : {"SensorViewConfiguration", "SensorView", "GroundTruth"}) {
    text = Replaced(text, std::string("application/x-open-simulation-interface; type=") + message + ";",
                    std::string(message) + ";", true);
  }
  const OsmpModel model = Read(text);
  for (const Breach& breach : model.breaches) EXPECT_EQ(breach.rule, RuleId::MimeTypeValid) << Everything(model);
  EXPECT_NE(Everything(model).find("write application/x-open-simulation-interface; type=SensorData; version=3.7.0"),
            std::string::npos)
      << Everything(model);
}

TEST(Rules, AMimeTypeOfAnotherMessageThanTheNameIsAsked) {
  const OsmpModel model =
      Read(ModelText2(TripleText2("OSMPTrafficCommandUpdateIn", "TrafficUpdate", kInputAttributes, 0)));
  EXPECT_NE(Everything(model).find("did you mean type=TrafficCommandUpdate in its MIME type?"), std::string::npos)
      << Everything(model);
}

TEST(Rules, AnOrdinaryFmuIsNone) {
  const OsmpModel model = Read(Replaced(ModelText2(""), kMarker2, ""));
  EXPECT_FALSE(model.is_osmp);
  EXPECT_TRUE(model.breaches.empty());
}

}  // namespace
}  // namespace openmi::osmp
