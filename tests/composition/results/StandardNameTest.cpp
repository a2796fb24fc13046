#include <gmock/gmock.h>

#include <set>
#include <string>

#include "composition/results/StandardName.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {
namespace {

TEST(StandardName, EveryEntryIsFoundByItsCaptionsAndNoOtherUnit) {
  std::set<std::string> found;
  for (const StandardName& entry : StandardNames()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(found.insert(entry.name).second) << "twice in the table";
    EXPECT_EQ(StandardNameOf(entry.name, entry.unit), entry.name);
    EXPECT_EQ(StandardNameOf(entry.name, "kg2 A"), "");
    for (const std::string_view caption : entry.captions) {
      EXPECT_EQ(StandardNameOf(caption, entry.unit), entry.name) << caption;
      EXPECT_EQ(StandardNameOf(caption, "kg2 A"), "") << caption;
    }
  }
}

TEST(StandardName, FollowsTheDimensionOfTheUnit) {
  EXPECT_EQ(StandardNameOf("Precipitation", "mm h-1"), "lwe_precipitation_rate");
  EXPECT_EQ(StandardNameOf("precipitation", "kg m-2 d-1"), "precipitation_flux");
  EXPECT_EQ(StandardNameOf("precipitation", "mm"), "lwe_thickness_of_precipitation_amount");
  EXPECT_EQ(StandardNameOf("precipitation", "kg m-2"), "precipitation_amount");
  EXPECT_EQ(StandardNameOf("air-temperature", "degC"), "air_temperature");
  EXPECT_EQ(StandardNameOf("relative humidity", "%"), "relative_humidity");
  EXPECT_EQ(StandardNameOf("Discharge", "L/s"), "water_volume_transport_in_river_channel");
}

TEST(StandardName, IsNotGuessed) {
  EXPECT_EQ(StandardNameOf("outflow", "m3 s-1"), "") << "of a pipe, a tank or a reach";
  EXPECT_EQ(StandardNameOf("mean precipitation", "mm h-1"), "");
  EXPECT_EQ(StandardNameOf("potential evaporation", "mm d-1"), "") << "the table has it as a mass only";
  EXPECT_EQ(StandardNameOf("temperature", "degC"), "") << "of air, water or soil";
  EXPECT_EQ(StandardNameOf("discharge", ""), "");
  EXPECT_EQ(StandardNameOf("discharge", "no unit at all"), "");
  EXPECT_EQ(StandardNameOf("", "m"), "");
}

}  // namespace
}  // namespace openmi
