#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
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
    record_ = CompositionRun(composition, problems, options).Run();
    if (const std::string failed = testing::ErrorsOf(record_); !failed.empty()) return failed;
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
  RunRecord record_;  // of the last run
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

TEST_F(Population, GivesTheSameBitsWithATableOfEdgesOnThreadsAndInAProcess) {
  WriteTable(700);
  const auto body = [](const std::string& network, const std::string& attributes = {}) {
    return Weather("end") + fmt::format(R"(
      <Population Id="p" Omi="nash.omi" Of="rows.csv" Key="id" {}>
        <Argument Key="residence-time" Value="{{{{k}}}}"/>
        <Network From="outflow" To="inflow" {}/>
      </Population>
      <Link From="weather.rain" To="p.inflow"/><Observe Item="p.outflow"/>)",
                                        attributes, network);
  };
  std::string edges = "down,share,up\n";
  for (int i = 1; i < 700; ++i) edges += fmt::format("r{},1,r{}\n", (i - 1) / 2, i);
  folder_.Write("edges.csv", edges);
  const std::string one = Rows(body(R"(Column="toid")"));
  EXPECT_THAT(one, HasSubstr("2015-12-02T00:00"));
  EXPECT_EQ(Rows(body(R"(Column="toid")"), 3), one);
  for (const std::size_t threads : {1U, 2U, 3U}) {
    EXPECT_EQ(Rows(body(R"(Column="toid")", R"(Isolation="process")"), threads), one) << threads << " threads";
  }
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
  folder_.Write("more.csv", "key;q;;\nb;7;x;\nother;1;;\na;9;;y\n");  // two columns have no name
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

TEST_F(Population, GathersUnknownColumnsOfAllArgumentsAndTemplates) {
  folder_.Write("rows.csv", "id,k,slope:0\na,1,2\n");
  const std::string errors = Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="residence-time" Value="{{kk}}"/>
      <Argument Key="initial-outflow" Value="{{q0}}{{q1:1}}"/>)");
  EXPECT_THAT(errors, AllOf(HasSubstr("found 'kk'"), HasSubstr("there are: id, k, slope:0"),
                            HasSubstr("expected columns of the table, found 'q0', 'q1'")));
  folder_.Write("pond.ini", "a = {{k}}\nb = {{soil_b}}\nc = {{k:1}} {{soil_c:0.5}}\n");
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="elements" Value="template:pond.ini"/>)"),
              AllOf(HasSubstr("p.elements"), HasSubstr("pond.ini"), HasSubstr("found 'soil_b', 'soil_c'")));
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="residence-time" Value="{{k"/>)"),
              HasSubstr("expected '}}' after '{{', found 'k'"));
}

TEST_F(Population, TakesNamesOfColumnsWithBlanksDotsAndColons) {
  folder_.Write("rows.csv", "id,mean k.d,x:y\na,1,2\nb,,3\n");
  folder_.Write("plain.csv", "id,k,q\na,1,2\nb,5,3\n");
  const auto rows = [&](const std::string& of, const std::string& k, const std::string& q) {
    return Rows(fmt::format(
        R"(<Population Id="p" Omi="nash.omi" Of="{}" Key="id"><Argument Key="residence-time" Value="{}"/>
             <Argument Key="initial-outflow" Value="{}"/></Population>
           <Component Id="rain" Type="openmi.Constant" Assembly="openmi-components"><Argument Key="value" Value="1,1"/>
             <Argument Key="unit" Value="m3 s-1"/><Argument Key="elements" Value="a,b"/></Component>
           <Link From="rain.value" To="p.inflow"/><Observe Item="p.outflow"/>)",
        of, k, q));
  };
  const std::string plain = rows("plain.csv", "{{k}}", "{{q}}");
  EXPECT_THAT(plain, HasSubstr("2015-12-02T00:00"));
  EXPECT_EQ(rows("rows.csv", "{{ mean k.d :5}}", "{{x:y}}"), plain);
}

TEST_F(Population, ReadsTablesOfOtherSystems) {
  WriteTable(3);
  const std::string table = folder_.Read("rows.csv");
  const std::string body = Weather("end") + R"(
      <Population Id="p" Omi="nash.omi" Of="rows.csv" Key="id"><Argument Key="residence-time" Value="{{k}}"/></Population>
      <Link From="weather.rain" To="p.inflow"/><Observe Item="p.outflow"/>)";
  const std::string plain = Rows(body);
  EXPECT_THAT(plain, HasSubstr("2015-12-02T00:00"));
  std::string windows = "\xEF\xBB\xBF";
  for (const char c : table) windows += c == '\n' ? std::string("\r\n") : c == ',' ? ";" : std::string(1, c);
  folder_.Write("rows.csv", windows);
  EXPECT_EQ(Rows(body), plain);
  folder_.Write("rows.csv", "id,k\nr\xFC,1\nr1,2\n");  // Latin-1
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")"), AllOf(HasSubstr("expected keys in UTF-8"), HasSubstr("row 1")));
  folder_.Write("rows.csv", "id,k,k,k\na,1,2,3\n");
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")"), HasSubstr("expected each name of a column once, found it again"));
}

TEST_F(Population, NamesAndCountsAllIdsThatAGeoJsonHasTwice) {
  const auto feature = [](const std::string& id, const std::string& geometry) {
    return fmt::format(R"({{"id":"{}","properties":{{"k":2}},"geometry":{}}})", id, geometry);
  };
  const std::string point = R"({"type":"Point","coordinates":[1,2]})";
  std::string features;
  for (const char* id : {"a", "b", "a", "c", "b", "d", "d", "e", "e"}) {
    features += (features.empty() ? "" : ",") + feature(id, point);
  }
  folder_.Write("twice.geojson", R"({"type":"FeatureCollection","features":[)" + features + "]}");
  EXPECT_THAT(
      Errors(R"(Of="twice.geojson")"),
      AllOf(HasSubstr("twice.geojson"), HasSubstr("expected each id once, found 4 ids ('a', 'b', 'd', ...) again")));
  folder_.Write("mixed.geojson", R"({"type":"FeatureCollection","features":[)" + feature("a", point) + "," +
                                     feature("b", "null") + "," + feature("c", "null") + "]}");
  EXPECT_THAT(Errors(R"(Of="mixed.geojson")"),
              AllOf(HasSubstr("expected a point in 2 ids ('b', 'c') as in the first feature, found no geometry"),
                    HasSubstr("remove the features without geometry")));
}

TEST_F(Population, RefusesATableWithoutACommonKey) {
  folder_.Write("rows.csv", "id,k\na,1\nb,2\n");
  folder_.Write("soil.csv", "id,satdk\n1,7\n2,8\n");
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="residence-time" Value="{{soil.satdk:1}}"/>
                     <Table Id="soil" Of="soil.csv" Key="id"/>)"),
              AllOf(HasSubstr("soil.csv"), HasSubstr("expected keys such as 'a'"), HasSubstr("such as '1'")));
  folder_.Write("twice.csv", "id,satdk\na,7\na,8\nb,9\n");
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Table Id="soil" Of="twice.csv" Key="id"/>)"),
              AllOf(HasSubstr("twice.csv"), HasSubstr("expected each key of 'id' once, found it again (a)")));
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Table Id="soil" Of="soil.csv" Key="ident"/>)"),
              AllOf(HasSubstr("soil.csv"), HasSubstr("expected a column 'ident' with the keys, found none")));
}

TEST_F(Population, GathersProblemsOfEdges) {
  folder_.Write("rows.csv", "id,k\na,1\nb,2\nc,3\n");
  const auto errors = [this](const std::string& edges) {
    folder_.Write("edges.csv", "from,to,part\n" + edges);
    return Errors(R"(Of="rows.csv" Key="id")",
                  R"(<Network From="outflow" To="inflow" Edges="edges.csv" FromColumn="from"
                  ToColumn="to" WeightColumn="part"/>)");
  };
  EXPECT_THAT(
      errors("x,a,1\na,y,1\nb,z,1\nc,z,1\n"),
      AllOf(HasSubstr("3 rows (a -> y, b -> z, c -> z): expected an edge between rows of the table, found one to"),
            HasSubstr("found one from 'x' (x -> a)")));
  EXPECT_THAT(errors("a,b,nan\nb,c,much\n"), HasSubstr("2 rows (a -> b, b -> c): expected a number as weight"));
  EXPECT_THAT(errors("a,b,1\na,b,1\n"), HasSubstr("expected each edge once, found it again (a -> b)"));
  EXPECT_THAT(errors("a,a,1\n"), HasSubstr("expected a network without a cycle, found a -> a (1 row)"));
}

TEST_F(Population, CountsProblemsOfWhichEachIsAnother) {
  std::string table = "id,k\n";
  for (int i = 0; i < 3000; ++i) table += fmt::format("r{},x{}\n", i, i);
  folder_.Write("rows.csv", table);
  EXPECT_THAT(Errors(R"(Of="rows.csv" Key="id")", R"(<Argument Key="residence-time" Value="{{k}}"/>)"),
              HasSubstr("3000 rows (r0, r1, r2, ...): "));
  folder_.Write("one.csv", "id,k\nr0,1\n");
  EXPECT_THAT(Rows(R"(<Population Id="p" Omi="nash.omi" Of="one.csv" Key="id"/>
      <Component Id="rain" Type="openmi.Constant" Assembly="openmi-components"><Argument Key="value" Value="1"/>
        <Argument Key="unit" Value="m3 s-1"/><Argument Key="elements" Value="r0"/></Component>
      <Link From="rain.value" To="p.inflow"/><Observe Item="p.outflow"/>)"),
              HasSubstr("2015-12-02T00:00"));
}

TEST_F(Population, RefusesAStateOfOtherRows) {
  folder_.Write("rows.csv", "id\na\nb\n");
  folder_.Write("more.csv", "id\na\nb\nc\n");
  const auto prepared = [this](const std::string& of, const std::string& elements, const std::string& all) {
    std::string values = "1";
    for (const char c : all) values += c == ',' ? ",1" : "";
    folder_.Write("made.xml", fmt::format(R"({}
        <Component Id="rain" Type="openmi.Constant" Assembly="openmi-components"><Argument Key="value" Value="{}"/>
          <Argument Key="unit" Value="m3 s-1"/><Argument Key="elements" Value="{}"/></Component>
        <Population Id="p" Omi="nash.omi" Of="{}" Key="id"><Argument Key="elements" Value="{}"/></Population>
        <Link From="rain.value" To="p.inflow"/>
        <Run From="2015-12-01T01:00Z" To="2015-12-02T00:00Z"/></Composition>)",
                                          kHead, values, all, of, elements));
    Problems problems;
    auto composition = std::make_unique<Composition>(ReadCompositionFile(folder_ / "made.xml", problems));
    composition->Load(problems);
    composition->Connect(problems);
    CheckComposition(*composition, problems);
    PrepareComponents(*composition);
    return composition;
  };
  const auto bytes_of = [](Composition& composition) {
    IBaseLinkableComponent& component = composition.Instances()[1].Component();
    const IIdentifiable& id = dynamic_cast<IManageState&>(component).KeepCurrentState();
    return dynamic_cast<IByteStateConverter&>(component).ConvertToByteArray(id);
  };
  const auto restored = [](Composition& composition, const std::vector<std::byte>& bytes) -> std::string {
    IBaseLinkableComponent& component = composition.Instances()[1].Component();
    try {
      dynamic_cast<IManageState&>(component).RestoreState(
          dynamic_cast<IByteStateConverter&>(component).ConvertFromByteArray(bytes));
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  const auto narrow = prepared("rows.csv", "x", "a,b");
  const auto wide = prepared("rows.csv", "x,y,z", "a/x,a/y,a/z,b/x,b/y,b/z");
  const auto more = prepared("more.csv", "x", "a,b,c");
  EXPECT_EQ(restored(*narrow, bytes_of(*narrow)), "");
  EXPECT_THAT(restored(*narrow, bytes_of(*more)), HasSubstr("expected the state of 2 rows, found that of 3"));
  EXPECT_NE(restored(*narrow, bytes_of(*wide)), "");
  for (const std::size_t left : {0, 3, 12, 40}) {
    std::vector<std::byte> cut = bytes_of(*narrow);
    cut.resize(left);
    EXPECT_THAT(restored(*narrow, cut), ::testing::StartsWith("p: expected")) << left;
  }
}

/// Members of this program: they fail, and lose water.
class MembersOfTests : public Population {
 protected:
  /// 200 rows, of which `wrong` has another cell.
  void Write(const std::string& type, const std::string& usual, int wrong, const std::string& other) {
    folder_.Write("member.omi", fmt::format(R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="{}">
        <Arguments/></LinkableComponent>)",
                                            type));
    std::string table = "id,x\n";
    for (int i = 0; i < 200; ++i) table += fmt::format("r{},{}\n", i, i == wrong ? other : usual);
    folder_.Write("rows.csv", table);
  }
};

TEST_F(MembersOfTests, FailInTheMiddleOfAStepWithTheNameOfTheirRow) {
  Write("test.Source", "-1", 137, "5");
  const std::string body = R"(<Population Id="p" Omi="member.omi" Of="rows.csv" Key="id">
      <Argument Key="throw-at" Value="{{x}}"/><Argument Key="time-step" Value="PT1H"/></Population><Observe Item="p.out"/>)";
  const std::string errors = Rows(body);
  EXPECT_THAT(errors, AllOf(HasSubstr("p/r137"), HasSubstr("the solver met a negative depth")));
  EXPECT_EQ(Rows(body, 3), errors) << "the same on threads";
  EXPECT_THAT(folder_.Read("results/made.csv"), AllOf(HasSubstr("\n2015-12-01T05:00"), HasSubstr("[r199]")));
}

TEST_F(MembersOfTests, StateTheBalanceOfEachRow) {
  Write("test.Tank", "-1", 42, "3");
  const std::string body = R"(<Population Id="p" Omi="member.omi" Of="rows.csv" Key="id">
      <Argument Key="lose-at" Value="{{x}}"/><Argument Key="lost" Value="7"/><Argument Key="time-step" Value="PT1H"/></Population>
      <Population Id="q" Omi="source.omi" Of="rows.csv" Key="id"><Argument Key="time-step" Value="PT1H"/></Population>
      <Link From="q.out" To="p.inflow"/><Observe Item="p.outflow"/>)";
  folder_.Write("source.omi", R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="test.Source">
      <Arguments/></LinkableComponent>)");
  EXPECT_THAT(Rows(body), HasSubstr("2015-12-02T00:00"));
  ASSERT_EQ(record_.components.size(), 1u);
  const ComponentBalanceFigures& figures = record_.components[0].second;
  ASSERT_EQ(figures.elements.size(), 200u);
  ASSERT_EQ(figures.element_ids.size(), 200u);
  double residual = 0.0;
  for (std::size_t row = 0; row < figures.elements.size(); ++row) {
    const ElementBalanceFigures& one = figures.elements[row];
    residual += one.residual;
    EXPECT_NEAR(one.start + one.in - one.out - one.losses - one.end, one.residual, 1e-9 * one.in);
    EXPECT_EQ(std::fabs(one.relative) > 1e-9, row == 42) << figures.element_ids[row] << ' ' << one.relative;
  }
  EXPECT_NEAR(residual, figures.residual, 1e-9 * figures.in);
}

}  // namespace
}  // namespace openmi
