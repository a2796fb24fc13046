// Runs pulled and stepped, with and without loops of links.

#include <cmath>
#include <cstring>

#include "composition/run/RunLoop.hpp"
#include "tests/composition/run/RunFixture.hpp"
#include "tests/support/SameBits.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Branches() {
  return Comp("a", "Source", Arg("time-step", "PT20M")) + Comp("b", "Source", Arg("time-step", "PT1H")) +
         Comp("t1", "Tank", Arg("time-step", "PT30M")) + Comp("t2", "Tank", Arg("time-step", "PT45M")) +
         Comp("s", "Sink", Arg("time-step", "PT2H")) + Lnk("a.out", "t1.inflow", Adapt("mean-over-span")) +
         Lnk("t1.outflow", "t2.inflow", Adapt("mean-over-span")) + Lnk("t2.outflow", "s.in", Adapt("mean-over-span")) +
         Comp("r", "Sink") + Lnk("b.out", "r.in") +
         "<Observe Item=\"t1.outflow\"/><Observe Item=\"t2.outflow\"/><Observe Item=\"b.out\"/>" + RunFor();
}

TEST(Chain, PulledAndSteppedAreTheSameBitByBitWithoutALoop) {
  Made pulled(Branches());
  ASSERT_THAT(pulled.Text(), IsEmpty());
  const RunRecord pull = pulled.Run(RunMode::Pull);
  Made stepped(Branches());
  const RunRecord step = stepped.Run(RunMode::Step);
  ASSERT_THAT(ErrorsOf(pull) + ErrorsOf(step), IsEmpty());
  EXPECT_TRUE(pull.is_complete);
  EXPECT_TRUE(step.is_complete);
  ASSERT_EQ(pull.series.size(), 3U);
  for (std::size_t i = 0; i < pull.series.size(); ++i) {
    EXPECT_GT(pull.series[i].times.size(), 20U);
    EXPECT_TRUE(SameBits(pull.series[i].times, step.series[i].times)) << i;
    EXPECT_TRUE(SameBits(pull.series[i].values, step.series[i].values)) << i;
  }
  const auto& rows = pulled.Get<Sink>("s").rows;
  ASSERT_EQ(rows.size(), 12U);
  EXPECT_EQ(rows, stepped.Get<Sink>("s").rows);
  EXPECT_EQ(pulled.Get<Sink>("r").rows.size(), 24U);
}

TEST(Chain, AConsumerGetsWhatTheProviderComputed) {
  Made made(Comp("a", "Source") + Comp("s", "Sink") + Lnk("a.out", "s.in") + RunFor());
  ASSERT_THAT(made.Text(), IsEmpty());
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  const Sink& sink = made.Get<Sink>("s");
  ASSERT_EQ(sink.rows.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_EQ(sink.rows[i].at(0), TestValue(static_cast<std::int64_t>(i) + 1, 0));
    EXPECT_NEAR(sink.times[i], kDayOne + static_cast<double>(i + 1) / 24.0, 1e-10);
  }
  ASSERT_EQ(record.timings.size(), 2U);
  EXPECT_EQ(record.timings[0].updates, 24U);
  EXPECT_EQ(record.timings[1].updates, 24U);
}

TEST(Chain, TheHalfHourOfAProviderThatLooksFurtherIsUsed) {
  // Instants every 6 hours, asked hourly through linear: hand-computed.
  Made made(Comp("a", "Source", Arg("gives", "instant") + Arg("time-step", "PT6H")) +
            Comp("s", "Sink", Arg("asks", "instant")) + Lnk("a.out", "s.in", Adapt("linear")) + RunFor());
  ASSERT_THAT(made.Text(), IsEmpty());
  ASSERT_THAT(ErrorsOf(made.Run()), IsEmpty());
  const Sink& sink = made.Get<Sink>("s");
  ASSERT_EQ(sink.rows.size(), 24U);
  for (int hour = 1; hour <= 24; ++hour) {
    const int before = (hour - 1) / 6;
    const double weight = (hour - 6 * before) / 6.0;
    const double expected = (1.0 - weight) * TestValue(before, 0) + weight * TestValue(before + 1, 0);
    EXPECT_NEAR(sink.rows[static_cast<std::size_t>(hour - 1)][0], expected, 1e-9) << hour;
  }
}

// x = factor * y(last) + add: which of the two knows the other's newest value depends on who goes first.
std::string Loop(int members) {
  std::string text;
  for (int i = 0; i < members; ++i) {
    text += Comp("m" + std::to_string(i), "Relay",
                 Arg("add", std::to_string(i + 1)) + Arg("initial", std::to_string(10 * (i + 1))));
  }
  for (int i = 0; i < members; ++i) {
    text += Lnk("m" + std::to_string(i) + ".out", "m" + std::to_string((i + 1) % members) + ".in");
  }
  return text + "<Observe Item=\"m0.out\"/><Observe Item=\"m1.out\"/>" + RunFor("2015-12-01T12:00Z");
}

TEST(Loops, OfTwoAnswersWithTheLastValue) {
  Made made(Loop(2));
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(made.Text(Problem::Note), HasSubstr("loop of links: m0 -> m1 -> m0"));
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  EXPECT_TRUE(record.is_complete);
  // m0 is asked; it asks m1 for the hour, which asks m0 back: m0's last value answers.
  double m0 = 10.0;
  for (std::size_t i = 0; i < 12; ++i) {
    const double m1 = 0.5 * m0 + 2.0;
    EXPECT_EQ(made.Get<Relay>("m1").got.at(i), m0) << i;
    EXPECT_EQ(made.Get<Relay>("m0").got.at(i), m1) << i;
    m0 = 0.5 * m1 + 1.0;
  }
  EXPECT_EQ(made.Get<Relay>("m0").got.size(), 12U);
}

TEST(Loops, OfThreeAnswersWithTheLastValue) {
  Made made(Loop(3));
  EXPECT_THAT(made.Text(Problem::Note), HasSubstr("loop of links: m0 -> m1 -> m2 -> m0"));
  const RunRecord record = made.Run();
  ASSERT_THAT(ErrorsOf(record), IsEmpty());
  double m0 = 10.0;
  for (std::size_t i = 0; i < 12; ++i) {
    const double m1 = 0.5 * m0 + 2.0;
    const double m2 = 0.5 * m1 + 3.0;
    EXPECT_EQ(made.Get<Relay>("m2").got.at(i), m1) << i;
    EXPECT_EQ(made.Get<Relay>("m0").got.at(i), m2) << i;
    m0 = 0.5 * m2 + 1.0;
  }
}

TEST(Loops, PulledAndSteppedDifferByWhoGoesFirst) {
  // Step mode asks m0 first as well (nobody is behind): from then on both orders are the same here, and the stated
  // difference is none. With unequal steps it is not.
  const auto text = [](const std::string& mode) {
    return Comp("m0", "Relay", Arg("add", "1") + Arg("time-step", "PT1H")) +
           Comp("m1", "Relay", Arg("add", "2") + Arg("time-step", "PT30M")) +
           Lnk("m0.out", "m1.in", Adapt("previous", Arg("extrapolation", "hold"))) + Lnk("m1.out", "m0.in") +
           "<Observe Item=\"m0.out\"/><Observe Item=\"m1.out\"/>" + RunFor("2015-12-01T12:00Z", mode);
  };
  Made pulled(text("Trigger=\"m1\""));
  ASSERT_THAT(pulled.Text(), IsEmpty());
  Made stepped(text("Trigger=\"m1\""));
  const RunRecord pull = pulled.Run(RunMode::Pull);
  const RunRecord step = stepped.Run(RunMode::Step);
  ASSERT_THAT(ErrorsOf(pull) + ErrorsOf(step), IsEmpty());
  EXPECT_TRUE(pull.is_complete);
  EXPECT_TRUE(step.is_complete);
  ASSERT_EQ(pull.series[0].times.size(), step.series[0].times.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < pull.series[0].values.size(); ++i) {
    largest = std::max(largest, std::fabs(pull.series[0].values[i] - step.series[0].values[i]));
  }
  // The fixed point is x = 0.5 (0.5 x + 2) + 1: both end there, from different sides of the first steps.
  EXPECT_NEAR(pull.series[0].values.back(), 8.0 / 3.0, 1e-3);
  EXPECT_NEAR(step.series[0].values.back(), 8.0 / 3.0, 1e-3);
  EXPECT_LT(largest, 0.5);
  RecordProperty("largest difference", std::to_string(largest));
}

TEST(Loops, AComponentLinkedToItselfUsesItsLastValue) {
  Made made(Comp("m", "Relay") + Lnk("m.out", "m.in") + RunFor("2015-12-01T03:00Z"));
  EXPECT_THAT(made.Text(Problem::Note), HasSubstr("m -> m"));
  ASSERT_THAT(ErrorsOf(made.Run()), IsEmpty());
  EXPECT_EQ(made.Get<Relay>("m").got, (std::vector<double>{3.0, 2.5, 2.25}));
}

TEST(Loops, WithoutAFirstValueAreWarnedOfAndSayWhatToDo) {
  Made made(Comp("t1", "Tank") + Comp("t2", "Tank") + Lnk("t1.outflow", "t2.inflow") + Lnk("t2.outflow", "t1.inflow") +
            RunFor());
  ASSERT_THAT(made.Text(), IsEmpty());
  EXPECT_THAT(made.Text(Problem::Warning), HasSubstr("expected a link of the loop t1 -> t2 -> t1 to carry instants"));
  const RunRecord record = made.Run();
  EXPECT_FALSE(record.is_complete);
  EXPECT_THAT(ErrorsOf(record), HasSubstr("in a loop of links, let one output give instants"));
}

TEST(Loops, FedFromOutsideAndTappedBelow) {
  const auto text = Comp("src", "Source", Arg("gives", "instant")) + Comp("m0", "Relay") + Comp("m1", "Relay") +
                    Comp("s", "Sink", Arg("asks", "instant")) + Comp("feed", "Sink", Arg("asks", "instant")) +
                    Lnk("m0.out", "m1.in") + Lnk("m1.out", "m0.in") + Lnk("m1.out", "s.in") +
                    Lnk("src.out", "feed.in") + RunFor();
  for (RunMode mode : {RunMode::Pull, RunMode::Step}) {
    Made made(text);
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run(mode);
    ASSERT_THAT(ErrorsOf(record), IsEmpty());
    EXPECT_TRUE(record.is_complete);
    EXPECT_EQ(made.Get<Sink>("s").rows.size(), 24U);
    EXPECT_EQ(made.Get<Relay>("m0").got.size(), 24U);
    EXPECT_EQ(made.Get<Relay>("m1").got.size(), 24U);
  }
}

TEST(Sharing, TwoConsumersOfOneOutputAtDifferentPace) {
  const auto text = Comp("a", "Source", Arg("time-step", "PT10M")) + Comp("s1", "Sink", Arg("time-step", "PT3H")) +
                    Comp("s2", "Sink", Arg("time-step", "PT10M")) + Lnk("a.out", "s1.in", Adapt("mean-over-span")) +
                    Lnk("a.out", "s2.in") + RunFor();
  for (RunMode mode : {RunMode::Pull, RunMode::Step}) {
    Made made(text);
    ASSERT_THAT(made.Text(), IsEmpty());
    ASSERT_THAT(ErrorsOf(made.Run(mode)), IsEmpty());
    const auto& fine = made.Get<Sink>("s2").rows;
    const auto& coarse = made.Get<Sink>("s1").rows;
    ASSERT_EQ(fine.size(), 144U);
    ASSERT_EQ(coarse.size(), 8U);
    for (std::size_t i = 0; i < 144; ++i) EXPECT_EQ(fine[i][0], TestValue(static_cast<std::int64_t>(i) + 1, 0));
    for (std::size_t k = 0; k < 8; ++k) {
      double mean = 0.0;
      for (std::size_t i = 0; i < 18; ++i) mean += fine[18 * k + i][0] / 18.0;
      EXPECT_NEAR(coarse[k][0], mean, 1e-8) << k;
    }
  }
}

}  // namespace
}  // namespace openmi::testing
