// What consumers may rely on when they share one adapted output.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "adaptors/StandardAdaptors.hpp"
#include "adaptors/time/TimeAdaptor.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "tests/timespace/MallocCount.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/items/NumericInput.hpp"
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
// A stamp near MJD 60000 resolves 0.63 microseconds: so much of an hour, where values change by 1.
constexpr double kStampError = 0.63e-6 / 3600.0;

std::vector<TableRow> Rows(int count, Days duration = {}) {
  std::vector<TableRow> rows;
  for (int i = 0; i < count; ++i) rows.push_back({kBegin + Hours(i), {i * 1.0, i * i * 1.0}, duration});
  return rows;
}

std::shared_ptr<const ElementSet> TwoElements() {
  return std::make_shared<const ElementSet>(ElementSet::IdBased("two", {"a", "b"}));
}

/// The adaptor of that id; factories take only ids they gave themselves.
std::unique_ptr<IBaseAdaptedOutput> Adapt(StandardAdaptors& factory, const std::string& id, IBaseOutput& adaptee,
                                          IBaseInput* target = nullptr) {
  for (const IIdentifiable* offered : factory.GetAvailableAdaptedOutputIds(adaptee, target)) {
    if (offered->Id() == id) return factory.CreateAdaptedOutput(*offered, adaptee, target);
  }
  throw std::runtime_error("no adaptor " + id);
}

/// A provider with one adaptor of the factory on it.
struct AdaptedTable {
  explicit AdaptedTable(std::vector<TableRow> rows, const std::string& id)
      : table(std::move(rows), "m3 s-1", TwoElements()) {
    table.Initialize();
    adapted = Adapt(factory, id, table.Output());
    output = dynamic_cast<ITimeSpaceOutput*>(adapted.get());
  }
  void Prepare() { table.Prepare(); }
  TableComponent table;
  StandardAdaptors factory;
  std::unique_ptr<IBaseAdaptedOutput> adapted;
  ITimeSpaceOutput* output = nullptr;
};

TEST(AdaptedOutput, TwoConsumersWithDifferentQuestionsGetWhatCopiesWouldGive) {
  AdaptedTable chain(Rows(300), "linear");
  ProbeInput early("early"), late("late");
  chain.output->AddConsumer(early);
  chain.output->AddConsumer(late);
  chain.Prepare();
  const ITimeSpaceValueSet& first = early.Ask(*chain.output, kBegin + Hours(1.5));
  EXPECT_EQ(ProbeInput::CopyLast(first), (std::vector{1.5, 2.5}));
  for (int hour = 2; hour < 299; ++hour) {
    late.PromiseNothingBefore(kBegin + Hours(hour));
    const std::vector<double> answer = late.Row(*chain.output, kBegin + Hours(hour + 0.25));
    ASSERT_NEAR(answer[0], hour + 0.25, 1e-6);
    ASSERT_EQ(ProbeInput::CopyLast(first), (std::vector{1.5, 2.5})) << hour;
  }
  // The early one promised nothing, so it may go back.
  EXPECT_NEAR(early.Value(*chain.output, kBegin + Hours(2.5)), 2.5, 1e-6);
}

TEST(AdaptedOutput, RowsHandedOnWithoutACopyStayToo) {
  AdaptedTable chain(Rows(300), "linear");
  ProbeInput early("early"), late("late");
  chain.output->AddConsumer(early);
  chain.output->AddConsumer(late);
  chain.Prepare();
  const ITimeSpaceValueSet& first = early.Ask(*chain.output, kBegin + Hours(3));
  early.PromiseNothingBefore(kBegin + Hours(3));
  for (int hour = 4; hour < 300; ++hour) {
    late.Ask(*chain.output, kBegin + Hours(hour));
    late.PromiseNothingBefore(kBegin + Hours(hour));
    ASSERT_EQ(ProbeInput::CopyLast(first), (std::vector{3.0, 9.0})) << hour;
  }
}

TEST(AdaptedOutput, UnregisteredQuestionsDoNotSpoilRegisteredAnswers) {
  AdaptedTable chain(Rows(20), "linear");
  ProbeInput consumer("consumer"), viewer("viewer");
  chain.output->AddConsumer(consumer);
  chain.Prepare();
  const ITimeSpaceValueSet& mine = consumer.Ask(*chain.output, kBegin + Hours(2.5));
  EXPECT_NEAR(viewer.Value(*chain.output, kBegin + Hours(7.75)), 7.75, 1e-6);
  EXPECT_NEAR(ProbeInput::CopyLast(mine)[0], 2.5, kStampError);
}

TEST(AdaptedOutput, MeansOverDifferentSpansSideBySide) {
  AdaptedTable chain(Rows(40, Hours(1)), "mean-over-span");
  ProbeInput day("day"), hours("hours");
  chain.output->AddConsumer(day);
  chain.output->AddConsumer(hours);
  chain.Prepare();
  const ITimeSpaceValueSet& three = hours.Ask(*chain.output, kBegin + Hours(3), kBegin + Hours(6));
  const ITimeSpaceValueSet& all = day.Ask(*chain.output, kBegin, kBegin + Hours(24));
  EXPECT_NEAR(ProbeInput::CopyLast(three)[0], 4.0, 24 * kStampError);
  EXPECT_NEAR(ProbeInput::CopyLast(all)[0], 11.5, 24 * kStampError);
}

TEST(AdaptedOutput, ZonesAndMissingValuesPassThrough) {
  AdaptedTable chain({{kBegin, {1.0, NAN}}, {kBegin + Hours(2), {3.0, 4.0}}, {kBegin + Hours(4), {5.0, 6.0}}},
                     "linear");
  ProbeInput local("local");
  local.SetOffset(5.5);
  chain.output->AddConsumer(local);
  chain.Prepare();
  EXPECT_THAT(local.Row(*chain.output, kBegin + Hours(6.5)),
              ElementsAre(::testing::DoubleNear(2.0, 1e-6), ::testing::IsNan()));
  EXPECT_THAT(local.Row(*chain.output, kBegin + Hours(8.5)),
              ElementsAre(::testing::DoubleNear(4.0, 1e-6), ::testing::DoubleNear(5.0, 1e-6)));
}

TEST(AdaptedOutput, SeveralTimesOfAnUnregisteredQuestion) {
  AdaptedTable chain(Rows(20), "previous");
  ProbeInput consumer("keeps rows"), viewer("viewer");
  chain.output->AddConsumer(consumer);
  chain.Prepare();
  const std::vector<Time> times = {Time(kBegin), Time(kBegin + Hours(3.5)), Time(kBegin + Hours(7.5))};
  const std::vector<std::vector<Value>> values = viewer.Ask(*chain.output, times).Values2D();
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0][0], Value(0.0));
  EXPECT_EQ(values[1][0], Value(3.0));
  EXPECT_EQ(values[2][0], Value(7.0));
}

TEST(AdaptedOutput, AnswersForTheTimesThatWereAskedWhateverIsAskedMeanwhile) {
  const std::vector<Time> one = {Time(kBegin + Hours(3))};
  const std::vector<Time> two = {Time(kBegin + Hours(2)), Time(kBegin + Hours(3))};
  const auto expect_answer = [](const std::string& id, bool is_registered, const std::vector<Time>& times) {
    SCOPED_TRACE(id + (is_registered ? ", registered, " : ", ") + std::to_string(times.size()));
    AdaptedTable chain(Rows(10), id == "none" ? "linear" : id);
    TableComponent& table = chain.table;
    ITimeSpaceOutput& output = id == "none" ? table.Output() : *chain.output;
    ProbeInput keeper("keeps rows"), asker("asker");
    output.AddConsumer(keeper);
    if (is_registered) output.AddConsumer(asker);
    chain.Prepare();
    table.Update({});
    // Each time a row is published, the asker asks for hour 1.
    int meanwhile = 0;
    const auto subscription = table.Output().ItemChanged().Add([&](const ExchangeItemChangeEventArgs&) {
      EXPECT_EQ(asker.Value(output, kBegin + Hours(1)), 1.0);
      ++meanwhile;
    });
    std::vector<double> values;
    for (const Value& value : asker.Ask(output, times).GetTimeSeriesValuesForElement(0)) {
      values.push_back(value.Number().value());
    }
    table.Output().ItemChanged().Remove(subscription);
    EXPECT_EQ(meanwhile, 2);
    EXPECT_EQ(values, times.size() == 1 ? std::vector{3.0} : (std::vector{2.0, 3.0}));
  };
  for (const std::string id : {"none", "linear", "linear-operation"}) {
    for (const bool is_registered : {false, true}) expect_answer(id, is_registered, one);
  }
  expect_answer("none", true, two);
  for (const bool is_registered : {false, true}) expect_answer("linear", is_registered, two);
}

TEST(AdaptedOutput, HasToBeInitializedBeforeItIsAsked) {
  AdaptedTable chain(Rows(3), "linear");
  ProbeInput probe;
  EXPECT_THAT([&] { probe.Ask(*chain.output, kBegin); },
              ThrowsMessage<StateError>(AllOf(HasSubstr("expected Initialize"), HasSubstr("prepare the component"))));
  EXPECT_THAT([&] { chain.adapted->Refresh(); }, ThrowsMessage<StateError>(HasSubstr("Refresh")));
}

TEST(AdaptedOutput, ALinearAdaptorTakesNoMemoryInSteadyState) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  AdaptedTable chain(Rows(6000), "linear");
  NumericInput input("input", std::make_unique<Quantity>(Unit::Parse("m3 s-1")), TwoElements(), nullptr);
  chain.output->AddConsumer(input);
  chain.Prepare();
  const auto step = [&](int hour) {
    input.Pull(kBegin + Hours(hour - 0.5), kBegin + Hours(hour + 0.5));
    input.MoveHorizon(kBegin + Hours(hour + 0.5));
  };
  for (int hour = 1; hour < 200; ++hour) step(hour);
  const std::uint64_t before = test::MallocCount();
  for (int hour = 200; hour < 5900; ++hour) step(hour);
  EXPECT_EQ(test::MallocCount() - before, 0u);
  EXPECT_NEAR(input.Row()[0], 5899.5, 1e-5);
}

/// Two reservoirs that ask each other, each through a unit conversion, so that nobody is registered where rows are.
class Reservoir final : public SteppingComponent {
 public:
  Reservoir(const std::string& id, const std::string& unit, const std::string& step) : SteppingComponent(id, step) {
    in_ = AddInput("in", unit);
    out_ = AddOutput("out", "m3 s-1", {.initial = 1.0});
  }
  std::vector<double> taken;

 private:
  void Step(Stamp, Stamp) override {
    taken.push_back(in_.Get());
    out_.Set(0.5 * out_.Get() + 1.0);
  }
  ScalarInput in_;
  ScalarOutput out_;
};

TEST(AdaptedOutput, ALoopOfLinksThroughConversionsKeepsTheQuestionsApart) {
  // A steps by the hour, B by two: while A's output answers B for two hours, A itself asks B for one.
  Reservoir a("a", "l s-1", "PT1H"), b("b", "l s-1", "PT2H");
  for (Reservoir* reservoir : {&a, &b}) {
    Driver(*reservoir).Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-01-01T08:00Z");
    reservoir->Initialize();
  }
  StandardAdaptors factory;
  std::vector<std::unique_ptr<IBaseAdaptedOutput>> adapted;
  const auto link = [&](Reservoir& from, Reservoir& to) {
    adapted.push_back(Adapt(factory, "linear", *from.Outputs()[0]));
    adapted.push_back(factory.CreateUnitConversion(*adapted.back(), *to.Inputs()[0]));
    adapted.back()->AddConsumer(*to.Inputs()[0]);
  };
  link(a, b);
  link(b, a);
  a.Prepare();
  b.Prepare();
  for (int step = 0; step < 4; ++step) b.Update({});
  // B got A's values at 2, 4, 6 and 8 h: 2 - 2^-n after n of A's steps.
  EXPECT_THAT(b.taken, ElementsAre(1750.0, 1937.5, 1984.375, 1996.09375));
}

TEST(AdaptedOutput, MappedRowsFollowARestoredState) {
  TableComponent table(Rows(10), "m3 s-1", TwoElements());
  table.Initialize();
  StandardAdaptors factory;
  // A time adaptor above a conversion reads the rows that the conversion keeps.
  ProbeInput target("target", "l s-1");
  const auto litres = factory.CreateUnitConversion(table.Output(), target);
  const auto linear = Adapt(factory, "linear", *litres);
  auto& output = dynamic_cast<ITimeSpaceOutput&>(*linear);
  output.AddConsumer(target);
  table.Prepare();
  EXPECT_NEAR(target.Value(output, kBegin + Hours(2.5)), 2500.0, 1e-3);
  const IIdentifiable& kept = table.KeepCurrentState();
  EXPECT_NEAR(target.Value(output, kBegin + Hours(6.5)), 6500.0, 1e-3);
  table.RestoreState(kept);
  for (const double hour : {2.5, 3.5, 4.0, 6.5}) {
    EXPECT_NEAR(target.Value(output, kBegin + Hours(hour)), 1000.0 * hour, 1e-3) << hour;
  }
}

}  // namespace
}  // namespace openmi
