// The river basin's compositions as a whole: what they must show, on the invented basin and on the real data.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "composition/check/CheckComposition.hpp"
#include "composition/measures/WindowMeasures.hpp"
#include "tests/examples/RiverBasinRun.hpp"
#include "timespace/times/Iso8601.hpp"

namespace riverbasin {
namespace {

using ::testing::HasSubstr;

/// Without the link that closes the loop, so that water only runs downhill.
CompositionFile WithoutLoop(CompositionFile file) {
  std::erase_if(file.links, [](const openmi::LinkSpec& link) { return link.from.item == "level"; });
  return file;
}

void ExpectThatNoWaterIsLost(const Outcome& outcome) {
  for (const auto& [link, figures] : outcome.record.links) {
    EXPECT_NE(figures.left, 0.0) << link;
    EXPECT_LE(std::abs(figures.relative_difference), 1e-9) << link;
    EXPECT_EQ(figures.missing, 0u) << link;
  }
  for (const auto& [component, figures] : outcome.record.components) {
    EXPECT_NE(figures.in, 0.0) << component;
    EXPECT_LE(std::abs(figures.residual), 1e-9 * figures.in) << component;
    EXPECT_LE(std::abs(figures.worst_step), 1e-9 * figures.in) << component;
  }
}

TEST(RiverBasinComposition, LosesNoWaterOnLinksAndInComponents) {
  const Outcome outcome = RunIt(Read("river-basin.xml"));
  EXPECT_EQ(outcome.record.links.size(), 6u) << "every link but that of the level carries a flux";
  EXPECT_EQ(outcome.record.components.size(), 3u);
  ExpectThatNoWaterIsLost(outcome);
  // The terms chain: what the one gives is what the next takes.
  EXPECT_NEAR(outcome.Component("runoff").out / outcome.Component("creek").in, 1.0, 1e-9);
  EXPECT_NEAR(outcome.Component("creek").out / outcome.Component("reservoir").in, 1.0, 1e-9);
  EXPECT_NEAR(outcome.Component("runoff").in / outcome.Link("rain.precipitation -> runoff.precipitation").arrived, 1.0,
              1e-9);
  EXPECT_GT(outcome.Component("reservoir").losses, 0.0);
}

TEST(RiverBasinComposition, ShowsOneAdaptorOfEachKindAndSaysSo) {
  const Outcome outcome = RunIt(Read("river-basin.xml"));
  const std::string notes = TextOf(outcome.problems, Problem::Note);
  EXPECT_THAT(notes, HasSubstr("mm d-1 becomes mm h-1 (conversion inserted)"));
  EXPECT_THAT(notes, HasSubstr("creek -> reservoir -> creek"));
  std::vector<std::string> adaptors;
  for (const openmi::LinkSpec& link : outcome.composition->File().links) {
    for (const openmi::AdaptorSpec& adaptor : link.adaptors) adaptors.push_back(adaptor.id);
  }
  EXPECT_THAT(adaptors,
              ::testing::IsSupersetOf({"area-weighted-mean", "mean-over-span", "times-element-area", "by-id"}));
}

TEST(RiverBasinComposition, ALeakingAdaptorShowsInTheBalanceOfItsLinkAndNowhereElse) {
  CompositionFile file = Read("river-basin.xml");
  for (openmi::LinkSpec& link : file.links) {
    if (link.from.component != "runoff") continue;
    link.adaptors.push_back({.id = "linear-operation", .factory = {}, .arguments = {{.key = "a", .value = "0.99"}}});
  }
  const Outcome outcome = RunIt(file);
  for (const auto& [link, figures] : outcome.record.links) {
    const double expected = link == "runoff.depth-rate -> creek.lateral-inflow" ? -0.01 : 0.0;
    EXPECT_NEAR(figures.relative_difference, expected, 1e-9) << link;
  }
  for (const auto& [component, figures] : outcome.record.components) {
    EXPECT_LE(std::abs(figures.residual), 1e-9 * figures.in) << component;
  }
}

TEST(RiverBasinComposition, TheReservoirIsFeltUpstream) {
  const Outcome linked = RunIt(Read("river-basin.xml"));
  const Outcome cut = RunIt(WithoutLoop(Read("river-basin.xml")));
  EXPECT_GT(linked.Component("creek").end, 2.0 * cut.Component("creek").end) << "water stands in the last reach";
  ExpectThatNoWaterIsLost(cut);
}

TEST(RiverBasinComposition, PulledAndSteppedGiveTheSameBitsWhereThereIsNoLoop) {
  const Outcome pulled = RunIt(WithoutLoop(Read("river-basin.xml")), RunMode::Pull);
  const Outcome stepped = RunIt(WithoutLoop(Read("river-basin.xml")), RunMode::Step);
  ASSERT_EQ(pulled.record.series.size(), stepped.record.series.size());
  for (std::size_t i = 0; i < pulled.record.series.size(); ++i) {
    EXPECT_EQ(pulled.record.series[i].times, stepped.record.series[i].times);
    EXPECT_EQ(pulled.record.series[i].values, stepped.record.series[i].values) << pulled.record.series[i].spec->id;
  }
}

void ExpectTheSameBitsWithTwoThreads(const char* name) {
  for (const RunMode mode : {RunMode::Pull, RunMode::Step}) {
    const Outcome one = RunIt(Read(name), mode);
    const Outcome two = RunIt(Read(name), mode, 2);
    ASSERT_EQ(one.record.series.size(), two.record.series.size());
    for (std::size_t i = 0; i < one.record.series.size(); ++i) {
      const auto& a = one.record.series[i];
      const auto& b = two.record.series[i];
      ASSERT_EQ(a.values.size(), b.values.size()) << a.series.id;
      EXPECT_FALSE(a.values.empty()) << a.series.id;
      EXPECT_EQ(a.times, b.times) << a.series.id;
      EXPECT_EQ(std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)), 0) << a.series.id;
    }
    for (std::size_t i = 0; i < one.record.links.size(); ++i) {
      EXPECT_EQ(one.record.links[i].second.arrived, two.record.links[i].second.arrived) << one.record.links[i].first;
    }
  }
}

TEST(RiverBasinComposition, TwoThreadsGiveTheSameBits) {
  ExpectTheSameBitsWithTwoThreads("river-basin.xml");
}

TEST(RiverBasinComposition, WithItsLoopIteratedLosesNoWaterHoweverItIsRun) {
  CompositionFile file = Read("river-basin.xml");
  openmi::IterateSpec iterate;
  iterate.components = {"creek", "reservoir"};
  iterate.relative_tolerance = 1e-9;
  file.iterates.push_back(iterate);
  const Outcome pulled = RunIt(file);
  ExpectThatNoWaterIsLost(pulled);
  ASSERT_EQ(pulled.record.loops.size(), 1u);
  EXPECT_EQ(pulled.record.loops[0].unconverged, 0u);
  EXPECT_GT(pulled.record.loops[0].iterations, pulled.record.loops[0].steps);
  for (const std::size_t threads : {1u, 2u}) {
    const Outcome stepped = RunIt(file, RunMode::Step, threads);
    EXPECT_EQ(stepped.record.loops.at(0).iterations, pulled.record.loops[0].iterations);
    for (std::size_t i = 0; i < pulled.record.series.size(); ++i) {
      EXPECT_EQ(stepped.record.series[i].values, pulled.record.series[i].values) << pulled.record.series[i].series.id;
    }
  }
}

TEST(RiverBasinComposition, PulledAndSteppedDifferByAnHoursLagWhereThereIsALoop) {
  // Pulled, the reservoir is asked first and the creek takes the level of the hour before; stepped, the creek is first
  // and the reservoir takes the inflow of the hour before. The link between them says so, and no other.
  const Outcome pulled = RunIt(Read("river-basin.xml"), RunMode::Pull);
  const Outcome stepped = RunIt(Read("river-basin.xml"), RunMode::Step);
  for (const auto& [link, figures] : stepped.record.links) {
    if (link == "creek.outflow -> reservoir.inflow") {
      // The lag itself: of what is balanced, the hours after the warm-up, the hour before the first arrives in the
      // place of the last.
      constexpr double kHour = 3600.0;
      constexpr std::size_t kWarmUp = 3 * 24;
      const std::vector<double>& outflow = stepped.Series("inflow").values;
      const double expected = kHour * (outflow.at(kWarmUp - 1) - outflow.back());
      EXPECT_NEAR(figures.arrived - figures.left, expected, 1e-9 * figures.left);
      EXPECT_GT(std::abs(expected), 1e-4 * figures.left) << "the data show a lag";
      EXPECT_EQ(figures.outside, 0.0);
    } else {
      EXPECT_LE(std::abs(figures.relative_difference), 1e-9) << link;
    }
  }
  for (const auto& [component, figures] : stepped.record.components) {
    EXPECT_LE(std::abs(figures.residual), 1e-9 * figures.in) << component;
  }
  EXPECT_NEAR(stepped.Component("reservoir").out / pulled.Component("reservoir").out, 1.0, 2e-3);
}

TEST(GatedBasin, AnFmuHoldsTheLevelThroughAGateAndNoWaterIsLost) {
  const Outcome gated = RunIt(Read("gated-basin.xml"));
  ExpectThatNoWaterIsLost(gated);
  CompositionFile file = Read("gated-basin.xml");
  std::erase_if(file.links, [](const openmi::LinkSpec& link) { return link.to.item == "gate-opening"; });
  const Outcome open = RunIt(std::move(file));
  ExpectThatNoWaterIsLost(open);
  // Three days to settle; then the level is near 4 m but in two floods, when the gate is open and that is not enough.
  const auto near_target = [](const Outcome& outcome) {
    const std::vector<double>& levels = outcome.Series("level").values;
    const auto hours = std::ranges::count_if(levels.begin() + 72, levels.end(),
                                             [](double level) { return std::abs(level - 4.0) < 0.5; });
    return static_cast<double>(hours) / static_cast<double>(levels.size() - 72);
  };
  EXPECT_GT(near_target(gated), 0.8);
  EXPECT_LT(near_target(open), 0.3) << "the open outlet lets it run down";
  const std::vector<double>& opening = gated.Series("opening").values;
  const auto [least, most] = std::ranges::minmax(opening);
  EXPECT_GE(least, 0.0);
  EXPECT_LE(most, 1.0);
  EXPECT_GT(most - least, 0.1) << "the gate moves";
}

// ---- the real data

TEST(BasinComposition, TakesTheRainOfTheRealDataAndLosesNoneOfIt) {
  const Outcome outcome = RunIt(Read("basin.xml"));
  ExpectThatNoWaterIsLost(outcome);
  // Only if each series goes to the catchment of its name: NetCDF and GeoJSON have them in different orders.
  EXPECT_NEAR(outcome.Link("rain.precipitation -> runoff.precipitation").arrived, 11'942'541.14, 0.5);
  EXPECT_NEAR(outcome.Component("runoff").in, 11'942'541.14, 0.5);
  const openmi::RecordedSeries& rain = outcome.Series("rain");
  EXPECT_NEAR(std::accumulate(rain.values.begin(), rain.values.end(), 0.0), 215.737, 1e-3);
  EXPECT_EQ(rain.values.size(), 720u);
}

TEST(BasinComposition, TwoThreadsGiveTheSameBits) {
  ExpectTheSameBitsWithTwoThreads("basin.xml");
}

TEST(BasinComposition, KeepsEachSeriesWithItsCatchment) {
  CompositionFile file = Read("basin.xml");
  file.observes.push_back({.id = "amounts", .item = {"rain", "precipitation"}, .elements = {}, .every = {}});
  const Outcome outcome = RunIt(file);
  const openmi::RecordedSeries& amounts = outcome.Series("amounts");
  const std::vector<std::string>& ids = amounts.series.elements;
  ASSERT_EQ(ids.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0.0;
    double peak = 0.0;
    for (std::size_t at = i; at < amounts.values.size(); at += 3) {
      sum += amounts.values[at];
      peak = std::max(peak, amounts.values[at]);
    }
    EXPECT_NEAR(sum, ids[i] == "cat-27" ? 215.2 : ids[i] == "cat-52" ? 216.3 : 215.6, 1e-4) << ids[i];
    EXPECT_NEAR(peak, ids[i] == "cat-27" ? 37.7 : ids[i] == "cat-52" ? 39.1 : 36.9, 1e-4) << ids[i];
  }
}

TEST(BasinComposition, MarksWhatIsInventedAndStatesNoEfficiency) {
  const CompositionFile file = Read("basin.xml");
  for (const openmi::ComponentSpec& component : file.components) {
    const bool real = component.id == "rain" || component.id == "runoff" || component.id == "creek";
    EXPECT_EQ(component.invented, !real) << component.id;
  }
  EXPECT_TRUE(file.compares.empty());
  EXPECT_THAT(file.description, HasSubstr("invented"));
}

TEST(BasinComposition, TheHourThatIsMissingAtTheEndIsReported) {
  CompositionFile file = Read("basin.xml");
  file.run->to = openmi::ParseIsoTime("2015-12-31T00:00Z");
  openmi::Composition composition(file, {{"data", RealData().string()}});
  Problems problems;
  composition.Load(problems);
  composition.Connect(problems);
  openmi::CheckComposition(composition, problems);
  std::string text;
  for (const Problem& problem : problems) text += openmi::FormatProblem(problem) + "\n";
  EXPECT_THAT(text, HasSubstr("2015-12-30T23:00"));
}

TEST(TopmodelComposition, StatesItsEfficiencyInEveryPart) {
  const Outcome outcome = RunIt(Read("topmodel.xml"));
  ExpectThatNoWaterIsLost(outcome);
  EXPECT_THAT(TextOf(outcome.problems, Problem::Note), HasSubstr("950"));
  ASSERT_EQ(outcome.record.comparisons.size(), 1u);
  const openmi::RecordedComparison& pairs = outcome.record.comparisons[0];
  std::vector<openmi::MeasureWindow> windows;
  for (const openmi::WindowSpec& window : pairs.spec->windows)
    windows.push_back({window.label, window.from->mjd, window.to->mjd});
  const auto measures = openmi::ComputeMeasures(pairs.times, pairs.observed, pairs.simulated, windows);
  ASSERT_EQ(measures.size(), 3u);
  const openmi::WindowMeasures& calibration = measures[0];
  const openmi::WindowMeasures& validation = measures[1];
  EXPECT_EQ(calibration.pairs, 633u);
  EXPECT_EQ(validation.pairs, 317u);
  EXPECT_EQ(measures[2].pairs, 480u);
  EXPECT_GE(calibration.nash_sutcliffe, 0.90);
  EXPECT_GE(validation.nash_sutcliffe, 0.75);
  EXPECT_NEAR(validation.persistence.efficiency, 0.746, 5e-4);
  EXPECT_GT(validation.nash_sutcliffe, validation.persistence.efficiency);
  EXPECT_LT(std::abs(calibration.volume_error), 0.15);
  EXPECT_LT(std::abs(validation.volume_error), 0.15);
  for (const openmi::WindowMeasures& part : measures) {
    EXPECT_TRUE(std::isfinite(part.kling_gupta.efficiency) && std::isfinite(part.log_nash_sutcliffe.efficiency) &&
                std::isfinite(part.peak.size) && std::isfinite(part.peak.hours))
        << part.window.label;
  }
}

TEST(TopmodelComposition, NeverTakesTheObservedDischargeIn) {
  for (const openmi::LinkSpec& link : Read("topmodel.xml").links) EXPECT_NE(link.from.item, "observed-discharge");
}

TEST(TopmodelComposition, PulledAndSteppedGiveTheSameBits) {
  const Outcome pulled = RunIt(Read("topmodel.xml"), RunMode::Pull);
  const Outcome stepped = RunIt(Read("topmodel.xml"), RunMode::Step);
  EXPECT_EQ(pulled.Series("simulated").values, stepped.Series("simulated").values);
}

}  // namespace
}  // namespace riverbasin
