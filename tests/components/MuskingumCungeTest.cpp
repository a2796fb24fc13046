#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numeric>

#include "components/ChannelFlow.hpp"
#include "openmi/standard/IManageState.hpp"
#include "tests/components/SeriesFixture.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::test {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr double kMinute = 60.0;

/// One reach, fed by a function of the time in seconds at the end of each step.
class Reach : public ReadyComponents {
 protected:
  struct Routed {
    std::vector<double> outflows;  // at the start and at the end of each step
    BalanceTerms balance;
  };

  Routed Route(const std::function<double(double)>& inflow, int steps, double step, Settings settings) {
    const Stamp begin = At("2020-01-01T00:00Z");
    std::vector<TableRow> rows;
    for (int i = 0; i <= steps; ++i) rows.push_back({begin + Seconds(i * step), {inflow(i * step)}});
    TableComponent series(rows, "m3 s-1");
    settings.insert(settings.end(), {{"start-time", "2020-01-01T00:00Z"}, {"time-step", fmt::format("{} s", step)}});
    const LoadedComponent reach = Make("openmi.MuskingumCunge", settings);
    Driver driver(*reach.component);
    driver.Initialize();
    series.Initialize();
    series.Output().AddConsumer(*reach.component->Inputs()[0]);
    EXPECT_TRUE(driver.Validate());
    messages_ = driver.Messages();
    series.Prepare();
    driver.Prepare();
    ITimeSpaceOutput& output = Output(reach, "outflow");
    ProbeInput probe;
    output.AddConsumer(probe);
    const auto& balance = dynamic_cast<IBalance&>(*reach.component);
    const double at_start = balance.Balance().storage;
    Routed routed;
    for (int i = 0; i <= steps; ++i) routed.outflows.push_back(probe.Row(output, begin + Seconds(i * step))[0]);
    routed.balance = balance.Balance();
    routed.balance.storage -= at_start;
    output.RemoveConsumer(probe);
    return routed;
  }
};

const Settings kRiver = {
    {"length", "5000"}, {"slope", "0.001"}, {"roughness", "0.035"}, {"bottom-width", "20"}, {"bank-slope", "0.5"}};

Settings With(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

/// A flood of 100 m3/s above 10 m3/s: a cosine bell of two days.
double Flood(double seconds) {
  const double day = seconds / 86400.0;
  return day > 2.0 ? 10.0 : 10.0 + 50.0 * (1.0 - std::cos(M_PI * day));
}

TEST(ChannelFlow, IsThatOfManningInAWideAndInATriangularChannel) {
  // In a rectangle of great width, Q = w sqrt(s) / n y^(5/3) and c = 5/3 V.
  const Channel wide{.bottom_width = 1e5, .run = 0.0, .roughness = 0.03, .slope = 1e-3};
  const double discharge = 1e5 * std::sqrt(1e-3) / 0.03 * std::pow(0.5, 5.0 / 3.0);
  const UniformFlow in_wide = FlowOf(wide, discharge, 0.0);
  EXPECT_NEAR(in_wide.depth, 0.5, 1e-5);
  EXPECT_NEAR(in_wide.celerity / in_wide.velocity, 5.0 / 3.0, 1e-5);
  // In a triangle Q grows as y^(8/3) and A as y^2, so c = 4/3 V.
  const Channel triangle{.bottom_width = 0.0, .run = 2.0, .roughness = 0.03, .slope = 1e-3};
  const UniformFlow in_triangle = FlowOf(triangle, 7.0, 0.0);
  EXPECT_NEAR(in_triangle.celerity / in_triangle.velocity, 4.0 / 3.0, 1e-11);
  const double perimeter = 2.0 * in_triangle.depth * std::sqrt(5.0);
  EXPECT_NEAR(std::sqrt(1e-3) / 0.03 * std::pow(in_triangle.area, 5.0 / 3.0) / std::pow(perimeter, 2.0 / 3.0), 7.0,
              1e-10);
}

TEST(ChannelFlow, DoesNotDependOnTheFirstGuess) {
  const Channel channel{.bottom_width = 3.0, .run = 1.5, .roughness = 0.05, .slope = 1e-5};
  for (const double discharge : {1e-6, 1.0, 1e4}) {
    const UniformFlow flow = FlowOf(channel, discharge, 0.0);
    for (const double guess : {1e-4, 1.0, 100.0}) {
      EXPECT_NEAR(FlowOf(channel, discharge, guess).depth / flow.depth, 1.0, 1e-11) << discharge << " from " << guess;
    }
  }
}

TEST_F(Reach, WithConstantParametersIsTheRecursionOfMuskingum) {
  // K 2 h, X 0.2, steps of 1 h: C0 to C2 of the textbook, with C0 + C1 + C2 = 1.
  const double k = 2.0, x = 0.2, d = 1.0, below = 2.0 * k * (1.0 - x) + d;
  const double c0 = (d - 2.0 * k * x) / below, c1 = (d + 2.0 * k * x) / below, c2 = (2.0 * k * (1.0 - x) - d) / below;
  std::vector<double> expected = {10.0};
  for (int i = 0; i < 72; ++i) {
    expected.push_back(c0 * Flood((i + 1) * 3600.0) + c1 * Flood(i * 3600.0) + c2 * expected.back());
  }
  const Routed routed =
      Route(Flood, 72, 3600.0, {{"length", "1"}, {"travel-time", "2"}, {"weight", "0.2"}, {"initial-flow", "10"}});
  EXPECT_THAT(routed.outflows, Pointwise(DoubleNear(1e-11), expected));
}

TEST_F(Reach, WithTheWeightOfALinearReservoirEmptiesAsOne) {
  // X = 0: a reservoir with residence time K. The trapezoidal rule multiplies by (2K - d) / (2K + d) in each step.
  const Routed routed = Route([](double) { return 0.0; }, 20, 60.0,
                              {{"length", "1"}, {"travel-time", "1"}, {"weight", "0"}, {"initial-flow", "8"}});
  // The first half step still has the inflow of the start.
  for (std::size_t i = 2; i < routed.outflows.size(); ++i) {
    EXPECT_NEAR(routed.outflows[i] / routed.outflows[i - 1], (120.0 - 1.0) / (120.0 + 1.0), 1e-12) << i;
  }
}

TEST_F(Reach, LosesNoWater) {
  for (const double step : {300.0, 3600.0, 14400.0}) {
    const Routed routed = Route(Flood, static_cast<int>(6 * 86400.0 / step), step,
                                With(kRiver, {{"initial-flow", "10"}, {"segments", "7"}}));
    // What came in, by the trapezoidal rule over the flood itself.
    double in = 0.0;
    for (double at = 0.0; at < 6 * 86400.0; at += step) in += 0.5 * step * (Flood(at) + Flood(at + step));
    double out = 0.0;
    for (std::size_t i = 1; i < routed.outflows.size(); ++i) {
      out += 0.5 * step * (routed.outflows[i - 1] + routed.outflows[i]);
    }
    EXPECT_NEAR(routed.balance.in, in, 1e-9 * in) << step;
    EXPECT_NEAR(routed.balance.out, out, 1e-9 * in) << step;
    // The flood is over and the flow steady again: all of it is out, and the reach holds what it held.
    EXPECT_NEAR(out, in, 1e-6 * in) << step;
    EXPECT_NEAR(routed.balance.storage, 0.0, 1e-6 * in) << step;
  }
}

TEST_F(Reach, HoldsTheVolumeOfUniformFlow) {
  // Filled from nothing, by a flow that stays.
  const Routed routed = Route([](double) { return 30.0; }, 200, 1800.0, With(kRiver, {{"segments", "3"}}));
  const Channel channel{.bottom_width = 20.0, .run = 2.0, .roughness = 0.035, .slope = 0.001};
  EXPECT_NEAR(routed.outflows.back(), 30.0, 1e-9);
  EXPECT_NEAR(routed.balance.storage, 5000.0 * FlowOf(channel, 30.0, 0.0).area, 1e-6 * 5000.0);
}

TEST_F(Reach, CarriesASmallWaveWithTheCelerityOfTheChannel) {
  // A wave of 1 % of a steady flow, on a steep slope: the kinematic wave of constant celerity.
  const Channel channel{.bottom_width = 20.0, .run = 0.0, .roughness = 0.035, .slope = 0.01};
  const double celerity = FlowOf(channel, 100.0, 0.0).celerity;
  const double length = 20000.0;
  const auto inflow = [](double seconds) {
    const double at = (seconds - 6.0 * 3600.0) / 3600.0;
    return 100.0 + std::exp(-0.5 * at * at);
  };
  const Routed routed = Route(
      inflow, 800, kMinute,
      {{"length", "20000"}, {"slope", "0.01"}, {"bottom-width", "20"}, {"segments", "100"}, {"initial-flow", "100"}});
  double weight = 0.0, middle = 0.0;
  for (std::size_t i = 0; i < routed.outflows.size(); ++i) {
    weight += routed.outflows[i] - 100.0;
    middle += (routed.outflows[i] - 100.0) * static_cast<double>(i) * kMinute;
  }
  EXPECT_NEAR(middle / weight - 6.0 * 3600.0, length / celerity, 0.002 * length / celerity);
}

TEST_F(Reach, SpreadsASmallWaveAsTheDiffusionOfTheChannel) {
  // The variance of a wave that is carried grows by 2 mu L / c^3, where mu = Q / (2 width slope) (Hayami).
  const Channel channel{.bottom_width = 20.0, .run = 0.0, .roughness = 0.035, .slope = 0.0005};
  const UniformFlow flow = FlowOf(channel, 100.0, 0.0);
  const double diffusivity = 100.0 / (2.0 * 20.0 * 0.0005);
  // Segments of 4 km and steps of 20 minutes, for which D lies between its limits.
  constexpr double kStep = 1200.0;
  const auto variance = [](const std::vector<double>& values) {
    double weight = 0.0, first = 0.0, second = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double at = static_cast<double>(i) * kStep, value = values[i] - 100.0;
      weight += value;
      first += value * at;
      second += value * at * at;
    }
    return second / weight - first / weight * first / weight;
  };
  const auto inflow = [](double seconds) {
    const double at = (seconds - 24.0 * 3600.0) / (3.0 * 3600.0);
    return 100.0 + 0.1 * std::exp(-0.5 * at * at);
  };
  std::vector<double> inflows;
  for (int i = 0; i <= 300; ++i) inflows.push_back(inflow(i * kStep));
  const Routed routed = Route(
      inflow, 300, kStep,
      {{"length", "20000"}, {"slope", "0.0005"}, {"bottom-width", "20"}, {"segments", "5"}, {"initial-flow", "100"}});
  const double expected = 2.0 * diffusivity * 20000.0 / std::pow(flow.celerity, 3.0);
  EXPECT_NEAR(variance(routed.outflows) - variance(inflows), expected, 0.01 * expected);
}

TEST_F(Reach, StaysAboveZeroForStepsOfAnyLength) {
  const auto pulse = [](double seconds) { return seconds > 0.0 && seconds < 86400.0 ? 500.0 : 0.0; };
  for (const double step : {60.0, 3600.0, 43200.0}) {
    const Routed routed = Route(pulse, static_cast<int>(4 * 86400.0 / step), step, kRiver);
    EXPECT_THAT(routed.outflows, Each(Ge(0.0))) << step;
  }
}

TEST_F(Reach, ReportsAStepThatConstantParametersDoNotSuit) {
  Route(Flood, 1, 3600.0, {{"length", "1"}, {"travel-time", "10"}, {"weight", "0.3"}});
  EXPECT_THAT(messages_, Contains(AllOf(HasSubstr("weight"), HasSubstr("21600 s to 50400 s"))));
}

TEST_F(Reach, IsMissingFromAMissingInflowOn) {
  const Routed routed =
      Route([](double seconds) { return seconds == 7200.0 ? std::nan("") : 5.0; }, 4, 3600.0, With(kRiver, {}));
  EXPECT_FALSE(std::isnan(routed.outflows[1]));
  for (std::size_t i = 2; i < routed.outflows.size(); ++i) EXPECT_TRUE(std::isnan(routed.outflows[i])) << i;
}

TEST_F(Reach, RefusesAChannelWithoutWidth) {
  const LoadedComponent reach = Make("openmi.MuskingumCunge", {{"length", "1"}, {"bottom-width", "0"}});
  EXPECT_THAT([&] { Driver(*reach.component).Initialize(); },
              ::testing::ThrowsMessage<ArgumentError>(HasSubstr("bottom-width")));
}

TEST_F(Reach, GoesOnFromAKeptStateToTheLastBit) {
  const LoadedComponent reach =
      Ready("openmi.MuskingumCunge",
            With(kRiver, {{"initial-flow", "40"}, {"segments", "3"}, {"start-time", "2020-01-01T00:00Z"}}));
  ITimeSpaceOutput& output = Output(reach, "outflow");
  ProbeInput probe;
  output.AddConsumer(probe);
  const auto row = [&](int hour) { return probe.Row(output, At("2020-01-01T00:00Z") + Hours(hour))[0]; };
  row(5);
  auto& states = dynamic_cast<IManageState&>(*reach.component);
  const IIdentifiable& state = states.KeepCurrentState();
  const double once = row(9);
  const BalanceTerms balance = dynamic_cast<IBalance&>(*reach.component).Balance();
  states.RestoreState(state);
  EXPECT_EQ(row(9), once);
  const BalanceTerms again = dynamic_cast<IBalance&>(*reach.component).Balance();
  EXPECT_EQ(again.storage, balance.storage);
  EXPECT_EQ(again.out, balance.out);
  output.RemoveConsumer(probe);
}

}  // namespace
}  // namespace openmi::test
