// `openmi graph`, `openmi plot` and `openmi compare`.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/Command.hpp"

namespace {

using nlohmann::json;
using openmi::ChildResult;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(GraphCommand, DrawsByTheEndingOfTheFile) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  const ChildResult svg = here.Run({"graph", "pond.xml", "-o", "pond.svg"});
  EXPECT_EQ(svg.exit_code, 0) << svg.err;
  EXPECT_THAT(here.Read("pond.svg"), AllOf(HasSubstr("<svg "), HasSubstr("wave"), HasSubstr("unit-conversion")));
  EXPECT_EQ(here.Run({"graph", "pond.xml", "-o", "pond.dot"}).exit_code, 0);
  EXPECT_THAT(here.Read("pond.dot"), StartsWith("digraph \"pond\""));
  EXPECT_EQ(here.Run({"graph", "pond.xml"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(here / "pond.graph.svg"));
}

TEST(GraphCommand, DrawsWithoutLoadingAnything) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Hanging");
  const ChildResult result = here.Run({"graph", "pond.xml", "--static", "-o", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("<svg "), HasSubstr("wave"), HasSubstr("tank")));
}

TEST(GraphCommand, DrawsWhatItCanAndSaysWhatIsMissing) {
  const Workplace here;
  here.WriteComposition("pond.xml", "test.Crashing");
  const ChildResult result = here.Run({"graph", "pond.xml", "-o", "pond.svg"});
  EXPECT_EQ(result.exit_code, 5);
  EXPECT_THAT(result.err, HasSubstr("was killed by signal 6"));
  EXPECT_THAT(here.Read("pond.svg"), HasSubstr("wave"));
  EXPECT_EQ(here.Run({"graph", "pond.xml", "--static", "-o", "no/such/folder.svg"}).exit_code, 7);
}

TEST(PlotCommand, DrawsItemsOneBelowTheOther) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet"}).exit_code, 0);
  EXPECT_EQ(here.Run({"plot", "results/pond.nc"}).exit_code, 0);
  const std::string all = here.Read("pond.plot.svg");
  EXPECT_THAT(all, AllOf(HasSubstr("tank.volume [m³]"), HasSubstr("wave.level [cm]")));
  const ChildResult one = here.Run({"plot", "results/pond.csv", "--item", "wave.level", "-o", "-"});
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, AllOf(HasSubstr("wave.level"), Not(HasSubstr("tank.volume"))));
  here.Write("story.csv", "once,upon\na,time,there\n");
  const ChildResult story = here.Run({"plot", "story.csv"});
  EXPECT_EQ(story.exit_code, 4);
  EXPECT_THAT(story.err, HasSubstr("story.csv: expected results of a run (CSV"));
  const ChildResult wrong = here.Run({"plot", "results/pond.csv", "--item", "wave.levle"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean 'wave.level'?"));
  const ChildResult picture = here.Run({"plot", "results/pond.csv", "-o", "pond.png"});
  EXPECT_EQ(picture.exit_code, 2) << "SVG text in a file that says it is another kind of picture";
  EXPECT_THAT(picture.err, HasSubstr("expected a file that ends in .svg after -o, found 'pond.png'"));
  EXPECT_FALSE(std::filesystem::exists(here / "pond.png"));
}

TEST(PlotCommand, DrawsTheFirstSpanOfATableAsLongAsTheNext) {
  const Workplace here;
  here.Write("gap.csv",
             "time,q (m3 s-1)\n2020-01-01T00:00Z,9\n2020-01-02T00:00Z,1\n2020-01-03T00:00Z,\n2020-01-04T00:00Z,8\n");
  here.Write("gap.xml",
             "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"gap\"><Component Id=\"s\" "
             "Type=\"openmi.CsvSeries\" Assembly=\"openmi-components\"><Argument Key=\"file\" Value=\"gap.csv\"/>"
             "<Argument Key=\"stamps\" Value=\"begin\"/></Component><Observe Item=\"s.q\"/>"
             "<Run From=\"2020-01-01T00:00Z\" To=\"2020-01-05T00:00Z\"/></Composition>");
  ASSERT_EQ(here.Run({"run", "gap.xml", "--quiet"}).exit_code, 0);
  for (const char* results : {"results/gap.csv", "results/gap.nc"}) {
    const ChildResult plot = here.Run({"plot", results, "-o", "-"});
    EXPECT_EQ(plot.exit_code, 0) << plot.err;
    EXPECT_THAT(plot.out, HasSubstr(">2020-01-01<")) << results << ": the axis begins with the first span";
  }
}

TEST(CompareCommand, TellsDifferencesAndTolerances) {
  const Workplace here;
  here.WriteComposition("pond.xml");
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet", "--results", "a"}).exit_code, 0);
  here.WriteComposition("pond.xml", "test.Wave", "<Argument Key=\"amplitude\" Value=\"1.5015\"/>");  // 0.1 % more
  ASSERT_EQ(here.Run({"run", "pond.xml", "--quiet", "--results", "b"}).exit_code, 0);
  const ChildResult same = here.Run({"compare", "a/pond.csv", "a/pond.nc"});
  EXPECT_EQ(same.exit_code, 0) << same.out;
  EXPECT_THAT(same.out, StartsWith("no differences in 2 series"));
  const ChildResult different = here.Run({"compare", "a/pond.csv", "b/pond.csv"});
  EXPECT_EQ(different.exit_code, 8);
  EXPECT_THAT(different.out, AllOf(HasSubstr("tank.volume: 240 of 241 values differ"), Not(HasSubstr("wave.level:"))));
  EXPECT_EQ(here.Run({"compare", "a/pond.csv", "b/pond.csv", "--rtol", "0.0011"}).exit_code, 0);
  EXPECT_EQ(here.Run({"compare", "a/pond.csv", "b/pond.csv", "--rtol", "0.0009"}).exit_code, 8);
  const json answer = json::parse(here.Run({"compare", "a/pond.csv", "b/pond.csv", "--json"}).out);
  EXPECT_EQ(answer.at("differences").at(0).at("series"), "tank.volume");
  EXPECT_EQ(answer.at("differences").at(0).at("count"), 240);
}

TEST(CompareCommand, TakesTablesOfSeconds) {
  const Workplace here;
  here.Write("a.csv", "time,x,name\n0,0,p\n0.5,0.5,p\n1,1,p\n");
  here.Write("b.csv", "\"time\",\"x\",\"name\"\n0.0,0.0,p\n1.0,1.25,p\n");
  const ChildResult grids = here.Run({"compare", "a.csv", "b.csv"});
  EXPECT_EQ(grids.exit_code, 8);
  EXPECT_THAT(grids.out, AllOf(HasSubstr("x: 1 of 3 times only in the first file, the first 0.5 s"),
                               HasSubstr("x: 1 of 2 values differ; first at 1 s: 1 against 1.25"),
                               HasSubstr("a.csv: columns of texts are not compared: name")));
  EXPECT_EQ(here.Run({"compare", "a.csv", "b.csv", "--interpolate", "--rtol", "0.2"}).exit_code, 0);
  const json answer = json::parse(here.Run({"compare", "a.csv", "b.csv", "--interpolate", "--json"}).out);
  EXPECT_EQ(answer.at("differences").at(0).at("first").at("seconds"), 0.5);
  EXPECT_EQ(answer.at("differences").at(0).at("first").at("b"), 0.625);
  const ChildResult drawn = here.Run({"plot", "a.csv", "-o", "-"});
  EXPECT_EQ(drawn.exit_code, 0) << drawn.err;
  EXPECT_THAT(drawn.out, AllOf(HasSubstr(">x<"), Not(HasSubstr("2000-01"))));
}

}  // namespace
