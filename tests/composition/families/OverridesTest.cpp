// Fixed values in the place of what links deliver.

#include "composition/run/Overrides.hpp"
#include "tests/composition/families/FamilyFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string TwoSinks(const SwapRun& swap) {
  return swap.Solver("a") + ComponentXml("s", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
         ComponentXml("t", "Sink", ArgumentXml("unit", "1") + ArgumentXml("asks", "instant")) +
         LinkXml("a.out", "s.in") + LinkXml("a.out", "t.in") + RunXml();
}

TEST(Overrides, HoldUntilTheyAreFreed) {
  SwapRun swap;
  swap.Begin(TwoSinks(swap));
  Overrides overrides(*swap.Model().composition);
  const double fixed = -7.5;
  swap.RunTo(4);
  overrides.Set({"s", "in"}, std::span(&fixed, 1));
  ASSERT_EQ(overrides.All().size(), 1U);
  EXPECT_EQ(overrides.All()[0].row, std::vector<double>{-7.5});
  swap.RunTo(6);
  swap.Run().Disengage("a");  // an override outlives the absence of what it stands for
  swap.RunTo(8);
  swap.Run().Engage("a");
  swap.RunTo(10);
  overrides.Free({"s", "in"});
  EXPECT_TRUE(overrides.All().empty());
  ASSERT_THAT(swap.End(), IsEmpty());
  const Sink& s = swap.TheSink("s");
  const Sink& t = swap.TheSink("t");
  ASSERT_EQ(s.rows.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i) {
    if (i >= 4 && i < 10) {
      EXPECT_EQ(Single(s, i), -7.5) << i;
    } else {
      EXPECT_EQ(s.rows[i], t.rows[i]) << i;
    }
  }
}

TEST(Overrides, OfAnOutputMeanAllItsLinks) {
  SwapRun swap;
  swap.Begin(TwoSinks(swap));
  Overrides overrides(*swap.Model().composition);
  const double fixed = 4.0;
  overrides.Set({"a", "out"}, std::span(&fixed, 1));
  EXPECT_EQ(overrides.All().size(), 2U);
  ASSERT_THAT(swap.End(), IsEmpty());
  EXPECT_EQ(Single(swap.TheSink("s"), 5), 4.0);
  EXPECT_EQ(Single(swap.TheSink("t"), 23), 4.0);
}

TEST(Overrides, RefuseWhatDoesNotFit) {
  SwapRun swap;
  swap.Begin(TwoSinks(swap));
  Overrides overrides(*swap.Model().composition);
  const std::vector<double> two = {1.0, 2.0};
  EXPECT_THAT(
      [&] {
        overrides.Set({"s", "in"}, two);
      },
      ::testing::ThrowsMessage<RangeError>(HasSubstr("expected 1 value, found 2")));
  EXPECT_THAT([&] { overrides.Set({"s", "inn"}, two); }, ::testing::ThrowsMessage<ArgumentError>(HasSubstr("'s.in'")));
  EXPECT_TRUE(overrides.All().empty());
  EXPECT_THAT(swap.End(), IsEmpty());
}

}  // namespace
}  // namespace openmi::testing
