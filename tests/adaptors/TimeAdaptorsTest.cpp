#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "adaptors/base/DerivedQuantity.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "tests/adaptors/Chain.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

struct Vector {
  double begin, end, relaxation, expected;
};

void ExpectVectors(const std::vector<TableRow>& rows, const std::string& id, const std::vector<Vector>& vectors) {
  for (const Vector& vector : vectors) {
    Chain chain(rows);
    chain.Add(id).Set("extrapolation", "relaxed").Set("relaxation", std::to_string(vector.relaxation));
    ToTheEnd(chain);
    const double found = vector.begin == vector.end ? chain.Ask(vector.begin) : chain.Ask(vector.begin, vector.end);
    EXPECT_NEAR(found, vector.expected, kClose)
        << id << ' ' << vector.begin << " to " << vector.end << " r " << vector.relaxation;
  }
}

TEST(TimeAdaptors, TheReferenceBuffersVectors) {
  ExpectVectors(Spans({10, 12, 14}, {11, 13}), "mean-over-span",
                {{7, 8, 0, 7.5},
                 {9, 10, 0, 9.5},
                 {14, 15, 0, 14.5},
                 {16, 17, 0, 16.5},
                 {7, 8, 1, 11},
                 {16, 17, 1, 13},
                 {7, 8, 0.5, 9.25}});
  ExpectVectors(Spans({10, 12, 16}, {11, 14}), "mean-over-span", {{7, 8, 0, 7.5}, {18, 19, 0, 18.5}});
  ExpectVectors(
      Spans({10, 12, 14, 16, 22, 30, 32}, {1, 2, 3, 4, 5, 6}), "mean-over-span",
      {{9, 13, 1, 1.25}, {12, 16, 1, 2.5}, {28, 36, 1, 5.75}, {7, 8, 0, -0.75}, {9, 11, 0, 0.625}, {31, 33, 0, 6.15}});
  ExpectVectors(Instants({2, 4, 7, 11, 13, 15}, {2, 4, 4, 6, 4, 3}), "mean-over-span",
                {{3, 3.5, 1, 3.25},
                 {3, 9, 1, 24.5 / 6},
                 {3, 14, 1, 49.25 / 11},
                 {13, 17, 1, 3.25},
                 {13, 17, 0, 3.0},
                 {1, 5, 1, 3}});
  ExpectVectors(Instants({10, 13}, {11, 5}), "linear", {{9, 9, 0, 13}, {14, 14, 0, 3}, {11, 11, 0, 9}, {9, 9, 1, 11}});
}

TEST(TimeAdaptors, EveryMethodOnInstants) {
  const std::vector<double> hours{0, 2, 3}, values{10, 20, 14};
  const auto ask = [&](const char* id, double hour) {
    Chain chain(Instants(hours, values));
    return ToTheEnd(chain.Add(id)).Ask(hour);
  };
  EXPECT_NEAR(ask("linear", 0.5), 12.5, kClose);
  EXPECT_NEAR(ask("linear", 2.5), 17.0, kClose);
  EXPECT_EQ(ask("previous", 1.9), 10.0);
  EXPECT_EQ(ask("previous", 2.0), 20.0);
  EXPECT_EQ(ask("next", 0.1), 20.0);
  EXPECT_EQ(ask("next", 2.0), 20.0);
  EXPECT_EQ(ask("nearest-in-time", 0.9), 10.0);
  EXPECT_EQ(ask("nearest-in-time", 1.1), 20.0);
}

TEST(TimeAdaptors, SumsOverSpans) {
  Chain amounts(Spans({0, 1, 2, 4}, {3, 5, 8}), "mm");
  ToTheEnd(amounts.Add("sum-over-span"));
  EXPECT_NEAR(amounts.Ask(0, 4), 16, kClose);
  EXPECT_NEAR(amounts.Ask(0.5, 3), 1.5 + 5 + 4, kClose);
  EXPECT_NEAR(amounts.Ask(2, 3), 4, kClose);
  Chain stamped(Instants({0, 1, 2, 3}, {100, 3, 5, 8}), "mm");
  ToTheEnd(stamped.Add("sum-over-span"));
  EXPECT_NEAR(stamped.Ask(0, 2), 8, kClose);  // what is stamped at the end of a step belongs to it
  EXPECT_NEAR(stamped.Ask(1, 3), 13, kClose);
}

TEST(TimeAdaptors, OutsideTheRows) {
  const auto chain = [](const std::string& outside, const std::string& relaxation) {
    auto made = std::make_unique<Chain>(Instants({10, 13}, {11, 5}));
    made->Add("linear").Set("extrapolation", outside).Set("relaxation", relaxation);
    ToTheEnd(*made);
    return made;
  };
  EXPECT_THAT([&] { chain("error", "1")->Ask(14); },
              ThrowsMessage<RangeError>(AllOf(HasSubstr("linear"), HasSubstr("extrapolation"))));
  EXPECT_THAT([&] { chain("error", "1")->Ask(9); }, ::testing::Throws<RangeError>());
  EXPECT_NO_THROW(chain("error", "1")->Ask(13));
  EXPECT_TRUE(std::isnan(chain("missing", "1")->Ask(14)));
  EXPECT_TRUE(std::isnan(chain("missing", "0")->Ask(9)));
  EXPECT_EQ(chain("hold", "0")->Ask(14), 5.0);  // whatever the relaxation
  EXPECT_EQ(chain("hold", "0")->Ask(9), 11.0);
  EXPECT_NEAR(chain("linear", "1")->Ask(14), 3.0, kClose);  // a straight line, whatever the relaxation
  EXPECT_NEAR(chain("relaxed", "0")->Ask(14), 3.0, kClose);
  EXPECT_NEAR(chain("relaxed", "0.5")->Ask(14), 4.0, kClose);
  EXPECT_EQ(chain("relaxed", "1")->Ask(14), 5.0);
  EXPECT_THAT([&] { chain("guess", "1"); }, ThrowsMessage<ArgumentError>(HasSubstr("guess")));
  EXPECT_THAT([&] { chain("linear", "1.5"); }, ::testing::Throws<ArgumentError>());
}

TEST(TimeAdaptors, MissingValuesStayMissing) {
  Chain chain(Instants({0, 1, 2, 3}, {1, std::nan(""), 5, 7}));
  ToTheEnd(chain.Add("linear"));
  EXPECT_TRUE(std::isnan(chain.Ask(0.5)));
  EXPECT_TRUE(std::isnan(chain.Ask(1.5)));
  EXPECT_EQ(chain.Ask(2), 5.0);
  EXPECT_NEAR(chain.Ask(2.5), 6.0, kClose);
}

TEST(TimeAdaptors, StandOnALinearOneAndOnNoOther) {
  for (const char* id : {"previous", "next", "nearest-in-time", "mean-over-span", "sum-over-span", "cubic", "delay",
                         "minimum-over-span", "integral-over-span", "disaggregate"}) {
    Chain chain(Instants({0, 1}, {1, 2}));
    chain.Add(id);
    EXPECT_THAT([&] { chain.Add("linear"); },
                ThrowsMessage<LinkError>(HasSubstr("remove one of the two time adaptors")))
        << id;
    EXPECT_THAT(Texts(chain.factory.GetAvailableAdaptedOutputIds(chain.Last(), nullptr)), Not(Contains("linear")));
  }
  Chain chain(Instants({0, 1, 2}, {1, 2, 9}));
  ToTheEnd(chain.Add("linear").Add("linear-operation").Set("a", "10").Add("mean-over-span"));
  EXPECT_NEAR(chain.Ask(0, 2), 35.0, kClose);
}

TEST(TimeAdaptors, ProvidersAreMadeToStepJustFarEnough) {
  Chain chain(Instants({0, 6, 12, 18}, {0, 6, 12, 18}));
  chain.Add("linear").Prepare();
  EXPECT_EQ(chain.table.Updates(), 0);
  EXPECT_NEAR(chain.Ask(1), 1, kClose);
  EXPECT_EQ(chain.table.Updates(), 1);
  EXPECT_NEAR(chain.Ask(6), 6, kClose);
  EXPECT_EQ(chain.table.Updates(), 1);
  EXPECT_NEAR(chain.Ask(13), 13, kClose);
  EXPECT_EQ(chain.table.Updates(), 3);
}

TEST(TimeAdaptors, CurvesLookOneRowAhead) {
  // The slope at 12 needs the row at 18; a question at 12 itself does not.
  Chain chain(Instants({0, 6, 12, 18}, {0, 6, 24, 18}));
  chain.Add("cubic");
  chain.probe.PromiseNothingBefore(At(0));
  chain.Output().AddConsumer(chain.probe);
  chain.Prepare();
  EXPECT_EQ(chain.Ask(12), 24.0);
  EXPECT_EQ(chain.table.Updates(), 2);
  const double ahead = chain.Ask(11);
  EXPECT_EQ(chain.table.Updates(), 3);
  Chain whole(Instants({0, 6, 12, 18}, {0, 6, 24, 18}));
  EXPECT_EQ(ToTheEnd(whole.Add("cubic")).Ask(11), ahead);  // however far the provider was
}

TEST(TimeAdaptors, ASecondOneStandsOnRowsOfItsOwn) {
  Chain daily(Spans({0, 6, 12, 24, 30, 48}, {1, 3, 8, 2, 6}), "mm");
  daily.Add("resample").Set("step", "P1D").Set("as", "sum").Add("maximum-over-span");
  ToTheEnd(daily);
  EXPECT_NEAR(daily.Ask(0, 48), 12.0, kClose);  // 1 + 3 + 8 on the first day, 2 + 6 on the second
  Chain filled(Instants({0, 1, 2, 3}, {1, std::nan(""), 5, 7}));
  ToTheEnd(filled.Add("fill-gaps").Add("linear-operation").Set("a", "10").Add("cubic"));
  EXPECT_NEAR(filled.Ask(1), 30.0, kClose);
}

TEST(TimeAdaptors, RegularStepsCountFromTheirOrigin) {
  const auto steps = [](const std::string& step, const std::string& origin, double begin, double end) {
    Chain chain(Instants({0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6}));
    ToTheEnd(chain.Add("resample").Set("step", step).Set("origin", origin));
    return chain.Ask(begin, end);
  };
  EXPECT_NEAR(steps("PT2H", "", 0, 2), 1.0, kClose);
  EXPECT_NEAR(steps("PT2H", "", 1, 3), 2.0, kClose);  // half of the step of 1, half of the step of 3
  EXPECT_NEAR(steps("PT2H", "2020-01-01T01:00Z", 1, 3), 2.0, kClose);
  EXPECT_THAT([&] { steps("PT2H", "2020-01-01T01:00Z", 0, 2); }, ::testing::Throws<RangeError>());  // no whole step
  EXPECT_THAT([&] { steps("2 lightyears", "", 0, 2); }, ThrowsMessage<ArgumentError>(HasSubstr("step")));
  EXPECT_THAT([&] { steps("PT0S", "", 0, 2); }, ThrowsMessage<ArgumentError>(HasSubstr("at least PT0.001S")));
}

TEST(TimeAdaptors, GapsAreFilledAsFarAsToldAndNoFurther) {
  const double gap = std::nan("");
  const auto ask = [&](const std::string& by, const std::string& longest, double hour) {
    Chain chain(Instants({0, 1, 2, 3, 4, 8, 9, 10}, {gap, 2, gap, 8, gap, 12, 13, gap}));
    ToTheEnd(chain.Add("fill-gaps").Set("by", by).Set("longest", longest));
    return chain.Ask(hour);
  };
  EXPECT_NEAR(ask("linear", "PT3H", 2), 5.0, kClose);
  EXPECT_TRUE(std::isnan(ask("linear", "PT3H", 4)));  // five hours from value to value
  EXPECT_NEAR(ask("linear", "PT5H", 4), 8.8, kClose);
  EXPECT_TRUE(std::isnan(ask("linear", "PT5H", 0)));
  EXPECT_TRUE(std::isnan(ask("linear", "PT5H", 10)));
  EXPECT_EQ(ask("previous", "PT3H", 4), 8.0);
  EXPECT_EQ(ask("previous", "PT3H", 10), 13.0);
  EXPECT_TRUE(std::isnan(ask("previous", "PT0.5H", 2)));
}

TEST(TimeAdaptors, GapsAreFilledFromBeforeARowThatIsTakenBack) {
  Chain chain(Instants({0, 1, 2}, {1, 3, 4}));
  ToTheEnd(chain.Add("fill-gaps"));
  EXPECT_EQ(chain.Ask(2), 4.0);
  // A step is made again, as in an iterated loop, and gives nothing this time.
  NumericOutput& output = chain.table.Output();
  output.ForgetAfter(At(1));
  output.NextRow()[0] = std::nan("");
  output.PublishAt(At(2), Days{});
  output.Refresh();
  output.NextRow()[0] = 7.0;
  output.PublishAt(At(3), Days{});
  output.Refresh();
  EXPECT_NEAR(chain.Ask(2), 5.0, kClose);
}

TEST(TimeAdaptors, TotalsRefuseAConversionWithOffset) {
  ProbeInput kelvin("kelvin", "K");
  for (const char* id : {"sum-over-span", "disaggregate"}) {
    Chain chain(Spans({0, 1, 2}, {10, 20}), "degC");
    chain.Add(id, &kelvin);
    EXPECT_THAT([&] { chain.factory.CreateUnitConversion(chain.Last(), kelvin); },
                ThrowsMessage<UnitError>(
                    AllOf(HasSubstr("after"), HasSubstr(id), HasSubstr("put the adaptor 'unit-conversion' before"))));
  }
  Chain mean(Spans({0, 1, 2}, {10, 20}), "degC");
  ToTheEnd(mean.Add("mean-over-span", &kelvin).Add("unit-conversion", &kelvin));
  EXPECT_NEAR(mean.Ask(0, 2), 288.15, kClose);
  Chain before(Spans({0, 1, 2}, {10, 20}), "degC");
  ToTheEnd(before.Add("unit-conversion", &kelvin).Add("sum-over-span", &kelvin));
  EXPECT_NEAR(before.Ask(0, 2), 283.15 + 293.15, kClose);
  Chain integral(Spans({0, 1, 2}, {10, 20}), "degC");
  EXPECT_THAT([&] { integral.Add("integral-over-span"); }, ThrowsMessage<UnitError>(HasSubstr("without offset")));
}

TEST(TimeAdaptors, ARunningTotalFollowsWhatItsArgumentSays) {
  Chain chain(Spans({0, 1, 3}, {2, 5}), "m3 s-1");
  chain.Add("accumulate");
  const auto unit = [&] {
    return Unit::Parse("m3").Dimension() ==
           CopyOf(dynamic_cast<const IQuantity&>(chain.Last().ValueDefinition()).Unit().Dimension());
  };
  EXPECT_TRUE(unit());
  chain.Set("of", "amount");
  EXPECT_FALSE(unit());
}

TEST(TimeAdaptors, ADelayAsksForNothingThatIsNotNeededYet) {
  Chain chain(Instants({0, 6, 12, 18}, {0, 6, 12, 18}));
  chain.Add("delay").Set("delay", "PT6H").Set("extrapolation", "hold").Prepare();
  EXPECT_EQ(chain.Ask(6), 0.0);
  EXPECT_EQ(chain.table.Updates(), 0);
  EXPECT_NEAR(chain.Ask(12), 6.0, kClose);
  EXPECT_EQ(chain.table.Updates(), 1);
}

/// At its start, with a consumer that lets it keep all rows.
Chain& Registered(Chain& chain) {
  chain.probe.PromiseNothingBefore(At(-100));
  chain.Output().AddConsumer(chain.probe);
  return chain.Prepare();
}

TEST(TimeAdaptors, ASpanAnswersItsOwnEndHoweverFarTheProviderIs) {
  for (const char* id : {"linear", "previous", "next", "nearest-in-time", "cubic"}) {
    const std::vector<TableRow> rows = Spans({0, 1, 2, 3, 4}, {1, 5, 2, 7});
    const std::vector<double> expected{1, 1, 5, 2, 7};  // of the span that ends at the hour; at 0 none does
    for (std::size_t hour = 0; hour < 5; ++hour) {
      Chain near(rows);
      const double first = Registered(near.Add(id)).Ask(static_cast<double>(hour));
      Chain far(rows);
      EXPECT_EQ(ToTheEnd(far.Add(id)).Ask(static_cast<double>(hour)), first) << id << " at " << hour;
      if (std::string(id) == "cubic") continue;
      EXPECT_EQ(first, expected[hour]) << id << " at " << hour;
    }
  }
}

TEST(TimeAdaptors, ACurveOfSpansBesideAMissingOneBelongsToTheSpanThatEnds) {
  const double gap = std::nan("");
  Chain chain(Spans({0, 1, 2, 3, 4}, {1, 3, gap, 7}));
  ToTheEnd(chain.Add("cubic"));
  // Two spans of an hour, so the total through 0, 1, 4 has the slopes (0,) 1.5 and at its end (3 * 3 - 1) / 2.
  EXPECT_NEAR(chain.Ask(1), 1.5, kClose);
  EXPECT_NEAR(chain.Ask(2), 4.0, kClose);
  EXPECT_TRUE(std::isnan(chain.Ask(2.5)));
  EXPECT_TRUE(std::isnan(chain.Ask(3)));  // the missing one ends there
  EXPECT_NEAR(chain.Ask(3.5), 7.0, kClose);
}

TEST(TimeAdaptors, ALineBeforeTheFirstRowDoesNotDependOnWhoAskedBefore) {
  const auto chain = [] {
    auto made = std::make_unique<Chain>(Instants({0, 1, 2}, {4, 6, 9}));
    made->Add("delay").Set("delay", "PT1H").Set("extrapolation", "linear");
    return made;
  };
  EXPECT_NEAR(Registered(*chain()).Ask(0), 2.0, kClose);
  EXPECT_NEAR(ToTheEnd(*chain()).Ask(0), 2.0, kClose);
}

TEST(TimeAdaptors, TotalsOfARateAreTrapeziaAtAnyStampToTheLastDigit) {
  Chain total(Instants({0, 1, 2, 3}, {1, 2, 3, 1}));
  ToTheEnd(total.Add("accumulate"));
  EXPECT_EQ(total.Ask(1), 5400.0);
  EXPECT_EQ(total.Ask(2), 14400.0);
  EXPECT_EQ(total.Ask(0.5), 2250.0);
  EXPECT_EQ(total.Ask(1.5), 5400.0 + 4050.0);
  EXPECT_EQ(total.Ask(2.5), 14400.0 + 4500.0);
  Chain integral(Instants({0, 1, 2, 3}, {1, 2, 3, 1}));
  ToTheEnd(integral.Add("integral-over-span"));
  EXPECT_EQ(integral.Ask(0, 1), 5400.0);
  EXPECT_EQ(integral.Ask(0.5, 2.5), 5400.0 - 2250.0 + 9000.0 + 4500.0);
  Chain spans(Spans({0, 1, 2}, {2, 5}));
  ToTheEnd(spans.Add("accumulate"));
  EXPECT_EQ(spans.Ask(1), 7200.0);
  EXPECT_NEAR(spans.Ask(1.5), 7200.0 + 9000.0, 1e-5);
}

TEST(TimeAdaptors, RegularStepsGoToTheEndOfTheProvider) {
  const auto ask = [](const std::string& as, double begin, double end) {
    Chain chain(Spans({0, 1, 2, 3, 4, 5}, {1, 2, 3, 4, 8}), "mm");
    Registered(chain.Add("resample").Set("step", "PT2H").Set("as", as));
    return begin == end ? chain.Ask(end) : chain.Ask(begin, end);
  };
  EXPECT_NEAR(ask("mean", 4, 5), 8.0, kClose);
  EXPECT_NEAR(ask("mean", 2, 5), (3.0 + 4.0 + 8.0) / 3.0, kClose);
  EXPECT_NEAR(ask("sum", 4, 5), 8.0, kClose);
  EXPECT_NEAR(ask("maximum", 3, 5), (4.0 + 8.0) / 2.0, kClose);
  EXPECT_NEAR(ask("instant", 5, 5), 8.0, kClose);
}

}  // namespace
}  // namespace openmi
