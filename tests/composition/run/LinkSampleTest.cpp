#include "composition/report/LinkSample.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::ElementsAre;

TEST(LinkSample, HearsBothEndsOfALink) {
  Made made(R"(
      <Component Id="a" Type="test.Source" Assembly="here">
        <Argument Key="gives" Value="instant"/>
        <Argument Key="elements" Value="x y"/>
      </Component>
      <Component Id="s" Type="test.Sink" Assembly="here">
        <Argument Key="asks" Value="span"/>
        <Argument Key="elements" Value="x y"/>
      </Component>
      <Link From="a.out" To="s.in">
        <Adaptor Id="mean-over-span"/>
      </Link>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
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
