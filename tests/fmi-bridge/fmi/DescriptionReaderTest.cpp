#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"

namespace openmi::fmi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

ModelDescription Read(const std::string& text) {
  Problems problems;
  ModelDescription description = ReadModelDescription(text, "modelDescription.xml", problems);
  for (const Problem& problem : problems) ADD_FAILURE() << FormatProblem(problem);
  return description;
}

const Variable& Named(const ModelDescription& description, std::string_view name) {
  const Index index = VariableNames(description).Find(name);
  EXPECT_NE(index, kNowhere) << name;
  return description.variables.at(static_cast<std::size_t>(index));
}

constexpr const char* kFirst = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="1.0" modelName="Tank" modelIdentifier="tank" guid="{1}" numberOfContinuousStates="1"
    numberOfEventIndicators="2">
  <UnitDefinitions><BaseUnit unit="K"><DisplayUnitDefinition displayUnit="degC" gain="1" offset="-273.15"/></BaseUnit></UnitDefinitions>
  <TypeDefinitions>
    <Type name="Mode"><EnumerationType min="1" max="2"><Item name="off"/><Item name="on"/></EnumerationType></Type>
    <Type name="Temperature"><RealType unit="K" displayUnit="degC" min="0"/></Type>
  </TypeDefinitions>
  <DefaultExperiment startTime="0" stopTime="10" tolerance="1e-4"/>
  <ModelVariables>
    <ScalarVariable name="u" valueReference="1" causality="input"><Real start="300" declaredType="Temperature"/></ScalarVariable>
    <ScalarVariable name="y" valueReference="2" causality="output"><Real/><DirectDependency><Name>u</Name></DirectDependency></ScalarVariable>
    <ScalarVariable name="z" valueReference="2" alias="negatedAlias" causality="output"><Real/></ScalarVariable>
    <ScalarVariable name="k" valueReference="3" variability="parameter"><Real start="2.5"/></ScalarVariable>
    <ScalarVariable name="m" valueReference="3" variability="discrete"><Enumeration declaredType="Mode" start="2" fixed="false"/></ScalarVariable>
  </ModelVariables>
  <Implementation><CoSimulation_StandAlone><Capabilities canHandleVariableCommunicationStepSize="true" maxOutputDerivativeOrder="1"/></CoSimulation_StandAlone></Implementation>
</fmiModelDescription>)";

TEST(FirstVersion, IsReadCompletely) {
  const ModelDescription description = Read(kFirst);
  EXPECT_EQ(description.version, FmiMajor::Fmi1);
  EXPECT_EQ(description.continuous_states, 1U);
  EXPECT_EQ(description.event_indicators, 2U);
  EXPECT_FALSE(description.Of(InterfaceKind::ModelExchange).has_value());
  ASSERT_TRUE(description.Of(InterfaceKind::CoSimulation).has_value());
  EXPECT_EQ(description.Of(InterfaceKind::CoSimulation)->model_identifier, "tank");
  EXPECT_TRUE(description.Of(InterfaceKind::CoSimulation)->can_handle_variable_step);
  EXPECT_EQ(description.Of(InterfaceKind::CoSimulation)->max_output_derivative_order, 1U);
  const Variable& u = Named(description, "u");
  EXPECT_EQ(u.causality, Causality::Input);
  EXPECT_THAT(description.Floats(u), ElementsAre(300.0));
  EXPECT_EQ(description.UnitOf(u)->name, "K");
  EXPECT_EQ(u.attributes.display_unit, 0);
  EXPECT_EQ(u.attributes.limits.minimum, 0.0);
  const Variable& z = Named(description, "z");
  EXPECT_EQ(z.alias, AliasKind::Negated);
  EXPECT_EQ(z.alias_of, 1);
  EXPECT_EQ(Named(description, "k").causality, Causality::Parameter);
  EXPECT_EQ(Named(description, "m").alias_of, kNowhere) << "another type has value references of its own";
  EXPECT_EQ(Named(description, "m").initial, Initial::Approx);
  ASSERT_EQ(description.types.front().items.size(), 2U);
  EXPECT_EQ(description.types.front().items[1].value, 2);
  ASSERT_EQ(description.structure.outputs.size(), 2U);
  EXPECT_THAT(description.structure.outputs[0].dependencies, ElementsAre(0));
  EXPECT_TRUE(description.structure.outputs[1].depends_on_all);
}

constexpr const char* kSecond = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="2.0" modelName="Ball" guid="{2}" numberOfEventIndicators="1" variableNamingConvention="structured">
  <ModelExchange modelIdentifier="ball" completedIntegratorStepNotNeeded="true" providesDirectionalDerivative="true"/>
  <CoSimulation modelIdentifier="ball" canGetAndSetFMUstate="true" canSerializeFMUstate="true" canRunAsynchronuously="true">
    <SourceFiles><File name="ball.c"/></SourceFiles>
  </CoSimulation>
  <UnitDefinitions>
    <Unit name="m"><BaseUnit m="1"/><DisplayUnit name="cm" factor="100"/></Unit>
    <Unit name="mm/h"><BaseUnit m="1" s="-1" factor="2.777777777777778e-7"/></Unit>
    <Unit name="degC"><BaseUnit K="1" offset="273.15"/></Unit>
    <Unit name="ft"/>
    <Unit name="bananas"/>
  </UnitDefinitions>
  <TypeDefinitions><SimpleType name="Length"><Real quantity="Length" unit="m" displayUnit="cm" nominal="10"/></SimpleType></TypeDefinitions>
  <LogCategories><Category name="logEvents" description="events"/></LogCategories>
  <DefaultExperiment stopTime="3" stepSize="0.01"/>
  <VendorAnnotations><Tool name="maker"><x:a xmlns:x="urn:x">kept &amp; whole</x:a></Tool></VendorAnnotations>
  <ModelVariables>
    <ScalarVariable name="h" valueReference="7" causality="output" variability="continuous" initial="exact"><Real declaredType="Length" start="1" min="-1"/></ScalarVariable>
    <ScalarVariable name="der(h)" valueReference="8"><Real derivative="1"/></ScalarVariable>
    <ScalarVariable name="a.b[2,3].c" valueReference="9" causality="parameter" variability="tunable"><Integer start="-3"/>
      <Annotations><Tool name="maker"/></Annotations></ScalarVariable>
    <ScalarVariable name="t" valueReference="10" causality="parameter" variability="fixed"><Real unit="degC" start="20" relativeQuantity="true"/></ScalarVariable>
    <ScalarVariable name="s" valueReference="7" causality="parameter" variability="fixed"><String start="&lt;x&gt;"/></ScalarVariable>
    <ScalarVariable name="i" valueReference="11" causality="input"><Boolean start="true"/></ScalarVariable>
    <ScalarVariable name="f" valueReference="12" causality="input"><Real unit="ft" start="1"/></ScalarVariable>
    <ScalarVariable name="n" valueReference="13" causality="input"><Real unit="bananas" start="1"/></ScalarVariable>
    <ScalarVariable name="r" valueReference="14" causality="input"><Real unit="mm/h" start="1"/></ScalarVariable>
  </ModelVariables>
  <ModelStructure>
    <Outputs><Unknown index="1" dependencies="2 6" dependenciesKind="constant dependent"/></Outputs>
    <Derivatives><Unknown index="2" dependencies=""/></Derivatives>
    <InitialUnknowns><Unknown index="2"/></InitialUnknowns>
  </ModelStructure>
</fmiModelDescription>)xml";

TEST(SecondVersion, IsReadCompletely) {
  const ModelDescription description = Read(kSecond);
  EXPECT_EQ(description.version, FmiMajor::Fmi2);
  EXPECT_TRUE(description.is_structured);
  const auto& exchange = description.Of(InterfaceKind::ModelExchange);
  const auto& simulation = description.Of(InterfaceKind::CoSimulation);
  ASSERT_TRUE(exchange && simulation);
  EXPECT_FALSE(exchange->needs_completed_integrator_step);
  EXPECT_TRUE(exchange->provides_directional_derivatives);
  EXPECT_TRUE(simulation->can_serialize_state && simulation->can_run_asynchronously);
  EXPECT_THAT(simulation->source_files, ElementsAre("ball.c"));
  EXPECT_EQ(description.event_indicators, 1U);
  EXPECT_EQ(description.continuous_states, 1U);
  EXPECT_EQ(description.experiment.stop, 3.0);
  EXPECT_EQ(description.experiment.step, 0.01);
  EXPECT_FALSE(description.experiment.start.has_value());
  ASSERT_EQ(description.annotations.size(), 1U);
  EXPECT_EQ(description.annotations[0].type, "maker");
  EXPECT_EQ(description.annotations[0].content, "<x:a xmlns:x=\"urn:x\">kept &amp; whole</x:a>");
  const Variable& h = Named(description, "h");
  EXPECT_EQ(h.line, 19);
  EXPECT_EQ(h.attributes.quantity, "Length");
  EXPECT_EQ(h.attributes.nominal, 10.0);
  EXPECT_EQ(description.UnitOf(h)->display_units[0].factor, 100.0);
  EXPECT_EQ(Named(description, "der(h)").derivative_of, 0);
  const Variable& whole = Named(description, "a.b[2,3].c");
  EXPECT_EQ(whole.type, VariableType::Int32);
  EXPECT_THAT(description.Integers(whole), ElementsAre(-3));
  ASSERT_EQ(whole.annotations.size(), 1U);
  EXPECT_EQ(whole.annotations[0].content, "");
  EXPECT_THAT(description.Texts(Named(description, "s")), ElementsAre("<x>"));
  EXPECT_EQ(Named(description, "s").alias_of, kNowhere);
  EXPECT_EQ(Named(description, "i").variability, Variability::Discrete);
  EXPECT_THAT(description.structure.outputs.at(0).dependencies, ElementsAre(1, 5));
  EXPECT_THAT(description.structure.outputs.at(0).kinds,
              ElementsAre(DependencyKind::Constant, DependencyKind::Dependent));
  EXPECT_FALSE(description.structure.derivatives.at(0).depends_on_all);
  EXPECT_THAT(description.structure.derivatives.at(0).dependencies, IsEmpty());
  EXPECT_EQ(VariableNames(description).Find("missing"), kNowhere);
}

TEST(FmuUnits, HaveDimensionFactorAndOffset) {
  const ModelDescription description = Read(kSecond);
  const described::DescribedUnit rain = UnitOf(description, Named(description, "r"));
  EXPECT_TRUE(Convertible(rain.unit, Unit::Parse("m s-1")));
  EXPECT_EQ(rain.unit.ConversionFactorToSI(), 2.777777777777778e-7);
  EXPECT_EQ(rain.note, "");
  const described::DescribedUnit degrees = UnitOf(description.units[2]);
  EXPECT_EQ(degrees.unit.OffSetToSI(), 273.15);
  EXPECT_EQ(UnitOf(description, Named(description, "t")).unit.OffSetToSI(), 0.0) << "a relative quantity";
  const described::DescribedUnit feet = UnitOf(description, Named(description, "f"));
  EXPECT_EQ(feet.unit.ConversionFactorToSI(), 0.3048);
  EXPECT_THAT(feet.note, HasSubstr("read by its name"));
  const described::DescribedUnit odd = UnitOf(description, Named(description, "n"));
  EXPECT_FALSE(odd.is_known);
  EXPECT_EQ(odd.unit.Caption(), "bananas");
  EXPECT_THAT(odd.note, HasSubstr("its dimension is unknown"));
  EXPECT_TRUE(UnitOf(description, Named(description, "i")).is_known);
}

constexpr const char* kThird = R"(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="All" instantiationToken="{3}">
  <CoSimulation modelIdentifier="all" hasEventMode="true" canHandleVariableCommunicationStepSize="true" fixedInternalStepSize="0.5"/>
  <ScheduledExecution modelIdentifier="all_se"/>
  <UnitDefinitions><Unit name="km/l"><BaseUnit m="-2"/><DisplayUnit name="l/km" inverse="true"/></Unit></UnitDefinitions>
  <TypeDefinitions>
    <EnumerationType name="Mode"><Item name="low" value="-5"/><Item name="high" value="9000000000"/></EnumerationType>
    <ClockType name="Ten" intervalVariability="constant" intervalDecimal="10"/>
  </TypeDefinitions>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent" variability="continuous"/>
    <UInt64 name="n" valueReference="1" causality="structuralParameter" start="2"/>
    <Float64 name="a" valueReference="2" causality="parameter" variability="tunable" start="1 2 3 4 5 6"><Dimension valueReference="1"/><Dimension start="3"/><Alias name="a alias" description="again"/></Float64>
    <Float32 name="f" valueReference="3" causality="input" start="0.5"/>
    <UInt8 name="u8" valueReference="4" causality="input" start="255" max="255"/>
    <Int64 name="i64" valueReference="5" causality="input" start="-9223372036854775808"/>
    <UInt64 name="u64" valueReference="6" causality="input" start="18446744073709551615" min="18446744073709551615"/>
    <Boolean name="b" valueReference="7" causality="input" start="true false"><Dimension start="2"/></Boolean>
    <String name="s" valueReference="8" causality="input"><Dimension start="2"/><Start value="one"/><Start value=""/></String>
    <Binary name="raw" valueReference="9" causality="input" maxSize="16"><Start value="00fF"/></Binary>
    <Enumeration name="e" valueReference="10" causality="output" declaredType="Mode"/>
    <Clock name="tick" valueReference="11" causality="input" declaredType="Ten" priority="1"/>
    <Float64 name="x" valueReference="12" clocks="11" previous="13" variability="discrete" initial="calculated"/>
    <Float64 name="pre" valueReference="13" clocks="11" variability="discrete" initial="exact" start="0"/>
    <Float64 name="state" valueReference="14" initial="exact" start="0 0"><Dimension valueReference="1"/></Float64>
    <Float64 name="rate" valueReference="15" derivative="14"><Dimension valueReference="1"/><Annotations><Annotation type="org.example">hi</Annotation></Annotations></Float64>
    <Float64 name="z" valueReference="16"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="10" dependencies="4 5"/>
    <ContinuousStateDerivative valueReference="15"/>
    <ClockedState valueReference="12"/>
    <InitialUnknown valueReference="10"/>
    <InitialUnknown valueReference="15"/>
    <EventIndicator valueReference="16"/>
  </ModelStructure>
</fmiModelDescription>)";

TEST(ThirdVersion, IsReadCompletely) {
  const ModelDescription description = Read(kThird);
  EXPECT_EQ(description.version, FmiMajor::Fmi3);
  EXPECT_EQ(description.Of(InterfaceKind::CoSimulation)->fixed_internal_step, 0.5);
  EXPECT_EQ(description.Of(InterfaceKind::ScheduledExecution)->model_identifier, "all_se");
  EXPECT_TRUE(description.units[0].display_units[0].inverse);
  EXPECT_EQ(description.independent, 0);
  const Variable& a = Named(description, "a");
  EXPECT_EQ(a.StartSize(), 6U);
  EXPECT_EQ(a.dimensions[0].variable, 1);
  EXPECT_THAT(description.Floats(a), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(&Named(description, "a alias"), &a);
  EXPECT_EQ(Named(description, "f").variability, Variability::Continuous);
  EXPECT_THAT(description.Integers(Named(description, "u8")), ElementsAre(255));
  EXPECT_THAT(description.Integers(Named(description, "i64")), ElementsAre(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(static_cast<std::uint64_t>(description.Integers(Named(description, "u64"))[0]), ~std::uint64_t{0});
  EXPECT_THAT(description.Integers(Named(description, "b")), ElementsAre(1, 0));
  EXPECT_THAT(description.Texts(Named(description, "s")), ElementsAre("one", ""));
  EXPECT_THAT(description.Texts(Named(description, "raw")), ElementsAre(std::string("\0\xff", 2)));
  EXPECT_EQ(Named(description, "raw").attributes.mime_type, "application/octet-stream");
  EXPECT_EQ(description.TypeOf(Named(description, "e"))->items[1].value, 9'000'000'000);
  const Variable& tick = Named(description, "tick");
  const ClockAttributes& clock = description.clocks.at(static_cast<std::size_t>(tick.clock));
  EXPECT_EQ(clock.interval_decimal, 10.0);
  EXPECT_EQ(clock.priority, 1U);
  EXPECT_TRUE(clock.IsTimeBased());
  EXPECT_EQ(Named(description, "x").previous, 13);
  EXPECT_THAT(Named(description, "x").clocks, ElementsAre(11));
  EXPECT_EQ(Named(description, "rate").derivative_of, 14);
  EXPECT_EQ(Named(description, "rate").annotations.at(0).content, "hi");
  EXPECT_EQ(description.continuous_states, 2U);
  EXPECT_EQ(description.event_indicators, 1U);
  EXPECT_THAT(description.structure.outputs.at(0).dependencies, ElementsAre(4, 5));
}

// FMUs of FMI 2.0 are found that write the default of the attribute at Booleans: they run elsewhere, and here.
TEST(ContinuousBooleans, AreDiscreteInTheSecondVersionAndWrongInTheThird) {
  const auto read = [](const std::string& version, const char* token, const char* variable, Problems& problems) {
    return ReadModelDescription("<fmiModelDescription fmiVersion=\"" + version + "\" modelName=\"M\" " + token +
                                    "=\"{1}\"><CoSimulation modelIdentifier=\"m\"/><ModelVariables>" + variable +
                                    "</ModelVariables><ModelStructure/></fmiModelDescription>",
                                "b.xml", problems);
  };
  Problems problems;
  const ModelDescription second = read("2.0", "guid",
                                       "<ScalarVariable name=\"b\" valueReference=\"1\" causality=\"input\" "
                                       "variability=\"continuous\"><Boolean start=\"true\"/></ScalarVariable>",
                                       problems);
  EXPECT_EQ(second.variables.at(0).variability, Variability::Discrete);
  EXPECT_FALSE(HasErrors(problems));
  ASSERT_FALSE(problems.empty());
  EXPECT_THAT(problems.front().problem, HasSubstr("(FMI 2.0, 2.2.7), found a Boolean"));
  problems.clear();
  read("3.0", "instantiationToken",
       "<Boolean name=\"b\" valueReference=\"1\" causality=\"input\" variability=\"continuous\" start=\"true\"/>",
       problems);
  EXPECT_TRUE(HasErrors(problems));
}

TEST(StructuredNames, FollowTheGrammar) {
  for (const char* good :
       {"a", "_1", "a.b", "a[1]", "a[1,20].b", "der(a.b)", "der(a,2)", "der(a, 2)", "'any thing'.b", "'it\\'s'[3]"}) {
    EXPECT_TRUE(IsStructuredName(good)) << good;
  }
  for (const char* bad :
       {"", "1a", "a.", ".a", "a[", "a[]", "a[1", "a[x]", "a b", "der(a", "der(a,)", "der(a)x", "''", "'a", "a[1]b"}) {
    EXPECT_FALSE(IsStructuredName(bad)) << bad;
  }
}

TEST(VersionsToCome, AreReadAsTheThird) {
  std::string text = kThird;
  text.replace(text.find("\"3.0\""), 5, "\"3.1-beta.2\"");
  EXPECT_EQ(Read(text).version_text, "3.1-beta.2");
}

}  // namespace
}  // namespace openmi::fmi
