#include <gmock/gmock.h>

#include <map>

#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/files/ElementFile.hpp"
#include "timespace/files/GridMapping.hpp"

namespace openmi {
namespace {

using testing::DoubleEq;
using testing::DoubleNear;
using testing::ElementsAre;

std::map<std::string, std::vector<double>> NumbersOf(const GridMapping& mapping) {
  return {mapping.numbers.begin(), mapping.numbers.end()};
}

// Parameters are those of the EPSG registry.

TEST(GridMapping, OfLongitudeAndLatitude) {
  for (const std::string& wkt : {std::string(kWgs84Wkt), ReferenceSystemNamed("EPSG:4326")}) {
    const auto mapping = GridMappingOf(wkt);
    ASSERT_TRUE(mapping);
    EXPECT_EQ(mapping->name, "latitude_longitude");
    EXPECT_EQ(mapping->unit, "");
    const auto numbers = NumbersOf(*mapping);
    EXPECT_THAT(numbers.at("semi_major_axis"), ElementsAre(6378137.0));
    EXPECT_THAT(numbers.at("inverse_flattening"), ElementsAre(DoubleEq(298.257223563)));
    EXPECT_THAT(numbers.at("longitude_of_prime_meridian"), ElementsAre(0.0));
  }
}

TEST(GridMapping, OfAMeridianInGrads) {
  const auto paris = GridMappingOf(ReferenceSystemNamed("EPSG:4807"));
  ASSERT_TRUE(paris);
  EXPECT_THAT(NumbersOf(*paris).at("longitude_of_prime_meridian"), ElementsAre(DoubleNear(2.33722917, 1e-8)));
}

TEST(GridMapping, OfProjections) {
  const auto utm = GridMappingOf(ReferenceSystemNamed("EPSG:32733"));
  ASSERT_TRUE(utm);
  EXPECT_EQ(utm->name, "transverse_mercator");
  EXPECT_EQ(utm->unit, "m");
  EXPECT_EQ(NumbersOf(*utm).at("false_northing"), std::vector{10'000'000.0});
  EXPECT_EQ(NumbersOf(*utm).at("longitude_of_central_meridian"), std::vector{15.0});

  const auto europe = GridMappingOf(ReferenceSystemNamed("EPSG:3035"));
  ASSERT_TRUE(europe);
  EXPECT_EQ(europe->name, "lambert_azimuthal_equal_area");
  EXPECT_EQ(NumbersOf(*europe).at("latitude_of_projection_origin"), std::vector{52.0});
  EXPECT_EQ(NumbersOf(*europe).at("longitude_of_projection_origin"), std::vector{10.0});
  EXPECT_EQ(NumbersOf(*europe).at("false_easting"), std::vector{4'321'000.0});

  const auto conus = GridMappingOf(ReferenceSystemNamed("EPSG:5070"));
  ASSERT_TRUE(conus);
  EXPECT_EQ(conus->name, "albers_conical_equal_area");
  EXPECT_EQ(NumbersOf(*conus).at("standard_parallel"), (std::vector{29.5, 45.5}));
  EXPECT_EQ(NumbersOf(*conus).at("latitude_of_projection_origin"), std::vector{23.0});

  const auto france = GridMappingOf(ReferenceSystemNamed("EPSG:2154"));
  ASSERT_TRUE(france);
  EXPECT_EQ(france->name, "lambert_conformal_conic");
  EXPECT_EQ(NumbersOf(*france).at("standard_parallel"), (std::vector{49.0, 44.0}));
  EXPECT_EQ(NumbersOf(*france).at("longitude_of_central_meridian"), std::vector{3.0});
}

TEST(GridMapping, KeepsLengthsInTheUnitOfTheCoordinates) {
  const auto california = GridMappingOf(ReferenceSystemNamed("EPSG:2227"));  // false easting: 6561666.667 ftUS
  ASSERT_TRUE(california);
  EXPECT_EQ(california->name, "lambert_conformal_conic");
  EXPECT_EQ(california->unit, "US_survey_foot");
  EXPECT_THAT(NumbersOf(*california).at("false_easting"), ElementsAre(DoubleNear(6'561'666.667, 1e-3)));
}

TEST(GridMapping, NamesOnlyWhatTheConventionsKnow) {
  const auto web = GridMappingOf(ReferenceSystemNamed("EPSG:3857"));
  ASSERT_TRUE(web);
  EXPECT_EQ(web->name, "") << "the spherical Mercator of web maps on an ellipsoid has no name";
  EXPECT_EQ(web->unit, "m");
  const auto plane = GridMappingOf(kLocalMetresWkt);
  ASSERT_TRUE(plane);
  EXPECT_EQ(plane->name, "");
  EXPECT_TRUE(plane->numbers.empty());
  EXPECT_EQ(plane->unit, "m");
  EXPECT_FALSE(GridMappingOf("a sheet of paper"));
  EXPECT_FALSE(GridMappingOf(""));
}

TEST(GridMapping, OfTheHorizontalPartOfACompoundSystem) {
  const auto both = GridMappingOf(ReferenceSystemNamed("EPSG:32617+5703"));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->name, "transverse_mercator");
}

}  // namespace
}  // namespace openmi
