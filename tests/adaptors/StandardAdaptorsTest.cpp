// Known answers of every adaptor of the standard factory, and the contract of the factory itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "adaptors/RowAdaptor.hpp"
#include "adaptors/SpatialAdaptor.hpp"
#include "adaptors/StandardAdaptors.hpp"
#include "adaptors/TimeAdaptor.hpp"
#include "adaptors/TimesElementArea.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "tests/timespace/MallocCount.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/ElementSetBuilder.hpp"
#include "timespace/ReferenceSystems.hpp"
#include "timespace/testing/ProbeInput.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pointwise;
using ::testing::ThrowsMessage;

// Times of the vectors are hours. A stamp near MJD 60000 resolves 0.63 microseconds, 1.7e-10 h; values change by at
// most some 10 an hour.
const Stamp kZero{60000.0};
constexpr double kClose = 1e-8;

Stamp At(double hour) {
  return kZero + Hours(hour);
}

std::shared_ptr<const ElementSet> Ids(const std::vector<std::string>& ids) {
  return std::make_shared<const ElementSet>(ElementSet::IdBased("ids", ids));
}

struct Box {
  std::string id;
  double x0, y0, x1, y1;
};
std::shared_ptr<ElementSet> Boxes(const std::vector<Box>& boxes) {
  ElementSetBuilder builder("boxes", ElementType::Polygon, kLocalMetresWkt);
  for (const Box& box : boxes) {
    builder.AddPolygon(
        box.id, std::vector<ElementVertex>{{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}});
  }
  return std::make_shared<ElementSet>(builder.Build());
}

std::vector<TableRow> Instants(const std::vector<double>& hours, const std::vector<double>& values) {
  std::vector<TableRow> rows;
  for (std::size_t i = 0; i < hours.size(); ++i) rows.push_back({At(hours[i]), {values[i]}});
  return rows;
}
std::vector<TableRow> Spans(const std::vector<double>& edges, const std::vector<double>& values) {
  std::vector<TableRow> rows;
  for (std::size_t i = 0; i < values.size(); ++i)
    rows.push_back({At(edges[i]), {values[i]}, At(edges[i + 1]) - At(edges[i])});
  return rows;
}
/// One instant, and one an hour later with the same values.
std::vector<TableRow> Twice(const std::vector<double>& values) {
  return {{At(0), values}, {At(1), values}};
}

/// A provider with a chain of adaptors of the factory on it.
class Chain {
 public:
  explicit Chain(std::vector<TableRow> rows, const std::string& unit = "m3 s-1",
                 std::shared_ptr<const ISpatialDefinition> where = nullptr)
      : table(std::move(rows), unit, std::move(where)) {
    table.Initialize();
  }
  ~Chain() {
    if (probe.Provider() != nullptr) probe.Provider()->RemoveConsumer(probe);
    while (!adaptors.empty()) {
      adaptors.back()->Adaptee().RemoveAdaptedOutput(*adaptors.back());
      adaptors.pop_back();
    }
  }
  IBaseOutput& Last() { return adaptors.empty() ? static_cast<IBaseOutput&>(table.Output()) : *adaptors.back(); }
  ITimeSpaceOutput& Output() { return dynamic_cast<ITimeSpaceOutput&>(Last()); }
  Chain& Add(const std::string& id, IBaseInput* target = nullptr) {
    for (const IIdentifiable* known : factory.AllIds()) {
      if (known->Id() != id) continue;
      adaptors.push_back(factory.CreateAdaptedOutput(*known, Last(), target));
      return *this;
    }
    throw std::runtime_error("no adaptor " + id);
  }
  Chain& Set(const std::string& key, const std::string& value) {
    for (IArgument* argument : adaptors.back()->Arguments()) {
      if (argument->Id() != key) continue;
      argument->SetValueAsString(value);
      return *this;
    }
    throw std::runtime_error("no argument " + key);
  }
  Chain& Prepare() {
    table.Prepare();
    return *this;
  }
  double Ask(double hour) { return probe.Value(Output(), At(hour)); }
  double Ask(double begin, double end) { return probe.Value(Output(), At(begin), At(end)); }
  std::vector<double> Row(double hour) { return probe.Row(Output(), At(hour)); }

  StandardAdaptors factory;
  TableComponent table;
  std::vector<std::unique_ptr<IBaseAdaptedOutput>> adaptors;
  ProbeInput probe;
};

std::vector<std::string> Texts(const std::vector<const IIdentifiable*>& ids) {
  std::vector<std::string> texts;
  for (const IIdentifiable* id : ids) texts.push_back(id->Id());
  return texts;
}

// --- the factory

TEST(StandardAdaptors, HasEveryAdaptorOnceWithWords) {
  StandardAdaptors factory;
  EXPECT_EQ(factory.Id(), "openmi.standard");
  std::vector<std::string> ids = Texts(factory.AllIds());
  EXPECT_EQ(ids.size(), 17U);
  for (const char* id : {"by-id", "nearest", "area-weighted-mean", "area-weighted-sum", "times-element-area", "linear",
                         "previous", "next", "nearest-in-time", "mean-over-span", "sum-over-span", "unit-conversion",
                         "linear-operation", "divide-by-span", "multiply-by-span", "density", "fill-missing"}) {
    EXPECT_THAT(ids, Contains(id));
  }
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  for (const IIdentifiable* id : factory.AllIds()) {
    EXPECT_NE(id->Caption(), "") << id->Id();
    EXPECT_NE(id->Description(), "") << id->Id();
  }
}

TEST(StandardAdaptors, OffersWhatFitsThePair) {
  StandardAdaptors factory;
  TableComponent scalar(Twice({1}), "mm h-1");
  scalar.Initialize();
  const auto plain = Texts(factory.GetAvailableAdaptedOutputIds(scalar.Output(), nullptr));
  EXPECT_THAT(plain, AllOf(Contains("linear"), Contains("mean-over-span"), Contains("unit-conversion"),
                           Not(Contains("by-id")), Not(Contains("nearest")), Not(Contains("times-element-area"))));

  TableComponent ids(Twice({1, 2}), "mm h-1", Ids({"a", "b"}));
  ids.Initialize();
  ProbeInput same("same", "m s-1", Ids({"b"}));
  EXPECT_THAT(Texts(factory.GetAvailableAdaptedOutputIds(ids.Output(), &same)),
              AllOf(Contains("by-id"), Contains("unit-conversion"), Not(Contains("area-weighted-mean"))));
  ProbeInput other("other", "kg", Ids({"x"}));
  EXPECT_THAT(Texts(factory.GetAvailableAdaptedOutputIds(ids.Output(), &other)),
              AllOf(Not(Contains("by-id")), Not(Contains("unit-conversion"))));

  TableComponent boxes(Twice({1}), "mm h-1", Boxes({{"a", 0, 0, 1, 1}}));
  boxes.Initialize();
  ProbeInput polygon("polygon", "mm h-1", Boxes({{"t", 0, 0, 2, 1}}));
  EXPECT_THAT(Texts(factory.GetAvailableAdaptedOutputIds(boxes.Output(), &polygon)),
              AllOf(Contains("area-weighted-mean"), Contains("area-weighted-sum"), Contains("nearest"),
                    Contains("times-element-area")));
}

TEST(StandardAdaptors, OfferingAsksNobodyToKeepRows) {
  Chain chain(Instants({0, 1, 2}, {1, 2, 3}));
  chain.Add("linear-operation").Set("a", "2");
  static_cast<void>(chain.factory.GetAvailableAdaptedOutputIds(chain.Last(), nullptr));
  chain.Prepare();
  // Nobody reads rows above it, so it maps none of its own accord: asked for a time it has not mapped, it still
  // answers.
  EXPECT_EQ(chain.Ask(2), 6.0);
}

TEST(StandardAdaptors, RefusesIdsOfOthers) {
  StandardAdaptors factory;
  TableComponent table(Twice({1}));
  table.Initialize();
  const Identifier foreign("linear");  // the same text is not the same id
  EXPECT_THAT([&] { factory.CreateAdaptedOutput(foreign, table.Output(), nullptr); },
              ThrowsMessage<LinkError>(HasSubstr("expected an id that this factory gave, found 'linear'")));
  EXPECT_THAT(table.Output().AdaptedOutputs(), IsEmpty());
}

TEST(StandardAdaptors, MakesEveryAdaptorThatItOffersWithoutATarget) {
  StandardAdaptors factory;
  TableComponent table(Spans({0, 1}, {1}), "mm", Boxes({{"a", 0, 0, 1, 1}}));
  table.Initialize();
  for (const IIdentifiable* id : factory.GetAvailableAdaptedOutputIds(table.Output(), nullptr)) {
    const bool needs_target = id->Id() == "by-id" || id->Id() == "nearest" || id->Id().starts_with("area-weighted");
    if (needs_target) {
      EXPECT_THAT([&] { factory.CreateAdaptedOutput(*id, table.Output(), nullptr); },
                  ThrowsMessage<LinkError>(HasSubstr("expected a target with elements to map to, found none")));
      continue;
    }
    const auto made = factory.CreateAdaptedOutput(*id, table.Output(), nullptr);
    ASSERT_NE(made, nullptr);
    EXPECT_EQ(made->Id(), id->Id());
    EXPECT_EQ(&made->Adaptee(), static_cast<IBaseOutput*>(&table.Output()));
    EXPECT_THAT(table.Output().AdaptedOutputs(), ElementsAre(made.get()));
    table.Output().RemoveAdaptedOutput(*made);
  }
  EXPECT_THAT(table.Output().AdaptedOutputs(), IsEmpty());
}

// --- time

/// Lets the provider come to its end, all rows kept.
Chain& ToTheEnd(Chain& chain) {
  chain.probe.PromiseNothingBefore(At(-100));
  chain.Output().AddConsumer(chain.probe);
  chain.Prepare();
  while (chain.table.Status() == LinkableComponentStatus::Updated) chain.table.Update({});
  return chain;
}

struct Vector {
  double begin, end, relaxation, expected;
};

void ExpectVectors(const std::vector<TableRow>& rows, const std::string& id, const std::vector<Vector>& vectors) {
  for (const Vector& vector : vectors) {
    Chain chain(rows);
    chain.Add(id).Set("extrapolation", "linear").Set("relaxation", std::to_string(vector.relaxation));
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
  EXPECT_NEAR(chain("linear", "0")->Ask(14), 3.0, kClose);
  EXPECT_NEAR(chain("linear", "0.5")->Ask(14), 4.0, kClose);
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
  for (const char* id : {"previous", "next", "nearest-in-time", "mean-over-span", "sum-over-span"}) {
    Chain chain(Instants({0, 1}, {1, 2}));
    chain.Add(id);
    EXPECT_THAT([&] { chain.Add("linear"); },
                ThrowsMessage<LinkError>(HasSubstr("leave one of the two time adaptors away")))
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

// --- values

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

// --- space

TEST(SpatialAdaptors, ById) {
  Chain chain(Twice({1, 2, 3}), "m", Ids({"a", "b", "c"}));
  ProbeInput target("t", "m", Ids({"c", "a"}));
  EXPECT_THAT(chain.Add("by-id", &target).Prepare().Row(0), ElementsAre(3, 1));
  EXPECT_EQ(chain.Output().SpatialDefinition(), target.SpatialDefinition());
  ProbeInput other("o", "m", Ids({"a", "bb"}));
  Chain refused(Twice({1, 2}), "m", Ids({"a", "b"}));
  refused.Add("by-id", &other);
  EXPECT_THAT([&] { dynamic_cast<RowAdaptor&>(refused.Last()).Check(); },
              ThrowsMessage<LinkError>(AllOf(HasSubstr("found no source 'bb'"), HasSubstr("a, b"))));
}

TEST(SpatialAdaptors, AreaWeighted) {
  const auto source = Boxes({{"a", 0, 0, 2, 1}, {"b", 2, 0, 3, 1}});
  const auto ask = [&](const char* id, const std::vector<double>& values, const std::string& missing = "propagate") {
    Chain chain(Twice(values), "mm h-1", source);
    ProbeInput target("t", "mm h-1", Boxes({{"t", 0, 0, 2.5, 1}, {"u", 2.5, 0, 4.5, 1}}));
    return chain.Add(id, &target).Set("missing", missing).Prepare().Row(0);
  };
  EXPECT_THAT(ask("area-weighted-mean", {3, 8}), ElementsAre(DoubleNear(4, 1e-12), DoubleNear(8, 1e-12)));
  EXPECT_THAT(ask("area-weighted-sum", {3, 8}), ElementsAre(DoubleNear(4, 1e-12), DoubleNear(2, 1e-12)));
  const std::vector<double> gap = ask("area-weighted-mean", {std::nan(""), 8});
  EXPECT_TRUE(std::isnan(gap[0]));
  EXPECT_NEAR(gap[1], 8, 1e-12);
  EXPECT_THAT(ask("area-weighted-mean", {std::nan(""), 8}, "renormalise"),
              ElementsAre(DoubleNear(8, 1e-12), DoubleNear(8, 1e-12)));
}

TEST(SpatialAdaptors, Nearest) {
  ElementSetBuilder points("p", ElementType::Point, kLocalMetresWkt);
  points.AddPoint("a", {0, 0}).AddPoint("b", {10, 0});
  ElementSetBuilder wanted("q", ElementType::Point, kLocalMetresWkt);
  wanted.AddPoint("x", {2, 1}).AddPoint("y", {9, 3}).AddPoint("half", {5, 7});
  Chain chain(Twice({1, 5}), "m", std::make_shared<const ElementSet>(points.Build()));
  ProbeInput target("t", "m", std::make_shared<const ElementSet>(wanted.Build()));
  EXPECT_THAT(chain.Add("nearest", &target).Prepare().Row(0), ElementsAre(1, 5, 3));  // equally near ones share
}

TEST(SpatialAdaptors, TargetsWithoutSources) {
  const auto chain = [](const std::string& uncovered) {
    auto made = std::make_unique<Chain>(Twice({3}), "mm", Boxes({{"a", 0, 0, 1, 1}}));
    return std::pair(std::move(made), uncovered);
  };
  ProbeInput target("t", "mm", Boxes({{"near", 0, 0, 1, 1}, {"far", 5, 5, 6, 6}}));
  auto [refused, error] = chain("error");
  refused->Add("area-weighted-mean", &target).Set("uncovered", error);
  EXPECT_THAT([&] { dynamic_cast<RowAdaptor&>(refused->Last()).Check(); },
              ThrowsMessage<LinkError>(AllOf(HasSubstr("found none for 1: far"), HasSubstr("uncovered"))));
  EXPECT_THAT([&] { refused->Prepare(); }, ::testing::Throws<LinkError>());
  auto [missing, policy] = chain("missing");
  const std::vector<double> row = missing->Add("area-weighted-mean", &target).Set("uncovered", policy).Prepare().Row(0);
  EXPECT_EQ(row[0], 3.0);
  EXPECT_TRUE(std::isnan(row[1]));
}

TEST(SpatialAdaptors, TimesElementArea) {
  auto elements = std::make_shared<ElementSet>(ElementSet::IdBased("ids", {"a", "b"}));
  elements->SetAttribute("area", "km2", {2, 5});
  elements->SetAttribute("contributing", "m2", {1e6, 1e6});
  Chain chain(Twice({3.6, 7.2}), "mm h-1", elements);
  chain.Add("times-element-area").Prepare();
  auto& adaptor = dynamic_cast<TimesElementArea&>(chain.Last());
  EXPECT_THAT(adaptor.AreaSource(), HasSubstr("attribute 'area'"));
  EXPECT_EQ(adaptor.AreaDifference(), 0.0);  // no geometry to differ from
  const auto& unit = dynamic_cast<const IQuantity&>(chain.Last().ValueDefinition()).Unit();
  EXPECT_TRUE(Convertible(unit, Unit::Parse("m3 s-1")));
  const std::vector<double> row = chain.Row(0);
  EXPECT_NEAR(row[0] * unit.ConversionFactorToSI(), 2.0, 1e-12);  // 3.6 mm/h over 2 km2
  EXPECT_NEAR(row[1] * unit.ConversionFactorToSI(), 10.0, 1e-12);

  Chain other(Twice({3.6, 7.2}), "mm h-1", elements);
  other.Add("times-element-area").Set("attribute", "contributing");
  EXPECT_THAT(dynamic_cast<TimesElementArea&>(other.Last()).Areas(), ElementsAre(1e6, 1e6));  // before it is prepared
  EXPECT_NEAR(other.Prepare().Row(0)[0] * unit.ConversionFactorToSI(), 1.0, 1e-12);
}

TEST(SpatialAdaptors, TimesElementAreaOfGeometryAndItsDifferenceToTheAttribute) {
  auto elements = Boxes({{"a", 0, 0, 100, 100}});
  Chain plane(Twice({1}), "m s-1", elements);
  plane.Add("times-element-area");
  EXPECT_THAT(dynamic_cast<TimesElementArea&>(plane.Last()).Areas(), ElementsAre(DoubleNear(1e4, 1e-6)));
  EXPECT_EQ(plane.Prepare().Row(0), (std::vector<double>{1e4}));
  elements->SetAttribute("area", "m2", {1.01e4});
  Chain both(Twice({1}), "m s-1", elements);
  both.Add("times-element-area");
  EXPECT_NEAR(dynamic_cast<TimesElementArea&>(both.Last()).AreaDifference(), 0.01, 2e-4);
  Chain none(Twice({1}), "m s-1", Ids({"a"}));
  none.Add("times-element-area");
  EXPECT_THAT([&] { dynamic_cast<RowAdaptor&>(none.Last()).Check(); }, ::testing::Throws<LinkError>());
  Chain scalar(Twice({1}), "m s-1");
  EXPECT_THAT([&] { scalar.Add("times-element-area"); },
              ThrowsMessage<LinkError>(HasSubstr("found one without elements")));
}

/// Elements that count how often their shape is read.
class CountedElements final : public DescribedAs<IElementSet> {
 public:
  explicit CountedElements(const std::vector<Box>& boxes) : set(Boxes(boxes)) {}
  int ElementCount() const override { return set->ElementCount(); }
  std::string SpatialReferenceSystemWkt() const override { return set->SpatialReferenceSystemWkt(); }
  int Version() const override { return set->Version(); }
  openmi::ElementType ElementType() const override { return set->ElementType(); }
  const IIdentifiable* GetElementId(int index) const override { return set->GetElementId(index); }
  int GetElementIndex(const IIdentifiable& id) const override { return set->GetElementIndex(id); }
  int GetFaceCount(int element) const override { return set->GetFaceCount(element); }
  std::vector<int> GetFaceVertexIndices(int element, int face) const override {
    return set->GetFaceVertexIndices(element, face);
  }
  int GetVertexCount(int element) const override {
    if (element == 0) ++readings;
    return set->GetVertexCount(element);
  }
  double GetVertexMCoordinate(int element, int vertex) const override {
    return set->GetVertexMCoordinate(element, vertex);
  }
  double GetVertexXCoordinate(int element, int vertex) const override {
    return set->GetVertexXCoordinate(element, vertex);
  }
  double GetVertexYCoordinate(int element, int vertex) const override {
    return set->GetVertexYCoordinate(element, vertex);
  }
  double GetVertexZCoordinate(int element, int vertex) const override {
    return set->GetVertexZCoordinate(element, vertex);
  }
  bool HasM() const override { return false; }
  bool HasZ() const override { return false; }

  std::shared_ptr<ElementSet> set;
  mutable int readings = 0;
};

TEST(SpatialAdaptors, ANewVersionOfTheElementsRenewsTheWeightsOnce) {
  const auto source = std::make_shared<CountedElements>(std::vector<Box>{{"a", 0, 0, 1, 1}, {"b", 1, 0, 2, 1}});
  Chain chain({{At(0), {2, 6}}, {At(1), {2, 6}}, {At(2), {2, 6}}, {At(3), {2, 6}}}, "m s-1", source);
  ProbeInput target("t", "m s-1", Boxes({{"t", 0, 0, 2, 1}}));
  chain.Add("area-weighted-mean", &target).Prepare();
  const int per_reading = source->readings;
  ASSERT_GT(per_reading, 0);
  EXPECT_NEAR(chain.Row(0)[0], 4.0, 1e-12);
  EXPECT_NEAR(chain.Row(1)[0], 4.0, 1e-12);
  EXPECT_EQ(source->readings, per_reading);
  source->set->ReplaceGeometry(*Boxes({{"a", 0, 0, 1.5, 1}, {"b", 1.5, 0, 2, 1}}));
  EXPECT_NEAR(chain.Row(2)[0], 3.0, 1e-12);
  EXPECT_EQ(source->readings, 2 * per_reading);
  EXPECT_NEAR(chain.Row(3)[0], 3.0, 1e-12);
  EXPECT_EQ(source->readings, 2 * per_reading);

  const auto fields = std::make_shared<CountedElements>(std::vector<Box>{{"a", 0, 0, 1, 1}, {"b", 1, 0, 2, 1}});
  Chain areas({{At(0), {2, 6}}, {At(1), {2, 6}}, {At(2), {2, 6}}}, "m s-1", fields);
  areas.Add("times-element-area").Prepare();
  EXPECT_THAT(areas.Row(0), ElementsAre(DoubleNear(2, 1e-12), DoubleNear(6, 1e-12)));
  const int once = fields->readings;
  fields->set->ReplaceGeometry(*Boxes({{"a", 0, 0, 1.5, 1}, {"b", 1.5, 0, 2, 1}}));
  EXPECT_THAT(areas.Row(1), ElementsAre(DoubleNear(3, 1e-12), DoubleNear(3, 1e-12)));
  EXPECT_EQ(fields->readings, 2 * once);
  EXPECT_THAT(areas.Row(2), ElementsAre(DoubleNear(3, 1e-12), DoubleNear(3, 1e-12)));
  EXPECT_EQ(fields->readings, 2 * once);
}

// --- all of them

TEST(StandardAdaptors, TakeNoMemoryInSteadyState) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  const auto elements = Boxes({{"a", 0, 0, 2, 1}, {"b", 2, 0, 3, 1}});
  const auto wanted = Boxes({{"t", 0, 0, 2.5, 1}, {"u", 2.5, 0, 3, 1}});
  const std::vector<std::vector<std::string>> chains = {{"linear"},
                                                        {"previous"},
                                                        {"mean-over-span"},
                                                        {"sum-over-span"},
                                                        {"unit-conversion"},
                                                        {"linear-operation"},
                                                        {"divide-by-span"},
                                                        {"multiply-by-span"},
                                                        {"density"},
                                                        {"fill-missing"},
                                                        {"area-weighted-mean"},
                                                        {"area-weighted-sum"},
                                                        {"nearest"},
                                                        {"times-element-area"},
                                                        {"sum-over-span", "divide-by-span"},
                                                        {"area-weighted-mean", "times-element-area", "mean-over-span"}};
  for (const auto& ids : chains) {
    std::vector<TableRow> rows;
    constexpr int kHours = 400;
    for (int i = 0; i < kHours; ++i) rows.push_back({At(i), {i * 1.0, i * 2.0}, Hours(1)});
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) rows[i].duration = rows[i + 1].begin - rows[i].begin;
    Chain chain(rows, "kg m-2", elements);
    ProbeInput target("t", "kg m-2", wanted);
    for (const std::string& id : ids) chain.Add(id, &target);
    chain.Output().AddConsumer(chain.probe);
    chain.Prepare();
    const auto ask = [&](int hour) {
      const std::size_t at = static_cast<std::size_t>(hour);
      chain.probe.Ask(chain.Output(), rows[at].begin, rows[at].begin + rows[at].duration);
      chain.probe.PromiseNothingBefore(rows[at].begin + rows[at].duration);
    };
    for (int hour = 0; hour < 200; ++hour) ask(hour);
    const std::uint64_t before = test::MallocCount();
    for (int hour = 200; hour < kHours - 1; ++hour) ask(hour);
    EXPECT_EQ(test::MallocCount() - before, 0U) << ids[0] << ' ' << ids.size();
  }
}

}  // namespace
}  // namespace openmi
