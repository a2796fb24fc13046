// Components that know the standard's interfaces and nothing of ours.

#include <cmath>

#include "openmi/sdk/InputOf.hpp"
#include "tests/composition/run/ForeignSeries.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "timespace/times/TimeSet.hpp"

OPENMI_EXPORT_COMPONENT_AS("test.ForeignSeries", foreign::Series)
OPENMI_EXPORT_COMPONENT_AS("test.Foreign", foreign::Component)

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Takes words; remembers the first of each answer.
class WordSink final : public SteppingComponent {
 public:
  WordSink() : SteppingComponent("word-sink") { input_ = &TakeInput(std::make_unique<Input>(this)); }
  std::vector<std::string> words;

 private:
  class Input final : public InputOf<ITimeSpaceInput> {
   public:
    explicit Input(IBaseLinkableComponent* component) : InputOf("in", std::make_unique<foreign::Word>(), component) {}
    const ITimeSpaceValueSet* Values() const override { return values_; }
    void SetValues(const IBaseValueSet* values) override { values_ = dynamic_cast<const ITimeSpaceValueSet*>(values); }
    const openmi::ITimeSet* TimeSet() const override { return &times; }
    const ISpatialDefinition* SpatialDefinition() const override { return &places_; }
    openmi::TimeSet times{false};

   private:
    const ITimeSpaceValueSet* values_ = nullptr;
    foreign::Places places_;
  };
  void Step(Stamp, Stamp to) override {
    input_->times.SetSingle(to);
    input_->SetValues(&input_->Provider()->GetValues(*input_));
    words.push_back(*input_->Values()->GetValue(0, 0).As<std::string>());
  }
  Input* input_ = nullptr;
};

OPENMI_EXPORT_COMPONENT_AS("test.WordSink", WordSink)

std::string HourlySink(const std::string& more = {}) {
  return ComponentXml("s", "Sink", ArgumentXml("asks", "instant") + ArgumentXml("elements", "x y") + more);
}

class ForeignProvider : public ::testing::TestWithParam<RunMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, ForeignProvider, ::testing::Values(RunMode::Pull, RunMode::Step));

TEST_P(ForeignProvider, RowsAreCopiedOffsetAndSentinelHonoured) {
  Made made(ComponentXml("f", "ForeignSeries") + HourlySink() + LinkXml("f.flow", "s.in") +
            "<Observe Item=\"f.flow\"/>" + RunXml());
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(GetParam());
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  const auto& rows = made.Get<Sink>("s").rows;
  ASSERT_EQ(rows.size(), 24U);
  EXPECT_THAT(rows[0], ElementsAre(1.0, 10.0));  // local 20:00 the day before and an hour is 01:00 UTC
  EXPECT_THAT(rows[1], ElementsAre(2.0, 20.0));
  EXPECT_THAT(rows[23], ElementsAre(24.0, 240.0));
  ASSERT_EQ(record.series.size(), 1U);
  ASSERT_EQ(record.series[0].times.size(), 25U);
  EXPECT_NEAR(record.series[0].times[0], kDayOne, 1e-9);
  EXPECT_NEAR(record.series[0].times[24], kDayOne + 1.0, 1e-9);
  EXPECT_TRUE(std::isnan(record.series[0].values[6]));  // -999 at hour 3
  EXPECT_EQ(record.series[0].values[7], 30.0);
}

TEST_P(ForeignProvider, OurAdaptorsStandOnIt) {
  Made made(ComponentXml("f", "ForeignSeries") +
            HourlySink(ArgumentXml("time-step", "PT30M") + ArgumentXml("unit", "L s-1")) +
            LinkXml("f.flow", "s.in", AdaptorXml("linear-operation", ArgumentXml("b", "1")) + AdaptorXml("linear")) +
            RunXml());
  ASSERT_THAT(made.Text(), IsEmpty());
  ASSERT_THAT(ErrorsOf(made.Run(GetParam())), IsEmpty());
  const auto& rows = made.Get<Sink>("s").rows;
  ASSERT_EQ(rows.size(), 48U);
  EXPECT_NEAR(rows[0][1], 6000.0, 1e-6);
  EXPECT_NEAR(rows[2][0], 2500.0, 1e-6);
  EXPECT_TRUE(std::isnan(rows[4][0])) << rows[4][0];  // half past two: half of it is missing
  EXPECT_TRUE(std::isnan(rows[5][0])) << rows[5][0];
  EXPECT_NEAR(rows[5][1], 31000.0, 1e-6);
  EXPECT_NEAR(rows[8][0], 5500.0, 1e-6);
}

TEST_P(ForeignProvider, WordsPassThrough) {
  Made made(ComponentXml("f", "ForeignSeries") + ComponentXml("w", "WordSink") + HourlySink() +
            LinkXml("f.word", "w.in") + LinkXml("f.flow", "s.in") + RunXml());
  ASSERT_THAT(made.Text(), IsEmpty());
  ASSERT_THAT(ErrorsOf(made.Run(GetParam())), IsEmpty());
  const auto& words = made.Get<WordSink>("w").words;
  ASSERT_EQ(words.size(), 24U);
  EXPECT_EQ(words.back(), "hour 24");
}

TEST_P(ForeignProvider, WhatHasNoTimesHolds) {
  Made made(ComponentXml("f", "ForeignSeries") + HourlySink() + LinkXml("f.height", "s.in") + RunXml());
  ASSERT_THAT(made.Text(), IsEmpty());
  ASSERT_THAT(ErrorsOf(made.Run(GetParam())), IsEmpty());
  for (const auto& row : made.Get<Sink>("s").rows) EXPECT_THAT(row, ElementsAre(120.5, 98.25));
  EXPECT_EQ(made.Get<Sink>("s").rows.size(), 24U);
}

TEST(ForeignSeries, WhatHasNoTimesIsObservedWithAWarning) {
  Made made(ComponentXml("f", "ForeignSeries") + HourlySink() + LinkXml("f.height", "s.in") +
            "<Observe Item=\"f.height\"/><Observe Item=\"f.flow\"/>" + RunXml());
  EXPECT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(made.Text(Problem::Warning),
              AllOf(HasSubstr("f.height: expected an item with times to observe, found one without"),
                    Not(HasSubstr("f.flow"))));
  EXPECT_THAT(made.Run(RunMode::Pull).series.at(0).times, IsEmpty());
}

TEST_P(ForeignProvider, IsATrigger) {
  Made made(R"(
      <Component Id="f" Type="test.ForeignSeries" Assembly="here"/>
      <Observe Item="f.flow"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-01T06:00Z"/>
    )");
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(GetParam());
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_TRUE(record.is_complete);
  EXPECT_EQ(record.series.at(0).times.size(), 7U);
}

TEST_P(ForeignProvider, LinksWithoutTimesOrPlaces) {
  // Core interfaces only: outflow = 2 * steps, then three times that.
  Made made(R"(
      <Component Id="a" Type="test.Foreign" Assembly="here"/>
      <Component Id="b" Type="test.Foreign" Assembly="here">
        <Argument Key="factor" Value="3"/>
      </Component>
      <Link From="a.outflow" To="b.inflow"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(GetParam());
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_TRUE(record.is_complete);
  const std::size_t first[] = {0};
  // The last step of b may see a's last or a's last but one; both end Done after ten.
  const auto& outputs = made.composition->Instances()[1].Component();
  EXPECT_EQ(outputs.Status(), LinkableComponentStatus::Finished);
  static_cast<void>(first);
}

TEST_P(ForeignProvider, LinksWithoutTimesBesideTimedOnes) {
  Made made(R"(
      <Component Id="a" Type="test.Foreign" Assembly="here"/>
      <Component Id="b" Type="test.Foreign" Assembly="here"/>
      <Link From="a.outflow" To="b.inflow"/>
      <Component Id="p" Type="test.Source" Assembly="here"/>
      <Component Id="s" Type="test.Sink" Assembly="here"/>
      <Link From="p.out" To="s.in"/>
      <Run From="2015-12-01T00:00Z" To="2015-12-01T05:00Z"/>
    )");
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run(GetParam());
  EXPECT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_TRUE(record.is_complete);
  EXPECT_EQ(made.Get<Sink>("s").rows.size(), 5U);
}

TEST(ForeignLink, WordsAndCategoriesAreNoNumbers) {
  Made words(ComponentXml("f", "ForeignSeries") + HourlySink() + LinkXml("f.word", "s.in") + RunXml());
  EXPECT_THAT(words.Text(), HasSubstr("link f.word -> s.in: expected values of type double, found type string"));
  Made soil(ComponentXml("f", "ForeignSeries") + HourlySink() + LinkXml("f.soil", "s.in") + RunXml());
  EXPECT_THAT(soil.Text(), HasSubstr("expected two quantities or two qualities, found one of each; put an adaptor from "
                                     "categories to numbers on the link"));
}

TEST(ForeignLink, TakesNoAdaptorsWithoutTimes) {
  Made made(R"(
      <Component Id="a" Type="test.Foreign" Assembly="here"/>
      <Component Id="b" Type="test.Foreign" Assembly="here"/>
      <Link From="a.outflow" To="b.inflow">
        <Adaptor Id="linear"/>
      </Link>
      <Run From="2015-12-01T00:00Z" To="2015-12-02T00:00Z"/>
    )");
  EXPECT_THAT(made.Text(), HasSubstr("expected no adaptors on a link without times and places"));
}

}  // namespace
}  // namespace openmi::testing
