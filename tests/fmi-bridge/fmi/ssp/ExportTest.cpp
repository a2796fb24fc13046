// Compositions and system structures as packages, which read the same again.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "composition/link/Variables.hpp"
#include "fmi-bridge/common/archive/Archive.hpp"
#include "fmi-bridge/fmi/ssp/ExportSystemStructure.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fmi-bridge/fmi/ssp/SystemFixture.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi::ssp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Exports : public SystemFixture {
 protected:
  Exports() {
    scratch_.Write("resources/arrays.fmu",
                   test::ZipBytes({{"modelDescription.xml",
                                    "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"A\" "
                                    "instantiationToken=\"g\"><CoSimulation modelIdentifier=\"m\"/><ModelVariables>"
                                    "<UInt64 name=\"n\" valueReference=\"1\" causality=\"structuralParameter\" "
                                    "variability=\"tunable\" start=\"2\"/>"
                                    "<Float64 name=\"u\" valueReference=\"2\" causality=\"input\" start=\"1 2 3 4\">"
                                    "<Dimension valueReference=\"1\"/><Dimension start=\"2\"/></Float64>"
                                    "<Float64 name=\"y\" valueReference=\"3\" causality=\"output\">"
                                    "<Dimension valueReference=\"1\"/><Dimension start=\"2\"/></Float64>"
                                    "<Float64 name=\"s\" valueReference=\"4\" causality=\"input\" start=\"0\"/>"
                                    "<Int64 name=\"big\" valueReference=\"5\" causality=\"parameter\" "
                                    "variability=\"fixed\" start=\"0\"/>"
                                    "</ModelVariables><ModelStructure/></fmiModelDescription>",
                                    8}}));
  }

  /// A composition as text, without folders of FMUs and captions: a part of an inner system gets its path as name.
  static std::string Described(const ImportedSystem& imported) {
    CompositionFile file = imported.composition;
    for (ComponentSpec& component : file.components) {
      component.caption.clear();
      for (ArgumentSpec& argument : component.arguments) {
        if (argument.key == "fmu") argument.value = std::filesystem::path(argument.value).filename().string();
      }
    }
    file.id.clear();
    return CompositionText(file);
  }
  std::string Exported(const CompositionFile& file, SspVersion version, Problems& problems) {
    const std::string path = scratch_ / fmt::format("out-{}.ssp", ++count_);
    ExportComposition(file, version, path, problems);
    return path;
  }
  static std::string Document(const std::string& package, const std::string& name = "SystemStructure.ssd") {
    return Archive(package).Read(name);
  }
  /// The problems of an export, as lines.
  std::string Complaints(const CompositionFile& file, SspVersion version = SspVersion::V2) {
    Problems problems;
    const std::string path = Exported(file, version, problems);
    EXPECT_EQ(HasErrors(problems), !std::filesystem::exists(path));
    std::string all;
    for (const Problem& problem : problems) {
      EXPECT_GT(problem.where.line, 0) << problem.problem;
      all += FormatProblem(problem) + "\n";
    }
    return all;
  }
  /// What comes back after the structure was imported and exported.
  void ExpectSame(const std::string& ssd, SspVersion version) {
    Problems problems;
    const ImportedSystem first = Import(ssd, problems);
    const std::string path = Exported(first.composition, version, problems);
    ASSERT_FALSE(HasErrors(problems)) << FormatProblem(problems.back());
    const ImportedSystem second = ImportSystemStructure(path, problems);
    for (const Problem& problem : problems) {
      if (problem.severity != Problem::Note) ADD_FAILURE() << FormatProblem(problem);
    }
    EXPECT_EQ(Described(first), Described(second)) << Document(path);
  }
  CompositionFile Composition(const std::string& inside) {
    Problems problems;
    CompositionFile file =
        ReadCompositionText("<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\" Caption=\"A plant\">\n" +
                                inside + "<Run From=\"2015-12-01T00:00Z\" To=\"2015-12-01T00:00:10Z\"/></Composition>",
                            scratch_ / "c.xml", problems);
    for (const Problem& problem : problems) ADD_FAILURE() << FormatProblem(problem);
    return file;
  }
  static std::string Component(const std::string& id, const std::string& fmu, const std::string& more = {}) {
    return "<Component Id=\"" + id +
           "\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\"><Argument Key=\"fmu\" "
           "Value=\"resources/" +
           fmu + ".fmu\"/>" + more + "</Component>\n";
  }
  static std::string Argument(const std::string& key, const std::string& value) {
    return "<Argument Key=\"" + key + "\" Value=\"" + value + "\"/>";
  }

 private:
  int count_ = 0;
};

TEST_F(Exports, WhatWasImportedComesBackTheSame) {
  const std::string inner =
      std::string("<System name=\"in.ner\">") +
      "<Connectors><Connector name=\"out\" kind=\"output\"><Real unit=\"m\"/></Connector><Connector "
      "name=\"p\" kind=\"parameter\"/></Connectors><Elements>" +
      Source("deep") + "</Elements><Connections>" + Wire("deep", "y", "", "out") + Wire("", "p", "deep", "p") +
      "</Connections></System>";
  const std::string ssd = Description(
      Connectors({{"level", "output"}}) + "<Elements>" + Source() + Sink() + Sink("y") + inner +
      Sink("x",
           "<Annotations><Annotation type=\"com.opensimulationplatform\"><StepSizeHint value=\"0.25\"/>"
           "</Annotation><Annotation type=\"openmi2\"><Arguments xmlns=\"urn:openmi2:ssp:1\"><Argument "
           "Key=\"inputs\" Value=\"begin\"/></Arguments></Annotation></Annotations>") +
      "</Elements><Connections>" + Wire("a", "y", "z", "u", "<LinearTransformation factor=\"3\" offset=\"-0.5\"/>") +
      Wire("a", "n", "z", "n",
           "<IntegerMappingTransformation><MapEntry source=\"1\" target=\"10\"/><MapEntry source=\"2\" target=\"-20\"/>"
           "</IntegerMappingTransformation>") +
      Wire("a", "b", "z", "b",
           "<BooleanMappingTransformation><MapEntry source=\"true\" target=\"false\"/><MapEntry source=\"false\" "
           "target=\"true\"/></BooleanMappingTransformation>") +
      Wire("a", "y", "y", "u").insert(12, "suppressUnitConversion=\"true\" ") +
      Wire("in.ner", "out", "x", "u", "<LinearTransformation factor=\"0.5\"/>") + Wire("a", "y", "", "level") +
      "</Connections>" +
      Binding(Real("a.p", "2500", "unit=\"mm\"") + Real("in.ner.p", "7") +
              "<Parameter name=\"z.mode\"><String value=\"a &lt; ${b}\"/></Parameter>"));
  ExpectSame(ssd, SspVersion::V1);
  ExpectSame(ssd, SspVersion::V2);
}

TEST_F(Exports, ACompositionHasUnitsParametersVariablesAndAnnotations) {
  const CompositionFile file =
      Composition(Component("a", "source",
                            Argument("p", "${depth:2.5}") + Argument("time-step", "PT0.5S") +
                                Argument("tolerance", "1e-7") + Argument("log-file", "a.log")) +
                  Component("b", "source", Argument("p", "${depth:2.5}")) +
                  Component("z", "sink", Argument("k.gain", "4") + Argument("set", "mode=fast")) +
                  "<Link From=\"a.y\" To=\"z.u\"/>\n<Observe Item=\"a.y\"/><Observe Id=\"second\" Item=\"b.y\"/>\n");
  for (const SspVersion version : {SspVersion::V1, SspVersion::V2}) {
    Problems problems;
    const std::string path = Exported(file, version, problems);
    ASSERT_FALSE(HasErrors(problems));
    EXPECT_THAT(FormatProblem(problems.at(0)), HasSubstr("the argument log-file of a stays on this machine"));
    const std::string ssd = Document(path);
    EXPECT_THAT(ssd, HasSubstr("<ssc:Unit name=\"mm\">\n      <ssc:BaseUnit m=\"1\" factor=\"0.001\"/>"));
    EXPECT_THAT(ssd, HasSubstr("<osp:StepSizeHint value=\"0.5\"/>"));
    EXPECT_THAT(ssd, HasSubstr("<Argument Key=\"tolerance\" Value=\"1e-7\"/>"));
    EXPECT_THAT(ssd, HasSubstr("<ssd:DefaultExperiment startTime=\"0\" stopTime=\"10\"/>"));
    EXPECT_THAT(Document(path, "resources/variables.ssv"),
                HasSubstr("<ssv:Parameter name=\"depth\">\n      <ssv:Real value=\"2.5\" unit=\"m\"/>"));
    EXPECT_THAT(Document(path, "resources/variables.ssm"),
                HasSubstr("<ssm:MappingEntry source=\"depth\" target=\"b.p\"/>"));
    EXPECT_THAT(Document(path, "resources/parameters.ssv"), HasSubstr("<ssv:String value=\"fast\"/>"));
    const ImportedSystem read = ImportSystemStructure(path, problems);
    EXPECT_FALSE(HasErrors(problems));
    EXPECT_EQ(ArgumentOf(read.composition, "b", "p"), "2.5");
    EXPECT_EQ(ArgumentOf(read.composition, "z", "k.gain"), "4");
    EXPECT_EQ(ArgumentOf(read.composition, "a", "time-step"), "PT0.5S");
    EXPECT_EQ(ArgumentOf(read.composition, "a", "tolerance"), "1e-7");
    EXPECT_EQ(read.composition.observes.back().id, "second");
    EXPECT_EQ(read.composition.caption, "A plant");
  }
}

TEST_F(Exports, TheSameCompositionGivesTheSameBytes) {
  const CompositionFile file = Composition(Component("a", "source") + Component("z", "sink"));
  Problems problems;
  const auto bytes = [](const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  };
  EXPECT_EQ(bytes(Exported(file, SspVersion::V2, problems)), bytes(Exported(file, SspVersion::V2, problems)));
  EXPECT_THAT(Document(Exported(file, SspVersion::V2, problems)), HasSubstr("source=\"resources/sink.fmu\""));
}

TEST_F(Exports, AnOmiFileByARelativePathNamesItsFmuFromItsFolder) {
  scratch_.Write("g/source.omi",
                 "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"openmi.fmi.Fmu\" "
                 "Assembly=\"openmi-fmi-bridge\"><Arguments><Argument Key=\"fmu\" "
                 "Value=\"../resources/source.fmu\"/></Arguments></LinkableComponent>");
  CompositionFile file = Composition("<Component Id=\"a\" Omi=\"source.omi\"/>");
  file.path = "g/c.xml";
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(scratch_.Path());
  Problems problems;
  const std::string path = Exported(file, SspVersion::V2, problems);
  std::filesystem::current_path(before);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems[0]);
  EXPECT_THAT(Document(path), HasSubstr("source=\"resources/source.fmu\""));
}

TEST_F(Exports, AnEpochIsTimeZero) {
  const std::string epoch = Argument("epoch", "2015-11-30T23:59:55Z");
  Problems problems;
  EXPECT_THAT(Document(Exported(Composition(Component("a", "source", epoch) + Component("z", "sink", epoch)),
                                SspVersion::V2, problems)),
              HasSubstr("startTime=\"5\" stopTime=\"15\""));
  EXPECT_THAT(Complaints(Composition(Component("a", "source", epoch) + Component("z", "sink"))),
              HasSubstr("expected one time of all FMUs at the start of the run, found 5 s and 0 s"));
}

TEST_F(Exports, WhatSspCannotExpressIsRefused) {
  const std::string two = Component("a", "source") + Component("z", "sink");
  const auto link = [&](const std::string& adaptors) {
    return Complaints(Composition(two + "<Link From=\"a.y\" To=\"z.u\">" + adaptors + "</Link>\n"));
  };
  EXPECT_THAT(
      Complaints(Composition("<Component Id=\"q\" Type=\"openmi.Constant\" Assembly=\"openmi-components\"/>\n")),
      HasSubstr("expected components that are FMUs, found 'openmi.Constant' as 'q'; make an FMU of it with "
                "openmi fmu export"));
  EXPECT_THAT(link("<Adaptor Id=\"mean-over-span\"/>"),
              HasSubstr("expected a link that a connection of SSP can express, found the adaptor 'mean-over-span' on "
                        "'a.y -> z.u'"));
  EXPECT_THAT(link("<Adaptor Id=\"expression\">" + Argument("formula", "x^2") + "</Adaptor>"),
              HasSubstr("found the adaptor 'expression'"));
  EXPECT_THAT(link("<Adaptor Id=\"linear-operation\">" + Argument("factor", "2") + "</Adaptor>"),
              HasSubstr("expected an argument of adaptor 'linear-operation', found 'factor'; there are: a, b"));
  EXPECT_EQ(link("<Adaptor Id=\"unit-conversion\">" + Argument("unit", "mm") +
                 "</Adaptor><Adaptor "
                 "Id=\"linear-operation\">" +
                 Argument("a", "2") + "</Adaptor>"),
            "");
  EXPECT_THAT(Complaints(Composition(two + "<Link From=\"a.y\" To=\"z.w\"/>\n")),
              HasSubstr("expected an item of an FMU, found 'z.w'"));
  EXPECT_THAT(Complaints(Composition(Component("a", "source", Argument("gain", "1")))),
              HasSubstr("expected an argument or a variable of 'a', found 'gain'"));
  EXPECT_THAT(Complaints(Composition(Component("a", "source", Argument("p", "${open}")))),
              HasSubstr("expected a value for the variable 'open', found none; give the variable a default"));
  EXPECT_THAT(Complaints(Composition(two + "<Compare Simulated=\"a.y\" Observed=\"z.u\" Measures=\"nse\"/>\n")),
              HasSubstr("SSP has no word for a comparison"));
  EXPECT_THAT(Complaints(Composition(Component("r", "arrays", Argument("n", "2")) + "<Observe Item=\"r.y\"/>\n"),
                         SspVersion::V1),
              HasSubstr("expected scalars in SSP 1.0, found the array 'y' of 'r'; write version 2.0"));
  EXPECT_THAT(Complaints(Composition(Component("r", "arrays", Argument("big", "2"))), SspVersion::V1),
              HasSubstr("expected a parameter whose type SSP 1.0 has, found 'r.big' of type Int64"));
  EXPECT_THROW(Complaints(Composition(Component("r", "none"))), FileError);
}

TEST_F(Exports, TransformationsBeforeAndAfterAConversionOfUnitsBecomeOne) {
  const std::string linear = "<Adaptor Id=\"linear-operation\">";
  const std::string link = "<Link From=\"a.y\" To=\"z.u\">" + linear + Argument("a", "2") + Argument("b", "1") +
                           "</Adaptor><Adaptor Id=\"unit-conversion\">" + Argument("unit", "mm") + "</Adaptor>" +
                           linear + Argument("a", "0.5") + Argument("b", "3") + "</Adaptor></Link>\n";
  Problems problems;
  const std::string path =
      Exported(Composition(Component("a", "source") + Component("z", "sink") + link), SspVersion::V1, problems);
  // 0.5 * 1000 (2 x + 1) + 3 = 1 (1000 x) + 503
  EXPECT_THAT(Document(path), HasSubstr("<ssc:LinearTransformation factor=\"1\" offset=\"503\"/>"));
}

TEST_F(Exports, SingleElementsOfArraysAreConnected) {
  const auto array = [&](const std::string& name, const std::string& more = {}) {
    return "<Component name=\"" + name + "\" source=\"resources/arrays.fmu\">" +
           Connectors({{"u", "input"}, {"y", "output"}, {"s", "input"}}) + more + "</Component>\n";
  };
  const auto wire = [&](const std::string& from, const std::string& item, const std::string& start,
                        const std::string& to, const std::string& input, const std::string& end) {
    std::string text = Wire(from, item, to, input);
    if (!end.empty()) text.insert(12, "endIndices=\"" + end + "\" ");
    if (!start.empty()) text.insert(12, "startIndices=\"" + start + "\" ");
    return text;
  };
  const std::string ssd = Description(
      "<Elements>" + array("f") +
      array("g", Binding("<Parameter name=\"u\"><Float64 value=\"5 6 7 8 9 10\"/><Dimension size=\"3\"/><Dimension "
                         "size=\"2\"/></Parameter><Parameter name=\"n\"><UInt64 value=\"3\"/></Parameter>")) +
      "</Elements><Connections>" + wire("f", "y", "2 1", "f", "s", "") + wire("f", "y", "1 2", "g", "u", "3 1") +
      wire("f", "y", "1 1", "g", "u", "1 1") + wire("f", "y", "", "f", "u", "") + "</Connections>");
  const CompositionFile file = Good(ssd);
  ASSERT_EQ(file.links.size(), 9U);  // two whole ones, six elements, and what gathers them
  EXPECT_EQ(AdaptorsOf(file.links[0]), "one-value(of=element,element=y[2,1])");
  EXPECT_EQ(file.Component("g/u")->type, "openmi.Gather");
  EXPECT_EQ(ArgumentOf(file, "g/u", "elements"), "u[1,1], u[1,2], u[2,1], u[2,2], u[3,1], u[3,2]");
  EXPECT_EQ(file.links[2].to.Text(), "g/u.u[1,1]");
  EXPECT_EQ(AdaptorsOf(file.links[2]), "one-value(of=element,element=y[1,1])");
  EXPECT_EQ(AdaptorsOf(file.links[3]), "one-value(of=element,element=y[1,1]) expression(formula=6,unit=1)")
      << "its start value stays";
  EXPECT_EQ(AdaptorsOf(file.links[6]), "one-value(of=element,element=y[1,2])");
  EXPECT_EQ(file.links[8].Text(), "g/u.u -> g.u");
  ExpectSame(ssd, SspVersion::V2);
  Problems problems;
  const std::string path = Exported(Import(ssd, problems).composition, SspVersion::V2, problems);
  EXPECT_THAT(Document(path), HasSubstr("startElement=\"f\" startConnector=\"y\" endElement=\"g\" endConnector=\"u\" "
                                        "startIndices=\"1 2\" endIndices=\"3 1\""));
  EXPECT_THAT(Document(path, "resources/parameters.ssv"),
              HasSubstr("<ssv:Float64 value=\"5 6 7 8 9 10\"/>\n      <ssc:Dimension size=\"3\"/>"));
  EXPECT_THAT(Complaints(file, SspVersion::V1), HasSubstr("write version 2.0"));
}

/// What a document says: elements, attributes and text, without where they stand.
std::string Content(const XmlElement& element) {
  std::string text = "<" + element.namespace_uri + ":" + element.name;
  for (const XmlAttribute& one : element.attributes) text += " " + one.namespace_uri + ":" + one.name + "=" + one.value;
  text += ">" + element.TrimmedText();
  for (const XmlElement& child : element.children) text += Content(child);
  return text + "</>";
}

TEST_F(Exports, ARewrittenStructureKeepsEverything) {
  scratch_.Write("resources/p.ssv",
                 "<ssv:ParameterSet xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\" "
                 "version=\"1.0\" name=\"p\"><ssv:Parameters><ssv:Parameter name=\"depth\"><ssv:Real "
                 "value=\"3\"/></ssv:Parameter></ssv:Parameters></ssv:ParameterSet>");
  scratch_.Write("resources/p.ssm",
                 "<ParameterMapping xmlns=\"http://ssp-standard.org/SSP1/SystemStructureParameterMapping\" "
                 "version=\"1.0\"><MappingEntry source=\"depth\" target=\"a.p\"/></ParameterMapping>");
  scratch_.Write("resources/icon.svg", "<svg/>");
  const std::string ssd =
      Description("<Elements>" +
                  Source("a",
                         "<ElementGeometry x1=\"0\" y1=\"0\" x2=\"10\" y2=\"10\" iconSource=\"resources/icon.svg\"/>"
                         "<Annotations><c:Annotation type=\"org.example\" "
                         "xmlns:c=\"http://ssp-standard.org/SSP1/SystemStructureCommon\"><x xmlns=\"urn:x\" y:z=\"1\" "
                         "xmlns:y=\"urn:y\">a &amp; b<inner/></x></c:Annotation></Annotations>") +
                  Sink() + "</Elements><Connections>" + Wire("a", "y", "z", "u") +
                  "</Connections><ParameterBindings><ParameterBinding source=\"resources/p.ssv\"><ParameterMapping "
                  "source=\"resources/p.ssm\"/></ParameterBinding></ParameterBindings>");
  const std::string path = scratch_.Write("SystemStructure.ssd", ssd);
  for (const SspVersion version : {SspVersion::V1, SspVersion::V2}) {
    Problems problems;
    const std::string out = scratch_ / (std::string(Text(version)) + ".ssp");
    RewriteSystemStructure(path, version, out, problems);
    for (const Problem& problem : problems) ADD_FAILURE() << FormatProblem(problem);
    std::vector<std::string> names;
    const Archive archive(out);
    for (const ArchiveEntry& entry : archive.Entries()) names.push_back(entry.name);
    EXPECT_THAT(names, ElementsAre("SystemStructure.ssd", "resources/icon.svg", "resources/p.ssm", "resources/p.ssv",
                                   "resources/sink.fmu", "resources/source.fmu"));
    std::string before = Content(ReadXml(ssd, "before").root);
    std::string after = Content(ReadXml(Document(out), "after").root);
    const std::string versioned = std::string(":version=") + Text(version);
    EXPECT_THAT(after, HasSubstr(versioned));
    after.replace(after.find(versioned), versioned.size(), ":version=1.0");
    EXPECT_EQ(before, after);
    EXPECT_EQ(Described(ImportSystemStructure(path, problems)), Described(ImportSystemStructure(out, problems)));
    const std::string again = scratch_ / "again.ssp";
    RewriteSystemStructure(out, version, again, problems);
    EXPECT_EQ(Document(out), Document(again));
  }
}

TEST_F(Exports, TheOlderVersionRefusesWhatItDoesNotHave) {
  const auto complaints = [&](const std::string& system) {
    const std::string path = scratch_.Write("SystemStructure.ssd", Description(system));
    const std::string out = scratch_ / "old.ssp";
    std::filesystem::remove(out);
    Problems problems;
    RewriteSystemStructure(path, SspVersion::V1, out, problems);
    EXPECT_EQ(HasErrors(problems), !std::filesystem::exists(out));
    std::string all;
    for (const Problem& problem : problems) all += FormatProblem(problem) + "\n";
    return all;
  };
  const auto connector = [](const std::string& type, const std::string& kind = "input") {
    return "<Connectors><Connector name=\"u\" kind=\"" + kind + "\">" + type + "</Connector></Connectors>";
  };
  EXPECT_EQ(complaints(connector("<Float64 unit=\"m\"/>")), "");
  EXPECT_THAT(Document(scratch_ / "old.ssp"), HasSubstr("Real unit=\"m\""));
  EXPECT_EQ(complaints(connector("<Int32/>")), "");
  for (const char* type : {"Int64", "UInt8", "Float32", "Clock", "Dimension"}) {
    EXPECT_THAT(complaints(connector(std::string("<") + type + "/>")),
                HasSubstr(std::string("SystemStructure.ssd:3: expected what SSP 1.0 has, found ") + type));
  }
  EXPECT_THAT(complaints(connector("", "structuralParameter")),
              HasSubstr("a connector of the kind structuralParameter"));
  EXPECT_THAT(
      complaints("<Connections><Connection startConnector=\"a\" endConnector=\"b\" startIndices=\"1\"/></Connections>"),
      HasSubstr("found the attribute startIndices"));
  EXPECT_THAT(complaints("<Elements><Component name=\"a\" source=\"resources/x.fmu\" "
                         "implementation=\"ScheduledExecution\"/></Elements>"),
              HasSubstr("found the implementation ScheduledExecution"));
  EXPECT_THAT(complaints("<MetaData kind=\"general\" type=\"text/plain\"/>"),
              HasSubstr("found 'MetaData', which is left out"));
  EXPECT_THAT(complaints("<Elements><Component name=\"a\" source=\"../x.fmu\"/></Elements>"),
              HasSubstr("which leads out of it"));
}

TEST_F(Exports, SourcesInTheFolderThatTheUserNamesAreFound) {
  scratch_.Write("models/plant.fmu", FmuBytes(""));
  const std::string path =
      scratch_.Write("systems/one/SystemStructure.ssd", Description("<Elements><Component name=\"a\" "
                                                                    "source=\"../../models/plant.fmu\"/></Elements>"));
  Problems problems;
  ImportSystemStructure(path, problems);
  EXPECT_THAT(FormatProblem(problems.at(0)), HasSubstr("which leads out of it"));
  problems.clear();
  SystemOptions options;
  options.within = scratch_.Path();
  ImportSystemStructure(path, problems, options);
  EXPECT_FALSE(HasErrors(problems));
  const std::string out = scratch_ / "out.ssp";
  RewriteSystemStructure(path, SspVersion::V1, out, problems, scratch_.Path());
  EXPECT_FALSE(HasErrors(problems));
  EXPECT_THAT(Document(out), HasSubstr("source=\"resources/plant.fmu\""));
  EXPECT_TRUE(Archive(out).Has("resources/plant.fmu"));
}

}  // namespace
}  // namespace openmi::ssp
