// The contract of the standard factory, and what holds for every adaptor it makes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "adaptors/LinkAdvice.hpp"
#include "adaptors/base/AdaptorOffer.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/adaptors/Chain.hpp"
#include "tests/timespace/MallocCount.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

TEST(StandardAdaptors, HasEveryAdaptorOnceWithWords) {
  StandardAdaptors factory;
  EXPECT_EQ(factory.Id(), "openmi.standard");
  std::vector<std::string> ids = Texts(factory.AllIds());
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  for (const IIdentifiable* id : factory.AllIds()) {
    EXPECT_NE(id->Caption(), "") << id->Id();
    EXPECT_NE(id->Description(), "") << id->Id();
  }
}

TEST(OrderWarnings, NameAmountsThatAreAveragedAndRatesThatAreAddedUp) {
  const auto at = [](const std::vector<std::string>& ids) {
    std::vector<std::size_t> places;
    for (const OrderWarning& warning : OrderWarnings(ids)) places.push_back(warning.adaptor);
    return places;
  };
  EXPECT_THAT(at({"divide-by-span", "mean-over-span"}), IsEmpty());
  EXPECT_THAT(at({"sum-over-span", "divide-by-span"}), IsEmpty());
  EXPECT_THAT(at({"resample", "divide-by-span"}), IsEmpty());
  EXPECT_THAT(at({"one-of-a-stranger", "linear", "divide-by-span"}), ElementsAre(2));
  EXPECT_THAT(at({"divide-by-span", "nearest", "disaggregate"}), ElementsAre(2));
  EXPECT_THAT(at({"previous", "divide-by-span", "sum-over-span"}), ElementsAre(1, 2));
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

TEST(StandardAdaptors, OffersTheMostSuitableFirst) {
  StandardAdaptors factory;
  const auto first = [&](Chain& chain, ProbeInput& input) {
    return Texts(factory.GetAvailableAdaptedOutputIds(chain.Last(), &input)).at(0);
  };
  Chain states(Instants({0, 1}, {1, 2}), "m"), means(Spans({0, 1}, {1}), "m3 s-1"), amounts(Spans({0, 1}, {1}), "mm");
  ProbeInput instants("instants", "m"), flows("flows", "m3 s-1"), depths("depths", "mm"), litres("litres", "L s-1");
  states.Prepare();
  means.Prepare();
  static_cast<void>(instants.Ask(states.Output(), At(0)));  // from now on it asks for instants, the others for spans
  for (ProbeInput* input : {&flows, &depths, &litres}) static_cast<void>(input->Ask(means.Output(), At(0), At(1)));
  EXPECT_EQ(first(states, instants), "linear");
  EXPECT_EQ(first(means, instants), "previous");
  EXPECT_EQ(first(means, flows), "mean-over-span");
  EXPECT_EQ(first(amounts, depths), "sum-over-span");
  const auto offered = Texts(factory.GetAvailableAdaptedOutputIds(means.Last(), &litres));
  const auto place = [&](const char* id) { return std::ranges::find(offered, id) - offered.begin(); };
  EXPECT_LT(place("unit-conversion"), place("sum-over-span"));
  EXPECT_LT(place("unit-conversion"), place("linear-operation"));
  EXPECT_THAT(Texts(factory.GetAvailableAdaptedOutputIds(states.Last(), &instants)), Not(Contains("mean-over-span")));
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
    const bool needs_target =
        id->Id() != "times-element-area" && id->Id() != "one-value" &&
        std::ranges::any_of(SpaceOffers(), [&](const AdaptorOffer& offer) { return &offer.id == id; });
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

TEST(StandardAdaptors, TakeNoMemoryInSteadyState) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  const auto elements = Boxes({{"a", 0, 0, 2, 1}, {"b", 2, 0, 3, 1}});
  const auto wanted = Boxes({{"t", 0, 0, 2.5, 1}, {"u", 2.5, 0, 3, 1}});
  const std::vector<std::vector<std::string>> chains = {{"linear"},
                                                        {"previous"},
                                                        {"mean-over-span"},
                                                        {"sum-over-span"},
                                                        {"cubic"},
                                                        {"minimum-over-span"},
                                                        {"maximum-over-span"},
                                                        {"integral-over-span"},
                                                        {"disaggregate"},
                                                        {"accumulate", "mean-over-span"},
                                                        {"resample"},
                                                        {"delay"},
                                                        {"fill-gaps"},
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
    if (ids[0] == "resample") chain.Set("step", "PT1H");
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
