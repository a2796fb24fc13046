#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

LinearConversion Between(const char* from, const char* to) {
  return ConversionBetween(Unit::Parse(from), Unit::Parse(to));
}
std::string Advice(const char* from, const char* to) {
  return ConversionAdvice(Unit::Parse(from), Unit::Parse(to));
}

TEST(Dimension, WritesItsPowers) {
  const Dimension discharge = Dimension::Of({{DimensionBase::Length, 3}, {DimensionBase::Time, -1}});
  EXPECT_EQ(discharge.Text(), "L3 T-1");
  EXPECT_EQ(discharge.GetPower(DimensionBase::Length), 3.0);
  EXPECT_EQ(discharge.GetPower(DimensionBase::Time), -1.0);
  EXPECT_EQ(discharge.GetPower(DimensionBase::Currency), 0.0);
  EXPECT_EQ(Dimension().Text(), "1");
  EXPECT_EQ(Dimension::Of({{DimensionBase::Length, 0.5}}).Text(), "L0.5");
  EXPECT_EQ(Dimension({1, 1, 1, 1, 1, 1, 1, 1}).Text(), "L M T I K N J E");
}

TEST(Dimension, IsTheSameOnlyWithAllEightPowers) {
  for (std::size_t i = 0; i < kDimensionBaseCount; ++i) {
    std::array<double, kDimensionBaseCount> powers{};
    powers[i] = 1.0;
    EXPECT_FALSE(SameDimension(Dimension(powers), Dimension())) << i;
    EXPECT_TRUE(SameDimension(Dimension(powers), Dimension(powers))) << i;
  }
}

TEST(Unit, RefusesFactorsThatMakeNoSense) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THAT([] { Unit("odd", 0.0, 0.0, Dimension()); },
              ThrowsMessage<UnitError>(AllOf(HasSubstr("'odd'"), HasSubstr("factor other than 0"))));
  EXPECT_THROW(Unit("odd", infinity, 0.0, Dimension()), UnitError);
  EXPECT_THROW(Unit("odd", 1.0, std::nan(""), Dimension()), UnitError);
}

TEST(ConversionBetween, IsExactWhereTheRatioIs) {
  EXPECT_EQ(Between("mm", "m").factor, 1.0 / 1000.0);
  EXPECT_EQ(Between("m", "mm").factor, 1000.0);
  EXPECT_EQ(Between("mm/h", "mm/day").factor, 24.0);
  EXPECT_EQ(Between("mm/day", "mm/h").factor, 1.0 / 24.0);
  EXPECT_EQ(Between("mm/h", "m/s").factor, 1.0 / 3600000.0);
  EXPECT_EQ(Between("m3/s", "l/s").factor, 1000.0);
  EXPECT_EQ(Between("l/s", "m3/h").factor, 3.6);
  EXPECT_EQ(Between("in", "mm").factor, 25.4);
  EXPECT_EQ(Between("km2", "ha").factor, 100.0);
  EXPECT_EQ(Between("d", "h").factor, 24.0);
  EXPECT_EQ(Between("m3/s", "m3/day").factor, 86400.0);
}

TEST(ConversionBetween, KeepsWholeNumbersWhole) {
  const LinearConversion to_mm = Between("m", "mm");
  for (int i = 0; i < 10000; ++i) ASSERT_EQ(to_mm(i), 1000.0 * i);
}

TEST(ConversionBetween, KnowsTheIdentity) {
  EXPECT_TRUE(Between("m3/s", "m3 s-1").IsIdentity());
  EXPECT_TRUE(Between("cms", "m3 s-1").IsIdentity());
  EXPECT_TRUE(Between("degC", "celsius").IsIdentity());
  EXPECT_TRUE(Between("mm/h", "l m-2 h-1").IsIdentity());
  EXPECT_FALSE(Between("degC", "K").IsIdentity());
}

TEST(ConversionBetween, MovesTemperaturesByTheirOffset) {
  EXPECT_EQ(Between("degC", "K")(20.0), 293.15);
  EXPECT_EQ(Between("K", "degC").offset, -273.15);
  EXPECT_EQ(Between("degC", "degF").factor, 1.8);
  EXPECT_EQ(Between("degC", "degF").offset, 32.0);
  EXPECT_EQ(Between("degC", "degF")(100.0), 212.0);
  EXPECT_EQ(Between("degC", "degF")(-40.0), -40.0);
  EXPECT_NEAR(Between("degF", "degC")(212.0), 100.0, 1e-13);
}

TEST(DifferenceConversionBetween, LeavesOffsetsOut) {
  const auto degC = Unit::Parse("degC"), degF = Unit::Parse("degF"), kelvin = Unit::Parse("K");
  EXPECT_EQ(DifferenceConversionBetween(degC, degF)(5.0), 9.0);
  EXPECT_TRUE(DifferenceConversionBetween(degC, kelvin).IsIdentity());
}

TEST(ConversionBetween, FollowsTheFormulaForUnitsMadeByHand) {
  const Dimension length = Dimension::Of({{DimensionBase::Length, 1}});
  const Unit gauge("m above gauge zero", 1.0, 5.2, length);
  const Unit datum("cm above datum", 0.01, 0.0, length);
  EXPECT_EQ(ConversionBetween(gauge, datum)(1.0), 620.0);  // (1 * 1 + 5.2 - 0) / 0.01
  EXPECT_NEAR(ConversionBetween(datum, gauge)(620.0), 1.0, 1e-15);
}

TEST(ConversionBetween, RefusesOtherDimensionsAndNamesBoth) {
  EXPECT_THAT([] { Between("mm", "m3 s-1"); },
              ThrowsMessage<UnitError>(AllOf(HasSubstr("found 'mm' of dimension L"), HasSubstr("like 'm3 s-1'"),
                                             HasSubstr("L3 T-1"), HasSubstr("'times-element-area'"))));
  EXPECT_THAT([] { Between("degC", "m"); }, ThrowsMessage<UnitError>(HasSubstr("choose an item of the same kind")));
  EXPECT_FALSE(Convertible(Unit::Parse("EUR"), Unit::Parse("1")));
  EXPECT_TRUE(Convertible(Unit::Parse("EUR m-3"), Unit::Parse("kEUR l-1")));
}

TEST(ConversionAdvice, NamesTheAdaptorThatHelps) {
  EXPECT_EQ(Advice("m s-1", "m3 s-1"),
            "put the adaptor 'times-element-area' (a depth over an area becomes a volume) on the link");
  EXPECT_THAT(Advice("mm", "m3"), HasSubstr("'times-element-area'"));
  EXPECT_THAT(Advice("mm", "mm/h"), AllOf(HasSubstr("'divide-by-span'"), Not(HasSubstr("area"))));
  EXPECT_THAT(Advice("m3/s", "m3"), HasSubstr("'multiply-by-span'"));
  EXPECT_THAT(Advice("kg m-2 s-1", "mm/h"),
              AllOf(HasSubstr("'density'"), Not(HasSubstr("area")), Not(HasSubstr("span"))));
  EXPECT_THAT(Advice("mm/h", "kg m-2 s-1"), HasSubstr("'density' (volume becomes mass)"));
  EXPECT_THAT(Advice("kg", "m3"), HasSubstr("'density' (mass becomes volume)"));
  EXPECT_EQ(
      Advice("mm", "m3/s"),
      "put the adaptors 'divide-by-span' (an amount becomes a rate) and 'times-element-area' (a depth over an area "
      "becomes a volume) on the link");
  EXPECT_THAT(Advice("kg m-2", "m3/s"),
              AllOf(HasSubstr("'divide-by-span'"), HasSubstr("'density'"), HasSubstr("'times-element-area'")));
}

TEST(ConversionAdvice, IsEmptyWhereNothingHelps) {
  EXPECT_EQ(Advice("mm/h", "m/s"), "");
  EXPECT_EQ(Advice("degC", "m"), "");
  EXPECT_EQ(Advice("m3/s", "mm/h"), "");  // a volume has forgotten its area
  EXPECT_EQ(Advice("s", "1"), "");
  EXPECT_EQ(Advice("EUR m-3", "m3"), "");
}

}  // namespace
}  // namespace openmi
