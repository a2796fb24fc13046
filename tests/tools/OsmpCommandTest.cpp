// OSMP models, as people meet them on the command line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/Command.hpp"

namespace {

using openmi::ChildResult;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kSensor = std::string(OPENMI_BINARY_DIR) + "/examples/fmus/2/ObjectListSensor.fmu";

/// The unpacked sensor under another name, with other words in its description.
void Copied(const Workplace& here, const std::string& name,
            const std::vector<std::pair<std::string, std::string>>& replaced) {
  std::filesystem::copy(std::string(OPENMI_BINARY_DIR) + "/examples/fmus/2/ObjectListSensor", here / name,
                        std::filesystem::copy_options::recursive);
  const std::string file = name + "/modelDescription.xml";
  std::string text = here.Read(file);
  for (const auto& [from, to] : replaced) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  }
  std::filesystem::remove(here / file);
  here.Write(file, text);
}

/// A model that gives sensor views, of another step than the sensor.
void Player(const Workplace& here) {
  Copied(here, "player",
         {{"OSMPSensorDataOut", "OSMPSensorViewOut"},
          {"type=SensorData", "type=SensorView"},
          {"stepSize=\"0.02\"", "stepSize=\"0.03\""}});
}

TEST(Osmp, MessagesAreLinkedByTheirTypeInANewComposition) {
  const Workplace here;
  Player(here);
  const ChildResult made = here.Run({"new", "fmu-composition", "player", kSensor});
  EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
  const std::string text = here.Read("composition.xml");
  EXPECT_THAT(text,
              AllOf(HasSubstr("<Link From=\"player.OSMPSensorViewOut\" To=\"ObjectListSensor.OSMPSensorViewIn\"/>"),
                    HasSubstr("<Link From=\"player.OSMPSensorViewOut\" To=\"ObjectListSensor.OSMPGroundTruthInit\"/>"),
                    HasSubstr("player.OSMPSensorViewIn: none fits"), Not(HasSubstr("linear"))));
  const std::string omi = here.Read("ObjectListSensor.omi");
  EXPECT_LT(omi.find(" range = "), omi.find("Start values of outputs"));
  EXPECT_LT(omi.find("Start values of outputs"), omi.find(" count = "));
}

TEST(Osmp, AGroundTruthMayComeFromASensorView) {
  const Workplace here;
  Player(here);
  Copied(here, "other", {{"modelName", "modelName"}});
  const auto check = [&here](const std::string& from) {
    const auto fmu = [](const std::string& id, const std::string& file) {
      return "<Component Id=\"" + id +
             "\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\"><Argument Key=\"fmu\" Value=\"" + file +
             "\"/></Component>";
    };
    here.Write("truth.xml", "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"truth\">" + fmu("player", "player") +
                                fmu("other", "other") + fmu("sensor", kSensor) + "<Link From=\"" + from +
                                "\" To=\"sensor.OSMPGroundTruthInit\"/><Run From=\"2020-01-01T00:00Z\" "
                                "To=\"2020-01-01T00:00:01Z\"/></Composition>");
    return here.Run({"check", "truth.xml"});
  };
  const ChildResult view = check("player.OSMPSensorViewOut");
  EXPECT_EQ(view.exit_code, 0) << view.out << view.err;
  EXPECT_THAT(check("other.OSMPSensorDataOut").out,
              HasSubstr("expected messages osi3::GroundTruth or osi3::SensorView, found osi3::SensorData"));
}

TEST(Osmp, ACheckOfTheFmuHasItsRules) {
  const Workplace here;
  EXPECT_THAT(here.Run({"fmu", "check", kSensor}).out, Not(HasSubstr("OSMP rule")));
  Copied(here, "wrong", {{"type=SensorView;", "type=SensorVew;"}});
  const ChildResult wrong = here.Run({"fmu", "check", "wrong"});
  EXPECT_EQ(wrong.exit_code, 5);
  EXPECT_THAT(wrong.out, HasSubstr("OSMP rule 20: expected a top-level message of OSI"));
}

TEST(Osmp, AddressesAreNotRecorded) {
  const Workplace here;
  const ChildResult run = here.Run({"fmu", "run", kSensor, "--stop-time", "0.1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("OSMPSensorDataOut.size"), HasSubstr("count"), Not(HasSubstr("base.lo")),
                             Not(HasSubstr("base.hi"))));
  EXPECT_THAT(run.err, HasSubstr("the addresses of its messages (base.lo, base.hi) are not recorded"));
  EXPECT_THAT(here.Run({"fmu", "run", kSensor, "--variable", "OSMPSensorDataOut.base.lo"}).out, HasSubstr("base.lo"));
}

TEST(Osmp, AModelOfNoRoleIsToldByWhatItTakesAndGives) {
  const Workplace here;
  Copied(here, "odd", {{"OSMPSensorDataOut", "OSMPTrafficCommandOut"}, {"type=SensorData", "type=TrafficCommand"}});
  EXPECT_THAT(here.Run({"osmp", "info", "odd"}).out,
              HasSubstr("role: none that the packaging names: takes SensorView, gives TrafficCommand"));
}

}  // namespace
