#include "composition/report/LinkSample.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::ElementsAre;

TEST(LinkSample, HearsBothEndsOfALink) {
  Made made(Comp("a", "Source", Arg("gives", "instant") + Arg("elements", "x y")) +
            Comp("s", "Sink", Arg("asks", "span") + Arg("elements", "x y")) +
            Lnk("a.out", "s.in", Adapt("mean-over-span")) + RunFor());
  ASSERT_EQ(made.Text(), "");
  const LinkSample sample = SampleLink(*made.composition, made.composition->Links().at(0), 5);
  EXPECT_THAT(sample.adaptors, ElementsAre("mean-over-span"));
  EXPECT_EQ(sample.source.item, "a.out");
  EXPECT_EQ(sample.target.item, "s.in");
  EXPECT_EQ(sample.target.unit, "m3 s-1");
  EXPECT_THAT(sample.source.elements, ElementsAre("x", "y"));
  ASSERT_EQ(sample.target.rows.size(), 5U);  // no further than it had to
  ASSERT_GE(sample.source.rows.size(), 6U);
  for (std::size_t i = 0; i < sample.target.rows.size(); ++i) {
    const LinkSample::Row& row = sample.target.rows[i];
    EXPECT_GT(row.duration.count, 0.0);
    EXPECT_EQ(sample.source.rows[i].duration.count, 0.0);
    ASSERT_EQ(row.values.size(), 2U);
    EXPECT_NEAR(row.values[1], 0.5 * (sample.source.rows[i].values[1] + sample.source.rows[i + 1].values[1]), 1e-9);
  }
  EXPECT_EQ(made.Get<Sink>("s").Status(), LinkableComponentStatus::Finished);
}

}  // namespace
}  // namespace openmi::testing
