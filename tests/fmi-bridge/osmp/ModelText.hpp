#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

/// \file
/// Descriptions of OSMP models for tests.

namespace openmi::osmp {

inline constexpr std::string_view kViewIn = "application/x-open-simulation-interface; type=SensorView; version=3.7.0";
inline constexpr std::string_view kDataOut = "application/x-open-simulation-interface; type=SensorData; version=3.7.0";
inline constexpr const char* kMarker2 =
    R"(<Tool name="net.pmsf.osmp" xmlns:osmp="http://xsd.pmsf.net/OSISensorModelPackaging"><osmp:osmp version="1.6.0" osi-version="3.7.0"/></Tool>)";
inline constexpr std::string_view kInputAttributes = R"(causality="input" variability="discrete")";
inline constexpr std::string_view kOutputAttributes = R"(causality="output" variability="discrete" initial="exact")";

inline std::string AnnotationText2(std::string_view name, std::string_view role, std::string_view mime) {
  return fmt::format(
      R"(<Annotations><Tool name="net.pmsf.osmp" xmlns:osmp="http://xsd.pmsf.net/OSISensorModelPackaging"><osmp:osmp-binary-variable name="{}" role="{}" mime-type="{}"/></Tool></Annotations>)",
      name, role, mime);
}

inline std::string VariableText2(std::string_view name, std::string_view role, std::string_view mime,
                                 std::string_view attributes = kInputAttributes, int reference = 0) {
  const int part = role == "size" ? 2 : role == "base.hi" ? 1 : 0;
  const bool calculated = attributes.find("calculated\"") != std::string_view::npos;
  return fmt::format(R"(<ScalarVariable name="{}.{}" valueReference="{}" {}><Integer{}/>{}</ScalarVariable>)", name,
                     role, reference + part, attributes, calculated ? "" : " start=\"0\"",
                     AnnotationText2(name, role, mime));
}

/// The three scalars of a variable of FMI 2.0.
inline std::string TripleText2(std::string_view name, std::string_view message, std::string_view attributes,
                               int reference) {
  const std::string mime = fmt::format("application/x-open-simulation-interface; type={}; version=3.7.0", message);
  std::string text;
  for (const char* role : {"base.lo", "base.hi", "size"})
    text += VariableText2(name, role, mime, attributes, reference);
  return text;
}

inline std::string ModelText2(const std::string& variables) {
  return fmt::format(
      R"(<fmiModelDescription fmiVersion="2.0" modelName="m" guid="g" variableNamingConvention="structured"><CoSimulation modelIdentifier="m"/><DefaultExperiment stepSize="0.02"/><VendorAnnotations>{}</VendorAnnotations><ModelVariables>{}</ModelVariables><ModelStructure/></fmiModelDescription>)",
      kMarker2, variables);
}

/// A sensor of FMI 2.0 that keeps all rules, with configuration and ground truth.
inline std::string SensorText2() {
  return ModelText2(TripleText2("OSMPSensorViewIn", "SensorView", kInputAttributes, 0) +
                    TripleText2("OSMPSensorDataOut", "SensorData", kOutputAttributes, 3) +
                    TripleText2("OSMPSensorViewInConfigRequest", "SensorViewConfiguration",
                                R"(causality="calculatedParameter" variability="fixed" initial="calculated")", 6) +
                    TripleText2("OSMPSensorViewInConfig", "SensorViewConfiguration",
                                R"(causality="parameter" variability="fixed")", 9) +
                    TripleText2("OSMPGroundTruthInit", "GroundTruth",
                                R"(causality="parameter" variability="fixed" initial="exact")", 12));
}

inline std::string BinaryText3(std::string_view name, std::string_view message, std::string_view attributes,
                               int reference) {
  const std::string mime = fmt::format("application/x-open-simulation-interface; type={}; version=3.7.0", message);
  const bool calculated = attributes.find("calculated\"") != std::string_view::npos;
  return fmt::format(
      R"(<Binary name="{0}" valueReference="{1}" {2} mimeType="{3}">{4}<Annotations><Annotation type="net.pmsf.osmp" xmlns:osmp="http://xsd.pmsf.net/OSISensorModelPackaging"><osmp:osmp-binary-variable name="{0}" role="full" mime-type="{3}"/></Annotation></Annotations></Binary>)",
      name, reference, attributes, mime, calculated ? "" : "<Start value=\"\"/>");
}

/// The same sensor of FMI 3.0.
inline std::string SensorText3() {
  return fmt::format(
      R"(<fmiModelDescription fmiVersion="3.0" modelName="m" instantiationToken="g" variableNamingConvention="structured"><CoSimulation modelIdentifier="m"/><DefaultExperiment stepSize="0.02"/><ModelVariables>{}{}{}{}{}</ModelVariables><ModelStructure/><Annotations><Annotation type="net.pmsf.osmp" xmlns:osmp="http://xsd.pmsf.net/OSISensorModelPackaging"><osmp:osmp version="1.6.0" osi-version="3.7.0"/></Annotation></Annotations></fmiModelDescription>)",
      BinaryText3("OSMPSensorViewIn", "SensorView", kInputAttributes, 1),
      BinaryText3("OSMPSensorDataOut", "SensorData", kOutputAttributes, 2),
      BinaryText3("OSMPSensorViewInConfigRequest", "SensorViewConfiguration",
                  R"(causality="calculatedParameter" variability="fixed" initial="calculated")", 3),
      BinaryText3("OSMPSensorViewInConfig", "SensorViewConfiguration", R"(causality="parameter" variability="fixed")",
                  4),
      BinaryText3("OSMPGroundTruthInit", "GroundTruth", R"(causality="parameter" variability="fixed" initial="exact")",
                  5));
}

/// A model of FMI 1.0 whose variables are called as if it were one.
inline std::string FirstText() {
  return fmt::format(
      R"(<fmiModelDescription fmiVersion="1.0" modelName="m" modelIdentifier="m" guid="g" numberOfContinuousStates="0" numberOfEventIndicators="0" variableNamingConvention="structured"><DefaultExperiment/><VendorAnnotations>{}</VendorAnnotations><ModelVariables><ScalarVariable name="x" valueReference="1"><Real/></ScalarVariable></ModelVariables><Implementation><CoSimulation_StandAlone><Capabilities/></CoSimulation_StandAlone></Implementation></fmiModelDescription>)",
      kMarker2);
}

}  // namespace openmi::osmp
