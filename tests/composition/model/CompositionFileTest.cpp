#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/SchemaValidator.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kUpperCreek =
    R"(<Composition xmlns="urn:openmi2:composition:1" Id="upper-creek" Caption="Upper &amp; lower">
  <Component Id="rain"   Omi="rain.omi"/>
  <Component Id="runoff" Omi="runoff.omi"><Argument Key="parameters" Value="creek.par"/></Component>
  <Component Id="creek"  Omi="creek.omi" InitialState="creek.state" Invented="true" KeepState="true" Isolation="instance" TimeLimit="PT30S" MemoryLimit="512 MB" OnFailure="freeze"/>
  <Link From="rain.precipitation" To="runoff.precipitation">
    <Adaptor Id="area-weighted-mean"/>
    <Adaptor Id="mean-over-span" Factory="ours">
      <Argument Key="minimum" Value="0.5"/>
    </Adaptor>
  </Link>
  <Link Id="flow" From="runoff.depth.rate" To="creek.lateral-inflow" Loop="extrapolate">
    <Adaptor Id="times-element-area"/>
  </Link>
  <Component Id="gauge" Type="csv-series" Assembly="openmi-components"><Argument Key="file" Value="observed.csv"/></Component>
  <Observe Item="creek.discharge" Elements="fp-27  fp-52" Every="PT1H" As="mean"/>
  <Compare Simulated="creek.discharge" Observed="gauge.discharge" Measures="nse kge volume peak">
    <Window Label="calibration" From="2015-12-08T00:00Z" To="2015-12-20T00:00+01:00"/>
  </Compare>
  <Run From="2015-12-01T00:00Z" To="2015-12-31T00:00Z" WarmUp="P7D" Trigger="creek" Mode="step" Pace="60" Late="catch-up" LateAfter="0.5 s"/>
  <Checkpoints Every="P1D" EveryWall="PT1M" Keep="3" WithoutState="skip"/>
  <Results Csv="a.csv" NetCDF="a.nc" Report="a.html" Compression="4"/>
</Composition>
)";

TEST(CompositionFile, GivesEverythingWithItsLine) {
  Problems problems;
  const CompositionFile file = ReadCompositionText(kUpperCreek, "examples/upper-creek.xml", problems);
  ASSERT_TRUE(problems.empty()) << FormatProblem(problems.front());
  EXPECT_EQ(file.id, "upper-creek");
  EXPECT_EQ(file.caption, "Upper & lower");
  EXPECT_EQ(file.Folder(), "examples");

  ASSERT_EQ(file.components.size(), 4U);
  EXPECT_EQ(file.components[1].arguments.at(0).value, "creek.par");
  EXPECT_EQ(file.components[1].line, 3);
  EXPECT_EQ(file.Component("creek")->initial_state, "creek.state");
  EXPECT_EQ(file.Component("creek")->apart, (IsolationSpec{Isolation::Instance, 30.0, 512'000'000, OnFailure::Freeze}));
  EXPECT_TRUE(file.Component("creek")->invented);
  EXPECT_TRUE(file.Component("creek")->keep_state);
  EXPECT_FALSE(file.Component("rain")->keep_state);
  EXPECT_FALSE(file.Component("rain")->invented);
  EXPECT_EQ(file.Component("gauge")->assembly, "openmi-components");
  EXPECT_EQ(file.Component("gauge")->line, 14);
  EXPECT_EQ(file.Component("Gauge"), nullptr);

  ASSERT_EQ(file.links.size(), 2U);
  EXPECT_EQ(file.links[0].line, 5);
  EXPECT_EQ(file.links[0].Text(), "rain.precipitation -> runoff.precipitation");
  EXPECT_EQ(file.links[0].loop, LoopAnswer::Last);
  ASSERT_EQ(file.links[0].adaptors.size(), 2U);
  EXPECT_EQ(file.links[0].adaptors[1].id, "mean-over-span");
  EXPECT_EQ(file.links[0].adaptors[1].factory, "ours");
  EXPECT_EQ(file.links[0].adaptors[1].arguments.at(0).line, 8);
  EXPECT_EQ(file.links[1].from.component, "runoff");
  EXPECT_EQ(file.links[1].from.item, "depth.rate");
  EXPECT_EQ(file.links[1].loop, LoopAnswer::Extrapolate);

  ASSERT_EQ(file.observes.size(), 1U);
  EXPECT_THAT(file.observes[0].elements, ElementsAre("fp-27", "fp-52"));
  EXPECT_DOUBLE_EQ(file.observes[0].every.value().count, 1.0 / 24.0);
  EXPECT_EQ(file.observes[0].as, ObserveAs::Mean);

  ASSERT_TRUE(file.run && file.run->pace);
  EXPECT_EQ(file.run->pace->factor, 60.0);
  EXPECT_EQ(file.run->pace->late, LatePolicy::CatchUp);
  EXPECT_DOUBLE_EQ(file.run->pace->late_after_seconds, 0.5);
  ASSERT_TRUE(file.checkpoints);
  EXPECT_EQ(file.checkpoints->every, Days{1.0});
  EXPECT_DOUBLE_EQ(file.checkpoints->every_seconds.value(), 60.0);
  EXPECT_EQ(file.checkpoints->keep, 3);
  EXPECT_TRUE(file.checkpoints->skips);

  ASSERT_EQ(file.compares.size(), 1U);
  EXPECT_THAT(file.compares[0].measures, ElementsAre("nse", "kge", "volume", "peak"));
  ASSERT_EQ(file.compares[0].windows.size(), 1U);
  EXPECT_EQ(file.compares[0].windows[0].label, "calibration");
  EXPECT_DOUBLE_EQ(file.compares[0].windows[0].from.value().mjd, 57364.0);
  EXPECT_DOUBLE_EQ(file.compares[0].windows[0].to.value().mjd, 57376.0 - 1.0 / 24.0);

  ASSERT_TRUE(file.run.has_value());
  EXPECT_DOUBLE_EQ(file.run->from.value().mjd, 57357.0);
  EXPECT_DOUBLE_EQ(file.run->to.value().mjd, 57387.0);
  EXPECT_DOUBLE_EQ(file.run->warm_up.count, 7.0);
  EXPECT_THAT(file.run->trigger, ElementsAre("creek"));
  EXPECT_EQ(file.run->mode, RunMode::Step);
  EXPECT_EQ(file.results.netcdf, "a.nc");
  EXPECT_EQ(file.results.compression, 4);
}

constexpr std::string_view kLoop = R"(<Composition xmlns="urn:openmi2:composition:1" Id="loop">
  <Component Id="a" Omi="a.omi"/><Component Id="b" Omi="b.omi"/>
  <Link From="a.level" To="b.level"/><Link From="b.flow" To="a.flow"/>
  <Iterate Components="b  a" Order="jacobi" Method="anderson" Relaxation="0.25" AbsoluteTolerance="1e-9"
           RelativeTolerance="1e-08" MaxIterations="40" Guess="quadratic" OnFailure="shorten" ReusedSteps="7">
    <Tolerance Item="a.flow" Absolute="0.001"/>
    <Tolerance Item="b.level" Absolute="0" Relative="1e-5"/>
  </Iterate>
</Composition>
)";

TEST(CompositionFile, SaysHowALoopIsIterated) {
  Problems problems;
  const CompositionFile file = ReadCompositionText(kLoop, "c.xml", problems);
  ASSERT_TRUE(problems.empty()) << FormatProblem(problems.front());
  ASSERT_EQ(file.iterates.size(), 1U);
  const IterateSpec& spec = file.iterates[0];
  EXPECT_EQ(spec.line, 4);
  EXPECT_THAT(spec.components, ElementsAre("b", "a"));
  EXPECT_EQ(spec.order, LoopOrder::Jacobi);
  EXPECT_EQ(spec.method, LoopMethod::Anderson);
  EXPECT_EQ(spec.guess, LoopGuess::Quadratic);
  EXPECT_EQ(spec.on_failure, LoopFailure::Shorten);
  EXPECT_EQ(spec.relaxation, 0.25);
  EXPECT_EQ(spec.absolute_tolerance, 1e-9);
  EXPECT_EQ(spec.relative_tolerance, 1e-8);
  EXPECT_EQ(spec.max_iterations, 40);
  EXPECT_EQ(spec.reused_steps, 7);
  ASSERT_EQ(spec.tolerances.size(), 2U);
  EXPECT_EQ(spec.tolerances[0].item.Text(), "a.flow");
  EXPECT_EQ(spec.tolerances[0].absolute, 0.001);
  EXPECT_FALSE(spec.tolerances[0].relative.has_value());
  EXPECT_EQ(spec.tolerances[1].relative, 1e-5);
  const std::string text = CompositionText(file);
  const CompositionFile back = ReadCompositionText(text, "c.xml", problems);
  ASSERT_TRUE(problems.empty()) << FormatProblem(problems.front());
  EXPECT_EQ(CompositionText(back), text);
  ASSERT_EQ(back.iterates.size(), 1U);
  EXPECT_EQ(back.iterates[0].method, spec.method);
  EXPECT_EQ(back.iterates[0].guess, spec.guess);
  EXPECT_EQ(back.iterates[0].on_failure, spec.on_failure);
  EXPECT_EQ(back.iterates[0].relaxation, spec.relaxation);
  EXPECT_EQ(back.iterates[0].absolute_tolerance, spec.absolute_tolerance);
  EXPECT_EQ(back.iterates[0].max_iterations, spec.max_iterations);
  EXPECT_EQ(back.iterates[0].tolerances[0].absolute, spec.tolerances[0].absolute);
}

TEST(CompositionFile, ALinkSaysWhetherItIsBalanced) {
  const auto read = [](const std::string& attribute, Problems& problems) {
    const std::string text =
        "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\"><Component Id=\"a\" Omi=\"a.omi\"/>"
        "<Component Id=\"b\" Omi=\"b.omi\"/><Link From=\"a.x\" To=\"b.y\"" +
        attribute + "/><Run From=\"2020-01-01T00:00Z\" To=\"2020-01-02T00:00Z\"/></Composition>";
    CompositionFile file = ReadCompositionText(text, "c.xml", problems);
    if (problems.empty()) {
      EXPECT_EQ(ReadCompositionText(CompositionText(file), "c.xml", problems).links.at(0).balance,
                file.links.at(0).balance);
    }
    return file.links.at(0).balance;
  };
  Problems problems;
  EXPECT_FALSE(read("", problems).has_value());
  EXPECT_EQ(read(" Balance=\"yes\"", problems), true);
  EXPECT_EQ(read(" Balance=\"no\"", problems), false);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems.front());
  read(" Balance=\"maybe\"", problems);
  EXPECT_TRUE(HasErrors(problems));
}

TEST(CompositionFile, SurvivesARoundTrip) {
  Problems problems;
  const CompositionFile file = ReadCompositionText(kUpperCreek, "c.xml", problems);
  const std::string text = CompositionText(file);
  const CompositionFile back = ReadCompositionText(text, "c.xml", problems);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems.front());
  EXPECT_EQ(CompositionText(back), text);
  EXPECT_EQ(back.components.size(), file.components.size());
  EXPECT_EQ(back.links[1].loop, LoopAnswer::Extrapolate);
  EXPECT_EQ(back.run->from, file.run->from);
  EXPECT_EQ(back.observes[0].every, file.observes[0].every);
  EXPECT_EQ(back.compares[0].windows[0].to, file.compares[0].windows[0].to);
}

TEST(CompositionFile, WritesAndReadsOnDisk) {
  Problems problems;
  const CompositionFile file = ReadCompositionText(kUpperCreek, "c.xml", problems);
  const ScratchFolder folder;
  const std::filesystem::path path = folder.Path() / "written.xml";
  WriteCompositionFile(file, path);
  EXPECT_EQ(CompositionText(ReadCompositionFile(path, problems)), CompositionText(file));
  EXPECT_TRUE(problems.empty());
  std::filesystem::remove(path);
  EXPECT_THROW(ReadCompositionFile(path, problems), FileError);
}

TEST(CompositionFile, EscapesWhatItWrites) {
  CompositionFile file;
  file.id = "a<b>&\"c\"";
  file.components = {{.id = "x",
                      .caption = "",
                      .omi = "a & b.omi",
                      .type = "",
                      .assembly = "",
                      .initial_state = "",
                      .apart = {},
                      .arguments = {{"k<", "1\n2"}}}};
  Problems problems;
  const CompositionFile back = ReadCompositionText(CompositionText(file), "c.xml", problems);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems.front());
  EXPECT_EQ(back.id, file.id);
  EXPECT_EQ(back.components.at(0).omi, "a & b.omi");
  EXPECT_EQ(back.components.at(0).arguments.at(0).value, "1\n2");
}

TEST(CompositionFile, TakesTheElementsInAnyOrder) {
  Problems problems;
  const CompositionFile file = ReadCompositionText(
      "<Composition xmlns='urn:openmi2:composition:1' Id='c'><Run From='2015-12-01Z' To='2015-12-02Z' Trigger='a'/>"
      "<Link From='a.x' To='b.y'/><Component Id='a' Omi='a.omi'/><Component Id='b' Omi='b.omi'/></Composition>",
      "c.xml", problems);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems.front());
  EXPECT_EQ(file.links.size(), 1U);
}

TEST(CompositionFile, OfTenThousandComponentsIsReadWhole) {
  std::string text = "<Composition xmlns='urn:openmi2:composition:1' Id='chain'>\n";
  for (int i = 0; i < 10'000; ++i) {
    text += "<Component Id='c" + std::to_string(i) + "' Omi='c.omi'><Argument Key='k' Value='1'/></Component>\n";
    if (i > 0) {
      text += "<Link Id='l" + std::to_string(i) + "' From='c" + std::to_string(i - 1) + ".q' To='c" +
              std::to_string(i) + ".q'><Adaptor Id='linear'/></Link>\n";
    }
  }
  text += "</Composition>";
  Problems problems;
  const CompositionFile file = ReadCompositionText(text, "c.xml", problems);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems.front());
  EXPECT_EQ(file.links.size(), 9'999U);
  EXPECT_EQ(file.components.size(), 10'000U);
}

TEST(CompositionFile, KeepsPopulationsWhenItIsWritten) {
  const std::string text =
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\">\n"
      "  <Population Id=\"cfe\" Omi=\"cfe.omi\" Of=\"c.gpkg\" Layer=\"divides\" Key=\"id\">\n"
      "    <Argument Key=\"k\" Value=\"{{k:2}}\"/>\n"
      "    <Table Id=\"soil\" Of=\"soil.csv\" Key=\"id\"/>\n"
      "    <Network From=\"out\" To=\"in\" Column=\"toid\"/>\n"
      "    <Network From=\"out\" To=\"in\" Edges=\"e.csv\" FromColumn=\"a\" ToColumn=\"b\"/>\n"
      "  </Population>\n</Composition>\n";
  Problems problems;
  const CompositionFile file = ReadCompositionText(text, "c.xml", problems);
  EXPECT_TRUE(problems.empty()) << FormatProblem(problems.front());
  ASSERT_TRUE(file.components.at(0).population);
  EXPECT_EQ(file.components[0].population->table.layer, "divides");
  EXPECT_EQ(file.components[0].population->tables.at(0).id, "soil");
  EXPECT_EQ(file.components[0].population->networks.at(1).to_column, "b");
  const CompositionFile back = ReadCompositionText(CompositionText(file), "c.xml", problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(CompositionText(back), CompositionText(file));
}

TEST(CompositionFile, RefusesAPopulationWithoutTableAndANetworkWithoutEnds) {
  const std::string text =
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"c\">\n"
      "  <Population Id=\"p\" Omi=\"p.omi\">\n"
      "    <Table Of=\"soil.csv\" Key=\"id\"/>\n"
      "    <Network From=\"out\" To=\"in\"/>\n"
      "  </Population>\n</Composition>\n";
  Problems problems;
  // A table without an id is reported once: nothing is read from it later.
  EXPECT_TRUE(ReadCompositionText(text, "c.xml", problems).components.at(0).population->tables.empty());
  std::string all;
  for (const Problem& problem : problems) all += FormatProblem(problem) + "\n";
  EXPECT_NE(all.find("c.xml:2"), std::string::npos) << all;
  EXPECT_NE(all.find("write Of="), std::string::npos) << all;
  EXPECT_NE(all.find("c.xml:3: expected the attribute 'Id' in Table"), std::string::npos) << all;
  EXPECT_NE(all.find("expected either 'Column' or 'Edges' in Network, found none"), std::string::npos) << all;
}

}  // namespace
}  // namespace openmi
