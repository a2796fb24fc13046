#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Quantity, HasAUnitACaptionAndAMissingValue) {
  const Quantity discharge(Unit::Parse("m3 s-1"), "discharge", -999.0);
  EXPECT_EQ(discharge.Caption(), "discharge");
  EXPECT_EQ(discharge.Unit().Caption(), "m3 s-1");
  EXPECT_EQ(discharge.MissingDataValue(), Value(-999.0));
  EXPECT_EQ(discharge.ValueType(), ValueType{ValueKind::Double});
}

TEST(Quantity, MissesNaNAndIsCalledLikeItsUnitByDefault) {
  const Quantity quantity(Unit::Parse("mm"));
  EXPECT_EQ(quantity.Caption(), "mm");
  EXPECT_TRUE(std::isnan(quantity.MissingDataValue().Number().value()));
}

TEST(Quantity, OfIntegersHasAnIntegerForMissing) {
  const Quantity count(Unit::Parse("1"), "count", std::numeric_limits<double>::quiet_NaN(), ValueKind::Integer);
  EXPECT_EQ(count.MissingDataValue(), Value(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(Quantity(Unit::Parse("1"), "count", -1, ValueKind::Integer).MissingDataValue(), Value(-1));
  EXPECT_EQ(Quantity(Unit::Parse("1"), "level", -999).MissingDataValue(), Value(-999.0));
}

TEST(Quantity, RefusesWhatIsNoNumber) {
  EXPECT_THAT([] { Quantity(Unit::Parse("1"), "colour", "red"); },
              ThrowsMessage<TypeError>(HasSubstr("colour: expected a missing value of type double, found string")));
  EXPECT_THAT([] { Quantity(Unit::Parse("1"), "colour", "", ValueKind::String); },
              ThrowsMessage<TypeError>(HasSubstr("use a Quality")));
  EXPECT_THROW(Quantity(Unit::Parse("1"), "count", -1.5, ValueKind::Integer), TypeError);
}

TEST(Quantity, CopiesItsUnit) {
  Quantity copy(Unit::Parse("1"));
  {
    const Quantity rain(Unit::Parse("mm/h"), "rain");
    copy = rain;
  }
  EXPECT_EQ(copy.Unit().ConversionFactorToSI(), 1.0 / 3600000.0);
}

TEST(IsMissing, IsTrueForNaNAndTheMissingValue) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(IsMissing(nan, nan));
  EXPECT_TRUE(IsMissing(nan, -999.0));
  EXPECT_TRUE(IsMissing(-999.0, -999.0));
  EXPECT_FALSE(IsMissing(0.0, nan));
  EXPECT_FALSE(IsMissing(-999.0, nan));
}

}  // namespace
}  // namespace openmi
