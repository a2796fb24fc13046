// What else goes with a family: strangers' components, texts, links without times, element sets, balances.

#include <atomic>
#include <cmath>
#include <thread>

#include "tests/composition/families/FamilyFixture.hpp"
#include "tests/support/ForeignComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("test.Foreign", foreign::Component)

namespace openmi::testing {
namespace {

using ::testing::IsEmpty;

class Parts : public ::testing::TestWithParam<RunMode> {
 protected:
  Parts() : swap_("parts") {}
  /// `<Component>` of the plug-in.
  std::string Part(const std::string& id, const std::string& type, const std::string& arguments = {}) const {
    return "<Component Id=\"" + id + "\" Type=\"test." + type + "\" Assembly=\"" + swap_.Library().string() + "\">" +
           arguments + "</Component>\n";
  }
  Instance& TheInstance(const std::string& id) {
    Composition& composition = *swap_.Model().composition;
    return composition.Instances().at(*composition.IndexOf(id));
  }
  /// Out at `from`, back at `to` (hours).
  void Exchange(const std::string& family, double from, double to) {
    swap_.RunTo(from);
    swap_.Run().Disengage(family);
    EXPECT_EQ(MappedSolvers(), 0U);
    swap_.RunTo(to);
    swap_.Run().Engage(family);
  }
  SwapRun swap_;
};
INSTANTIATE_TEST_SUITE_P(Modes, Parts, ::testing::Values(RunMode::Pull, RunMode::Step));

TEST_P(Parts, AStrangersValuesAreHeldAndGoOn) {
  swap_.Begin(Part("f", "ForeignSeries") +
                  ComponentXml("s", "Sink",
                               ArgumentXml("elements", "a b") + ArgumentXml("asks", "instant") +
                                   ArgumentXml("time-step", "PT1H")) +
                  LinkXml("f.flow", "s.in") + "<Observe Item=\"f.word\"/><Observe Item=\"f.height\"/>" + RunXml(),
              GetParam());
  swap_.RunTo(6);
  swap_.Run().Disengage("f");
  EXPECT_EQ(MappedSolvers(), 0U);
  const OutputProxy& word = *TheInstance("f").proxies.at("word");
  EXPECT_EQ(word.Values().GetValue(0, 0), Value("hour 6"));
  EXPECT_EQ(word.ValueDefinition().Caption(), "word");
  EXPECT_EQ(TheInstance("f").proxies.at("height")->Values().GetValue(0, 1), Value(98.25));
  swap_.RunTo(12);
  swap_.Run().Engage("f");  // it knows no begin but its own, and comes to the present by itself
  EXPECT_EQ(word.Values().GetValue(0, 0), Value("hour 12"));
  ASSERT_THAT(swap_.End(), IsEmpty());
  const Sink& sink = swap_.TheSink("s");
  ASSERT_EQ(sink.rows.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i) {
    const double hour = i >= 6 && i < 12 ? 6.0 : static_cast<double>(i + 1);
    EXPECT_EQ(sink.rows[i], (std::vector<double>{hour == 3.0 ? -999.0 : hour, 10.0 * hour})) << i;
  }
}

TEST_P(Parts, LinksWithoutTimesHoldTheirValues) {
  swap_.Begin(Part("first", "Foreign") + ComponentXml("second", "Foreign", ArgumentXml("factor", "10")) +
                  LinkXml("first.outflow", "second.inflow") + ComponentXml("clock", "Source") +
                  "<Observe Item=\"clock.out\"/>" + RunXml(),
              GetParam());
  const auto value = [this](const std::string& id) {
    const std::size_t first = 0;
    return TheInstance(id).Component().Outputs()[0]->Values().GetValue(std::span(&first, 1));
  };
  swap_.RunTo(3);
  const Value held = value("second");
  swap_.Run().Disengage("first");
  EXPECT_EQ(MappedSolvers(), 0U);
  swap_.RunTo(5);
  EXPECT_EQ(value("second"), held);
  swap_.Run().Engage("first");
  swap_.RunTo(7);
  EXPECT_NE(value("second"), held);
  EXPECT_THAT(swap_.End(), IsEmpty());
}

constexpr char kWide[] = "polygons a 0 0 2 1 ; b 2 0 4 1";
constexpr char kNarrow[] = "polygons c 0 0 1 1 ; d 1 0 4 1";

TEST_P(Parts, ElementSetsOfEitherEndMayGo) {
  const auto body = [this] {
    return Part("give", "Source", ArgumentXml("elements", kWide) + ArgumentXml("unit", "mm d-1")) +
           Part("take", "Sink", ArgumentXml("elements", kNarrow) + ArgumentXml("unit", "mm d-1")) +
           ComponentXml("rain", "Source", ArgumentXml("elements", kWide) + ArgumentXml("unit", "mm d-1")) +
           ComponentXml("s", "Sink", ArgumentXml("elements", kNarrow) + ArgumentXml("unit", "mm d-1")) +
           ComponentXml("volume", "Sink", ArgumentXml("elements", kWide) + ArgumentXml("unit", "m3 d-1")) +
           LinkXml("give.out", "s.in", AdaptorXml("area-weighted-mean")) +
           LinkXml("rain.out", "take.in", AdaptorXml("area-weighted-mean")) +
           LinkXml("give.out", "volume.in", AdaptorXml("times-element-area")) + RunXml();
  };
  swap_.Begin(body(), GetParam());
  Exchange("take", 6, 9);
  swap_.RunTo(12);
  Exchange("give", 12, 13);
  ASSERT_THAT(swap_.End(), IsEmpty());
  const Sink& s = swap_.TheSink("s");
  const Sink& volume = swap_.TheSink("volume");
  ASSERT_EQ(s.rows.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i) {
    const auto hour = static_cast<std::int64_t>(i) + 1;  // of the source, which begins anew at 9 and at 13
    const std::int64_t step = i < 6 ? hour : i < 9 ? 6 : i < 12 ? hour - 9 : i < 13 ? 3 : hour - 13;
    const double a = TestValue(step, 0);
    const double b = TestValue(step, 1);
    EXPECT_DOUBLE_EQ(s.rows[i].at(0), a) << i;
    EXPECT_DOUBLE_EQ(s.rows[i].at(1), (a + 2.0 * b) / 3.0) << i;
    EXPECT_DOUBLE_EQ(volume.rows[i].at(0), 2.0 * a / 1000.0) << i;
  }
  // The consumer started anew too: what it has is since 13 h.
  const Sink& take = swap_.TheSink("take");
  ASSERT_EQ(take.rows.size(), 11U);
  EXPECT_DOUBLE_EQ(take.rows[0].at(0), TestValue(14, 0));
}

TEST_P(Parts, AnInputThatKeepsWhatItHeldMayGo) {
  constexpr char kBeside[] = "polygons c 0 0 1 1 ; d 8 0 9 1";  // no source reaches the second
  swap_.Begin(ComponentXml("rain", "Source", ArgumentXml("elements", kWide) + ArgumentXml("unit", "mm d-1")) +
                  Part("take", "Sink", ArgumentXml("elements", kBeside) + ArgumentXml("unit", "mm d-1")) +
                  LinkXml("rain.out", "take.in", AdaptorXml("area-weighted-mean", ArgumentXml("uncovered", "keep"))) +
                  RunXml(),
              GetParam());
  Exchange("take", 6, 9);
  ASSERT_THAT(swap_.End(), IsEmpty());
  const Sink& take = swap_.TheSink("take");
  ASSERT_EQ(take.rows.size(), 15U);
  EXPECT_DOUBLE_EQ(take.rows[14].at(0), TestValue(24, 0));
  EXPECT_TRUE(std::isnan(take.rows[14].at(1)));
}

TEST_P(Parts, ABalanceIsNeitherWonNorLostByAnExchange) {
  swap_.Begin(ComponentXml("a", "Source") + Part("t", "Tank") + ComponentXml("s", "Sink") +
                  LinkXml("a.out", "t.inflow") + LinkXml("t.outflow", "s.in") + RunXml(),
              GetParam());
  Exchange("t", 8, 10);
  ASSERT_THAT(swap_.End(), IsEmpty());
  ASSERT_EQ(swap_.Record().components.size(), 1U);
  EXPECT_LT(std::abs(swap_.Record().components[0].second.relative), 1e-12);
  EXPECT_GT(swap_.Record().components[0].second.in, 0.0);
}

TEST_P(Parts, TwoClientsAtOnceAreOneAfterTheOther) {
  swap_.Begin(Part("give", "Source", ArgumentXml("gives", "instant")) +
                  ComponentXml("s", "Sink", ArgumentXml("asks", "instant")) + LinkXml("give.out", "s.in") +
                  RunXml("2115-12-01T00:00Z"),
              GetParam());
  std::atomic<int> done = 0;
  const auto client = [&](bool out) {
    for (int i = 0; i < 50; ++i) {
      swap_.Run().BetweenPasses().Post([&, out] {
        if (out) {
          swap_.Run().Disengage("give");
        } else {
          swap_.Run().Engage("give");
        }
        ++done;
      });
      std::this_thread::yield();
    }
  };
  std::thread first(client, true);
  std::thread second(client, true);
  std::thread third(client, false);
  while (done < 150 && swap_.Run().Advance()) {
  }
  first.join();
  second.join();
  third.join();
  ASSERT_EQ(done, 150) << swap_.End();
  swap_.Run().Engage("give");
  EXPECT_EQ(swap_.Run().TheFamilies().StatusOf("give"), FamilyStatus::Engaged);
  ASSERT_TRUE(swap_.Run().Advance()) << swap_.End();
  const auto& times = swap_.TheSink("s").times;
  for (std::size_t i = 0; i < times.size(); ++i) {
    ASSERT_NEAR(times[i], kDayOne + static_cast<double>(i + 1) / 24.0, 1e-9);  // no step missed
  }
  swap_.Run().RequestEnd("enough");
  EXPECT_THAT(swap_.End(), IsEmpty());
}

}  // namespace
}  // namespace openmi::testing
