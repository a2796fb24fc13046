// Inputs that the program around a run feeds.

#include <cmath>

#include "composition/check/CheckComposition.hpp"
#include "composition/control/RunDesk.hpp"
#include "composition/embed/OutputView.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/timespace/MallocCount.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr double kHour = 1.0 / 24.0;

/// A composition of which some inputs are supplied.
class SuppliedRun {
 public:
  SuppliedRun(const std::string& body, const std::vector<std::pair<ItemSpec, SuppliedBetween>>& inputs) {
    const std::string text =
        "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"made\">\n" + body + "\n</Composition>\n";
    CompositionFile file = ReadCompositionText(text, "made.xml", problems_);
    for (ComponentSpec& component : file.components) component.assembly.clear();
    composition_ = std::make_unique<Composition>(std::move(file));
    composition_->Load(problems_);
    composition_->Connect(problems_);
    for (const auto& [item, between] : inputs) composition_->SupplyInput(item, between);
    CheckComposition(*composition_, problems_);
    for (const Problem& problem : problems_) {
      if (problem.severity == Problem::Error) ADD_FAILURE() << FormatProblem(problem);
    }
    RunOptions options;
    options.write_results = false;
    run_ = std::make_unique<CompositionRun>(*composition_, problems_, options);
  }
  CompositionRun& operator*() { return *run_; }
  CompositionRun* operator->() { return run_.get(); }
  Composition& Model() { return *composition_; }
  Sink& TheSink(const std::string& id) {
    return dynamic_cast<Sink&>(composition_->Instances().at(*composition_->IndexOf(id)).Component());
  }

 private:
  Problems problems_;
  std::unique_ptr<Composition> composition_;
  std::unique_ptr<CompositionRun> run_;
};

void Give(CompositionRun& run, double hours, double value, double duration_hours = 0.0) {
  run.Supply("s.in", Stamp{kDayOne + hours * kHour}, Hours(duration_hours), std::vector<double>{value});
}

std::string SinkThatAsks(const std::string& asks, const std::string& more = {}) {
  return ComponentXml("s", "Sink", ArgumentXml("asks", asks) + more) + RunXml();
}

TEST(SuppliedInputs, HoldThePreviousValueAtInstants) {
  SuppliedRun run(SinkThatAsks("instant"), {{{"s", "in"}, SuppliedBetween::Previous}});
  Give(*run, 0.0, 5.0);
  run->Begin();
  ASSERT_TRUE(run->AdvanceTo(Stamp{kDayOne + 2 * kHour}));
  Give(*run, 2.5, 7.0);
  Give(*run, 4.0, 9.0);
  run->AdvanceTo(Stamp{kDayOne + 6 * kHour});
  const auto& rows = run.TheSink("s").rows;
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0][0], 5.0);
  EXPECT_EQ(rows[1][0], 5.0);
  EXPECT_EQ(rows[2][0], 7.0);
  EXPECT_EQ(rows[3][0], 9.0);
  EXPECT_EQ(rows[5][0], 9.0) << "holds beyond the last one";
}

TEST(SuppliedInputs, GiveMeansOfWhatHoldsOverSpans) {
  SuppliedRun run(SinkThatAsks("span"), {{{"s", "in"}, SuppliedBetween::Previous}});
  Give(*run, 0.0, 4.0);
  Give(*run, 1.25, 8.0);
  run->Begin();
  run->AdvanceTo(Stamp{kDayOne + 3 * kHour});
  const auto& rows = run.TheSink("s").rows;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0][0], 4.0);
  EXPECT_NEAR(rows[1][0], 0.25 * 4.0 + 0.75 * 8.0, 1e-9);
  EXPECT_EQ(rows[2][0], 8.0);
}

TEST(SuppliedInputs, PassSpansOnAsTheyAre) {
  SuppliedRun run(SinkThatAsks("span"), {{{"s", "in"}, SuppliedBetween::Previous}});
  for (int hour = 0; hour < 24; ++hour) Give(*run, hour, 0.1 * hour, 1.0);
  run->Begin();
  while (run->Advance()) {
  }
  const auto& rows = run.TheSink("s").rows;
  ASSERT_EQ(rows.size(), 24U);
  for (int hour = 0; hour < 24; ++hour) EXPECT_EQ(rows[static_cast<std::size_t>(hour)][0], 0.1 * hour) << hour;
}

TEST(SuppliedInputs, GoOnLinesWhereAsked) {
  SuppliedRun instants(SinkThatAsks("instant"), {{{"s", "in"}, SuppliedBetween::Linear}});
  Give(*instants, 0.0, 0.0);
  Give(*instants, 4.0, 8.0);
  instants->Begin();
  instants->AdvanceTo(Stamp{kDayOne + 4 * kHour});
  ASSERT_EQ(instants.TheSink("s").rows.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(instants.TheSink("s").rows[i][0], 2.0 * (static_cast<double>(i) + 1.0), 1e-8);

  SuppliedRun spans(SinkThatAsks("span"), {{{"s", "in"}, SuppliedBetween::Linear}});
  Give(*spans, 0.0, 0.0);
  Give(*spans, 1.5, 3.0);
  Give(*spans, 2.5, 1.0);
  spans->Begin();
  spans->AdvanceTo(Stamp{kDayOne + 2 * kHour});
  ASSERT_EQ(spans.TheSink("s").rows.size(), 2U);
  EXPECT_NEAR(spans.TheSink("s").rows[0][0], 1.0, 1e-8);
  EXPECT_NEAR(spans.TheSink("s").rows[1][0], 0.5 * 2.5 + 0.5 * 2.5, 1e-8) << "2..3 and 3..2";
}

TEST(SuppliedInputs, WithoutAValueForTheTimeEndTheRunWithAReason) {
  SuppliedRun none(SinkThatAsks("instant"), {{{"s", "in"}, SuppliedBetween::Previous}});
  none->Begin();
  none->AdvanceTo(Stamp{kDayOne + 1});
  EXPECT_THAT(ErrorsOf(none->End()), HasSubstr("expected supplied values for"));
  SuppliedRun late(SinkThatAsks("instant"), {{{"s", "in"}, SuppliedBetween::Linear}});
  Give(*late, 0.0, 1.0);
  late->Begin();
  late->AdvanceTo(Stamp{kDayOne + 1});
  EXPECT_THAT(ErrorsOf(late->End()), HasSubstr("expected supplied values around 2015-12-01T01:00:00Z"));
}

TEST(SuppliedInputs, RefuseWhatDoesNotFit) {
  SuppliedRun run(ComponentXml("s", "Sink", ArgumentXml("elements", "p q")) + ComponentXml("t", "Sink") +
                      ComponentXml("rain", "Source") + LinkXml("rain.out", "t.in", AdaptorXml("mean-over-span")) +
                      RunXml(),
                  {{{"s", "in"}, SuppliedBetween::Linear}});
  Composition& model = run.Model();
  EXPECT_THAT(
      [&] {
        model.SupplyInput({"t", "in"}, SuppliedBetween::Linear);
      },
      ThrowsMessage<LinkError>(HasSubstr("linked already")));
  EXPECT_THAT(
      [&] {
        model.SupplyInput({"s", "in"}, SuppliedBetween::Linear);
      },
      ThrowsMessage<LinkError>(HasSubstr("linked already")));
  EXPECT_THAT(
      [&] {
        model.SupplyInput({"s", "inn"}, SuppliedBetween::Linear);
      },
      ThrowsMessage<ArgumentError>(HasSubstr("found 'inn'")));
  EXPECT_THAT(
      [&] {
        model.SupplyInput({"x", "in"}, SuppliedBetween::Linear);
      },
      ThrowsMessage<ArgumentError>(HasSubstr("found 'x'")));
  const std::vector<double> row = {1.0, 2.0};
  const auto give = [&](const char* item, double mjd, double days, std::span<const double> values) {
    return [&run, item, mjd, days, values] { run->Supply(item, Stamp{mjd}, Days{days}, values); };
  };
  EXPECT_THAT(give("t.in", kDayOne, 0.0, row), ThrowsMessage<ArgumentError>(HasSubstr("found 't.in'")));
  EXPECT_THAT(give("s.in", kDayOne, 0.0, {row.data(), 1}),
              ThrowsMessage<RangeError>(HasSubstr("expected 2 values, found 1")));
  EXPECT_THAT(give("s.in", NAN, 0.0, row), ThrowsMessage<RangeError>(HasSubstr("expected a finite time")));
  EXPECT_THAT(give("s.in", kDayOne, -1.0, row), ThrowsMessage<RangeError>(HasSubstr("expected a finite time")));
  EXPECT_THAT(give("s.in", kDayOne, 1.0, row), ThrowsMessage<RangeError>(HasSubstr("expected a value at an instant")));
  run->Supply("s.in", Stamp{kDayOne + 1.0}, Days{}, row);
  EXPECT_THAT(give("s.in", kDayOne, 0.0, row), ThrowsMessage<RangeError>(HasSubstr("expected values that follow")));
}

TEST(SuppliedInputs, PassMissingValuesOn) {
  SuppliedRun run(SinkThatAsks("span"), {{{"s", "in"}, SuppliedBetween::Previous}});
  Give(*run, 0.0, 4.0);
  Give(*run, 0.5, NAN);
  Give(*run, 1.0, 6.0);
  run->Begin();
  run->AdvanceTo(Stamp{kDayOne + 2 * kHour});
  EXPECT_TRUE(std::isnan(run.TheSink("s").rows.at(0)[0]));
  EXPECT_EQ(run.TheSink("s").rows.at(1)[0], 6.0);
}

TEST(SuppliedInputs, CanBeOverriddenAndFreed) {
  SuppliedRun run(SinkThatAsks("instant"), {{{"s", "in"}, SuppliedBetween::Previous}});
  RunDesk desk(*run);
  Give(*run, 0.0, 4.0);
  run->Begin();
  desk.Override("s.in", std::vector<double>{1.5});
  EXPECT_TRUE(desk.Values("s.in").is_overridden);
  run->AdvanceTo(Stamp{kDayOne + kHour});
  desk.Free("s.in");
  run->AdvanceTo(Stamp{kDayOne + 2 * kHour});
  EXPECT_EQ(run.TheSink("s").rows.at(0)[0], 1.5);
  EXPECT_EQ(run.TheSink("s").rows.at(1)[0], 4.0);
}

/// What a master does with a run at each of its steps: a row in, a step, a row out.
TEST(SuppliedInputs, AreFedAndReadWithoutAllocations) {
  SuppliedRun run(ComponentXml("r", "Relay", ArgumentXml("moments", "instant")) + RunXml("2016-12-01T00:00Z"),
                  {{{"r", "in"}, SuppliedBetween::Previous}});
  OutputView out(RunDesk(*run).ProxyOf("r.out"));
  EXPECT_TRUE(out.Latest().values.empty());
  double given = 1.0;
  std::uint64_t hours = 0;
  const auto exchange = [&] {
    run->Supply("r.in", Stamp{kDayOne + static_cast<double>(hours++) * kHour}, Days{}, {&given, 1});
    run->AdvanceTo(Stamp{kDayOne + static_cast<double>(hours) * kHour});
    given = 0.25 * out.Latest().values[0];
  };
  run->Supply("r.in", Stamp{kDayOne}, Days{}, {&given, 1});
  run->Begin();
  EXPECT_EQ(out.Latest().values[0], 3.0);
  EXPECT_EQ(out.Latest().begin.mjd, kDayOne);
  for (int i = 0; i < 200; ++i) exchange();
  // The relay of the tests writes down what it got, which takes room now and then: fewer than one in eight steps.
  const std::uint64_t before = test::MallocCount();
  for (int i = 0; i < 4000; ++i) exchange();
  EXPECT_LE(test::MallocCount() - before, 16U);
  EXPECT_NEAR(out.Latest().values[0], 1.0 / (1.0 - 0.125), 1e-9) << "y = 0.5 (0.25 y) + 1";
}

}  // namespace
}  // namespace openmi::testing
