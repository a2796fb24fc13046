#include <cmath>
#include <numeric>

#include "openmi/standard/IManageState.hpp"
#include "tests/components/SeriesFixture.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::test {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

class Cascade : public ReadyComponents {
 protected:
  /// The mean outflow of each step of `length` hours over ten hours, with these inflows of one hour each.
  std::vector<double> Outflows(const std::vector<double>& inflows, Settings settings, double length = 1.0) {
    const Stamp begin = At("2020-01-01T00:00Z");
    std::vector<TableRow> rows;
    for (std::size_t i = 0; i < inflows.size(); ++i) {
      rows.push_back({begin + Hours(static_cast<double>(i)), {inflows[i]}, Hours(1)});
    }
    TableComponent series(rows, "m3 s-1");
    settings.insert(settings.end(), {{"start-time", "2020-01-01T00:00Z"}, {"end-time", "2020-01-01T10:00Z"}});
    const LoadedComponent cascade = Make("openmi.NashCascade", settings);
    Driver driver(*cascade.component);
    driver.Initialize();
    series.Initialize();
    series.Output().AddConsumer(*cascade.component->Inputs()[0]);
    EXPECT_TRUE(driver.Validate());
    series.Prepare();
    driver.Prepare();
    ITimeSpaceOutput& outflow = Output(cascade, "outflow");
    ProbeInput probe;
    outflow.AddConsumer(probe);
    std::vector<double> means;
    for (double hour = 0.0; hour < 10.0; hour += length) {
      means.push_back(probe.Row(outflow, begin + Hours(hour), begin + Hours(hour + length))[0]);
    }
    outflow.RemoveConsumer(probe);
    return means;
  }
};

TEST_F(Cascade, OfOneReservoirEmptiesExponentially) {
  const std::vector<double> outflows =
      Outflows(std::vector<double>(10, 0.0), {{"residence-time", "4"}, {"initial-outflow", "8"}});
  for (std::size_t hour = 0; hour < 10; ++hour) {
    const double begin = static_cast<double>(hour);
    // The mean of 8 exp(-t / 4) from hour to hour.
    const double mean = 8.0 * 4.0 * (std::exp(-begin / 4.0) - std::exp(-(begin + 1.0) / 4.0));
    EXPECT_NEAR(outflows[hour], mean, 1e-12) << hour;
  }
}

TEST_F(Cascade, OfTwoReservoirsAnswersAStepOfInflowAsTheGammaDistributionSays) {
  const std::vector<double> outflows =
      Outflows(std::vector<double>(10, 3.0), {{"reservoirs", "2"}, {"residence-time", "2.5"}});
  // The integral of 3 (1 - exp(-t / k) (1 + t / k)) from 0 to t.
  const auto volume = [](double t) { return 3.0 * (t - 2.5 * (2.0 - std::exp(-t / 2.5) * (2.0 + t / 2.5))); };
  for (std::size_t hour = 0; hour < 10; ++hour) {
    const double begin = static_cast<double>(hour);
    EXPECT_NEAR(outflows[hour], volume(begin + 1.0) - volume(begin), 1e-12) << hour;
  }
}

TEST_F(Cascade, GivesBackAllThatItReceives) {
  std::vector<double> inflows(10, 0.0);
  inflows[0] = 5.0;
  inflows[1] = 2.0;
  const std::vector<double> outflows = Outflows(inflows, {{"reservoirs", "5"}, {"residence-time", "0.1"}});
  EXPECT_NEAR(std::accumulate(outflows.begin(), outflows.end(), 0.0), 7.0, 1e-12);
}

TEST_F(Cascade, PassesInflowOnWhereReservoirsAreShort) {
  std::vector<double> inflows = {1, 4, 2, 0, 0, 3, 1, 1, 1, 1};
  EXPECT_THAT(Outflows(inflows, {{"reservoirs", "3"}, {"residence-time", "1e-6"}}),
              Pointwise(DoubleNear(1e-4), inflows));
}

TEST_F(Cascade, StaysMissingAfterAMissingInflow) {
  std::vector<double> inflows(10, 1.0);
  inflows[3] = NAN;
  const std::vector<double> outflows = Outflows(inflows, {});
  for (std::size_t hour = 0; hour < 10; ++hour) EXPECT_EQ(std::isnan(outflows[hour]), hour >= 3) << hour;
}

TEST_F(Cascade, RefusesWhatCannotBe) {
  EXPECT_THAT(Refusal("openmi.NashCascade", {{"residence-time", "0"}}), HasSubstr("residence-time"));
  EXPECT_THAT(Refusal("openmi.NashCascade", {{"reservoirs", "0"}}), HasSubstr("reservoirs"));
  EXPECT_THAT(Refusal("openmi.NashCascade", {{"unit", "buckets"}}), HasSubstr("unit"));
}

TEST_F(Cascade, GoesOnFromAKeptStateToTheLastBit) {
  const Settings settings = {{"reservoirs", "4"},
                             {"initial-outflow", "2"},
                             {"start-time", "2020-01-01T00:00Z"},
                             {"end-time", "2020-01-02T00:00Z"}};
  const LoadedComponent cascade = Make("openmi.NashCascade", settings);
  Driver driver(*cascade.component);
  const Stamp begin = At("2020-01-01T00:00Z");
  std::vector<TableRow> rows;
  for (int hour = 0; hour < 24; ++hour) rows.push_back({begin + Hours(hour), {0.3 * hour}, Hours(1)});
  TableComponent series(rows, "m3 s-1");
  driver.Initialize();
  series.Initialize();
  series.Output().AddConsumer(*cascade.component->Inputs()[0]);
  driver.Validate();
  series.Prepare();
  driver.Prepare();
  ITimeSpaceOutput& outflow = Output(cascade, "outflow");
  ProbeInput probe;
  outflow.AddConsumer(probe);
  static_cast<void>(probe.Row(outflow, begin + Hours(2), begin + Hours(3)));
  auto& states = dynamic_cast<IManageState&>(*cascade.component);
  const IIdentifiable& kept = states.KeepCurrentState();
  const std::vector<double> first = probe.Row(outflow, begin + Hours(6), begin + Hours(7));
  states.RestoreState(kept);
  EXPECT_EQ(probe.Row(outflow, begin + Hours(6), begin + Hours(7)), first);
  outflow.RemoveConsumer(probe);
}

}  // namespace
}  // namespace openmi::test
