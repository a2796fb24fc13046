#include <gtest/gtest.h>

#include <cmath>

#include "timespace/testing/ProbeInput.hpp"
#include "timespace/testing/TableComponent.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

TEST(TimeSet, AnUnboundedHorizonHasAnEnd) {
  const TimeSet times;
  EXPECT_EQ(times.TimeHorizon().StampAsModifiedJulianDay(), -INFINITY);
  EXPECT_EQ(times.TimeHorizon().DurationInDays(), INFINITY);
  EXPECT_EQ(EndOf(times.TimeHorizon()), kFarFuture);  // not the NaN that a sum would be
}

TEST(TimeSet, HorizonsOfEveryKind) {
  TimeSet times;
  times.SetHorizon(Stamp{60000.0}, kFarFuture);
  EXPECT_EQ(times.TimeHorizon().DurationInDays(), INFINITY);
  EXPECT_EQ(EndOf(times.TimeHorizon()), kFarFuture);
  times.SetHorizon(Stamp{60000.0}, Stamp{60002.5});
  EXPECT_EQ(times.TimeHorizon().DurationInDays(), 2.5);
  times.MoveHorizonBegin(Stamp{60001.0});
  EXPECT_EQ(times.TimeHorizon().StampAsModifiedJulianDay(), 60001.0);
  EXPECT_EQ(EndOf(times.TimeHorizon()), Stamp{60002.5});
  times.MoveHorizonBegin(kFarPast);
  EXPECT_EQ(times.TimeHorizon().StampAsModifiedJulianDay(), -INFINITY);
}

TEST(TimeSet, ACopyHasTimesOfItsOwn) {
  TimeSet times(true);
  times.SetOffsetFromUtcInHours(-3.5);
  times.SetSingle(Stamp{60000.0}, Hours(1));
  const TimeSet copy = times;
  times.SetSingle(Stamp{60001.0}, Hours(2));
  ASSERT_EQ(copy.Times().size(), 1u);
  EXPECT_EQ(copy.Times()[0]->StampAsModifiedJulianDay(), 60000.0);
  EXPECT_TRUE(copy.HasDurations());
  EXPECT_EQ(copy.OffsetFromUtcInHours(), -3.5);
}

TEST(TimeSet, OutputsWithoutAnEndHaveAnInfiniteHorizonAndNeverBreakAnAnswer) {
  TableComponent table({{Stamp{60000.0}, {1.0}}, {Stamp{60001.0}, {2.0}}});
  table.Initialize();
  EXPECT_EQ(EndOf(table.Output().TimeSet()->TimeHorizon()), Stamp{60001.0});
  ProbeInput probe;
  EXPECT_EQ(probe.EarliestNeeded(), kFarPast);
  probe.SetOffset(2.0);
  EXPECT_EQ(probe.EarliestNeeded(), kFarPast);  // minus infinity, whatever the zone
  table.Output().AddConsumer(probe);
  table.Prepare();
  EXPECT_EQ(probe.Value(table.Output(), Stamp{60000.0} + Hours(2)), 1.0);
}

}  // namespace
}  // namespace openmi
