// What becomes of targets without a source, and what a composer is told.

#include <gmock/gmock.h>

#include "adaptors/SpatialAdaptor.hpp"
#include "adaptors/space/Amounts.hpp"
#include "openmi/sdk/Dimension.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "tests/adaptors/SpaceQuestions.hpp"
#include "timespace/ValueSets.hpp"

namespace openmi {
namespace {

using namespace openmi::testing;  // NOLINT: the whole vocabulary of chains
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

SpatialAdaptor& Adaptor(Chain& chain) {
  return dynamic_cast<SpatialAdaptor&>(chain.Last());
}

TEST(Uncovered, KeepLeavesWhatTheInputHolds) {
  Chain chain(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  ProbeInput target("t", "mm", Boxes({{"near", 0, 0, 1, 1}, {"far", 5, 5, 6, 6}}));
  chain.Add("area-weighted-mean", &target).Set("uncovered", "keep").Prepare();
  EXPECT_TRUE(std::isnan(chain.Row(0)[1]));  // it holds nothing yet
  NumericValueSet held(1, 2);
  held.SetRow(0, std::vector<double>{1, 42});
  target.SetValues(&held);
  EXPECT_THAT(chain.Row(1), ElementsAre(3, 42));
  target.SetValues(nullptr);

  Chain behind(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  behind.Add("area-weighted-mean", &target).Set("uncovered", "keep").Add("linear-operation");
  EXPECT_THAT([&] { behind.Prepare(); },
              ThrowsMessage<Error>(HasSubstr("last on its link for uncovered = keep, found 'linear-operation'")));
}

TEST(Uncovered, IsCountedAndListed) {
  Chain chain(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  ProbeInput target("t", "mm", Boxes({{"near", 0, 0, 1, 1}, {"far", 5, 5, 6, 6}, {"further", 7, 7, 8, 8}}));
  chain.Add("area-weighted-mean", &target).Set("uncovered", "nearest");
  Adaptor(chain).Check();
  EXPECT_THAT(Adaptor(chain).UncoveredTargets(), ElementsAre(1, 2));
  EXPECT_THAT(Adaptor(chain).Notes(),
              Contains(AllOf(HasSubstr("2 of 3 elements"), HasSubstr("(nearest)"), HasSubstr("far, further"))));
}

TEST(Uncovered, CreepSaysWhatItCannotReach) {
  Chain chain(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  ProbeInput target("t", "mm", Boxes({{"near", 0, 0, 1, 1}, {"island", 5, 5, 6, 6}}));
  chain.Add("area-weighted-mean", &target).Set("uncovered", "creep");
  EXPECT_THAT([&] { Adaptor(chain).Check(); }, ThrowsMessage<LinkError>(HasSubstr("found none for 1: island")));
}

TEST(Masks, AreRefusedWhereTheAttributeIsMissing) {
  Chain chain(Twice({3}), "mm", Boxes({{"s", 0, 0, 1, 1}}));
  ProbeInput target("t", "mm", Boxes({{"t", 0, 0, 1, 1}}));
  chain.Add("nearest", &target).Set("source-mask", "wet");
  EXPECT_THAT([&] { Adaptor(chain).Check(); },
              ThrowsMessage<LinkError>(HasSubstr("expected a mask as attribute 'wet' of 'boxes', found none")));
}

TEST(Notes, SayWhereAnAmountMeetsAMeanAndAStateASum) {
  const auto notes = [](const char* id, const char* unit) {
    Chain chain(Twice({3, 4}), unit, Boxes({{"s", 0, 0, 1, 1}, {"u", 1, 0, 2, 1}}));
    ProbeInput target("t", unit, Boxes({{"t", 0, 0, 1, 1}}));
    chain.Add(id, &target);
    Adaptor(chain).Check();
    return Adaptor(chain).Notes();
  };
  EXPECT_THAT(notes("area-weighted-mean", "m3 s-1"), Contains(HasSubstr("may be an amount of each element")));
  EXPECT_THAT(notes("area-weighted-mean", "mm h-1"), ::testing::IsEmpty());
  EXPECT_THAT(notes("area-weighted-distribute", "K"), Contains(HasSubstr("is no amount")));
  EXPECT_THAT(notes("area-weighted-distribute", "m3"), ::testing::IsEmpty());
  EXPECT_THAT(notes("kriging", "K"), Contains(HasSubstr("condition number")));
}

TEST(Amounts, AreKnownByTheirDimension) {
  for (const char* unit : {"m3", "l s-1", "kg", "g d-1", "mol", "J", "W", "kW h"}) {
    EXPECT_TRUE(IsAmount(Unit::Parse(unit).Dimension())) << unit;
  }
  for (const char* unit : {"mm", "m s-1", "kg m-3", "K", "W m-2", "1", "m2", "kg m-2 s-1", "Pa"}) {
    EXPECT_FALSE(IsAmount(Unit::Parse(unit).Dimension())) << unit;
  }
}

TEST(KrigingVariance, HasTheSquareOfTheUnitWithoutItsOffset) {
  Chain chain(Twice({3, 4}), "degC", Points({{0, 0}, {1, 0}}));
  ProbeInput target("t", "K2", Points({{0.5, 0}}));
  chain.Add("kriging-variance", &target);
  const auto& unit = dynamic_cast<const IQuantity&>(chain.Last().ValueDefinition()).Unit();
  EXPECT_TRUE(Convertible(unit, Unit::Parse("K2")));
  EXPECT_EQ(unit.OffSetToSI(), 0.0);
  EXPECT_EQ(unit.ConversionFactorToSI(), 1.0);
}

}  // namespace
}  // namespace openmi
