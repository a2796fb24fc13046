#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/omi/XmlText.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::dcp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Everything that a slave description may hold, once at least.
constexpr const char* kFull = R"(<?xml version="1.0" encoding="UTF-8"?>
<dcpSlaveDescription dcpMajorVersion="1" dcpMinorVersion="0" dcpSlaveName="Tank" uuid="b5279485-720d-4542-9f29-bee4d9a75ef9"
    description="a tank" author="nobody" version="2" copyright="none" license="CC0" generationTool="by hand"
    generationDateAndTime="2026-01-01T00:00:00Z" variableNamingConvention="structured">
  <OpMode>
    <HardRealTime/>
    <SoftRealTime/>
    <NonRealTime defaultSteps="2" fixedSteps="false" minSteps="1" maxSteps="10"/>
  </OpMode>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/></Unit>
    <Unit name="K"><BaseUnit K="1"/><DisplayUnit name="degC" factor="1" offset="-273.15"/></Unit>
  </UnitDefinitions>
  <TypeDefinitions>
    <SimpleType name="Level" description="of water"><Float64 unit="m" min="0" max="10" nominal="1" quantity="Depth"/></SimpleType>
  </TypeDefinitions>
  <VendorAnnotations><Tool name="us"><x:a xmlns:x="urn:x" b="1">text</x:a></Tool><Tool name="none"/></VendorAnnotations>
  <TimeRes>
    <Resolution numerator="1" denominator="100" fixed="false"/>
    <Resolution numerator="1" denominator="10" fixed="false" recommended="true"/>
    <ResolutionRange numeratorFrom="2" numeratorTo="8" denominator="1000"/>
  </TimeRes>
  <Heartbeat><MaximumPeriodicInterval numerator="3" denominator="2"/></Heartbeat>
  <TransportProtocols>
    <UDP_IPv4 maxPduSize="1400">
      <Control host="127.0.0.1" port="8080"/>
      <DAT_input_output host="127.0.0.1"><AvailablePortRange from="2048" to="2060"/><AvailablePort port="3000"/></DAT_input_output>
      <DAT_parameter><AvailablePort port="3001"/></DAT_parameter>
    </UDP_IPv4>
    <CAN/>
    <USB2 maxPduSize="512" maxPower="100"><DataPipe direction="In" endpointAddress="1" intervall="4"/><DataPipe endpointAddress="2" intervall="8"/></USB2>
    <Bluetooth><Address bd_addr="00:11:22:33:44:55" port="30" alias="blue"/></Bluetooth>
    <TCP_IPv4><Control port="8081"/></TCP_IPv4>
  </TransportProtocols>
  <CapabilityFlags canAcceptConfigPdus="true" canHandleReset="true" canHandleVariableSteps="true" canMonitorHeartbeat="true" canProvideLogOnRequest="true" canProvideLogOnNotification="true"/>
  <Variables>
    <Variable name="n" valueReference="1" variability="fixed"><StructuralParameter><Uint32 start="3" max="9"/></StructuralParameter></Variable>
    <Variable name="inflow" valueReference="2" preEdge="0.1" postEdge="0.2" maxConsecMissedPdus="4" description="m3/s">
      <Input><Float64 start="1 2 3 4 5 6"/><Dimensions><Dimension linkedVR="1"/><Dimension constant="2"/></Dimensions></Input>
      <Annotations><Tool name="us"><note/></Tool></Annotations>
    </Variable>
    <Variable name="level" valueReference="3" declaredType="Level">
      <Output defaultSteps="2" fixedSteps="false" minSteps="1" maxSteps="5">
        <Float64 start="0.5" max="20"/>
        <Dependencies><Initialization/><Run><Dependency vr="2" dependencyKind="linear"/><Dependency vr="5" dependencyKind="dependent"/></Run></Dependencies>
      </Output>
    </Variable>
    <Variable name="label" valueReference="4" variability="discrete"><Output initialization="true"><String maxSize="80"/></Output></Variable>
    <Variable name="gain" valueReference="5" variability="tunable"><Parameter><Float32 start="0.1" displayUnit="degC" unit="K"/></Parameter></Variable>
    <Variable name="blob" valueReference="6" variability="fixed"><Parameter><Binary start="00ffA0" mimeType="image/png" maxSize="16"/></Parameter></Variable>
    <Variable name="big" valueReference="18446744073709551615" variability="fixed"><Parameter><Uint64 start="18446744073709551615" min="18446744073709551614" gradient="1"/></Parameter></Variable>
    <Variable name="small" valueReference="8" variability="discrete"><Input><Int8 start="-128" min="-128" max="127"/></Input></Variable>
  </Variables>
  <Log>
    <Categories><Category id="1" name="model"/></Categories>
    <Templates><Template id="7" category="1" level="3" msg="%uint16 steps: level %float64 m, 100 %%"/></Templates>
  </Log>
</dcpSlaveDescription>
)";

SlaveDescription Read(const std::string& text) {
  Problems problems;
  SlaveDescription description = ReadSlaveDescription(text, "tank.dcpx", problems);
  for (const Problem& problem : problems) ADD_FAILURE() << FormatProblem(problem);
  return description;
}

void ExpectFull(const SlaveDescription& d) {
  EXPECT_EQ(d.name, "Tank");
  EXPECT_EQ(ToText(d.uuid), "b5279485-720d-4542-9f29-bee4d9a75ef9");
  EXPECT_EQ(d.license, "CC0");
  EXPECT_EQ(d.generation_time, "2026-01-01T00:00:00Z");
  EXPECT_TRUE(d.is_structured);
  EXPECT_TRUE(d.Supports(OpMode::HRT) && d.Supports(OpMode::SRT) && d.Supports(OpMode::NRT));
  ASSERT_TRUE(d.non_real_time.has_value());
  EXPECT_EQ(d.non_real_time->standard, 2U);
  EXPECT_TRUE(d.non_real_time->Allows(10));
  EXPECT_FALSE(d.non_real_time->Allows(11));
  ASSERT_EQ(d.units.size(), 2U);
  EXPECT_EQ(d.units[1].display_units.at(0).offset, -273.15);
  ASSERT_EQ(d.types.size(), 1U);
  EXPECT_EQ(d.types[0].attributes.quantity, "Depth");
  ASSERT_EQ(d.annotations.size(), 2U);
  EXPECT_EQ(d.annotations[0].type, "us");
  EXPECT_EQ(d.annotations[0].content, R"(<x:a xmlns:x="urn:x" b="1">text</x:a>)");
  EXPECT_EQ(d.annotations[1].content, "");
  EXPECT_EQ(d.StandardResolution().denominator, 10U);
  EXPECT_TRUE(d.AllowsResolution(5, 1000) && d.AllowsResolution(10, 1000));
  EXPECT_FALSE(d.AllowsResolution(9, 1000));
  EXPECT_EQ(d.FixedResolution(), nullptr);
  EXPECT_EQ(d.ResolutionsText(), "1/100 s, 1/10 s (recommended), 2 to 8/1000 s");
  ASSERT_TRUE(d.heartbeat.has_value());
  EXPECT_EQ(d.heartbeat->Seconds(), 1.5);

  const Transports& transports = d.transports;
  ASSERT_TRUE(transports.udp && transports.tcp && transports.usb2 && transports.bluetooth);
  EXPECT_TRUE(transports.can);
  EXPECT_EQ(transports.udp->max_pdu_size, 1400U);
  EXPECT_EQ(transports.udp->control_host, "127.0.0.1");
  EXPECT_EQ(transports.udp->control_port, 8080);
  ASSERT_TRUE(transports.udp->data && transports.udp->parameters);
  EXPECT_TRUE(transports.udp->data->Allows(2060) && transports.udp->data->Allows(3000));
  EXPECT_FALSE(transports.udp->data->Allows(2061));
  EXPECT_EQ(transports.tcp->max_pdu_size, kMaxTcpPdu);
  EXPECT_FALSE(transports.tcp->control_host.has_value());
  EXPECT_EQ(transports.usb2->pipes.at(0).is_in, true);
  EXPECT_FALSE(transports.usb2->pipes.at(1).is_in.has_value());
  EXPECT_EQ(transports.bluetooth->addresses.at(0).alias, "blue");
  EXPECT_TRUE(d.capabilities.can_handle_variable_steps && d.capabilities.can_provide_log_on_notification);

  ASSERT_EQ(d.variables.size(), 8U);
  const Variable& inflow = d.variables[1];
  EXPECT_EQ(inflow.kind, VariableKind::Input);
  EXPECT_EQ(inflow.StartSize(), 6U);
  EXPECT_EQ(inflow.dimensions.at(0).variable, 0);
  EXPECT_THAT(inflow.start.floats, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(inflow.pre_edge, 0.1);
  EXPECT_EQ(inflow.max_consecutive_missed_pdus, 4U);
  EXPECT_EQ(inflow.annotations.at(0).content, "<note/>");
  const Variable& level = d.variables[2];
  EXPECT_EQ(level.attributes.limits.minimum, 0.0);   // of the type
  EXPECT_EQ(level.attributes.limits.maximum, 20.0);  // its own
  EXPECT_EQ(d.UnitOf(level)->name, "m");
  EXPECT_EQ(level.steps.most, 5U);
  ASSERT_TRUE(level.dependencies.initialization && level.dependencies.run);
  EXPECT_TRUE(level.dependencies.initialization->empty());
  ASSERT_EQ(level.dependencies.run->size(), 2U);
  EXPECT_EQ(level.dependencies.run->at(0).variable, 1);
  EXPECT_TRUE(level.dependencies.run->at(0).is_linear);
  EXPECT_TRUE(d.variables[3].is_constant);
  EXPECT_FALSE(d.variables[3].start.is_given);
  EXPECT_EQ(d.variables[4].attributes.display_unit, 0);
  EXPECT_EQ(static_cast<float>(d.variables[4].start.floats.at(0)), 0.1F);
  EXPECT_EQ(d.variables[5].start.text, std::string("\x00\xff\xa0", 3));
  EXPECT_EQ(d.variables[5].attributes.mime_type, "image/png");
  EXPECT_EQ(d.variables[6].value_reference, ~std::uint64_t{0});
  EXPECT_EQ(d.variables[6].start.integers.at(0), -1);  // by its bits
  EXPECT_EQ(d.variables[7].start.integers.at(0), -128);
  EXPECT_EQ(d.Find("level"), &level);
  EXPECT_EQ(d.Find(ValueReference{8}), 7);
  ASSERT_TRUE(d.log.has_value());
  EXPECT_EQ(d.log->templates.at(0).level, LogLevel::Information);
}

TEST(SlaveDescriptions, AreReadCompletely) {
  const SlaveDescription description = Read(kFull);
  ExpectFull(description);
  EXPECT_EQ(description.variables[2].line, 42);
}

TEST(SlaveDescriptions, AreReadBackAsTheyWereWritten) {
  const std::string text = SlaveDescriptionText(Read(kFull));
  const SlaveDescription again = Read(text);
  ExpectFull(again);
  EXPECT_EQ(SlaveDescriptionText(again), text);
}

TEST(SlaveDescriptions, TravelInArchives) {
  const ScratchFolder folder;
  const std::filesystem::path path = folder.Path() / "tank.dcp";
  WriteSlaveDescription(Read(kFull), path);
  const Archive archive(path);
  EXPECT_TRUE(archive.Has("v1.0/dcpSlaveDescription.dcpx"));
  for (const ArchiveEntry& entry : archive.Entries()) EXPECT_TRUE(entry.name.starts_with("v1.0/")) << entry.name;
  Problems problems;
  ExpectFull(LoadSlaveDescription(path, problems));
  const std::filesystem::path unpacked = folder.Path() / "unpacked";
  std::filesystem::create_directory(unpacked);
  archive.Unpack(unpacked);
  ExpectFull(LoadSlaveDescription(unpacked, problems));
  WriteSlaveDescription(Read(kFull), folder.Path() / "tank.dcpx");
  ExpectFull(LoadSlaveDescription(folder.Path() / "tank.dcpx", problems));
  EXPECT_TRUE(problems.empty());
  EXPECT_THROW(LoadSlaveDescription(folder.Path() / "none.dcp", problems), FileError);
}

TEST(SlaveDescriptions, AreShownAsJson) {
  const std::string json = SlaveJson(Read(kFull));
  for (const char* words :
       {"\"dcpSlaveName\": \"Tank\"", "\"start\": \"00ffa0\"", "\"start\": \"18446744073709551615\"",
        "\"heartbeatSeconds\": 1.5", "\"unit\": \"m\"", "\"numeratorTo\": 8", "\"port\": 8080"}) {
    EXPECT_THAT(json, HasSubstr(words));
  }
}

TEST(SlaveDescriptions, ThatBreakARuleAreNotWritten) {
  SlaveDescription description = Read(kFull);
  description.variables[1].value_reference = description.variables[0].value_reference;
  try {
    SlaveDescriptionText(description);
    FAIL();
  } catch (const FormatError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected every valueReference once"));
  }
}

TEST(LogMessages, AreMadeOfTemplateAndArguments) {
  const LogTemplate text = Read(kFull).log->templates.at(0);
  const std::vector<std::uint8_t> bytes = {0x02, 0x01, 0, 0, 0, 0, 0, 0, 0xe0, 0x3f, 9};
  std::size_t taken = 0;
  EXPECT_EQ(FormatLogMessage(text, std::as_bytes(std::span(bytes)), taken), "258 steps: level 0.5 m, 100 %");
  EXPECT_EQ(taken, 10U);
  EXPECT_EQ(FormatLogMessage(text, std::as_bytes(std::span(bytes).first(5)), taken), "258 steps: level ? m, 100 %");
}

struct Case {
  const char* change;  ///< what of kFull is replaced
  const char* by;
  const char* words;  ///< of the message; at its begin the line, if that is no matter of course
};

class MalformedSlaveDescription : public testing::TestWithParam<Case> {};

TEST_P(MalformedSlaveDescription, IsReportedWithLineAndRemedy) {
  std::string text = kFull;
  const auto [change, by, words] = GetParam();
  const std::size_t at = text.find(change);
  ASSERT_NE(at, std::string::npos) << change;
  text.replace(at, std::string_view(change).size(), by);
  Problems problems;
  try {
    ReadSlaveDescription(text, "tank.dcpx", problems);
  } catch (const FormatError& error) {
    problems.push_back({Problem::Error, error.Place(), error.Problem(), error.Remedy()});
  }
  std::string all;
  for (const Problem& problem : problems) {
    all += FormatProblem(problem) + "\n";
    EXPECT_EQ(problem.where.file, "tank.dcpx");
  }
  EXPECT_THAT(all, HasSubstr(words));
}

constexpr Case kCases[] = {
    {"dcpMajorVersion=\"1\"", "dcpMajorVersion=\"2\"", "tank.dcpx:2: expected dcpMajorVersion 1, found 2; describe"},
    {"dcpMajorVersion=\"1\"", "", "expected the attribute dcpMajorVersion of dcpSlaveDescription, found none; write"},
    {"dcpMinorVersion=\"0\"", "dcpMinorVersion=\"1\"", "expected dcpMinorVersion 0, found 1; read as 1.0 is"},
    {"dcpSlaveName=\"Tank\"", "", "expected the attribute dcpSlaveName"},
    {"b5279485-720d", "b5279485720d-", "expected 32 hexadecimal digits in groups 8-4-4-4-12 in uuid"},
    {"b5279485-720d", "g5279485-720d", "expected 32 hexadecimal digits in groups 8-4-4-4-12 in uuid"},
    {"structured", "nested", "expected one of flat, structured in variableNamingConvention"},
    {"2026-01-01T00:00:00Z", "yesterday", "expected a document that DcpSlaveDescription.xsd accepts"},
    {"author=", "autor=",
     "expected an attribute that dcpSlaveDescription knows, found 'autor'; it was ignored; did you "
     "mean 'author'?"},
    {"<HardRealTime/>", "<SoftRealTime/><HardRealTime/>", "expected HardRealTime before SoftRealTime in OpMode"},
    {"<HardRealTime/>", "<HardRealtime/>", "found 'HardRealtime'; did you mean 'HardRealTime'?"},
    {"maxSteps=\"10\"", "maxSteps=\"0\"", "expected at least 1 step in maxSteps"},
    {"minSteps=\"1\" maxSteps=\"10\"", "minSteps=\"11\" maxSteps=\"10\"", "expected a number above minSteps 11"},
    {"defaultSteps=\"2\" fixedSteps=\"false\" minSteps=\"1\" maxSteps=\"10\"", "minSteps=\"1\"",
     "NonRealTime: expected no minSteps and maxSteps where the steps are fixed"},
    {"defaultSteps=\"2\" fixedSteps=\"false\" minSteps=\"1\" maxSteps=\"10\"",
     "defaultSteps=\"20\" fixedSteps=\"false\" maxSteps=\"10\"",
     "expected defaultSteps from minSteps to maxSteps, found 20"},
    {"<Unit name=\"K\">", "<Unit name=\"m\">", "expected every unit once, found 'm' again; the first is on line 11"},
    {"factor=\"1\" offset", "factor=\"0\" offset", "expected a number other than 0 in factor of DisplayUnit"},
    {"offset=\"-273.15\"", "offset=\"INF\"", "expected a finite number in offset"},
    {"K=\"1\"", "K=\"one\"", "expected a whole number in K of BaseUnit, found 'one'"},
    {"<Float64 unit=\"m\" min", "<Float64 unit=\"m\"/><Int8 min",
     "expected a single data type in SimpleType, found Int8 besides Float64"},
    {"<Resolution numerator=\"1\" denominator=\"100\" fixed=\"false\"/>", "<Resolution/>",
     "TimeRes: expected a fixed Resolution alone in TimeRes, found 3 elements; fixed is true where it is not written"},
    {"denominator=\"100\"", "denominator=\"0\"", "expected a number above 0 in denominator of Resolution"},
    {"numeratorTo=\"8\"", "numeratorTo=\"1\"", "expected a number not below numeratorFrom 2 in numeratorTo"},
    {"numeratorFrom=\"2\"", "numeratorFrom=\"0\"", "expected a number above 0 in numeratorFrom of ResolutionRange"},
    {"numeratorTo=\"8\"", "numeratorTo=\"4294967296\"", "expected a whole number from 0 to 4294967295 in numeratorTo"},
    {"numeratorTo=\"8\" denominator=\"1000\"", "numeratorTo=\"8\" denominator=\"0\"",
     "expected a number above 0 in denominator of ResolutionRange"},
    {"numeratorTo=\"8\"", "", "expected the attribute numeratorTo of ResolutionRange, found none"},
    {"<ResolutionRange", "<Resolutionrange", "did you mean 'ResolutionRange'?"},
    {"<Heartbeat><MaximumPeriodicInterval numerator=\"3\" denominator=\"2\"/></Heartbeat>", "",
     "CapabilityFlags: expected the element Heartbeat where canMonitorHeartbeat is true, found none; write Heartbeat"},
    {"canMonitorHeartbeat=\"true\"", "", "expected canMonitorHeartbeat to be true where there is a Heartbeat"},
    {"numerator=\"3\"", "numerator=\"-3\"", "expected a whole number from 0 to 4294967295 in numerator"},
    {"maxPduSize=\"1400\"", "maxPduSize=\"65508\"", "expected a size from 24 to 65507 bytes in maxPduSize of UDP_IPv4"},
    {"port=\"8080\"", "port=\"65536\"", "expected a whole number from 0 to 65535 in port of Control, found '65536'"},
    {"from=\"2048\" to=\"2060\"", "from=\"2060\" to=\"2048\"", "expected a port not below from 2060 in to"},
    {"<AvailablePort port=\"3001\"/>", "<AvailablePorts port=\"3001\"/>", "did you mean 'AvailablePort'?"},
    {"port=\"30\"", "port=\"31\"", "expected a channel from 1 to 30 in port of Address"},
    {"intervall=\"4\"", "interval=\"4\"", "expected the attribute intervall of DataPipe, found none"},
    {"canHandleReset=\"true\"", "canHandleReset=\"yes\"", "expected true or false in canHandleReset"},
    {"canProvideLogOnRequest=\"true\" canProvideLogOnNotification=\"true\"", "",
     "expected canProvideLogOnRequest or canProvideLogOnNotification where there is a Log, found neither"},
    {"fixedSteps=\"false\" minSteps=\"1\" maxSteps=\"10\"", "",
     "expected NonRealTime with fixedSteps=\"false\" where canHandleVariableSteps is true"},
    {"valueReference=\"3\"", "valueReference=\"2\"",
     "tank.dcpx:42: level: expected every valueReference once, found 2 again; the first is on line 38"},
    {"valueReference=\"3\"", "valueReference=\"-1\"", "expected a whole number from 0 to 18446744073709551615"},
    {"name=\"level\"", "name=\"inflow\"", "expected every name once, found 'inflow' again"},
    {"variability=\"tunable\"", "",
     "gain: expected variability fixed or tunable for a Parameter, found none, which means "
     "continuous; write variability=\"fixed\""},
    {"variability=\"discrete\"><Input>", "variability=\"fixed\"><Input>",
     "small: expected variability discrete or continuous for an Input, found fixed"},
    {"variability=\"tunable\"", "variability=\"changing\"", "expected one of fixed, tunable, discrete, continuous"},
    {"preEdge=\"0.1\"", "preEdge=\"-1\"", "expected seconds not below 0 in preEdge"},
    {"declaredType=\"Level\"", "declaredType=\"Levels\"",
     "among the TypeDefinitions, found 'Levels'; did you mean 'Level'?"},
    {"<Float64 start=\"0.5\" max=\"20\"/>", "<Float32 start=\"0.5\"/>",
     "level: expected a declaredType of Float32, found 'Level' of Float64; name another type"},
    {"start=\"1 2 3 4 5 6\"", "start=\"1 2 3\"",
     "inflow: expected 6 start values for the elements of the array, found 3; write all elements, the last index "
     "fastest"},
    {"start=\"1 2 3 4 5 6\"", "start=\"1\"",
     "inflow: expected 6 start values for the elements of the array, found 1, which is taken for all"},
    {"start=\"1 2 3 4 5 6\"", "", "inflow: expected a start value of a Input, found none"},
    {"start=\"1 2 3 4 5 6\"", "start=\"1 2 NaN 4 5 6\"", "expected finite numbers in start of Float64, found 'NaN'"},
    {"start=\"0.5\"", "start=\"21\"", "level: expected a start value from min to max, found 21"},
    {"start=\"-128\"", "start=\"-129\"",
     "small: expected a whole number from -128 to 127 in start of Int8, found '-129'"},
    {"start=\"00ffA0\"", "start=\"00ff0\"", "expected bytes in hexadecimal digits, two each in start of Binary"},
    {"maxSize=\"16\"", "maxSize=\"2\"", "expected at most 2 bytes (maxSize) in start of Binary, found '3 bytes'"},
    {"linkedVR=\"1\"", "linkedVR=\"3\"", "expected linkedVR to name a StructuralParameter, found the Output 'level'"},
    {"linkedVR=\"1\"", "linkedVR=\"77\"", "found no variable with value reference 77"},
    {"constant=\"2\"", "constant=\"2\" linkedVR=\"1\"",
     "expected either constant or linkedVR in a Dimension, found both"},
    {"constant=\"2\"", "constant=\"0\"", "expected a size above 0 in constant of Dimension"},
    {"<Uint32 start=\"3\" max=\"9\"/>", "<Uint32 start=\"0\"/>",
     "n: expected a start value of at least 1 of a StructuralParameter, found 0"},
    {"<Uint32 start=\"3\" max=\"9\"/>", "<Int32 start=\"3\"/>",
     "expected an unsigned data type in StructuralParameter"},
    {"<String maxSize=\"80\"/>", "<String/><Dimensions><Dimension constant=\"2\"/></Dimensions>",
     "label: expected no Dimensions in String, found them; make several variables"},
    {"fixedSteps=\"false\" minSteps=\"1\" maxSteps=\"5\"", "fixedSteps=\"false\"",
     "level: expected minSteps and maxSteps where fixedSteps is false"},
    {"vr=\"5\"", "vr=\"99\"", "level: expected vr to name a variable, found none with value reference 99"},
    {"vr=\"5\"", "vr=\"4\"", "expected an output to depend on inputs and parameters, found the Output 'label'"},
    {"dependencyKind=\"linear\"", "dependencyKind=\"square\"", "expected one of linear, dependent in dependencyKind"},
    {"<Output defaultSteps", "<Output initialization=\"true\" defaultSteps",
     "expected no dependencies in Run of an output that is constant after initialization"},
    {"<Output initialization=\"true\"><String", "<Output initialization=\"true\" defaultSteps=\"2\"><String",
     "label: expected no steps of an output that is constant after initialization (initialization=\"true\"), found "
     "some: it is sent once only; remove initialization where"},
    {"<Output defaultSteps=\"2\"", "<Output initialization=\"true\" defaultSteps=\"2\"",
     "Variables: expected an output that is sent while the slave runs, found initialization=\"true\" at all"},
    {"valueReference=\"3\" declared", "valueReference=\"3\" maxConsecMissedPdus=\"1\" declared",
     "level: expected no maxConsecMissedPdus on an Output, found it"},
    {"displayUnit=\"degC\" unit=\"K\"", "displayUnit=\"degC\"",
     "gain: expected a unit beside the displayUnit 'degC', found none; write the unit too"},
    {"displayUnit=\"degC\" unit=\"K\"", "unit=\"furlong\"",
     "gain: expected the unit 'furlong' among the UnitDefinitions"},
    {"<Category id=\"1\"", "<Category id=\"0\"", "expected a number from 1 to 255 (0 means all categories)"},
    {"category=\"1\" level", "category=\"2\" level",
     "expected the category of a template among the Categories, found 2"},
    {"level=\"3\"", "level=\"5\"", "expected 0 (fatal), 1 (error), 2 (warning), 3 (information) or 4 (debug)"},
    {"%uint16", "%uint128", "expected a data type or a second % after % in msg"},
    {"<CapabilityFlags ", "<CapabilityFlag ",
     "expected the element CapabilityFlags in dcpSlaveDescription, found none"},
    {"<OpMode>", "<OpMode/><OpMode>",
     "expected one OpMode in dcpSlaveDescription, found another; the first is on line 5"},
    {"</dcpSlaveDescription>", "", "tank.dcpx:"},
    {"<Dimension constant=\"2\"/>", "<Dimension constant=\"99999999999\"/>",
     "inflow: expected a variable that fits into a PDU"},
};

INSTANTIATE_TEST_SUITE_P(All, MalformedSlaveDescription, testing::ValuesIn(kCases));

TEST(SlaveDescriptions, OfAnotherKindAreNamed) {
  Problems problems;
  EXPECT_THAT([&] { ReadSlaveDescription("<fmiModelDescription/>", "a.xml", problems); },
              testing::ThrowsMessage<FormatError>(HasSubstr("this is an FMU's description; use it as an FMU")));
  EXPECT_THROW(ReadSlaveDescription("", "a.dcpx", problems), FormatError);
  EXPECT_THROW(ReadSlaveDescription("not XML", "a.dcpx", problems), FormatError);
}

SlaveDescription WithResolutions(std::vector<Resolution> list, std::vector<ResolutionRange> ranges) {
  SlaveDescription slave;
  slave.resolutions = std::move(list);
  slave.resolution_ranges = std::move(ranges);
  return slave;
}

TEST(DcpSlaveDescription, ChoosesAResolutionThatDividesTheStep) {
  const auto any = [](std::uint32_t) { return true; };
  const auto one = [](std::uint32_t parts) { return parts == 1; };
  const auto text = [](const std::optional<Resolution>& found) {
    return found ? std::to_string(found->numerator) + "/" + std::to_string(found->denominator) : "none";
  };
  const Resolution tenth{.numerator = 1, .denominator = 10, .is_fixed = false, .is_recommended = {}};
  const Resolution third{.numerator = 1, .denominator = 3, .is_fixed = false, .is_recommended = true};
  const SlaveDescription both = WithResolutions({tenth, third}, {});
  EXPECT_EQ(text(both.ResolutionFor(1.0, any)), "1/3");  // the recommended one
  EXPECT_EQ(text(both.ResolutionFor(0.2, any)), "1/10");
  EXPECT_EQ(text(both.ResolutionFor(0.2, one)), "none");
  EXPECT_EQ(text(both.ResolutionFor(0.05, any)), "none");
  const SlaveDescription ranges = WithResolutions({}, {{5, 8, 1000}, {1, 9, 1}});
  EXPECT_EQ(text(ranges.ResolutionFor(0.02, any)), "5/1000");  // its start divides it
  EXPECT_EQ(text(ranges.ResolutionFor(0.024, any)), "8/1000");
  EXPECT_EQ(text(ranges.ResolutionFor(0.007, one)), "7/1000");
  EXPECT_EQ(text(ranges.ResolutionFor(0.011, any)), "none");  // a prime
  EXPECT_EQ(text(ranges.ResolutionFor(9.0, one)), "9/1");
  EXPECT_EQ(text(WithResolutions({}, {}).ResolutionFor(0.25, one)), "250/1000");  // no word on resolutions: any
}

// None of these lets a file from elsewhere keep this side busy.
TEST(DcpSlaveDescription, ChoosesNoResolutionForHoursOrForASenselessStep) {
  const auto none = [](std::uint32_t) { return false; };
  constexpr std::uint32_t kMost = std::numeric_limits<std::uint32_t>::max();
  const SlaveDescription vast = WithResolutions({}, std::vector<ResolutionRange>(1000, {1, kMost, kMost}));
  EXPECT_FALSE(vast.ResolutionFor(1.0, none).has_value());
  EXPECT_FALSE(vast.ResolutionFor(1e300, none).has_value());
  EXPECT_FALSE(vast.ResolutionFor(std::numeric_limits<double>::quiet_NaN(), none).has_value());
}

}  // namespace
}  // namespace openmi::dcp
