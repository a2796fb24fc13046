// Descriptions of systems that are wrong, each with the words that say so.
#include <gmock/gmock.h>

#include <filesystem>

#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/fmi/ssp/SystemFixture.hpp"

namespace openmi::ssp {
namespace {

using testing::HasSubstr;

class HostileSystems : public SystemFixture {
 protected:
  std::string Complaints(const std::string& ssd) {
    Problems problems;
    std::string all;
    try {
      Import(ssd, problems);
    } catch (const Error& error) {
      all = std::string(error.what()) + "\n";
    }
    for (const Problem& problem : problems) {
      EXPECT_NE(problem.where.file, "") << problem.problem;
      EXPECT_NE(problem.remedy, "") << problem.problem;
      all += FormatProblem(problem) + "\n";
    }
    return all;
  }
  std::string OfSource(const std::string& uri) {
    return Complaints(Description("<Elements><Component name=\"a\" source=\"" + uri + "\"/></Elements>"));
  }
  std::string OfWire(const std::string& wires) {
    return Complaints(
        Description("<Elements>" + Source() + Sink() + "</Elements><Connections>" + wires + "</Connections>"));
  }
};

TEST_F(HostileSystems, NeverReachOut) {
  EXPECT_THAT(OfSource("http://example.org/x.fmu"),
              HasSubstr("expected a source inside the package, found 'http://example.org/x.fmu', which has a scheme; "
                        "nothing is fetched; put the file into the package"));
  for (const char* uri : {"file:///etc/passwd", "ftp:x", "C:/x.fmu", "https:x", "data:,x"}) {
    EXPECT_THAT(OfSource(uri), HasSubstr("which has a scheme")) << uri;
  }
  EXPECT_THAT(OfSource("/etc/passwd"), HasSubstr("which is absolute"));
  EXPECT_THAT(OfSource("//server/x.fmu"), HasSubstr("which is absolute"));
  EXPECT_THAT(OfSource("%2Fetc%2Fpasswd"), HasSubstr("which is absolute"));
  EXPECT_THAT(OfSource("../x.fmu"), HasSubstr("which leads out of it"));
  EXPECT_THAT(OfSource("resources/../../x.fmu"), HasSubstr("which leads out of it"));
  EXPECT_THAT(OfSource("%2e%2e/x.fmu"), HasSubstr("which leads out of it"));
  EXPECT_THAT(OfSource("..\\x.fmu"), HasSubstr("which holds a backslash"));
  for (const char* uri : {"x.fmu?y", "x.fmu#y", "x.ssp?y"}) {
    EXPECT_THAT(OfSource(uri), HasSubstr("which has a query or a fragment")) << uri;
  }
  EXPECT_THAT(OfSource("x%zz.fmu"), HasSubstr("where %XX is no character"));
  EXPECT_THAT(OfSource("x%00.fmu"), HasSubstr("where %XX is no character"));
  EXPECT_THAT(OfSource("x%0A.fmu"), HasSubstr("which holds a control character"));
  EXPECT_THAT(OfSource(""), HasSubstr("which is empty"));
  EXPECT_THAT(OfSource("resources/none.fmu"),
              HasSubstr("expected the file 'resources/none.fmu' in the package, found none"));
  std::filesystem::create_symlink("/etc/passwd", scratch_ / "resources/link.fmu");
  EXPECT_THAT(OfSource("resources/link.fmu"), HasSubstr("which leads out of it by a link"));
  EXPECT_THAT(Complaints(Description(
                  "<ParameterBindings><ParameterBinding source=\"http://example.org/x.ssv\"/></ParameterBindings>")),
              HasSubstr("which has a scheme"));
  EXPECT_THAT(Complaints(Description(
                  "<SignalDictionaries><SignalDictionary name=\"d\" source=\"../d.ssb\"/></SignalDictionaries>")),
              HasSubstr("which leads out of it"));
}

TEST_F(HostileSystems, WithoutADescriptionAreRefused) {
  EXPECT_THAT(Complaints(""), HasSubstr("found an empty file"));
  EXPECT_THAT(Complaints("<System/>"),
              HasSubstr("expected the root element SystemStructureDescription, found 'System'"));
  EXPECT_THAT(Complaints("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><SystemStructureDescription/>"),
              HasSubstr("expected no entity declarations"));
  EXPECT_THAT(Complaints("<SystemStructureDescription version=\"9\" name=\"x\"/>"),
              HasSubstr("expected version 1.0 or 2.0, found '9'"));
  EXPECT_THAT(Complaints("<SystemStructureDescription version=\"1.0\" name=\"x\"/>"),
              HasSubstr("expected a System, found none"));
  EXPECT_THAT(Complaints(Description("", "<DefaultExperiment startTime=\"5\" stopTime=\"1\"/>")),
              HasSubstr("expected an end of the run after its start at 5 s, found 1 s"));
  EXPECT_THAT(Complaints(Description("", "<DefaultExperiment stopTime=\"soon\"/>")),
              HasSubstr("expected a number in stopTime of DefaultExperiment, found 'soon'"));
  Problems problems;
  const std::string path = scratch_.Write("x.ssp", test::ZipBytes({{"other.ssd", "<a/>"}}));
  EXPECT_THROW(ImportSystemStructure(path, problems), FileError);
  EXPECT_THROW(ImportSystemStructure(scratch_.Write("y.ssp", "no archive"), problems), FormatError);
  EXPECT_THROW(ImportSystemStructure(scratch_.Write("z.ssp", test::ZipBytes({{"../x", "x"}})), problems), FormatError);
}

TEST_F(HostileSystems, WithBadElementsSayWhich) {
  EXPECT_THAT(Complaints(Description("<Elements>" + Source() + Source() + "</Elements>")),
              HasSubstr("expected every element of a system once, found 'a' again; the first is on line 3"));
  EXPECT_THAT(Complaints(Description("<Elements><Component name=\"a\"/></Elements>")),
              HasSubstr("expected a source of component 'a', found none"));
  EXPECT_THAT(Complaints(Description("<Elements><Component source=\"resources/sink.fmu\"/></Elements>")),
              HasSubstr("expected the attribute name of Component, found none"));
  EXPECT_THAT(Complaints(Description("<Elements><Robot/></Elements>")),
              HasSubstr("expected Component, System or SignalDictionaryReference, found 'Robot'"));
  EXPECT_THAT(Complaints(Description("<Elements><Component name=\"a\" source=\"SystemStructure.ssd\"/></Elements>")),
              HasSubstr("expected at most 16 packages inside each other, found more; a system cannot hold itself"));
  // Systems that hold each other many times.
  const auto holding = [](const std::string& id, const std::string& held) {
    std::string many;
    for (int i = 0; i < 101; ++i) many += "<Component name=\"c" + std::to_string(i) + "\" source=\"#" + held + "\"/>";
    return "<System name=\"" + id + "\" id=\"" + id + "\"><Elements>" + many + "</Elements></System>";
  };
  EXPECT_THAT(Complaints(Description("<Elements>" + holding("s", "s") + "</Elements>")),
              HasSubstr("expected at most 16 packages inside each other, found more"));
  EXPECT_THAT(Complaints(Description("<Elements>" + holding("s", "t") + holding("t", "u") +
                                     "<System name=\"u\" id=\"u\"/></Elements>")),
              HasSubstr("expected at most 10000 systems that components include, found more"));
  EXPECT_THAT(OfSource("#none"), HasSubstr("expected a System with the id 'none' in this description, found none"));
  EXPECT_THAT(OfSource("#"), HasSubstr("expected a System with the id '' in this description, found none"));
  EXPECT_THAT(Complaints(Description("<Elements><Component name=\"a\" type=\"text/csv\" source=\"resources/sink.fmu\"/>"
                                     "</Elements>")),
              HasSubstr("expected a component that is an FMU or a system structure, found the type 'text/csv'"));
  EXPECT_THAT(
      Complaints(Description("<Elements><Component name=\"a\" source=\"resources/sink.fmu\" "
                             "implementation=\"RealTime\"/></Elements>")),
      HasSubstr(
          "expected the implementation any, CoSimulation, ModelExchange or ScheduledExecution, found 'RealTime'"));
  EXPECT_THAT(Complaints(Description("<Elements><Component name=\"a\" source=\"resources/sink.fmu\">" +
                                     Connectors({{"v", "input"}}) + "</Component></Elements>")),
              HasSubstr("expected connector 'v' among the variables of sink.fmu, found none"));
  EXPECT_THAT(Complaints(Description("<Elements><Component name=\"a\" source=\"resources/sink.fmu\">" +
                                     Connectors({{"u", "inputs"}}) + "</Component></Elements>")),
              HasSubstr("expected a kind of connector, found 'inputs'; did you mean 'input'?"));
  scratch_.Write("resources/bad.fmu", "no archive");
  EXPECT_THAT(OfSource("resources/bad.fmu"),
              HasSubstr("expected an FMU as source of 'a', found: expected a ZIP archive"));
}

TEST_F(HostileSystems, WithBadConnectionsSayWhich) {
  EXPECT_THAT(OfWire(Wire("b", "y", "z", "u")), HasSubstr("expected an element of the system, found 'b'"));
  EXPECT_THAT(OfWire(Wire("a", "why", "z", "u")), HasSubstr("expected a connector of 'a', found 'why'"));
  EXPECT_THAT(OfWire(Wire("z", "u", "z", "n")),
              HasSubstr("expected a connection between a connector that gives values and one that takes them, found "
                        "the element's 'u' of kind input where both take values"));
  EXPECT_THAT(OfWire(Wire("a", "y", "a", "n")),
              HasSubstr("found the element's 'n' of kind output where both give values"));
  EXPECT_THAT(OfWire(Wire("a", "y", "z", "u") + Wire("a", "n", "z", "u")),
              HasSubstr("expected one source of 'u', found another; the first is on line"));
  EXPECT_THAT(OfWire(Wire("a", "y", "z", "k.gain")),
              HasSubstr("expected a parameter to get its value from a parameter of the system"));
  EXPECT_THAT(OfWire(Wire("a", "y", "", "out")), HasSubstr("expected a connector of 'top', found 'out'"));
  EXPECT_THAT(OfWire(Wire("a", "y", "z", "u", "<LinearTransformation factor=\"x\"/>")),
              HasSubstr("expected a number in factor of LinearTransformation, found 'x'"));
  EXPECT_THAT(OfWire(Wire("a", "y", "z", "u", "<LinearTransformation/><LinearTransformation/>")),
              HasSubstr("expected one transformation, found LinearTransformation too"));
  EXPECT_THAT(OfWire(Wire("a", "y", "z", "u", "<SquareTransformation/>")),
              HasSubstr("expected a transformation of SSP, found 'SquareTransformation'"));
  EXPECT_THAT(OfWire(Wire("a", "b", "z", "b", "<BooleanMappingTransformation/>")),
              HasSubstr("expected a MapEntry in BooleanMappingTransformation, found none"));
  EXPECT_THAT(
      OfWire(
          Wire("a", "b", "z", "b",
               "<BooleanMappingTransformation><MapEntry source=\"yes\" target=\"1\"/></BooleanMappingTransformation>")),
      HasSubstr("expected true or false in a MapEntry, found 'yes' and '1'"));
  EXPECT_THAT(OfWire(Wire("a", "n", "z", "n",
                          "<IntegerMappingTransformation><MapEntry source=\"1; system\" "
                          "target=\"1\"/></IntegerMappingTransformation>")),
              HasSubstr("expected whole numbers in a MapEntry"));
  EXPECT_THAT(OfWire(Wire("a", "n", "z", "n",
                          "<IntegerMappingTransformation><MapEntry source=\"1\" target=\"1\"/><MapEntry source=\"1\" "
                          "target=\"2\"/></IntegerMappingTransformation>")),
              HasSubstr("expected every source once, found '1' again"));
  const std::string loop = "<System name=\"l\">" + Connectors({{"i", "input"}, {"o", "output"}}) + "<Connections>" +
                           Wire("", "i", "", "o") + "</Connections></System>";
  EXPECT_THAT(Complaints(Description("<Elements>" + loop + Sink() + "</Elements><Connections>" +
                                     Wire("l", "o", "l", "i") + Wire("l", "o", "z", "u") + "</Connections>")),
              HasSubstr("expected connections that begin somewhere, found a circle of them"));
  const std::string bus = "<SignalDictionaryReference name=\"bus\" dictionary=\"d\">" + Connectors({{"s", "inout"}}) +
                          "</SignalDictionaryReference>";
  EXPECT_THAT(Complaints(Description("<Elements>" + Source() + bus + "</Elements><Connections>" +
                                     Wire("a", "y", "bus", "s") + "</Connections>")),
              HasSubstr("expected the signal dictionary 'd' in this system or one around it, found none"));
}

TEST_F(HostileSystems, WithBadIndicesSayWhich) {
  const auto with = [&](const std::string& attribute, const std::string& end = "u") {
    std::string wire = Wire("a", "y", "z", end);
    return OfWire(wire.insert(12, attribute + " "));
  };
  EXPECT_THAT(with("startIndices=\"0\""), HasSubstr("expected indices from 1 on, as in the names of elements in FMI, "
                                                    "found '0'"));
  EXPECT_THAT(with("startIndices=\"1 -2\""), HasSubstr("expected indices from 1 on"));
  EXPECT_THAT(with("endIndices=\"99999999999999999999999\""), HasSubstr("expected indices from 1 on"));
  EXPECT_THAT(with("startIndices=\"1\""), HasSubstr("expected an array to take an element of, found the scalar 'y'"));
  EXPECT_THAT(with("endIndices=\"2\""), HasSubstr("expected an array to take an element of, found the scalar 'u'"));
  const std::string inner = "<System name=\"i\">" + Connectors({{"in", "input"}}) + "</System>";
  EXPECT_THAT(Complaints(Description("<Elements>" + Source() + inner + "</Elements><Connections>" +
                                     Wire("a", "y", "i", "in").insert(12, "endIndices=\"1\" ") + "</Connections>")),
              HasSubstr("expected indices at the connector of a component, found them at 'in' of the system 'i'"));
}

TEST_F(HostileSystems, WithBadArraysAndAnnotationsSayWhich) {
  const auto of = [&](const std::string& parameter) {
    return Complaints(Description("<Elements>" + Source() + Sink() + "</Elements>" +
                                  Binding("<Parameter name=\"z.k.gain\">" + parameter + "</Parameter>")));
  };
  EXPECT_THAT(of("<Float64 value=\"1 2 3\"/><Dimension size=\"2\"/>"),
              HasSubstr("expected 2 values of 'z.k.gain' as its dimensions say, found 3"));
  EXPECT_THAT(of("<Float64 value=\"1 two\"/><Dimension size=\"2\"/>"), HasSubstr("found 'two'"));
  EXPECT_THAT(of("<Float64 value=\"1 2\"/>"), HasSubstr("expected a single value of type Float64"));
  for (const char* size : {"0", "-1", "x", "", "99999999999", "18446744073709551615"}) {
    EXPECT_THAT(of(std::string("<Float64 value=\"1\"/><Dimension size=\"") + size + "\"/>"),
                HasSubstr("expected a size from 1 on"))
        << size;
  }
  EXPECT_THAT(of("<Float64 value=\"1\"/><Dimension size=\"16777216\"/><Dimension size=\"2\"/>"),
              HasSubstr("at most 16777216 values"));
  EXPECT_THAT(of("<String value=\"a\"><Value>b</Value></String>"), HasSubstr("found Value elements too"));
  EXPECT_THAT(of("<String><Value>a</Value><Value>b</Value></String><Dimension size=\"2\"/>"),
              HasSubstr("expected one String for all elements of 'z.k.gain', found several"));
  EXPECT_THAT(of("<Enumeration><Value>a b</Value><Value>c</Value></Enumeration><Dimension size=\"2\"/>"),
              HasSubstr("found 'a b'"));
  const auto annotated = [&](const std::string& key) {
    return Complaints(
        Description("<Elements>" +
                    Sink("z", "<Annotations><Annotation type=\"openmi2\"><Arguments><Argument Key=\"" + key +
                                  "\" Value=\"/etc/passwd\"/></Arguments></Annotation></Annotations>") +
                    "</Elements>"));
  };
  for (const char* key : {"fmu", "log-file", "set", "kind", "epoch", "results-folder", "try-states", ""}) {
    EXPECT_THAT(annotated(key), HasSubstr("expected an argument that a package may set")) << key;
  }
}

TEST_F(HostileSystems, WithBadParametersSayWhich) {
  const auto of = [&](const std::string& binding) {
    return Complaints(Description("<Elements>" + Source() + Sink() + "</Elements>" + binding));
  };
  EXPECT_THAT(of(Binding(Real("z.k.gain", "much"))),
              HasSubstr("expected a single value of type Real for 'z.k.gain', found 'much'"));
  EXPECT_THAT(of(Binding(Real("q.gain", "1"))),
              HasSubstr("expected a parameter of 'top' or of an element in it, found 'q.gain'; it was ignored"));
  EXPECT_THAT(of(Binding(Real("z.gain", "1"))), HasSubstr("expected a variable of 'z', found 'gain'; it was ignored"));
  EXPECT_THAT(of(Binding(Real("a.p", "1", "unit=\"kg\""))), HasSubstr("correct the unit of the parameter"));
  EXPECT_THAT(of(Binding("<Parameter name=\"z.mode\"/>")),
              HasSubstr("expected a value of parameter 'z.mode', found none"));
  EXPECT_THAT(of(Binding("<Parameter name=\"z.mode\"><String/></Parameter>")),
              HasSubstr("expected the attribute value of String, found none"));
  EXPECT_THAT(of("<ParameterBindings><ParameterBinding/></ParameterBindings>"),
              HasSubstr("expected a source or ParameterValues in a ParameterBinding, found none"));
  EXPECT_THAT(
      of("<ParameterBindings><ParameterBinding source=\"x.ssv\" sourceBase=\"component\"/></ParameterBindings>"),
      HasSubstr("expected sourceBase SSD, or component where"));
  scratch_.Write("resources/x.ssv", "<Parameters/>");
  EXPECT_THAT(of("<ParameterBindings><ParameterBinding source=\"resources/x.ssv\"/></ParameterBindings>"),
              HasSubstr("expected the root element ParameterSet, found 'Parameters'"));
  scratch_.Write("resources/x.ssv", "<ParameterSet name=\"x\"");
  EXPECT_THAT(of("<ParameterBindings><ParameterBinding source=\"resources/x.ssv\"/></ParameterBindings>"),
              HasSubstr("expected well-formed XML"));
  scratch_.Write("resources/x.ssv",
                 "<ParameterSet name=\"x\"><Parameters>" + Real("k", "1") + "</Parameters></ParameterSet>");
  scratch_.Write("resources/x.ssm",
                 "<ParameterMapping><MappingEntry source=\"m\" target=\"z.k.gain\"/></ParameterMapping>");
  EXPECT_THAT(of("<ParameterBindings><ParameterBinding source=\"resources/x.ssv\"><ParameterMapping "
                 "source=\"resources/x.ssm\"/></ParameterBinding></ParameterBindings>"),
              HasSubstr("expected a parameter 'm' to map, found none"));
}

}  // namespace
}  // namespace openmi::ssp
