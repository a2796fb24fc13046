// Descriptions that are wrong, each with the words that say so: a good one with one thing changed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fmi-bridge/fmi/DescriptionReader.hpp"

namespace openmi::fmi {
namespace {

using testing::HasSubstr;

constexpr const char* kSecondVersion = R"(<fmiModelDescription fmiVersion="2.0" modelName="M" guid="{2}">
<CoSimulation modelIdentifier="m"/>
<UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit></UnitDefinitions>
<TypeDefinitions><SimpleType name="T"><Enumeration><Item name="a" value="1"/><Item name="b" value="2"/></Enumeration></SimpleType></TypeDefinitions>
<LogCategories><Category name="logAll"/></LogCategories>
<DefaultExperiment startTime="0" stopTime="1"/>
<ModelVariables>
<ScalarVariable name="x" valueReference="1" causality="output" initial="exact"><Real unit="m" start="1"/></ScalarVariable>
<ScalarVariable name="v" valueReference="2"><Real derivative="1"/></ScalarVariable>
<ScalarVariable name="p" valueReference="3" causality="parameter" variability="fixed"><Integer start="3"/></ScalarVariable>
<ScalarVariable name="e" valueReference="4" causality="input"><Enumeration declaredType="T" start="1"/></ScalarVariable>
</ModelVariables>
<ModelStructure>
<Outputs><Unknown index="1" dependencies="2" dependenciesKind="dependent"/></Outputs>
<Derivatives><Unknown index="2"/></Derivatives>
<InitialUnknowns><Unknown index="2"/></InitialUnknowns>
</ModelStructure>
</fmiModelDescription>
)";

constexpr const char* kThirdVersion = R"(<fmiModelDescription fmiVersion="3.0" modelName="M" instantiationToken="{3}">
<CoSimulation modelIdentifier="m" hasEventMode="true"/>
<ModelVariables>
<Float64 name="time" valueReference="0" causality="independent"/>
<UInt64 name="n" valueReference="1" causality="structuralParameter" start="2"/>
<Float64 name="a" valueReference="2" causality="parameter" start="1 2"><Dimension valueReference="1"/></Float64>
<UInt8 name="u" valueReference="3" causality="input" start="1" min="0" max="9"/>
<Binary name="raw" valueReference="4" causality="input"><Start value="00ff"/></Binary>
<Clock name="c" valueReference="5" causality="input" intervalVariability="constant" intervalDecimal="1"/>
<Float64 name="y" valueReference="6" causality="output" clocks="5" variability="discrete"/>
<Boolean name="b" valueReference="7" causality="input" start="true"/>
</ModelVariables>
<ModelStructure>
<Output valueReference="6"/>
</ModelStructure>
</fmiModelDescription>
)";

struct Case {
  const char* title;
  const char* base;
  std::string find;
  std::string replace;
  int line;  ///< 0: not asked
  const char* words;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.title;
}

std::string Complaints(const std::string& text) {
  Problems problems;
  std::string all;
  try {
    ReadModelDescription(text, "d.xml", problems);
  } catch (const FormatError& error) {
    all = std::string(error.what()) + "\n";
  }
  for (const Problem& problem : problems) {
    EXPECT_NE(problem.remedy, "") << problem.problem;
    all += FormatProblem(problem) + "\n";
  }
  return all;
}

const std::vector<Case> kCases{
    {"Empty", kSecondVersion, kSecondVersion, "", 0, "found an empty file"},
    {"NoXml", kSecondVersion, kSecondVersion, "PK\x03\x04", 1, "expected well-formed XML"},
    {"Cut", kSecondVersion, "</ModelStructure>", "", 0, "expected well-formed XML"},
    {"NotUtf8", kSecondVersion, "modelName=\"M\"", "modelName=\"\xff\xfe\"", 1, "UTF-8"},
    {"NulCharacter", kSecondVersion, "modelName=\"M\"", std::string("modelName=\"\0\"", 13), 1, "NUL"},
    {"Entity", kSecondVersion, "<fmiModelDescription", "<!DOCTYPE f [<!ENTITY a \"b\">]><fmiModelDescription", 1,
     "expected no entity declarations"},
    {"ExternalEntity", kSecondVersion, "<fmiModelDescription",
     "<!DOCTYPE f [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><fmiModelDescription", 1,
     "found external entity 'a' that points to 'file:///etc/passwd'"},
    {"Deep", kSecondVersion, "<ModelStructure>",
     [] {
       std::string s = "<ModelStructure>";
       for (int i = 0; i < 100; ++i) s += "<a>";
       return s;
     }(),
     13, "expected at most 64 elements inside each other"},
    {"OtherRoot", kSecondVersion, "fmiModelDescription", "SystemStructure", 1,
     "expected the root element fmiModelDescription, found 'SystemStructure'"},
    {"NoVersion", kSecondVersion, "fmiVersion=\"2.0\" ", "", 1, "expected fmiVersion 1.0, 2.0 or 3.x, found none"},
    {"UnknownVersion", kSecondVersion, "\"2.0\"", "\"4.0\"", 1,
     "expected fmiVersion 1.0, 2.0 or 3.x, found '4.0'; export the FMU"},
    {"NoGuid", kSecondVersion, " guid=\"{2}\"", "", 1,
     "expected the attribute guid of fmiModelDescription, found none; write guid="},
    {"NoModelName", kSecondVersion, " modelName=\"M\"", "", 1, "expected the attribute modelName"},
    {"NoInterface", kSecondVersion, "<CoSimulation modelIdentifier=\"m\"/>", "", 0,
     "expected ModelExchange, CoSimulation or ScheduledExecution, found none"},
    {"TwoInterfaces", kSecondVersion, "<CoSimulation modelIdentifier=\"m\"/>",
     "<CoSimulation modelIdentifier=\"m\"/><CoSimulation modelIdentifier=\"m\"/>", 2,
     "expected one CoSimulation, found another"},
    {"IdentifierIsAPath", kSecondVersion, "modelIdentifier=\"m\"", "modelIdentifier=\"../m\"", 2,
     "expected a modelIdentifier of letters, digits and '_' that begins with no digit, found '../m'"},
    {"IdentifierWithSlash", kThirdVersion, "modelIdentifier=\"m\"", "modelIdentifier=\"/lib/m\"", 2,
     "expected a modelIdentifier of letters"},
    {"Misspelt", kSecondVersion, "modelIdentifier=\"m\"", "modelIdentifier=\"m\" canGetAndSetFMUState=\"true\"", 2,
     "expected an attribute that CoSimulation knows, found 'canGetAndSetFMUState'; it was ignored; did you mean "
     "'canGetAndSetFMUstate'?"},
    {"FlagIsNoBoolean", kSecondVersion, "modelIdentifier=\"m\"", "modelIdentifier=\"m\" canInterpolateInputs=\"yes\"",
     2, "expected true or false in canInterpolateInputs of CoSimulation, found 'yes'"},
    {"SerialisesWithoutState", kSecondVersion, "modelIdentifier=\"m\"",
     "modelIdentifier=\"m\" canSerializeFMUstate=\"1\"", 2, "can also get and set it"},
    {"InternalStep", kThirdVersion, "modelIdentifier=\"m\"", "modelIdentifier=\"m\" fixedInternalStepSize=\"-1\"", 2,
     "expected a number above 0 in fixedInternalStepSize"},
    {"Order", kSecondVersion, "<CoSimulation modelIdentifier=\"m\"/>",
     "<ModelVariables/><CoSimulation modelIdentifier=\"m\"/>", 2,
     "expected CoSimulation before ModelVariables, found it after"},
    {"UnknownElement", kSecondVersion, "<ModelStructure>", "<ModelStructures/><ModelStructure>", 13,
     "expected an element that is allowed here, found 'ModelStructures'; it was ignored; did you mean "
     "'ModelStructure'?"},
    {"EmptyList", kSecondVersion, "<LogCategories><Category name=\"logAll\"/></LogCategories>", "<LogCategories/>", 5,
     "expected something in LogCategories, found nothing"},
    {"CategoryTwice", kSecondVersion, "<Category name=\"logAll\"/>",
     "<Category name=\"logAll\"/><Category name=\"logAll\"/>", 5,
     "expected every log category once, found 'logAll' again"},
    {"StopBeforeStart", kSecondVersion, "stopTime=\"1\"", "stopTime=\"-1\"", 6,
     "expected a stopTime that is not before the startTime 0, found -1"},
    {"StepSize", kSecondVersion, "stopTime=\"1\"", "stopTime=\"1\" stepSize=\"0\"", 6,
     "expected a number above 0 in stepSize of DefaultExperiment, found '0'"},
    {"TimeIsNoNumber", kSecondVersion, "stopTime=\"1\"", "stopTime=\"1,5\"", 6,
     "expected a number in stopTime of DefaultExperiment, found '1,5'"},
    {"UnitTwice", kSecondVersion, "<Unit name=\"m\"><BaseUnit m=\"1\"/></Unit>", "<Unit name=\"m\"/><Unit name=\"m\"/>",
     3, "expected every unit once, found 'm' again; the first is on line 3"},
    {"UnitFactor", kSecondVersion, "<BaseUnit m=\"1\"/>", "<BaseUnit m=\"1\" factor=\"0\"/>", 3,
     "expected a number other than 0 in factor of BaseUnit"},
    {"UnitPower", kSecondVersion, "<BaseUnit m=\"1\"/>", "<BaseUnit m=\"0.5\"/>", 3,
     "expected a whole number in m of BaseUnit, found '0.5'"},
    {"UnitUnknown", kSecondVersion, "unit=\"m\"", "unit=\"furlong\"", 8,
     "expected the unit 'furlong' among the UnitDefinitions, found none"},
    {"DisplayUnit", kSecondVersion, "unit=\"m\"", "unit=\"m\" displayUnit=\"cm\"", 8,
     "expected a display unit of 'm', found 'cm'; define it in the Unit on line 3"},
    {"ItemTwice", kSecondVersion, "name=\"b\" value=\"2\"", "name=\"a\" value=\"2\"", 4,
     "T: expected every item once, found 'a' again"},
    {"ItemValueTwice", kSecondVersion, "name=\"b\" value=\"2\"", "name=\"b\" value=\"1\"", 4,
     "expected another value for each item, found 1 again at 'b'"},
    {"ItemTooLarge", kSecondVersion, "name=\"b\" value=\"2\"", "name=\"b\" value=\"4294967296\"", 4,
     "expected a whole number from -2147483648 to 2147483647 in value of Item"},
    {"TypeUnknown", kSecondVersion, "declaredType=\"T\"", "declaredType=\"S\"", 11,
     "e: expected a declared type that is defined, found 'S'"},
    {"TypeOfAnotherType", kSecondVersion, "<Integer start=\"3\"/>", "<Integer declaredType=\"T\" start=\"3\"/>", 10,
     "p: expected a declared type of Integer, found 'T' of Enumeration"},
    {"EnumerationWithoutType", kSecondVersion, "declaredType=\"T\" ", "", 11,
     "expected the declaredType of an enumeration, found none"},
    {"EnumerationStart", kSecondVersion, "declaredType=\"T\" start=\"1\"", "declaredType=\"T\" start=\"3\"", 11,
     "expected as start the value of an item of 'T', found 3"},
    {"NameWithALineEnd", kSecondVersion, "name=\"v\"", "name=\"v&#10;w\"", 9,
     "expected a name without line ends and tabs"},
    {"NoName", kSecondVersion, "name=\"v\" ", "", 9, "expected the attribute name of ScalarVariable, found none"},
    {"NoReference", kSecondVersion, " valueReference=\"2\"", "", 9, "v: expected the attribute valueReference"},
    {"ReferenceTooLarge", kSecondVersion, "valueReference=\"2\"", "valueReference=\"4294967296\"", 9,
     "v: expected a whole number from 0 to 4294967295 in valueReference"},
    {"ReferenceNegative", kThirdVersion, "valueReference=\"3\"", "valueReference=\"-3\"", 7,
     "expected a whole number from 0 to 4294967295 in valueReference of UInt8, found '-3'"},
    {"ReferenceTwice", kThirdVersion, "valueReference=\"3\"", "valueReference=\"2\"", 7,
     "u: expected every value reference once, found 2 again; 'a' on line 6 has it too"},
    {"TwoSettersOfOne", kSecondVersion, "valueReference=\"4\"", "valueReference=\"3\"", 11,
     "expected at most one of several variables with value reference 3 to be set from outside"},
    {"NoBody", kSecondVersion, "<Integer start=\"3\"/>", "", 10, "p: expected the type of the variable, found none"},
    {"TwoBodies", kSecondVersion, "<Integer start=\"3\"/>", "<Integer start=\"3\"/><Real/>", 10,
     "p: expected one type in a ScalarVariable, found Real too"},
    {"Causality", kSecondVersion, "causality=\"parameter\"", "causality=\"Parameter\"", 10,
     "expected one of parameter, calculatedParameter, input"},
    {"StructuralIn2", kSecondVersion, "causality=\"parameter\"", "causality=\"structuralParameter\"", 10,
     "expected a causality of FMI 2.0"},
    {"Pair", kSecondVersion, "variability=\"fixed\"", "variability=\"discrete\"", 10,
     "p: expected a variability that a parameter may have, found discrete"},
    {"ContinuousInteger", kSecondVersion, "variability=\"fixed\"", "variability=\"continuous\"", 10,
     "p: expected only floats to be continuous (FMI 2.0, 2.2.7), found a Integer; it is taken as discrete"},
    {"NoVariability", kSecondVersion, " variability=\"fixed\"", "", 10,
     "expected the variability of a parameter, found none; it was taken as fixed"},
    {"InitialOfInput", kSecondVersion, "causality=\"input\"", "causality=\"input\" initial=\"exact\"", 11,
     "expected no initial=\"exact\" with causality input"},
    {"InitialOfParameter", kSecondVersion, "variability=\"fixed\"", "variability=\"fixed\" initial=\"calculated\"", 10,
     "expected no initial=\"calculated\" with causality parameter and variability fixed, found it; remove it; it is "
     "exact then"},
    {"StartMissing", kSecondVersion, "<Integer start=\"3\"/>", "<Integer/>", 10,
     "p: expected a start value of a variable with causality parameter and initial exact, found none"},
    {"StartOfCalculated", kSecondVersion, "<Real derivative=\"1\"/>", "<Real derivative=\"1\" start=\"0\"/>", 9,
     "v: expected no start value of a variable that is calculated initially"},
    {"StartOfTime", kThirdVersion, "causality=\"independent\"", "causality=\"independent\" start=\"0\"", 4,
     "expected no start value of the independent variable"},
    {"StartNoNumber", kSecondVersion, "start=\"1\"/></ScalarVariable>\n<ScalarVariable name=\"v\"",
     "start=\"one\"/></ScalarVariable>\n<ScalarVariable name=\"v\"", 8,
     "x: expected a number as start of Real, found 'one'"},
    {"StartTooLarge", kThirdVersion, "start=\"1\" min", "start=\"256\" min", 7,
     "u: expected a whole number from 0 to 255 as start of UInt8, found '256'"},
    {"StartOutside", kThirdVersion, "start=\"1\" min", "start=\"10\" min", 7,
     "u: expected a start value from min to max, found 10"},
    {"StartNoBoolean", kThirdVersion, "start=\"true\"", "start=\"maybe\"", 11,
     "b: expected true or false as start of Boolean, found 'maybe'"},
    {"StartNoHex", kThirdVersion, "00ff", "00f", 8,
     "raw: expected bytes in hexadecimal digits, two each in value of Start"},
    {"StartCount", kThirdVersion, "start=\"1 2\"", "start=\"1 2 3\"", 6, "a: expected 1 or 2 start values, found 3"},
    {"StartListOfAScalar", kThirdVersion, "start=\"true\"", "start=\"true false\"", 11,
     "b: expected 1 or 1 start values, found 2; write one value, or the Dimension"},
    {"StartElement", kThirdVersion, "start=\"1 2\">", "start=\"1 2\"><Start value=\"1\"/>", 6,
     "expected the attribute start in Float64, found an element Start"},
    {"MinAboveMax", kThirdVersion, "min=\"0\"", "min=\"99\"", 7, "expected a number that is not below min 99 in max"},
    {"Nominal", kSecondVersion, "unit=\"m\"", "unit=\"m\" nominal=\"0\"", 8, "expected a nominal other than 0"},
    {"DerivativeOfNothing", kSecondVersion, "derivative=\"1\"", "derivative=\"9\"", 9,
     "v: expected in derivative the position of a variable, 1 to 4, found 9; in FMI 2.0 this is no value reference"},
    {"DerivativeOfItself", kSecondVersion, "derivative=\"1\"", "derivative=\"2\"", 9,
     "expected a derivative of another variable, found that of itself"},
    {"DerivativeOfAnInteger", kSecondVersion, "derivative=\"1\"", "derivative=\"3\"", 9,
     "expected a derivative of a continuous variable, found that of 'p' on line 10, which is fixed"},
    {"DimensionOfNothing", kThirdVersion, "<Dimension valueReference=\"1\"/>", "<Dimension valueReference=\"99\"/>", 6,
     "a: expected the value reference of a variable as the size of a Dimension, found 99"},
    {"DimensionOfAnInput", kThirdVersion, "<Dimension valueReference=\"1\"/>", "<Dimension valueReference=\"3\"/>", 6,
     "expected a UInt64 that is a structuralParameter or constant as the size"},
    {"DimensionBoth", kThirdVersion, "<Dimension valueReference=\"1\"/>",
     "<Dimension valueReference=\"1\" start=\"2\"/>", 6,
     "expected either start or valueReference in a Dimension, found both"},
    {"DimensionNone", kThirdVersion, "<Dimension valueReference=\"1\"/>", "<Dimension/>", 6,
     "expected either start or valueReference in a Dimension, found none"},
    {"DimensionZero", kThirdVersion, "<Dimension valueReference=\"1\"/>", "<Dimension start=\"0\"/>", 6,
     "expected a size above 0 in start of Dimension"},
    {"DimensionHuge", kThirdVersion, "<Dimension valueReference=\"1\"/>",
     "<Dimension start=\"9999999999\"/><Dimension start=\"9999999999\"/>", 6,
     "expected an array that fits into memory"},
    {"DimensionOfAClock", kThirdVersion, "intervalDecimal=\"1\"/>",
     "intervalDecimal=\"1\"><Dimension start=\"2\"/></Clock>", 9, "expected a clock to be a scalar, found a Dimension"},
    {"ClockWithoutInterval", kThirdVersion, " intervalDecimal=\"1\"", "", 9,
     "c: expected intervalDecimal of a constant Clock, found none"},
    {"ClockInterval", kThirdVersion, "intervalDecimal=\"1\"", "intervalDecimal=\"-1\"", 9,
     "expected a number above 0 in intervalDecimal"},
    {"ClockWithoutVariability", kThirdVersion, " intervalVariability=\"constant\"", "", 9,
     "expected the attribute intervalVariability of Clock, found none"},
    {"ClockOutput", kThirdVersion, "name=\"c\" valueReference=\"5\" causality=\"input\"",
     "name=\"c\" valueReference=\"5\" causality=\"output\"", 9,
     "c: expected an output Clock to be triggered, found constant"},
    {"ClockOfNothing", kThirdVersion, "clocks=\"5\"", "clocks=\"55\"", 10,
     "y: expected in clocks the value reference of a variable, found 55"},
    {"ClockIsNone", kThirdVersion, "clocks=\"5\"", "clocks=\"3\"", 10,
     "y: expected clocks to name variables of type Clock, found 'u' on line 7"},
    {"ClockedContinuous", kThirdVersion, "clocks=\"5\" variability=\"discrete\"", "clocks=\"5\"", 10,
     "expected a variable with clocks to be discrete, found continuous"},
    {"ClocksWithoutEventMode", kThirdVersion, " hasEventMode=\"true\"", "", 2,
     "expected hasEventMode of an FMU with clocks"},
    {"PreviousOfAnother", kThirdVersion, "clocks=\"5\" variability", "clocks=\"5\" previous=\"3\" variability", 10,
     "expected previous to have the same type and dimensions, found 'u' on line 7 of type UInt8"},
    {"TwoTimes", kThirdVersion, "causality=\"input\" start=\"true\"", "causality=\"independent\"", 11,
     "expected one independent variable, found this one and 'time' on line 4"},
    {"NoTime", kThirdVersion, " causality=\"independent\"", "", 0,
     "expected one variable with causality independent, found none"},
    {"UnknownType", kThirdVersion, "<Boolean name", "<Bool name", 11,
     "expected a variable of a type of FMI 3.0, found 'Bool'"},
    {"VariableOfNoType", kThirdVersion, "<Boolean name=\"b\" valueReference=\"7\" causality=\"input\" start=\"true\"/>",
     "<Real name=\"b\" valueReference=\"7\"/>", 11, "expected a variable of a type of FMI 3.0, found 'Real'"},
    {"OutputOfNothing", kSecondVersion, "<Unknown index=\"1\"", "<Unknown index=\"0\"", 14,
     "expected the position of a variable in ModelVariables in a line of Outputs, found 0"},
    {"OutputIsNone", kSecondVersion, "<Unknown index=\"1\"", "<Unknown index=\"3\"", 14,
     "p: expected an output among the outputs of ModelStructure, found a variable with causality parameter"},
    {"OutputNotListed", kThirdVersion, "<Output valueReference=\"6\"/>", "", 10,
     "y: expected every output in ModelStructure, found this one missing"},
    {"OutputTwice", kThirdVersion, "<Output valueReference=\"6\"/>",
     "<Output valueReference=\"6\"/><Output valueReference=\"6\"/>", 14,
     "y: expected every variable once in Output, found it again"},
    {"Dependency", kSecondVersion, "dependencies=\"2\"", "dependencies=\"77\"", 14,
     "in dependencies of Outputs, found 77"},
    {"DependencyNoNumber", kSecondVersion, "dependencies=\"2\"", "dependencies=\"x\"", 14,
     "expected whole numbers in dependencies of Unknown, found 'x'"},
    {"DependencyKinds", kSecondVersion, "dependenciesKind=\"dependent\"", "dependenciesKind=\"dependent fixed\"", 14,
     "expected as many dependenciesKind as dependencies (1), found 2"},
    {"DependencyKind", kSecondVersion, "dependenciesKind=\"dependent\"", "dependenciesKind=\"nonlinear\"", 14,
     "expected dependent, constant, fixed, tunable, discrete in dependenciesKind"},
    {"DerivativeListed", kSecondVersion, "<Derivatives><Unknown index=\"2\"/>", "<Derivatives><Unknown index=\"1\"/>",
     15, "x: expected the derivative of a state, found a variable without the attribute derivative"},
    {"InitialUnknown", kSecondVersion, "<InitialUnknowns><Unknown index=\"2\"/>",
     "<InitialUnknowns><Unknown index=\"1\"/>", 16,
     "x: expected an initial unknown to be calculated or approximate, found it exact"},
    {"InitialUnknownMissing", kSecondVersion, "<InitialUnknowns><Unknown index=\"2\"/></InitialUnknowns>", "", 9,
     "v: expected it among the initial unknowns of ModelStructure"},
    {"EventIndicator", kThirdVersion, "<Output valueReference=\"6\"/>",
     "<Output valueReference=\"6\"/><EventIndicator valueReference=\"7\"/>", 14,
     "b: expected an EventIndicator to be a continuous float, found a discrete Boolean"},
    {"ClockedState", kThirdVersion, "<Output valueReference=\"6\"/>",
     "<Output valueReference=\"6\"/><ClockedState valueReference=\"6\"/>", 14,
     "y: expected a ClockedState to have the attribute previous"},
};

class HostileDescription : public testing::TestWithParam<Case> {};

TEST_P(HostileDescription, IsToldWithLineExpectationAndRemedy) {
  const Case& one = GetParam();
  std::string text = one.base;
  const std::size_t at = text.find(one.find);
  ASSERT_NE(at, std::string::npos) << "the case is out of date";
  text.replace(at, one.find.size(), one.replace);
  const std::string complaints = Complaints(text);
  EXPECT_THAT(complaints, HasSubstr(one.words));
  if (one.line == 0) return;
  // On the same line of the report.
  const std::size_t words = complaints.find(one.words);
  if (words == std::string::npos) return;
  const std::size_t begin = words == 0 ? 0 : complaints.rfind('\n', words) + 1;
  EXPECT_EQ(complaints.substr(begin, complaints.find(' ', begin) - begin), fmt::format("d.xml:{}:", one.line));
}

INSTANTIATE_TEST_SUITE_P(Changes, HostileDescription, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.title); });

TEST(HostileDescriptions, WhatCanBeLivedWithIsAWarning) {
  const auto warning_of = [](const std::string& find, const std::string& replace) {
    std::string text = kSecondVersion;
    text.replace(text.find(find), find.size(), replace);
    Problems problems;
    ReadModelDescription(text, "d.xml", problems);
    if (problems.size() != 1) return fmt::format("{} problems", problems.size());
    EXPECT_EQ(problems[0].severity, Problem::Warning);
    return problems[0].problem;
  };
  EXPECT_THAT(warning_of("modelIdentifier=\"m\"", "modelIdentifier=\"watertank-c\""), HasSubstr("found 'watertank-c'"));
  EXPECT_THAT(warning_of("<Real derivative=\"1\"/>", "<Real/>"), HasSubstr("without the attribute derivative"))
      << "nobody asks for derivatives in co-simulation";
  EXPECT_THAT(warning_of("{2}", ""), HasSubstr("expected a fingerprint in guid of fmiModelDescription, found none"));
  EXPECT_THAT(warning_of("name=\"v\"", "name=\"x\""),
              HasSubstr("expected every name once, found it again; 'x' on line 8 has it too and keeps it"));
}

TEST(HostileDescriptions, OfTwoVariablesWithOneNameTheLaterGetsANumber) {
  std::string text = kSecondVersion;
  text.replace(text.find("name=\"v\""), 8, "name=\"x\"");
  Problems problems;
  const ModelDescription description = ReadModelDescription(text, "d.xml", problems);
  const VariableNames names(description);
  EXPECT_TRUE(names.Duplicates().empty());
  ASSERT_NE(names.Find("x"), kNowhere);
  ASSERT_NE(names.Find("x (2)"), kNowhere);
  EXPECT_LT(names.Find("x"), names.Find("x (2)"));
}

TEST(HostileDescriptions, TheGoodOnesAreGood) {
  EXPECT_EQ(Complaints(kSecondVersion), "");
  EXPECT_EQ(Complaints(kThirdVersion), "");
}

TEST(HostileDescriptions, AMillionVariablesAreRead) {
  std::string text =
      "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"M\" instantiationToken=\"t\">"
      "<CoSimulation modelIdentifier=\"m\"/><ModelVariables><Float64 name=\"t\" valueReference=\"0\" "
      "causality=\"independent\"/>\n";
  for (int i = 1; i < 1'000'000; ++i)
    fmt::format_to(std::back_inserter(text), "<Float64 name=\"x{0}\" valueReference=\"{0}\"/>\n", i);
  text += "</ModelVariables><ModelStructure/></fmiModelDescription>";
  Problems problems;
  const ModelDescription description = ReadModelDescription(text, "d.xml", problems);
  EXPECT_EQ(description.variables.size(), 1'000'000U);
  EXPECT_EQ(description.variables.back().name, "x999999");
}

TEST(HostileDescriptions, TooManyProblemsAreCounted) {
  std::string text =
      "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"M\" instantiationToken=\"t\">"
      "<CoSimulation modelIdentifier=\"m\"/><ModelVariables>\n";
  for (int i = 0; i < 20'000; ++i)
    text += "<Float64 name=\"x\" valueReference=\"1\" declaredType=\"T\" color=\"red\"/>\n";
  text += "</ModelVariables><ModelStructure/></fmiModelDescription>";
  Problems problems;
  ReadModelDescription(text, "d.xml", problems);
  EXPECT_LT(problems.size(), 2100U);
  EXPECT_THAT(problems.back().problem, HasSubstr("expected at most 1000 problems, found 19000 more"));
}

}  // namespace
}  // namespace openmi::fmi
