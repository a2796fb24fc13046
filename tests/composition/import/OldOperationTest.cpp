#include <fstream>
#include <sstream>

#include "composition/import/OldOperation.hpp"
#include "tests/composition/import/ImportSupport.hpp"

namespace openmi {
namespace {

using testing::HasSubstr;

/// The adaptors of `id` as "adaptor(key=value)", separated by blanks, and the problems behind them.
std::string Became(const std::string& id, const std::vector<ArgumentSpec>& arguments = {}, bool is_version_1 = false) {
  LinkSpec link;
  Problems problems;
  AddOldOperation({.id = id, .factory = {}, .arguments = arguments, .line = 7}, {.file = "a.opr", .line = 7}, link,
                  problems);
  if (is_version_1) CompleteVersion1(link);
  std::string text;
  for (const AdaptorSpec& adaptor : link.adaptors) {
    text += (text.empty() ? "" : " ") + adaptor.id + "(";
    for (std::size_t i = 0; i < adaptor.arguments.size(); ++i) {
      text += (i == 0 ? "" : ",") + adaptor.arguments[i].key + "=" + adaptor.arguments[i].value;
    }
    text += ")";
  }
  return problems.empty() ? text : text + "\n" + test::Lines(problems);
}

TEST(OldOperation, EveryMappingOfTheSdkBecomesTheAdaptorWithItsWeights) {
  EXPECT_EQ(Became("ElementMapper100"), "nearest()");
  EXPECT_EQ(Became("ElementMapper201"), "inverse-distance(power=1,neighbours=0)");
  EXPECT_EQ(Became("ElementMapper400"), "nearest()");
  EXPECT_THAT(Became("ElementMapper301"), HasSubstr("points-in-polygon-sum(uncovered=fill)\nnote: a.opr:7: targets"));
  EXPECT_THAT(Became("ElementMapper500"), HasSubstr("lines-in-polygon-mean(uncovered=fill)"));
  EXPECT_THAT(Became("ElementMapper501"), HasSubstr("lines-in-polygon-sum(uncovered=fill)"));
  EXPECT_THAT(Became("ElementMapper600"), HasSubstr("value-at(uncovered=fill)"));
  EXPECT_THAT(Became("ElementMapper701"), HasSubstr("polygons-on-line-sum(uncovered=fill)"));
  EXPECT_THAT(Became("ElementMapper800"), HasSubstr("area-weighted-mean(uncovered=fill)"));
  EXPECT_THAT(Became("ElementMapper802"), HasSubstr("area-weighted-distribute(uncovered=fill)"));
}

TEST(OldOperation, ArgumentsThatOnlyDescribeAreIgnored) {
  EXPECT_EQ(
      Became("ElementMapper100", {{"ID", "100", 8}, {"Type", "SpatialMapping", 8}, {"FromElementType", "XYPoint", 8}}),
      "nearest()");
  EXPECT_THAT(
      Became("ElementMapper100", {{"Radius", "5", 8}}),
      HasSubstr("nearest()\nwarning: a.opr:8: left out: the argument 'Radius' of 'ElementMapper100', whose value is "
                "'5'"));
}

TEST(OldOperation, ConversionsKeepTheirNumbersUnderAnyOfTheirNames) {
  EXPECT_EQ(Became("Linear Conversion", {{"Type", "Linear Conversion", 8}, {"A", "8", 8}, {"B", "-0.5", 8}}),
            "linear-operation(a=8,b=-0.5)");
  EXPECT_EQ(Became("Oatc.OpenMI.Sdk.Decorators.LinearConversion", {{"LinearConversion.A", "2", 8}}),
            "linear-operation(a=2,b=0)");
  EXPECT_EQ(Became("Oatc.OpenMI.Sdk.ModelWrapper2.SourceAdapters.Linear", {{"B", "3", 8}}),
            "linear-operation(a=1,b=3)");
  EXPECT_EQ(Became("Branch 1 => LinearOperation", {{"A", "2e-3", 8}}), "linear-operation(a=2e-3,b=0)");
}

TEST(OldOperation, ADecimalCommaIsReportedAndNotRead) {
  EXPECT_THAT(Became("Linear Conversion", {{"A", "0,5", 8}}),
              HasSubstr("linear-operation(a=1,b=0)\nerror: a.opr:8: expected a number in the argument 'A' of 'Linear "
                        "Conversion', found '0,5'; 1 is written in its place; write the number with a point"));
  EXPECT_THAT(Became("Linear Conversion", {{"A", "inf", 8}}), HasSubstr("error: "));
}

TEST(OldOperation, BuffersKeepTheirRelaxation) {
  EXPECT_EQ(Became("Buffering and temporal extrapolation",
                   {{"Relaxation Factor", "0.25", 8}, {"Do Extended Data Validation", "true", 8}}),
            "linear(extrapolation=relaxed,relaxation=0.25)");
  EXPECT_EQ(Became("Buffering and temporal extrapolation"), "linear(extrapolation=relaxed,relaxation=0)");
  EXPECT_EQ(Became("flow => TimeInterpolator"), "linear()");
  EXPECT_EQ(Became("flow => TimeExtrapolator"), "linear(extrapolation=relaxed,relaxation=1)");
}

TEST(OldOperation, AnAreaIsMultipliedOnlyOnce) {
  EXPECT_EQ(Became("ElementOperation300", {{"AreaExponent", "1", 8}}), "times-element-area()");
  EXPECT_THAT(Became("ElementOperation300", {{"AreaExponent", "-1", 8}}),
              HasSubstr("error: a.opr:7: expected an operation of the OpenMI SDK, found 'ElementOperation300', "
                        "'AreaExponent' = '-1'; it is left out"));
}

TEST(OldOperation, UnknownOnesAreLeftOutWithTheirArguments) {
  EXPECT_THAT(
      Became("My.Own.Smoothing", {{"window", "3", 8}}),
      HasSubstr("error: a.opr:7: expected an operation of the OpenMI SDK, found 'My.Own.Smoothing', 'window' = '3'; "
                "it is left out; put the adaptor that does the same on the link"));
  EXPECT_THAT(Became("ElementMapper999"), HasSubstr("error: "));
  EXPECT_THAT(Became("ElementMapper"), HasSubstr("error: "));
}

TEST(OldOperation, ALinkOfVersion1MapsThenInterpolatesThenConverts) {
  EXPECT_EQ(Became("Linear Conversion", {}, true), "linear() linear-operation(a=1,b=0)");
  EXPECT_EQ(Became("ElementMapper100", {}, true), "nearest() linear()");
  EXPECT_EQ(Became("Buffering and temporal extrapolation", {}, true), "linear(extrapolation=relaxed,relaxation=0)");
}

// Whatever is written exists, under these names. The tables of the pages are made from the registry.
TEST(OldOperation, EveryAdaptorAndArgumentExists) {
  const std::vector<std::string> ids = {
      "ElementMapper100", "ElementMapper101", "ElementMapper300",  "ElementMapper301", "ElementMapper500",
      "ElementMapper501", "ElementMapper600", "ElementMapper700",  "ElementMapper701", "ElementMapper800",
      "ElementMapper801", "ElementMapper802", "Linear Conversion", "SmartBuffer",      "ElementOperation300"};
  // The section of a page with that heading.
  const auto section = [](const std::string& page, const std::string& heading) {
    const std::size_t begin = page.find("\n## " + heading);
    return begin == std::string::npos ? std::string() : page.substr(begin, page.find("\n## ", begin + 1) - begin);
  };
  // What the page of an adaptor says of it, and of all its adaptors.
  const auto described = [&section](const std::string& adaptor) {
    for (const char* name : {"space", "time", "values"}) {
      std::ostringstream page;
      page << std::ifstream(std::string(OPENMI_SOURCE_DIR "/docs/adaptors/") + name + ".md").rdbuf();
      const std::string own = section(page.str(), adaptor + "\n");
      if (!own.empty()) return own + section(page.str(), "What holds for all");
    }
    return std::string();
  };
  for (const std::string& id : ids) {
    LinkSpec link;
    Problems problems;
    AddOldOperation({.id = id, .factory = {}, .arguments = {}}, {}, link, problems);
    ASSERT_EQ(link.adaptors.size(), 1U) << id;
    const AdaptorSpec& adaptor = link.adaptors.front();
    EXPECT_NE(described(adaptor.id), "") << id;
    for (const ArgumentSpec& argument : adaptor.arguments) {
      EXPECT_THAT(described(adaptor.id), HasSubstr("\n| `" + argument.key + "` |")) << id;
    }
  }
}

}  // namespace
}  // namespace openmi
