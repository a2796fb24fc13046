// What files of elements and of series say, through compositions: attributes, places, areas of single values, and files
// that a run both writes and reads.

#include <sstream>

#include "tests/composition/run/AdaptorQuestion.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kDay = R"(<Run From="2020-01-01T00:00Z" To="2020-01-01T02:00Z"/>)";

std::string Record(const ScratchFolder& folder, const std::string& arguments) {
  return Ready(
      "r", "Recorder",
      ArgumentXml("items", "q") + ArgumentXml("asks", "span") + ArgumentXml("file", folder / "r.csv") + arguments);
}

/// The values of the last row that the recorder wrote.
std::vector<double> LastRow(const ScratchFolder& folder) {
  std::istringstream lines(folder.Read("r.csv"));
  std::string line, last;
  while (std::getline(lines, line)) last = line;
  std::istringstream cells(last.substr(last.find(',') + 1));
  std::vector<double> values;
  for (std::string cell; std::getline(cells, cell, ',');) values.push_back(cell == "NaN" ? NAN : std::stod(cell));
  return values;
}

constexpr const char* kCells = R"({"type":"FeatureCollection","features":[
  {"type":"Feature","id":"a","properties":{"wet":true,"area":5e6},
   "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,1],[0,0]]]}},
  {"type":"Feature","id":"b","properties":{"wet":false,"area":7e6},
   "geometry":{"type":"Polygon","coordinates":[[[1,0],[2,0],[2,1],[1,1],[1,0]]]}}]})";

TEST(ElementFiles, PropertiesAreMasksAndAreas) {
  const ScratchFolder folder("elements");
  const std::string cells = ArgumentXml("elements-file", folder.Write("cells.geojson", kCells));
  const std::string values = Ready("c", "Constant", ArgumentXml("value", "3 4") + ArgumentXml("unit", "m") + cells);
  Made areas(values + Record(folder, ArgumentXml("unit", "m3") + cells) +
             LinkXml("c.value", "r.q", AdaptorXml("times-element-area")) + kDay);
  EXPECT_EQ(areas.Text(), "");
  EXPECT_EQ(ErrorsOf(areas.Run()), "");
  EXPECT_THAT(LastRow(folder), ElementsAre(15e6, 28e6));  // of the property, not of the geometry on the earth

  std::filesystem::remove(folder / "r.csv");
  Made masked(values + Record(folder, ArgumentXml("unit", "m") + cells) +
              LinkXml("c.value", "r.q", AdaptorXml("nearest", ArgumentXml("source-mask", "wet"))) + kDay);
  EXPECT_EQ(masked.Text(), "");
  EXPECT_EQ(ErrorsOf(masked.Run()), "");
  EXPECT_THAT(LastRow(folder), ElementsAre(3.0, 3.0));

  Made other(values + Record(folder, ArgumentXml("unit", "m3") + cells) +
             LinkXml("c.value", "r.q", AdaptorXml("times-element-area", ArgumentXml("attribute", "wet"))) + kDay);
  EXPECT_THAT(other.Text(), AllOf(HasSubstr("expected an area as attribute 'wet'"), HasSubstr("'wet [km2]'")));
}

TEST(ElementFiles, WarnOfPlacesFarFromTheTargets) {
  const ScratchFolder folder("elements");
  const std::string targets =
      ArgumentXml("elements-file", folder.Write("t.csv", "id,lon,lat\nx,-80.7,35.2\ny,-80.5,35.3\n"));
  const auto warnings = [&](const std::string& gauges) {
    return Made(Ready("c", "Constant",
                      ArgumentXml("value", "3 4") + ArgumentXml("elements-file", folder.Write("g.csv", gauges))) +
                Record(folder, targets) + LinkXml("c.value", "r.q", AdaptorXml("inverse-distance")) + kDay)
        .Text(Problem::Warning);
  };
  EXPECT_THAT(warnings("id,lon,lat\ng1,-80.6,35.1\ng2,35.4,-80.4\n"),
              AllOf(HasSubstr("1 of 2 elements"), HasSubstr("far from the targets, the furthest, 'g2'"),
                    HasSubstr("longitude and latitude")));
  EXPECT_THAT(warnings("id,lon,lat\ng1,-80.6,35.1\ng2,-81.4,36.4\n"), Not(HasSubstr("far from")));
}

TEST(ElementFiles, PointsIntoPolygonsGetAdviceThatFitsThem) {
  const ScratchFolder folder("elements");
  const std::string gauges = Ready(
      "c", "Constant",
      ArgumentXml("value", "3 4 5") +
          ArgumentXml("elements-file", folder.Write("g.csv", "id,lon,lat\ng1,0.2,0.2\ng2,1.5,0.5\ng3,0.1,0.9\n")));
  const std::string cells = Record(folder, ArgumentXml("elements-file", folder.Write("cells.geojson", kCells)));
  const std::string bare = Made(gauges + cells + LinkXml("c.value", "r.q") + kDay).Text();
  EXPECT_THAT(bare, AllOf(HasSubstr("expected 2 elements, found 3"), HasSubstr("'nearest'"), HasSubstr("'kriging'"),
                          Not(HasSubstr("'by-id'")), Not(HasSubstr("'area-weighted-mean'"))));
  const std::string wrong =
      Made(gauges + cells + LinkXml("c.value", "r.q", AdaptorXml("area-weighted-mean")) + kDay).Text();
  EXPECT_THAT(wrong, AllOf(HasSubstr("adaptor 'area-weighted-mean' does not fit 'value'"), HasSubstr("3 points"),
                           HasSubstr("'nearest'"), Not(HasSubstr("values, times or elements"))));
  // The other way round it is the input that it does not fit.
  const std::string polygons =
      Ready("c", "Constant", ArgumentXml("value", "3 4") + ArgumentXml("elements-file", folder / "cells.geojson"));
  const std::string points = Record(folder, ArgumentXml("elements-file", folder / "g.csv"));
  EXPECT_THAT(Made(polygons + points + LinkXml("c.value", "r.q", AdaptorXml("area-weighted-mean")) + kDay).Text(),
              AllOf(HasSubstr("expected polygons"), HasSubstr("'nearest'")));
}

TEST(ElementFiles, AnUnknownUnitIsReportedWithItsArgument) {
  const ScratchFolder folder("elements");
  EXPECT_THAT(
      Made(Ready("c", "Constant", "\n" + ArgumentXml("value", "1") + "\n" + ArgumentXml("unit", "milimeter")) + kDay)
          .Text(),
      AllOf(HasSubstr("made.xml:4: c.unit: expected a unit, found 'milimeter'"),
            HasSubstr("did you mean 'millimeter'?")));
  folder.Write("x.csv", "time,q\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n");
  EXPECT_THAT(Made(Ready("s", "CsvSeries",
                         "\n" + ArgumentXml("file", folder / "x.csv") + "\n" + ArgumentXml("columns", "q[milimeter]")) +
                   kDay)
                  .Text(),
              HasSubstr("made.xml:4: s.columns: expected a unit, found 'milimeter'"));
  // Another argument that holds the same letters is not taken for it.
  folder.Write("m.csv", "time,m (foo)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n");
  EXPECT_THAT(
      Made(Ready("s", "CsvSeries",
                 "\n" + ArgumentXml("file", folder / "m.csv") + "\n" + ArgumentXml("missing-values", "foo")) +
           kDay)
          .Text(),
      AllOf(HasSubstr("made.xml:3: s.file: "), HasSubstr("m.csv: the unit of 'm': expected a unit, found 'foo'")));
  EXPECT_THAT(
      Made(Ready("r", "Recorder", "\n" + ArgumentXml("items", "q[foo]") + "\n" + ArgumentXml("file", "foo.csv")) + kDay)
          .Text(),
      HasSubstr("made.xml:3: r.items: expected a unit, found 'foo'"));
  EXPECT_THAT(Made(Ready("e", "Expression",
                         "\n" + ArgumentXml("inputs", "q[foo]") + "\n" + ArgumentXml("outputs", "foo=q[m]")) +
                   kDay)
                  .Text(),
              HasSubstr("made.xml:3: e.inputs: expected a unit, found 'foo'"));
}

TEST(ElementFiles, SingleValuesWithAreasAreGathered) {
  const ScratchFolder folder("elements");
  const std::string catchments = ArgumentXml(
      "elements-file", folder.Write("c.geojson",
                                    R"({"features":[{"id":"cat-67","properties":{"areasqkm":1},"geometry":null},
                       {"id":"cat-27","properties":{"areasqkm":2},"geometry":null},
                       {"id":"cat-52","properties":{"areasqkm":3},"geometry":null}]})"));
  std::string body;
  for (const auto& [id, value] : {std::pair{"cat-27", "2e-6"}, {"cat-52", "3e-6"}, {"cat-67", "4e-6"}}) {
    body += Ready(id, "Constant", ArgumentXml("value", value) + ArgumentXml("unit", "m s-1"));
  }
  const std::string creek =
      Record(folder, ArgumentXml("unit", "m3 s-1") + ArgumentXml("elements", "cat-27,cat-52,cat-67"));
  std::string links = LinkXml("gather.values", "r.q", AdaptorXml("times-element-area") + AdaptorXml("by-id"));
  for (const char* id : {"cat-27", "cat-52", "cat-67"})
    links += LinkXml(std::string(id) + ".value", "gather." + std::string(id));
  Made made(body + Ready("gather", "Gather", catchments + ArgumentXml("unit", "m s-1")) + creek + links + kDay);
  EXPECT_EQ(made.Text(), "");
  EXPECT_EQ(ErrorsOf(made.Run()), "");
  EXPECT_THAT(LastRow(folder), ElementsAre(DoubleNear(4.0, 1e-12), DoubleNear(9.0, 1e-12), DoubleNear(4.0, 1e-12)));

  // Without it check names it: one output for many elements, and many outputs for one input.
  Made one(Ready("c", "Constant", ArgumentXml("value", "1")) + Record(folder, ArgumentXml("elements", "a,b")) +
           LinkXml("c.value", "r.q") + kDay);
  EXPECT_THAT(one.Text(), AllOf(HasSubstr("expected 2 elements, found 1"), HasSubstr("openmi.Gather")));
  Made many(Ready("c", "Constant", ArgumentXml("value", "1")) + Ready("d", "Constant", ArgumentXml("value", "1")) +
            Record(folder, "") + LinkXml("c.value", "r.q") + LinkXml("d.value", "r.q") + kDay);
  EXPECT_THAT(many.Text(), AllOf(HasSubstr("linked already"), HasSubstr("openmi.Gather")));
}

TEST(RunFilesChecked, AFileIsNotWrittenAndReadInOneRun) {
  const ScratchFolder folder("files");
  folder.Write("x.csv", "time,q (m)\n2020-01-01T00:00Z,1\n2020-01-01T01:00Z,2\n2020-01-01T02:00Z,3\n");
  const std::string series = Ready("s", "CsvSeries", ArgumentXml("file", folder / "x.csv"));
  const auto recorder = [&](const std::string& id, const std::string& file) {
    return Ready(id, "Recorder",
                 ArgumentXml("items", "q[m]") + ArgumentXml("file", file) + ArgumentXml("overwrite", "true"));
  };
  const auto problems = [&](const std::string& body) { return Made(body + kDay).Text(); };
  const std::string text = problems(series + recorder("r", folder / "x.csv") + LinkXml("s.q", "r.q"));
  EXPECT_THAT(text, AllOf(HasSubstr("s.file"), HasSubstr("no component writes in this run"), HasSubstr("'r' writes")));
  // The same file by another name.
  std::filesystem::create_directory(folder / "sub");
  EXPECT_THAT(problems(series + recorder("r", folder / "sub/../x.csv") + LinkXml("s.q", "r.q")),
              HasSubstr("'r' writes"));
  EXPECT_THAT(problems(series + recorder("r", folder / "y.csv") + recorder("r2", folder / "y.csv") +
                       LinkXml("s.q", "r.q") + LinkXml("s.q", "r2.q")),
              AllOf(HasSubstr("r2.file"), HasSubstr("no other component writes")));
  EXPECT_THAT(problems(series + recorder("r", folder / "y.csv") + LinkXml("s.q", "r.q")), IsEmpty());
}

}  // namespace
}  // namespace openmi::testing
