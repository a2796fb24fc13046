// What a consumer may rely on when it asks an output, whoever else asks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "tests/support/OutputContract.hpp"
#include "tests/support/RowsContract.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/ProbeInput.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Stamp kBegin{60000.0};

std::vector<TableRow> Instants(int count) {
  std::vector<TableRow> rows;
  for (int i = 0; i < count; ++i) rows.push_back({kBegin + Hours(i), {i + 0.25, -i - 0.25}});
  return rows;
}

std::vector<TableRow> Spans(int count) {
  std::vector<TableRow> rows;
  for (int i = 0; i < count; ++i) rows.push_back({kBegin + Hours(i), {i + 0.25, -i - 0.25}, Hours(1)});
  return rows;
}

std::shared_ptr<const ElementSet> TwoElements() {
  return std::make_shared<const ElementSet>(ElementSet::IdBased("two", {"a", "b"}));
}

TableComponent Ready(std::vector<TableRow> rows) {
  return TableComponent(std::move(rows), "m3 s-1", TwoElements());
}

void Prepare(TableComponent& table) {
  table.Initialize();
  table.Prepare();
}

TEST(Exchange, ASecondQuestionThatMakesTheProviderUpdateLeavesTheFirstAnswer) {
  TableComponent table = Ready(Instants(400));
  Prepare(table);
  ProbeInput early("early"), late("late");
  table.Output().AddConsumer(early);
  table.Output().AddConsumer(late);
  const ITimeSpaceValueSet& first = early.Ask(table.Output(), kBegin + Hours(1));
  const std::vector<double> copy = ProbeInput::CopyLast(first);
  for (int hour = 2; hour < 400; ++hour) {
    // The late one promises to ask for nothing earlier; what the early one holds must stay.
    late.PromiseNothingBefore(kBegin + Hours(hour));
    EXPECT_THAT(late.Row(table.Output(), kBegin + Hours(hour)), ElementsAre(hour + 0.25, -hour - 0.25));
    ASSERT_EQ(ProbeInput::CopyLast(first), copy);
  }
  EXPECT_EQ(table.Updates(), 399);
  EXPECT_EQ(early.Row(table.Output(), kBegin + Hours(3)), (std::vector{3.25, -3.25}));
}

TEST(Exchange, TheSameHoldsForSpans) {
  TableComponent table = Ready(Spans(50));
  Prepare(table);
  ProbeInput early("early"), late("late");
  table.Output().AddConsumer(early);
  table.Output().AddConsumer(late);
  const ITimeSpaceValueSet& first = early.Ask(table.Output(), kBegin, kBegin + Hours(1));
  const ITimeSpaceValueSet& second = late.Ask(table.Output(), kBegin + Hours(48), kBegin + Hours(49));
  EXPECT_EQ(ProbeInput::CopyLast(first), (std::vector{0.25, -0.25}));
  EXPECT_EQ(ProbeInput::CopyLast(second), (std::vector{48.25, -48.25}));
}

/// Adds up two inputs that may be linked to one output.
class Adder final : public SteppingComponent {
 public:
  Adder() : SteppingComponent("adder", "PT2H") {
    earlier_ = AddInput("earlier", "m3 s-1", TwoElements());
    later_ = AddInput("later", "m3 s-1", TwoElements());
    sum_ = AddOutput("sum", "m3 s-1");
  }

 private:
  void Step(Stamp from, Stamp to) override {
    // Pull() asked for `to` already; ask again, the one for `from`, the other further on.
    earlier_.Item().Pull(from - Hours(2), from);
    const std::span<const double> first = earlier_.Values();
    later_.Item().Pull(from, to + Hours(3));
    sum_.Set(first[0] + later_.Values()[0]);
  }
  ArrayInput earlier_, later_;
  ScalarOutput sum_;
};

TEST(Exchange, TwoInputsOfOneComponentOnOneOutputGetWhatCopiesWouldGive) {
  TableComponent table = Ready(Instants(40));
  Adder adder;
  Driver driver(adder);
  driver.Set("start-time", "2023-02-25T02:00Z").Set("end-time", "2023-02-26T00:00Z");
  driver.Initialize();
  table.Initialize();
  for (IBaseInput* input : adder.Inputs()) table.Output().AddConsumer(*input);
  table.Prepare();
  driver.Prepare();
  ProbeInput probe;
  for (int hour = 4; hour <= 24; hour += 2) {
    driver.Update();
    EXPECT_EQ(probe.Value(dynamic_cast<ITimeSpaceOutput&>(*adder.Outputs()[0]), kBegin + Hours(hour)),
              (hour - 2 + 0.25) + (hour + 3 + 0.25));
  }
}

TEST(Exchange, UnregisteredQuestionsHaveAnAnswerOfTheirOwn) {
  TableComponent table = Ready(Instants(10));
  Prepare(table);
  ProbeInput registered("registered"), viewer("viewer"), other("other");
  table.Output().AddConsumer(registered);
  const ITimeSpaceValueSet& mine = registered.Ask(table.Output(), kBegin + Hours(2));
  const ITimeSpaceValueSet& shown = viewer.Ask(table.Output(), kBegin + Hours(5));
  EXPECT_EQ(ProbeInput::CopyLast(mine), (std::vector{2.25, -2.25}));
  EXPECT_EQ(ProbeInput::CopyLast(shown), (std::vector{5.25, -5.25}));
  other.Ask(table.Output(), kBegin + Hours(6));  // ends the viewer's view, and nobody else's
  EXPECT_EQ(ProbeInput::CopyLast(shown), (std::vector{6.25, -6.25}));
  EXPECT_EQ(ProbeInput::CopyLast(mine), (std::vector{2.25, -2.25}));
  EXPECT_EQ(viewer.Provider(), nullptr);
}

TEST(Exchange, AnItemWithoutTimesGetsWhatThereIsNow) {
  TableComponent table = Ready(Instants(10));
  Prepare(table);
  table.Update({});
  ProbeInput timeless;
  timeless.SetTimeless(true);
  EXPECT_EQ(ProbeInput::CopyLast(table.Output().GetValues(timeless)), (std::vector{1.25, -1.25}));
  BaseInput core("core", std::make_unique<Quantity>(Unit::Parse("1")), nullptr);
  EXPECT_EQ(ProbeInput::CopyLast(table.Output().GetValues(core)), (std::vector{1.25, -1.25}));
  EXPECT_EQ(table.Updates(), 1);
}

TEST(Exchange, SeveralTimesInOneQuestion) {
  TableComponent table = Ready(Instants(10));
  Prepare(table);
  ProbeInput probe;
  const std::vector<Time> times = {Time(kBegin), Time(kBegin + Hours(3)), Time(kBegin + Hours(7))};
  const ITimeSpaceValueSet& values = probe.Ask(table.Output(), times);
  ASSERT_EQ(values.GetIndexCount({}), 3u);
  const std::vector<std::vector<Value>> all = values.Values2D();
  EXPECT_EQ(all[0][0], Value(0.25));
  EXPECT_EQ(all[1][1], Value(-3.25));
  EXPECT_EQ(all[2][0], Value(7.25));
  EXPECT_EQ(table.Updates(), 7);  // as far as the last time, not only the first
}

TEST(Exchange, HonoursTheZoneOfTheQuestion) {
  TableComponent table = Ready(Instants(30));
  Prepare(table);
  ProbeInput local;
  local.SetOffset(5.5);
  EXPECT_EQ(local.Value(table.Output(), kBegin + Hours(9.5)), 4.25);
  local.SetOffset(-5.0);
  EXPECT_EQ(local.Value(table.Output(), kBegin + Hours(9)), 14.25);
  // What is promised in local time is meant in local time, too.
  ProbeInput consumer;
  consumer.SetOffset(-5.0);
  table.Output().AddConsumer(consumer);
  consumer.PromiseNothingBefore(kBegin + Hours(13));
  table.Update({});
  EXPECT_TRUE(SameTime(table.Output().History().End(0), kBegin + Hours(14)));
  EXPECT_EQ(consumer.Value(table.Output(), kBegin + Hours(13)), 18.25);
}

TEST(Exchange, MissingValuesArriveAsTheyLeft) {
  TableComponent table({{kBegin, {1.0, NAN}}, {kBegin + Hours(1), {NAN, -999.0}}}, "m", TwoElements());
  Prepare(table);
  ProbeInput probe;
  EXPECT_THAT(probe.Row(table.Output(), kBegin), ElementsAre(1.0, ::testing::IsNan()));
  EXPECT_THAT(probe.Row(table.Output(), kBegin + Hours(1)), ElementsAre(::testing::IsNan(), -999.0));
}

TEST(Exchange, KeepsRowsOnlyAsLongAsSomebodyMayAsk) {
  TableComponent table = Ready(Instants(200));
  Prepare(table);
  for (int i = 0; i < 50; ++i) table.Update({});
  EXPECT_LE(table.Output().History().Count(), 2u);  // nobody asks
  ProbeInput open("open");
  table.Output().AddConsumer(open);  // its horizon begins in the far past
  for (int i = 0; i < 50; ++i) table.Update({});
  EXPECT_GE(table.Output().History().Count(), 50u);
  open.PromiseNothingBefore(kBegin + Hours(95));
  table.Update({});
  EXPECT_EQ(table.Output().History().Begin(0), kBegin + Hours(95));
  table.Output().RemoveConsumer(open);
  for (int i = 0; i < 3; ++i) table.Update({});
  EXPECT_LE(table.Output().History().Count(), 2u);
}

TEST(Exchange, SaysWhatWouldHelpWhenNoRowFits) {
  TableComponent table = Ready(Instants(5));
  Prepare(table);
  ProbeInput probe("asker");
  EXPECT_THAT([&] { probe.Ask(table.Output(), kBegin + Hours(2.5)); },
              ThrowsMessage<LinkError>(AllOf(HasSubstr("table.values"), HasSubstr("'asker'"),
                                             HasSubstr("2023-02-25T02:30:00Z"), HasSubstr("'linear'"))));
  EXPECT_THAT([&] { probe.Ask(table.Output(), kBegin, kBegin + Hours(1)); },
              ThrowsMessage<LinkError>(HasSubstr("mean-over-span")));
  EXPECT_THAT([&] { probe.Ask(table.Output(), kBegin + Hours(9)); },
              ThrowsMessage<RangeError>(AllOf(HasSubstr("2023-02-25T04:00:00Z"), HasSubstr("extrapolation"))));
  EXPECT_EQ(table.Status(), LinkableComponentStatus::Done);
  EXPECT_THAT([&] { probe.Ask(table.Output(), kBegin - Hours(1)); },
              ThrowsMessage<RangeError>(HasSubstr("expected a time from 2023-02-25T0")));
  TableComponent spans = Ready(Spans(5));
  Prepare(spans);
  EXPECT_THAT([&] { probe.Ask(spans.Output(), kBegin + Hours(1)); },
              ThrowsMessage<LinkError>(AllOf(HasSubstr("spans"), HasSubstr("'previous'"))));
  TableComponent early = Ready(Instants(5));
  early.Initialize();
  EXPECT_THAT([&] { probe.Ask(early.Output(), kBegin); }, ThrowsMessage<RangeError>(HasSubstr("prepare")));
}

TEST(Exchange, AnInputHasOneProviderAndKnowsIt) {
  TableComponent one = Ready(Instants(2)), two = Ready(Instants(2));
  ProbeInput probe("probe");
  one.Output().AddConsumer(probe);
  EXPECT_EQ(probe.Provider(), &one.Output());
  EXPECT_THAT([&] { two.Output().AddConsumer(probe); },
              ThrowsMessage<LinkError>(AllOf(HasSubstr("'probe'"), HasSubstr("remove the other link"))));
  one.Output().RemoveConsumer(probe);
  EXPECT_EQ(probe.Provider(), nullptr);
  EXPECT_THROW(one.Output().RemoveConsumer(probe), LinkError);
}

TEST(Exchange, ListenersHearOfNewValuesOnce) {
  TableComponent table = Ready(Instants(4));
  int heard = 0;
  const EventSubscription subscription =
      table.Output().ItemChanged().Add([&](const ExchangeItemChangeEventArgs& event) {
        ++heard;
        EXPECT_EQ(event.exchange_item, &table.Output());
      });
  Prepare(table);
  EXPECT_EQ(heard, 1);
  table.Update({});
  EXPECT_EQ(heard, 2);
  table.Output().ItemChanged().Remove(subscription);
  table.Update({});
  EXPECT_EQ(heard, 2);
}

TEST(Exchange, ValuesShowTheNewestRowAndItsTime) {
  TableComponent table = Ready(Spans(4));
  Prepare(table);
  EXPECT_EQ(table.Output().Values().GetIndexCount({}), 0u);
  EXPECT_TRUE(table.Output().TimeSet()->Times().empty());
  table.Update({});
  EXPECT_EQ(ProbeInput::CopyLast(table.Output().Values()), (std::vector{0.25, -0.25}));
  ASSERT_EQ(table.Output().TimeSet()->Times().size(), 1u);
  EXPECT_EQ(table.Output().TimeSet()->Times()[0]->StampAsModifiedJulianDay(), kBegin.mjd);
  EXPECT_TRUE(table.Output().TimeSet()->HasDurations());
}

TEST(Exchange, AnOutputKeepsTheContractOfOutputs) {
  TableComponent table = Ready(Spans(10));
  table.Initialize();
  test::ExpectRegisters(table.Output());
  ProbeInput registered("registered"), viewer("viewer");
  table.Output().AddConsumer(registered);
  table.Prepare();
  registered.Ask(table.Output(), kBegin + Hours(3), kBegin + Hours(4));
  test::ExpectAnswers(table.Output(), registered);
  viewer.Ask(table.Output(), kBegin + Hours(5), kBegin + Hours(6));
  test::ExpectAnswers(table.Output(), viewer);
}

TEST(Exchange, AnOutputKeepsTheContractOfProvidersOfRows) {
  for (const std::vector<TableRow>& rows : {Instants(10), Spans(10)}) {
    TableComponent table = Ready(rows);
    table.Initialize();
    ProbeInput open("open");  // so that all rows are kept
    table.Output().AddConsumer(open);
    table.Prepare();
    EXPECT_EQ(test::ExpectProvidesRows(table.Output(), kBegin + Hours(4)), Advance::Reached);
    EXPECT_EQ(test::ExpectProvidesRows(table.Output(), kBegin + Hours(40)), Advance::Ended);
    test::ExpectTakesAHistory(table.Output());
    table.Output().RemoveConsumer(open);
  }
}

}  // namespace
}  // namespace openmi
