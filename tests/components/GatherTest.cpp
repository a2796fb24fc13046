#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "tests/components/SeriesFixture.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Gather = ReadyComponents;

Settings OverTwoHours(Settings settings) {
  settings.insert(settings.end(), {{"start-time", "2020-01-01T00:00Z"}, {"end-time", "2020-01-01T02:00Z"}});
  return settings;
}

std::vector<TableRow> Hourly(double first, double second) {
  const Stamp begin = At("2020-01-01T00:00Z");
  return {{begin, {first}, Hours(1)}, {begin + Hours(1), {second}, Hours(1)}};
}

TEST_F(Gather, PutsSingleValuesInTheOrderOfTheElements) {
  TableComponent lower(Hourly(1, 10), "m3 s-1"), upper(Hourly(2, NAN), "m3 s-1");
  const LoadedComponent gather =
      Make("openmi.Gather", OverTwoHours({{"elements", "cat-27,cat-52"}, {"item", "inflow"}, {"unit", "m3 s-1"}}));
  Driver driver(*gather.component);
  driver.Initialize();
  lower.Initialize();
  upper.Initialize();
  ASSERT_EQ(gather.component->Inputs().size(), 2u);
  EXPECT_EQ(gather.component->Inputs()[0]->Id(), "cat-27");
  EXPECT_EQ(gather.component->Inputs()[1]->Id(), "cat-52");
  upper.Output().AddConsumer(*gather.component->Inputs()[0]);
  lower.Output().AddConsumer(*gather.component->Inputs()[1]);
  EXPECT_TRUE(driver.Validate());
  lower.Prepare();
  upper.Prepare();
  driver.Prepare();
  ITimeSpaceOutput& inflow = Output(gather, "inflow");
  EXPECT_THAT(ElementIds(inflow), ElementsAre("cat-27", "cat-52"));
  ProbeInput probe;
  inflow.AddConsumer(probe);
  const Stamp begin = At("2020-01-01T00:00Z");
  EXPECT_THAT(probe.Row(inflow, begin, begin + Hours(1)), ElementsAre(2.0, 1.0));
  const std::vector<double> second = probe.Row(inflow, begin + Hours(1), begin + Hours(2));
  EXPECT_TRUE(std::isnan(second[0]));
  EXPECT_EQ(second[1], 10.0);
  inflow.RemoveConsumer(probe);
}

TEST_F(Gather, EachInputHasTheAreaOfItsElement) {
  Write("c.geojson",
        R"({"features":[{"id":"a","properties":{"areasqkm":2},"geometry":{"type":"Point","coordinates":[1,2]}},
            {"id":"b","properties":{"areasqkm":3},"geometry":{"type":"Point","coordinates":[1,3]}}]})");
  const LoadedComponent gather =
      Make("openmi.Gather", OverTwoHours({{"elements-file", "c.geojson"}, {"asks", "instant"}}));
  gather.component->Initialize();
  const auto& input = dynamic_cast<const ITimeSpaceExchangeItem&>(*gather.component->Inputs()[1]);
  const auto& elements = dynamic_cast<const ElementSet&>(*input.SpatialDefinition());
  EXPECT_EQ(elements.ElementCount(), 1);
  EXPECT_EQ(elements.IdOf(0), "b");
  ASSERT_NE(elements.Attribute("area"), nullptr);
  EXPECT_THAT(elements.Attribute("area")->values, ElementsAre(3.0));
}

TEST_F(Gather, SaysThatItNeedsElements) {
  EXPECT_THAT(Refusal("openmi.Gather", OverTwoHours({})), AllOf(HasSubstr("elements"), HasSubstr("found none")));
}

}  // namespace
}  // namespace openmi::test
