// What links carry and components hold: the figures of LinkMeter and ComponentMeter.

#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "adaptors/StandardAdaptors.hpp"
#include "adaptors/space/WeightFile.hpp"
#include "composition/report/RunReport.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

LinkBalanceFigures BalanceOf(const std::string& source, const std::string& sink, const std::string& adaptors,
                             const std::string& run = RunXml()) {
  Made made(source + sink + LinkXml("a.out", "s.in", adaptors) + run);
  EXPECT_THAT(made.Text(), IsEmpty());
  if (HasErrors(made.problems)) return {};
  const RunRecord record = made.Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_EQ(record.links.size(), 1U);
  return record.links.empty() ? LinkBalanceFigures{} : record.links[0].second;
}

/// The sum of TestValue over steps 1 to `steps` and all elements, each element times its weight.
double SumOf(std::int64_t steps, const std::vector<double>& weights = {1.0}) {
  double sum = 0.0;
  for (std::int64_t step = 1; step <= steps; ++step) {
    for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * TestValue(step, i);
  }
  return sum;
}

TEST(LinkBalance, AMissingValueLeavesOutTheWholeStepThatItIsMissingIn) {
  // The fifth quarter of an hour is missing, so the second hour is. The other quarters of it did not get lost.
  Made made(R"(
      <Component Id="a" Type="test.Source" Assembly="here">
        <Argument Key="time-step" Value="PT15M"/>
        <Argument Key="missing-at" Value="5"/>
      </Component>
      <Component Id="s" Type="test.Sink" Assembly="here"/>
      <Link From="a.out" To="s.in">
        <Adaptor Id="mean-over-span"/>
      </Link>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  ASSERT_THAT(made.Text(), IsEmpty());
  const Folder folder("missing");
  RunOptions options;
  options.folder = folder.Path();
  options.write_results = false;
  options.write_report = WriteRunReport;
  const RunRecord record = CompositionRun(*made.composition, made.problems, options).Run();
  ASSERT_EQ(record.links.size(), 1U);
  const LinkBalanceFigures& figures = record.links[0].second;
  EXPECT_EQ(figures.missing, 2U);
  EXPECT_NEAR(figures.left, 900.0 * (SumOf(96) - SumOf(8) + SumOf(4)), 1e-3);
  EXPECT_LT(std::fabs(figures.relative_difference), 1e-12);
  std::ifstream page(folder.Path() / "made.html");
  const std::string html{std::istreambuf_iterator<char>(page), {}};
  EXPECT_THAT(html, AllOf(HasSubstr("1 flux link, 1 without steps that miss values"), Not(HasSubstr("badge fail"))));
}

TEST(LinkBalance, LinksOfOneOutputAreBalancedAsIfEachWereAlone) {
  // One row is added up once for all three, and each reads it at its own pace; the last one takes more than a day at
  // once.
  const std::string source = ComponentXml("a", "Source", ArgumentXml("missing-at", "5"));
  const std::vector<std::string> steps{"PT1H", "PT5H", "PT50H"};
  const std::string run = RunXml("2015-12-11T00:00Z");
  std::string together = source;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::string sink = "s" + std::to_string(i);
    together += ComponentXml(sink, "Sink", ArgumentXml("time-step", steps[i])) +
                LinkXml("a.out", sink + ".in", AdaptorXml("mean-over-span"));
  }
  Made made(together + run);
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_EQ(record.links.size(), 3U);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto alone = BalanceOf(source, ComponentXml("s", "Sink", ArgumentXml("time-step", steps[i])),
                                 AdaptorXml("mean-over-span"), run);
    const LinkBalanceFigures& figures = record.links[i].second;
    EXPECT_EQ(figures.left, alone.left) << steps[i];
    EXPECT_EQ(figures.arrived, alone.arrived) << steps[i];
    EXPECT_EQ(figures.missing, alone.missing) << steps[i];
    EXPECT_EQ(figures.missing, 2U) << steps[i];
    EXPECT_LT(std::fabs(figures.relative_difference), 1e-12) << steps[i];
  }
  EXPECT_NEAR(record.links[0].second.left, 3600.0 * (SumOf(240) - SumOf(5) + SumOf(4)), 1e-3);
  EXPECT_NEAR(record.links[2].second.left, 3600.0 * (SumOf(240) - SumOf(50)), 1e-3);
}

TEST(LinkBalance, OfElementsKeepsItsStepsApartWhereTheProviderMakesManyRows) {
  // 360 rows a step: the rows of a few steps are more than a link stores for the other side.
  const auto figures =
      BalanceOf(ComponentXml("a", "Source", ArgumentXml("elements", "x y") + ArgumentXml("time-step", "PT1M")),
                ComponentXml("s", "Sink", ArgumentXml("elements", "x y") + ArgumentXml("time-step", "PT6H")),
                AdaptorXml("mean-over-span") + AdaptorXml("by-id"), RunXml("2015-12-05T00:00Z", "WarmUp=\"PT12H\""));
  EXPECT_TRUE(figures.is_weighed);
  EXPECT_NEAR(figures.left, 60.0 * (SumOf(5760, {1.0, 1.0}) - SumOf(720, {1.0, 1.0})), 1e-3);
  EXPECT_LT(std::fabs(figures.relative_difference), 1e-12);
}

TEST(LinkBalance, AWarmUpThatEndsWithinAStepIsCutAlikeOnBothSides) {
  for (const char* warm_up : {"PT5H", "PT7H", "PT10H", "PT49H"}) {
    const auto figures =
        BalanceOf(ComponentXml("a", "Source"), ComponentXml("s", "Sink", ArgumentXml("time-step", "PT7H")),
                  AdaptorXml("mean-over-span"), RunXml("2015-12-03T08:00Z", std::string("WarmUp=\"") + warm_up + "\""));
    EXPECT_TRUE(figures.is_weighed) << warm_up;
    EXPECT_LT(std::fabs(figures.relative_difference), 1e-12) << warm_up;
    EXPECT_GT(figures.left, 0.0) << warm_up;
  }
}

TEST(LinkBalance, OfWeightsFromAFileIsNotMadeWithThem) {
  const Folder folder("weights");
  const std::string path = (folder.Path() / "w.nc").string();
  WeightFile file;
  file.weights = SparseRows(2);
  file.weights.AddRow(std::vector<SparseRows::Entry>{{0, 0.25}, {1, 0.5}});
  WriteWeightFile(path, file, WeightFileForm::Esmf);
  const auto figures = BalanceOf(ComponentXml("a", "Source", ArgumentXml("elements", "x y")),
                                 ComponentXml("s", "Sink", ArgumentXml("elements", "t")),
                                 AdaptorXml("weights-from-file", ArgumentXml("file", path)));
  EXPECT_NEAR(figures.left, 3600.0 * SumOf(24, {1.0, 1.0}), 1e-3);
  EXPECT_NEAR(figures.arrived, 3600.0 * SumOf(24, {0.25, 0.5}), 1e-3);
  EXPECT_LT(figures.relative_difference, -0.4);
}

TEST(LinkBalance, WhatLiesBeyondTheTargetsIsOutside) {
  const auto outside = [](const std::string& from, const std::string& to, const std::string& adaptor) {
    const auto figures =
        BalanceOf(ComponentXml("a", "LeakySource", ArgumentXml("elements", from)),
                  ComponentXml("s", "Sink", ArgumentXml("elements", to)), AdaptorXml("leaky-" + adaptor));
    EXPECT_LT(std::fabs(figures.relative_difference), 1e-12) << adaptor;
    EXPECT_NEAR(figures.left, figures.arrived + figures.outside, 1e-6 * figures.left) << adaptor;
    return figures.outside;
  };
  const std::string half = "polygons t 0 0 15 10";
  EXPECT_NEAR(outside("polygons a 0 0 10 10 ; b 10 0 20 10", half, "area-weighted-distribute"),
              3600.0 * SumOf(24, {0.0, 0.5}), 1e-3);
  EXPECT_NEAR(outside("points a 5 5 ; b 18 5", half, "points-in-polygon-sum"), 3600.0 * SumOf(24, {0.0, 1.0}), 1e-3);
  EXPECT_NEAR(outside("lines a 1 5 9 5 ; b 10 5 20 5", half, "lines-in-polygon-sum"), 3600.0 * SumOf(24, {0.0, 0.5}),
              1e-3);
  EXPECT_NEAR(outside("lines a 1 5 9 5 ; b 10 5 20 5", "lines t 0 5 15 5", "lines-on-line-sum"),
              3600.0 * SumOf(24, {0.0, 0.5}), 1e-3);
}

/// The links of one run by name: those balanced, and why others are not.
struct Listed {
  std::vector<std::string> balanced;
  std::vector<std::string> reasons;
};
Listed ListOf(const std::string& source, const std::string& sink, const std::string& adaptors,
              const std::string& balance = {}, const std::string& from = "out", const std::string& to = "in") {
  Made made(ComponentXml("a", "LeakySource", source + ArgumentXml("item", from)) +
            ComponentXml("s", "Sink", sink + ArgumentXml("item", to)) + "<Link From=\"a." + from + "\" To=\"s." + to +
            "\"" + balance + ">" + adaptors + "</Link>\n" + RunXml());
  EXPECT_FALSE(HasErrors(made.problems)) << made.Text();
  if (HasErrors(made.problems)) return {};
  const RunRecord record = made.Run();
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  Listed listed;
  for (const auto& [name, figures] : record.links) listed.balanced.push_back(name);
  for (const auto& [name, reason] : record.not_balanced) {
    EXPECT_EQ(name, "a." + from + " -> s." + to);
    listed.reasons.push_back(reason);
  }
  return listed;
}

TEST(LinkBalance, AWindSpeedIsNotBalancedAndRainIs) {
  const std::string metres = ArgumentXml("unit", "m s-1");
  const auto count = [&](const std::string& from, const std::string& to, const std::string& balance = {}) {
    const Listed listed = ListOf(metres, metres, "", balance, from, to);
    EXPECT_THAT(listed.reasons, IsEmpty()) << from;
    return listed.balanced.size();
  };
  EXPECT_EQ(count("wind-speed", "wind"), 0U);
  EXPECT_EQ(count("rain-wind", "q"), 0U) << "a speed goes before";
  EXPECT_EQ(count("rainfall", "p"), 1U);
  EXPECT_EQ(count("q", "Runoff"), 1U);
  EXPECT_EQ(count("u", "UU", " Balance=\"yes\""), 1U);
  EXPECT_EQ(count("rainfall", "p", " Balance=\"no\""), 0U);
  EXPECT_THAT(ListOf("", "", "", " Balance=\"no\"").balanced, IsEmpty());
}

TEST(LinkBalance, WhatMayBeADepthOrNotIsListedWithWhatToSay) {
  const std::string metres = ArgumentXml("unit", "m s-1");
  EXPECT_THAT(ListOf(metres, metres, "", "", "u", "UU").reasons,
              ElementsAre("no name shows whether its values are a depth or a speed; write Balance=\"yes\" or "
                          "Balance=\"no\" on the link"));
  const std::string rain = ArgumentXml("unit", "mm h-1");
  EXPECT_THAT(ListOf(rain + ArgumentXml("gives", "instant"), rain + ArgumentXml("asks", "instant"), "").reasons,
              ElementsAre(HasSubstr("its values are depths at instants, of elements without areas; let both ends be "
                                    "spans, give areas, or write Balance=\"yes\"")));
  const Listed told = ListOf(metres, metres, "", " Balance=\"no\"", "u", "UU");
  EXPECT_THAT(told.reasons, IsEmpty());
  EXPECT_THAT(told.balanced, IsEmpty());
  const std::string levels = ArgumentXml("unit", "m") + ArgumentXml("gives", "instant");
  EXPECT_THAT(ListOf(levels, ArgumentXml("unit", "m") + ArgumentXml("asks", "instant"), "").reasons, IsEmpty())
      << "no flux at all";
}

TEST(LinkBalance, WhatCannotBeBalancedIsListedWithTheReason) {
  const std::string depth = ArgumentXml("unit", "mm h-1");
  const std::string polygons = "polygons a 0 0 10 10 ; b 10 0 20 10";
  EXPECT_THAT(ListOf(depth + ArgumentXml("elements", "points a 1 1 ; b 15 5"),
                     depth + ArgumentXml("elements", polygons), AdaptorXml("nearest"))
                  .reasons,
              ElementsAre(HasSubstr("the elements of 'out' have no areas")));
  EXPECT_THAT(ListOf(depth + ArgumentXml("elements", polygons),
                     depth + ArgumentXml("elements", "points a 1 1 ; b 15 5"), AdaptorXml("leaky-value-at"))
                  .reasons,
              ElementsAre(HasSubstr("the elements of 'in' have no areas")));
  EXPECT_THAT(ListOf("", "", AdaptorXml("unknown-leak")).reasons,
              ElementsAre("the adaptor 'unknown-leak' does not state its effect on an amount"));
  EXPECT_THAT(ListOf("", "", AdaptorXml("maximum-over-span")).reasons,
              ElementsAre("the adaptor 'maximum-over-span' gives the greatest value of a span"));
  EXPECT_THAT(ListOf(ArgumentXml("elements", "points a 1 1 ; b 95 5"),
                     ArgumentXml("elements", "polygons t 30 30 40 40"), AdaptorXml("nearest"))
                  .reasons,
              ElementsAre(HasSubstr("beyond the targets")));
  EXPECT_THAT(ListOf(ArgumentXml("unit", "degC"), ArgumentXml("unit", "degC"), "", " Balance=\"yes\"").reasons,
              ElementsAre(HasSubstr("not those of a volume")));
}

// Every adaptor of the SDK, once as it is and once losing a tenth of all it gives.

struct Leaking {
  std::string source = {};
  std::string sink = {};
  std::string arguments = {};
  bool closes = false;  ///< the link keeps all there is when nothing leaks
};

std::map<std::string, Leaking> LeakingLinks(const std::string& weights) {
  const std::string cells =
      ArgumentXml("elements", "polygons a 0 0 10 10 ; b 10 0 20 10 ; c 0 10 10 20 ; d 10 10 20 20");
  const std::string halves = ArgumentXml("elements", "polygons t 0 0 20 10 ; u 0 10 20 20");
  const std::string points = ArgumentXml(
      "elements", "points a 1 1 ; b 10 1 ; c 19 1 ; d 1 10 ; e 10 10 ; f 19 10 ; g 1 19 ; h 10 19 ; i 19 19");
  const std::string places = ArgumentXml("elements", "points t 4 5 ; u 13 12");
  const std::string lines = ArgumentXml("elements", "lines a 1 5 19 5 ; b 5 1 5 19");
  const std::string pieces = ArgumentXml("elements", "lines t 1 5 10 5 ; u 10 5 19 5 ; v 5 1 5 19");
  const std::string reaches = ArgumentXml("elements", "lines a 0 0 10 0 ; b 10 0 20 0");
  const std::string ids = ArgumentXml("elements", "a b c");
  const std::string depth = ArgumentXml("unit", "mm h-1");
  const std::string amount = ArgumentXml("unit", "m3");
  std::map<std::string, Leaking> links{
      {"by-id", {ids, ArgumentXml("elements", "c a b"), {}, true}},
      {"one-value", {ids, {}, ArgumentXml("of", "sum"), true}},
      {"area-weighted-mean", {depth + cells, depth + halves, {}, true}},
      {"area-weighted-sum", {depth + cells, depth + halves, {}, true}},
      {"area-weighted-second-order", {depth + cells, depth + halves, {}, true}},
      {"area-weighted-distribute", {cells, halves, {}, true}},
      {"value-at", {cells, places}},
      {"points-in-polygon-mean", {points, halves}},
      {"points-in-polygon-sum", {points, halves, {}, true}},
      {"lines-in-polygon-mean", {lines, halves}},
      {"lines-in-polygon-sum", {lines, halves, {}, true}},
      {"polygons-on-line-mean", {cells, lines}},
      {"polygons-on-line-sum", {cells, lines}},
      {"lines-on-line-mean", {lines, pieces}},
      {"lines-on-line-sum", {lines, pieces, {}, true}},
      {"along-m", {reaches, reaches}},
      {"nearest-target-sum", {points, places, {}, true}},
      {"weights-from-file",
       {ArgumentXml("elements", "x y"), ArgumentXml("elements", "t"), ArgumentXml("file", weights), true}},
      {"times-element-area", {depth + cells, cells, {}, true}},
      {"mean-over-span", {{}, ArgumentXml("time-step", "PT3H"), {}, true}},
      {"sum-over-span", {amount, amount + ArgumentXml("time-step", "PT3H"), {}, true}},
      {"integral-over-span", {{}, amount + ArgumentXml("time-step", "PT3H"), {}, true}},
      {"disaggregate", {amount, amount + ArgumentXml("time-step", "PT15M"), {}, true}},
      {"accumulate", {{}, amount + ArgumentXml("asks", "instant")}},
      {"resample", {{}, ArgumentXml("time-step", "PT3H"), ArgumentXml("step", "PT3H"), true}},
      {"delay", {ArgumentXml("gives", "instant"), ArgumentXml("asks", "instant"), ArgumentXml("delay", "PT0S")}},
      {"fill-gaps", {{}, {}, {}, true}},
      {"unit-conversion", {{}, {}, {}, true}},
      {"divide-by-span", {amount, {}, {}, true}},
      {"multiply-by-span", {{}, amount, {}, true}},
      {"density", {ArgumentXml("unit", "kg s-1"), {}, {}, true}},
      {"linear-operation", {{}, {}, ArgumentXml("a", "1"), true}},
      {"expression", {{}, {}, ArgumentXml("formula", "2 * x")}},
      {"clip", {{}, {}, ArgumentXml("minimum", "0"), true}},
      {"threshold", {{}, ArgumentXml("unit", "1"), ArgumentXml("threshold", "2")}},
      {"fill-missing", {{}, {}, {}, true}},
      {"kriging-variance", {points, places + ArgumentXml("unit", "m6 s-2")}},
  };
  for (const char* id : {"nearest", "bilinear", "barycentric", "inverse-distance", "moving-least-squares",
                         "radial-basis", "radial-basis-patches", "kriging", "nearest-target-mean"}) {
    links[id] = {points, places};
  }
  for (const char* id :
       {"linear", "cubic", "previous", "next", "nearest-in-time", "minimum-over-span", "maximum-over-span"}) {
    links[id] = {};
  }
  return links;
}

TEST(LinkBalance, ShowsWhatAnyAdaptorLosesOrIsListedAsNotMade) {
  const Folder folder("leaks");
  WeightFile file;
  file.weights = SparseRows(2);
  file.weights.AddRow(std::vector<SparseRows::Entry>{{0, 1.0}, {1, 1.0}});
  const std::string weights = (folder.Path() / "w.nc").string();
  WriteWeightFile(weights, file, WeightFileForm::Esmf);
  const std::map<std::string, Leaking> links = LeakingLinks(weights);
  std::size_t balanced = 0;
  for (const IIdentifiable* id : StandardAdaptors().AllIds()) {
    SCOPED_TRACE(id->Id());
    // Categories are no numbers on one side: nothing of them can be an amount.
    if (id->Id() == "categories-to-numbers" || id->Id() == "numbers-to-categories") continue;
    const auto found = links.find(id->Id());
    ASSERT_NE(found, links.end()) << "an adaptor that this test does not know";
    const Leaking& link = found->second;
    const auto run = [&](const char* passes) {
      Made made(ComponentXml("a", "LeakySource", link.source + ArgumentXml("passes", passes)) +
                ComponentXml("s", "Sink", link.sink) + "<Link From=\"a.out\" To=\"s.in\" Balance=\"yes\">" +
                AdaptorXml("leaky-" + id->Id(), link.arguments) + "</Link>\n" + RunXml());
      EXPECT_FALSE(HasErrors(made.problems)) << made.Text();
      if (HasErrors(made.problems)) return RunRecord{};
      RunRecord record = made.Run();
      EXPECT_THAT(ErrorsOf(record), IsEmpty());
      return record;
    };
    const RunRecord tight = run("1");
    const RunRecord leaky = run("0.9");
    ASSERT_EQ(tight.links.size() + tight.not_balanced.size(), 1U);
    ASSERT_EQ(leaky.links.size(), tight.links.size());
    if (tight.links.empty()) {
      EXPECT_FALSE(link.closes) << leaky.not_balanced[0].second;
      EXPECT_THAT(leaky.not_balanced[0].second, Not(IsEmpty()));
      continue;
    }
    ++balanced;
    const LinkBalanceFigures& whole = tight.links[0].second;
    const LinkBalanceFigures& lost = leaky.links[0].second;
    EXPECT_TRUE(lost.is_weighed);
    EXPECT_EQ(lost.left, whole.left);
    EXPECT_EQ(lost.outside, whole.outside);
    EXPECT_NEAR(lost.arrived / whole.arrived, 0.9, 1e-12);
    EXPECT_NEAR(1.0 + lost.relative_difference, 0.9 * (1.0 + whole.relative_difference), 1e-12);
    if (!link.closes) continue;
    EXPECT_NEAR(whole.relative_difference, 0.0, 1e-9);
    EXPECT_NEAR(lost.relative_difference, -0.1, 1e-9);
  }
  EXPECT_GT(balanced, 30U);
}

TEST(LinkBalance, OnlyFluxesAreWeighed) {
  Made made(R"(
      <Component Id="a" Type="test.Source" Assembly="here">
        <Argument Key="unit" Value="m"/>
        <Argument Key="gives" Value="instant"/>
      </Component>
      <Component Id="s" Type="test.Sink" Assembly="here">
        <Argument Key="unit" Value="m"/>
        <Argument Key="asks" Value="instant"/>
      </Component>
      <Link From="a.out" To="s.in"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_TRUE(made.Run().links.empty());  // water levels
}

TEST(LinkBalance, ALengthPerTimeWithoutAreaIsAFluxOnlyInSpans) {
  const auto weighed = [](const std::string& unit, const std::string& gives, const std::string& asks,
                          const std::string& elements = {}) {
    const std::string where = elements.empty() ? "" : ArgumentXml("elements", elements);
    Made made(ComponentXml("a", "Source", ArgumentXml("unit", unit) + ArgumentXml("gives", gives) + where) +
              ComponentXml("s", "Sink", ArgumentXml("unit", unit) + ArgumentXml("asks", asks) + where) +
              LinkXml("a.out", "s.in", gives == "instant" && asks == "span" ? AdaptorXml("mean-over-span") : "") +
              RunXml());
    EXPECT_FALSE(HasErrors(made.problems)) << made.Text();
    return !made.Run().links.empty();
  };
  EXPECT_TRUE(weighed("mm h-1", "span", "span"));
  EXPECT_FALSE(weighed("m s-1", "instant", "instant")) << "the speed of a vehicle, as likely as not";
  EXPECT_FALSE(weighed("m s-1", "instant", "span"));
  EXPECT_FALSE(weighed("m s-1", "instant", "instant", "leader follower"));
  EXPECT_TRUE(weighed("mm h-1", "instant", "instant", "areas x 2e6 ; y 3e6")) << "a depth over areas";
  EXPECT_TRUE(weighed("m3 s-1", "instant", "instant"));
  EXPECT_TRUE(weighed("kg m-2 s-1", "instant", "instant"));
}

TEST(ComponentBalance, OfARunThatEndedInItsWarmUpSaysNothing) {
  for (const std::uint64_t passes : {3U, 6U, 7U}) {
    Made one(R"(
        <Component Id="a" Type="test.Source" Assembly="here"/>
        <Component Id="t" Type="test.Tank" Assembly="here"/>
        <Link From="a.out" To="t.inflow"/>
        <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z" WarmUp="PT6H"/>
      )");
    RunOptions options;
    options.write_results = false;
    CompositionRun run(*one.composition, one.problems, options);
    run.Begin();
    while (run.Passes() < passes) run.Advance();
    const RunRecord record = run.End();
    ASSERT_EQ(record.links.size(), 1U);
    ASSERT_EQ(record.components.size(), 1U);
    EXPECT_EQ(record.links[0].second.is_weighed, passes == 7) << passes;
    EXPECT_EQ(record.components[0].second.is_weighed, passes == 7) << passes;
    EXPECT_EQ(std::isnan(record.links[0].second.relative_difference), passes < 7) << passes;
    EXPECT_EQ(std::isnan(record.components[0].second.residual), passes < 7) << passes;
  }
}

}  // namespace
}  // namespace openmi::testing
