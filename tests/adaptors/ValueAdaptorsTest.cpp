#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "tests/adaptors/Chain.hpp"
#include "timespace/items/AdaptedOutput.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(ValueAdaptors, KnownAnswers) {
  const auto ask = [](const std::string& unit, const std::string& id, double value, const std::string& key = {},
                      const std::string& text = {}) {
    Chain chain(Twice({value}), unit);
    chain.Add(id);
    if (!key.empty()) chain.Set(key, text);
    chain.Prepare();
    const auto& quantity = dynamic_cast<const IQuantity&>(chain.Last().ValueDefinition());
    return std::pair(chain.Ask(0), quantity.Unit().ConversionFactorToSI());
  };
  EXPECT_EQ(ask("m", "linear-operation", 3, "a", "2").first, 6);
  EXPECT_EQ(ask("m", "linear-operation", 3, "b", "-0.5").first, 2.5);
  EXPECT_NEAR(ask("mm h-1", "unit-conversion", 36, "unit", "m s-1").first, 1e-5, 1e-18);
  EXPECT_NEAR(ask("degC", "unit-conversion", 20, "unit", "K").first, 293.15, 1e-12);
  EXPECT_EQ(ask("m", "unit-conversion", 3).first, 3);  // no target, no unit: as it is
  const auto [depth, to_si] = ask("kg m-2 s-1", "density", 2.0);
  EXPECT_NEAR(depth * to_si, 0.002, 1e-15);
  EXPECT_NEAR(ask("kg m-2 s-1", "density", 2.0, "density", "500").first, 0.004, 1e-15);
  EXPECT_NEAR(ask("m3", "density", 2.0).first, 2000, 1e-9);
}

TEST(ValueAdaptors, MissingValuesStayMissingOrAreFilled) {
  for (const char* id : {"linear-operation", "unit-conversion", "density"}) {
    Chain chain(Twice({std::nan("")}), "kg");
    EXPECT_TRUE(std::isnan(chain.Add(id).Prepare().Ask(0))) << id;
  }
  Chain chain(Twice({std::nan(""), 4}), "m", Ids({"a", "b"}));
  EXPECT_THAT(chain.Add("fill-missing").Set("value", "7").Prepare().Row(0), ElementsAre(7, 4));
}

TEST(ValueAdaptors, TheTargetsUnitAndItsSignForNoValue) {
  TableComponent table({{At(0), {std::nan(""), 36}}}, "mm h-1", Ids({"a", "b"}));
  table.Initialize();
  ProbeInput target("target", "m s-1", Ids({"a", "b"}));
  StandardAdaptors factory;
  const auto made = factory.CreateUnitConversion(table.Output(), target);
  table.Prepare();
  auto& output = dynamic_cast<ITimeSpaceOutput&>(*made);
  const std::vector<double> row = target.Row(output, At(0));
  EXPECT_TRUE(std::isnan(row[0]));
  EXPECT_NEAR(row[1], 1e-5, 1e-18);
  EXPECT_EQ(dynamic_cast<const IQuantity&>(made->ValueDefinition()).Unit().Caption(), "m s-1");
  ProbeInput mass("mass", "kg");
  EXPECT_THAT([&] { factory.CreateUnitConversion(table.Output(), mass); },
              ThrowsMessage<UnitError>(HasSubstr("expected a unit that converts to 'kg', found 'mm h-1'")));
  table.Output().RemoveAdaptedOutput(*made);
}

TEST(ValueAdaptors, AUnitSetLaterIsWhatTheDefinitionSays) {
  Chain chain(Twice({36}), "mm h-1");
  ProbeInput target("target", "m s-1");
  chain.Add("unit-conversion", &target).Set("unit", "mm d-1");
  const auto& unit = dynamic_cast<const IQuantity&>(chain.Last().ValueDefinition()).Unit();
  EXPECT_NEAR(unit.ConversionFactorToSI(), 1e-3 / 86400, 1e-22);
  EXPECT_NEAR(chain.Prepare().Ask(0), 864.0, 1e-10);
  chain.Set("unit", "K");
  EXPECT_THAT([&] { chain.Last().ValueDefinition(); }, ::testing::Throws<UnitError>());
}

TEST(ValueAdaptors, SpansAndRates) {
  Chain rate(Spans({0, 1, 3}, {7.2, 3.6}), "mm");
  rate.Add("divide-by-span").Prepare();
  EXPECT_NEAR(rate.Ask(0, 1), 7.2 / 3600, 1e-12);
  EXPECT_NEAR(rate.Ask(1, 3), 3.6 / 7200, 1e-12);
  const auto& unit = dynamic_cast<const IQuantity&>(rate.Last().ValueDefinition()).Unit();
  EXPECT_TRUE(Convertible(unit, Unit::Parse("m s-1")));
  EXPECT_NEAR(unit.ConversionFactorToSI(), 1e-3, 1e-18);

  Chain amount(Spans({0, 1, 3}, {2, 5}), "m3 s-1");
  amount.Add("multiply-by-span").Prepare();
  EXPECT_NEAR(amount.Ask(1, 3), 36000, 1e-4);

  Chain both(Spans({0, 1, 2}, {2, 5}), "m3");
  both.Add("sum-over-span").Add("divide-by-span").Prepare();
  EXPECT_NEAR(both.Ask(0.5, 2), 6.0 / 5400, 1e-12);

  Chain stamps(Twice({1}), "mm");
  stamps.Add("divide-by-span").Prepare();
  EXPECT_THAT([&] { stamps.Ask(0); }, ThrowsMessage<LinkError>(HasSubstr("'sum-over-span'")));
}

TEST(ValueAdaptors, AsRowsAndDirectlyTheSame) {
  // The same adaptor asked through its rows (a time adaptor above) and directly.
  for (const char* id : {"linear-operation", "unit-conversion", "density", "divide-by-span", "multiply-by-span"}) {
    std::vector<double> edges, values;
    for (int i = 0; i <= 50; ++i) edges.push_back(i);
    for (int i = 0; i < 50; ++i) values.push_back(std::sin(i) * 10);
    Chain direct(Spans(edges, values), "kg"), rows(Spans(edges, values), "kg");
    direct.Add(id).Prepare();
    rows.Add(id).Add("mean-over-span").Prepare();
    for (int i = 0; i < 50; ++i) EXPECT_EQ(direct.Ask(i, i + 1), rows.Ask(i, i + 1)) << id << ' ' << i;
  }
}

TEST(ValueAdaptors, AFormulaSaysItsUnitAndItsFaults) {
  Chain chain(Twice({4}), "m");
  chain.Add("expression").Set("formula", "2 * x^1.5").Set("unit", "m3 s-1");
  EXPECT_EQ(dynamic_cast<const IQuantity&>(chain.Last().ValueDefinition()).Unit().Caption(), "m3 s-1");
  EXPECT_NEAR(chain.Prepare().Ask(0), 16.0, 1e-12);
  const auto fault = [](const std::string& formula) {
    Chain made(Twice({4}), "m");
    made.Add("expression").Set("formula", formula);
    dynamic_cast<AdaptedOutput&>(made.Last()).Check();
  };
  EXPECT_THAT([&] { fault("2 * y"); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("formula of x"), HasSubstr("2 * y"))));
  EXPECT_THAT([&] { fault("x = 3"); }, ThrowsMessage<ArgumentError>(HasSubstr("write == to compare")));
}

TEST(ValueAdaptors, BoundsInTheWrongOrder) {
  Chain chain(Twice({4}), "m");
  chain.Add("clip").Set("minimum", "3").Set("maximum", "1");
  EXPECT_THAT([&] { dynamic_cast<AdaptedOutput&>(chain.Last()).Check(); },
              ThrowsMessage<ArgumentError>(HasSubstr("found 3 and 1")));
}

TEST(ValueAdaptors, TablesOfCategoriesSayWhatIsWrong) {
  const auto fault = [](const std::string& limits, const std::string& numbers) {
    Chain chain(Twice({1}), "m");
    chain.Add("numbers-to-categories").Set("table", limits);
    dynamic_cast<AdaptedOutput&>(chain.Last()).Check();
    chain.Add("categories-to-numbers").Set("table", numbers);
    dynamic_cast<AdaptedOutput&>(chain.Last()).Check();
  };
  EXPECT_NO_THROW(fault("dry=0; wet=1", "dry=3; wet=-1e3"));
  EXPECT_THAT([&] { fault("", ""); }, ThrowsMessage<ArgumentError>(HasSubstr("found none")));
  EXPECT_THAT([&] { fault("dry=0; wet=zero", ""); }, ThrowsMessage<ArgumentError>(HasSubstr("found 'wet=zero'")));
  EXPECT_THAT([&] { fault("dry=1; wet=0", ""); }, ThrowsMessage<ArgumentError>(HasSubstr("ascend")));
  EXPECT_THAT([&] { fault("dry=0; dry=1", ""); }, ThrowsMessage<ArgumentError>(HasSubstr("once")));
  EXPECT_THAT([&] { fault("dry=0; wet=1", "dry=0; wett=1"); }, ThrowsMessage<ArgumentError>(HasSubstr("'wet'")));
  EXPECT_THAT([&] { fault("dry=0; wet=1", "dry=0"); }, ThrowsMessage<ArgumentError>(HasSubstr("none for 'wet'")));
  Chain numbers(Twice({1}), "m");
  EXPECT_THAT([&] { numbers.Add("categories-to-numbers"); },
              ThrowsMessage<LinkError>(HasSubstr("expected categories")));
}

TEST(ValueAdaptors, RatesAndAmountsOverWholeSecondsAreExact) {
  // An hour between two stamps in days is 3599.9999998 s as often as not.
  std::vector<double> edges, values;
  for (int i = 0; i <= 100; ++i) edges.push_back(i);
  for (int i = 0; i < 100; ++i) values.push_back(1.0 + i % 9);
  Chain rate(Spans(edges, values), "m3"), amount(Spans(edges, values), "m3 s-1");
  rate.Add("divide-by-span").Prepare();
  amount.Add("multiply-by-span").Prepare();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(rate.Ask(i, i + 1), (1.0 + i % 9) / 3600.0) << i;
    EXPECT_EQ(amount.Ask(i, i + 1), (1.0 + i % 9) * 3600.0) << i;
  }
}

}  // namespace
}  // namespace openmi
