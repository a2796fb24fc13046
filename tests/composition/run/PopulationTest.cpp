#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/composition/run/RunFixture.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kHead = R"(<Composition xmlns="urn:openmi2:composition:1" Id="made">)";

/// A tree of reservoirs below a weather, as a population and as components with links of their own.
class Population : public ::testing::Test {
 protected:
  Population() {
    folder_.Write("nash.omi", Omi("openmi.NashCascade", "openmi-components"));
    folder_.Write("pond.omi", Omi("matrix.CPond", OPENMI_BINARY_DIR "/tests/matrix-plugins/libmatrix_c.so"));
  }

  static std::string Omi(const std::string& type, const std::string& assembly, const std::string& arguments = {}) {
    return fmt::format(R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="{}" Assembly="{}">)"
                       "<Arguments>{}</Arguments></LinkableComponent>",
                       type, assembly, arguments);
  }

  /// The table, and a weather with a column for each row.
  void WriteTable(int rows) {
    std::string table = "id,k,q0,toid\n";
    std::string weather = "time";
    for (int i = 0; i < rows; ++i) {
      table += fmt::format("r{},{},{},{}\n", i, 0.5 + 0.37 * i, i % 3 == 0 ? std::string() : fmt::format("{}", 0.1 * i),
                           i == 0 ? std::string() : fmt::format("r{}", (i - 1) / 2));
      weather += fmt::format(",r{}", i);
    }
    for (int hour = 1; hour <= 24; ++hour) {
      weather += fmt::format("\n2015-12-{:02}T{:02}:00Z", 1 + hour / 24, hour % 24);
      for (int i = 0; i < rows; ++i) weather += fmt::format(",{}", std::fabs(std::sin(0.7 * hour + 0.1 * i)));
    }
    folder_.Write("rows.csv", table);
    folder_.Write("weather.csv", weather + "\n");
  }

  static std::string Weather(const std::string& stamps) {
    return fmt::format(
        R"(<Component Id="weather" Type="openmi.CsvSeries" Assembly="openmi-components">
        <Argument Key="file" Value="weather.csv"/><Argument Key="elements-from-columns" Value="true"/>
        <Argument Key="item" Value="rain"/><Argument Key="unit" Value="{}"/>{}</Component>)",
        stamps == "end" ? "m3 s-1" : "1",
        stamps == "end" ? R"(<Argument Key="stamps" Value="end"/><Argument Key="step" Value="PT1H"/>)" : "");
  }

  /// The results of a composition, without their head: cells are the shortest texts that give the same bits.
  std::string Rows(const std::string& body, std::size_t threads = 1) {
    folder_.Write(
        "made.xml",
        fmt::format("{}{}<Run From=\"2015-12-01T01:00Z\" To=\"2015-12-02T00:00Z\"/></Composition>", kHead, body));
    Problems problems;
    Composition composition(ReadCompositionFile(folder_ / "made.xml", problems));
    composition.Load(problems);
    composition.Connect(problems);
    CheckComposition(composition, problems);
    std::string errors;
    for (const Problem& problem : problems) {
      if (problem.severity == Problem::Error) errors += FormatProblem(problem) + "\n";
    }
    if (!errors.empty()) return errors;
    RunOptions options;
    options.folder = folder_ / "results";
    options.overwrite = true;
    options.threads = threads;
    const RunRecord record = CompositionRun(composition, problems, options).Run();
    if (const std::string failed = testing::ErrorsOf(record); !failed.empty()) return failed;
    std::istringstream lines(folder_.Read("results/made.csv"));
    std::string rows;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("2015")) rows += line + "\n";
    }
    return rows;
  }

  /// The errors of the check, for a population with these attributes and elements.
  std::string Errors(const std::string& attributes, const std::string& inside = {}) {
    const std::string rows = Rows(fmt::format(
        R"(<Population Id="p" Omi="nash.omi" {}>{}</Population><Observe Item="p.outflow"/>)", attributes, inside));
    EXPECT_THAT(rows, HasSubstr("made.xml:1"));
    return rows;
  }

  testing::Folder folder_{"population"};
};

TEST_F(Population, GivesTheBitsOfComponentsWithLinksOfTheirOwn) {
  constexpr int kRows = 21;
  WriteTable(kRows);
  const std::string population = Rows(Weather("end") + R"(
      <Population Id="p" Omi="nash.omi" Of="rows.csv" Key="id">
        <Argument Key="residence-time" Value="{{k}}"/><Argument Key="initial-outflow" Value="{{q0:0.25}}"/>
      </Population>
      <Link From="weather.rain" To="p.inflow"/><Observe Item="p.outflow"/>)");
  std::string each = Weather("end");
  for (int i = 0; i < kRows; ++i) {
    each += fmt::format(
        R"(<Component Id="r{0}" Omi="nash.omi"><Argument Key="residence-time" Value="{1}"/>
             <Argument Key="initial-outflow" Value="{2}"/></Component>
           <Link From="weather.rain" To="r{0}.inflow"><Adaptor Id="one-value"><Argument Key="of" Value="element"/><Argument Key="element" Value="r{0}"/>
           </Adaptor></Link><Observe Item="r{0}.outflow"/>)",
        i, 0.5 + 0.37 * i, i % 3 == 0 ? 0.25 : 0.1 * i);
  }
  const std::string components = Rows(each);
  EXPECT_THAT(components, HasSubstr("2015-12-02T00:00"));
  EXPECT_EQ(population, components);
}

TEST_F(Population, ComputesAlongANetworkAsLinksDo) {
  constexpr int kRows = 15;
  WriteTable(kRows);
  const std::string network = Weather("end") + R"(
      <Population Id="p" Omi="nash.omi" Of="rows.csv" Key="id">
        <Argument Key="residence-time" Value="{{k}}"/>
        <Network From="outflow" To="inflow" Column="toid"/>
      </Population>
      <Link From="weather.rain" To="p.inflow"/><Observe Item="p.outflow"/>)";
  std::string each = Weather("end");
  for (int i = 0; i < kRows; ++i) {
    std::string inputs = "w[m3 s-1]", sum = "w";
    std::string links = fmt::format(
        R"(<Link From="weather.rain" To="s{0}.w"><Adaptor Id="one-value"><Argument Key="of" Value="element"/><Argument Key="element" Value="r{0}"/>
             </Adaptor></Link><Link From="s{0}.y" To="r{0}.inflow"/>)",
        i);
    for (const int from : {2 * i + 1, 2 * i + 2}) {
      if (from >= kRows) continue;
      inputs += fmt::format(", u{}[m3 s-1]", from);
      sum += fmt::format("+u{}", from);
      links += fmt::format(R"(<Link From="r{1}.outflow" To="s{0}.u{1}"/>)", i, from);
    }
    each += fmt::format(
        R"(<Component Id="r{0}" Omi="nash.omi"><Argument Key="residence-time" Value="{1}"/></Component>
           <Component Id="s{0}" Type="openmi.Expression" Assembly="openmi-components">
             <Argument Key="inputs" Value="{2}"/><Argument Key="outputs" Value="y={3}[m3 s-1]"/></Component>
           {4}<Observe Item="r{0}.outflow"/>)",
        i, 0.5 + 0.37 * i, inputs, sum, links);
  }
  const std::string components = Rows(each);
  EXPECT_THAT(components, HasSubstr("2015-12-02T00:00"));
  EXPECT_EQ(Rows(network), components);
}

TEST_F(Population, GivesTheSameBitsWithATableOfEdgesAndOnThreads) {
  WriteTable(700);
  const auto body = [](const std::string& network) {
    return Weather("end") + fmt::format(R"(
      <Population Id="p" Omi="nash.omi" Of="rows.csv" Key="id">
        <Argument Key="residence-time" Value="{{{{k}}}}"/>
        <Network From="outflow" To="inflow" {}/>
      </Population>
      <Link From="weather.rain" To="p.inflow"/><Observe Item="p.outflow"/>)",
                                        network);
  };
  std::string edges = "down,share,up\n";
  for (int i = 1; i < 700; ++i) edges += fmt::format("r{},1,r{}\n", (i - 1) / 2, i);
  folder_.Write("edges.csv", edges);
  const std::string one = Rows(body(R"(Column="toid")"));
  EXPECT_THAT(one, HasSubstr("2015-12-02T00:00"));
  EXPECT_EQ(Rows(body(R"(Column="toid")"), 3), one);
  EXPECT_EQ(Rows(body(R"(Edges="edges.csv" FromColumn="up" ToColumn="down" WeightColumn="share")"), 2), one);
}

TEST_F(Population, DrivesComponentsInCAndLeavesUnlinkedInputsToThem) {
  WriteTable(5);
  const std::string population = Rows(Weather("instant") + R"(
      <Population Id="p" Omi="pond.omi" Of="rows.csv" Key="id"/>
      <Link From="weather.rain" To="p.in"><Adaptor Id="linear"/></Link><Observe Item="p.out"/>)");
  std::string each = Weather("instant");
  for (int i = 0; i < 5; ++i) {
    each += fmt::format(
        R"(<Component Id="r{0}" Omi="pond.omi"/>
           <Link From="weather.rain" To="r{0}.in"><Adaptor Id="one-value"><Argument Key="of" Value="element"/><Argument Key="element" Value="r{0}"/>
           </Adaptor><Adaptor Id="linear"/></Link><Observe Item="r{0}.out"/>)",
        i);
  }
  const std::string components = Rows(each);
  EXPECT_THAT(components, HasSubstr("2015-12-02T00:00"));
  EXPECT_EQ(population, components);
}

TEST_F(Population, ReadsGeoJsonAndFurtherTables) {
  folder_.Write("c.geojson", R"({"features":[
      {"id":"a","properties":{"k":2},"geometry":{"type":"Point","coordinates":[1,2]}},
      {"id":"b","properties":{"k":3.5},"geometry":{"type":"Point","coordinates":[1,3]}}]})");
  folder_.Write("more.csv", "key;q\nb;7\nother;1\na;9\n");
  folder_.Write("x.csv", "id,k,q\na,2,9\nb,3.5,7\n");
  const auto body = [](const std::string& of, const std::string& q, const std::string& table) {
    return fmt::format(
        R"(<Population Id="p" Omi="nash.omi" Of="{}" Key="{}"><Argument Key="residence-time" Value="{{{{k}}}}"/>
      <Argument Key="initial-outflow" Value="{{{{{}}}}}"/>{}</Population>
      <Component Id="rain" Type="openmi.Constant" Assembly="openmi-components"><Argument Key="value" Value="1"/>
        <Argument Key="unit" Value="m3 s-1"/><Argument Key="elements" Value="a,b"/></Component>
      <Link From="rain.value" To="p.inflow"><Adaptor Id="by-id"/></Link><Observe Item="p.outflow"/>)",
        of, table.empty() ? "id" : "", q, table);
  };
  std::string with = body("c.geojson", "soil.q", R"(<Table Id="soil" Of="more.csv" Key="key"/>)");
  with.erase(with.find("Key=\"\""), 6);
  const std::string rows = Rows(with);
  EXPECT_THAT(rows, HasSubstr("2015-12-02T00:00"));
  EXPECT_EQ(rows, Rows(body("x.csv", "q", {})));
}

TEST_F(Population, IsLinkedToAnotherByATableOfEdges) {
  folder_.Write("rows.csv", "id,k\na,1\nb,2\nc,3\n");
  folder_.Write("lakes.csv", "lake\nupper\nlower\n");
  folder_.Write("edges.csv", "lake;of;part\nlower;c;1\nupper;a;0.25\nlower;a;0.75\nupper;b;1\n");
  const auto body = [](const std::string& columns) {
    return fmt::format(
        R"(<Population Id="p" Omi="nash.omi" Of="rows.csv" Key="id"><Argument Key="residence-time" Value="{{{{k}}}}"/></Population>
        <Population Id="lakes" Omi="nash.omi" Of="lakes.csv"><Argument Key="residence-time" Value="1e-6"/></Population>
        <Component Id="rain" Type="openmi.Constant" Assembly="openmi-components"><Argument Key="value" Value="1,2,4"/>
          <Argument Key="unit" Value="m3 s-1"/><Argument Key="elements" Value="a,b,c"/></Component>
        <Link From="rain.value" To="p.inflow"/>
        <Link From="p.outflow" To="lakes.inflow"><Adaptor Id="weights-from-file">
          <Argument Key="file" Value="edges.csv"/><Argument Key="columns" Value="{}"/></Adaptor></Link>
        <Observe Item="p.outflow"/><Observe Item="lakes.outflow"/>)",
        columns);
  };
  const std::string rows = Rows(body("of, lake, part"));
  ASSERT_THAT(rows, HasSubstr("2015-12-02T00:00"));
  std::istringstream cells(rows.substr(rows.find(',') + 1, rows.find('\n')));
  std::vector<double> values(5);
  for (double& value : values) {
    std::string cell;
    std::getline(cells, cell, ',');
    value = std::stod(cell);
  }
  EXPECT_NEAR(values[3], 0.25 * values[0] + values[1], 1e-5);
  EXPECT_NEAR(values[4], 0.75 * values[0] + values[2], 1e-5);
  EXPECT_THAT(Rows(body("lake, of, part")), HasSubstr("found 8 others, such as 'lower' in line 2"));
  EXPECT_THAT(Rows(body("from, lake")), HasSubstr("expected a column 'from', found none"));
}

TEST_F(Population, GathersProblemsOfRows) {
  folder_.Write("rows.csv", "id,k,toid\na,1,b\nb,,\nc,,zz\nd,x,a\ne,,b\n");
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="residence-time" Value="{{k}}"/>)"),
              AllOf(HasSubstr("p.residence-time"), HasSubstr("3 rows (b, c, e): expected a value of 'k', found none"),
                    HasSubstr("{{k:value}}")));
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="residence-time" Value="{{k:2}}"/>)"),
              AllOf(HasSubstr("p.residence-time"), HasSubstr("found 'x' (d)")));
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="residence-time" Value="{{kk}}"/>)"),
              AllOf(HasSubstr("p.residence-time"), HasSubstr("expected a column of the table, found 'kk'"),
                    HasSubstr("there are: id, k, toid")));
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="residences-time" Value="2"/>)"),
              AllOf(HasSubstr("expected the id of an argument, found 'residences-time'"),
                    HasSubstr("did you mean 'residence-time'?")));
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Network From="outflow" To="inflow" Column="toid"/>)"),
              HasSubstr("expected an edge between rows of the table, found one to 'zz' (c)"));
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Network From="outflow" To="inflow" Column="toids"/>)"),
              HasSubstr("did you mean 'toid'?"));
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="ident")"), HasSubstr("expected a column 'ident' with the keys, found none"));
}

TEST_F(Population, RefusesKeysThatOccurTwiceAndCycles) {
  folder_.Write("rows.csv", "id,to\na,b\nb,c\nc,a\nb,a\n,a\nc,\n");
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")"),
              AllOf(HasSubstr("2 rows (b, c): expected each key of 'id' once, found it again"),
                    HasSubstr("expected a key in the column 'id', found none (row 5)")));
  folder_.Write("rows.csv", "id,to\na,b\nb,c\nc,a\nd,a\n");
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Network From="outflow" To="inflow" Column="to"/>)"),
              AllOf(HasSubstr("expected a network without a cycle, found "), HasSubstr("a -> b"), HasSubstr("b -> c"),
                    HasSubstr("(3 rows)")));
  folder_.Write("empty.csv", "id,to\n");
  EXPECT_THAT(Errors(R"(Of="empty.csv" Key="id")"), HasSubstr("expected at least one row, found none"));
  EXPECT_THAT(Errors(R"(Of="none.csv" Key="id")"), HasSubstr("none.csv"));
}

TEST_F(Population, NamesTheRowWhoseMemberFails) {
  folder_.Write("rows.csv", "id,elements\na,x\nb,\"x,y\"\n");
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="elements" Value="{{elements}}"/>)"),
              HasSubstr("expected 1 values of 'inflow' as of the first row, found 2 (b)"));
}

}  // namespace
}  // namespace openmi
