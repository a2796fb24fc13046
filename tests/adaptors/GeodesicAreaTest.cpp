#include <gmock/gmock.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "adaptors/kernels/EqualArea.hpp"
#include "adaptors/kernels/GeodesicArea.hpp"
#include "adaptors/kernels/PolygonClip.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/Epsilon.hpp"
#include "tests/support/RealData.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr double kEarth = 510065621724088.44;  // m2, WGS84: 2 pi a2 + pi b2 ln((1 + e) / (1 - e)) / e

TEST(GeodesicRingArea, AnEighthOfTheEarth) {
  const std::vector<double> longitude{0, 90, 0}, latitude{0, 0, 90};
  EXPECT_NEAR(GeodesicRingArea(longitude, latitude), kEarth / 8, kEarth * 1e-13);
}

TEST(GeodesicRingArea, DoesNotDependOnTheWayTheRingIsWritten) {
  const std::vector<double> longitude{179, -179, -179, 179}, latitude{10, 10, 12, 12};
  const double area = GeodesicRingArea(longitude, latitude);
  EXPECT_NEAR(area, 2 * 2 * 111.2e3 * 111.2e3 * std::cos(0.192), 0.01 * area);
  const std::vector<double> back{longitude.rbegin(), longitude.rend()}, down{latitude.rbegin(), latitude.rend()};
  EXPECT_NEAR(GeodesicRingArea(back, down), area, area * 1e-12);
  const std::vector<double> turned{179, 181, 181, 179, 179}, closed{10, 10, 12, 12, 10};
  EXPECT_NEAR(GeodesicRingArea(turned, closed), area, area * 1e-12);
}

TEST(GeodesicRingArea, RefusesLatitudesThatAreNone) {
  const std::vector<double> swapped{35, 35, 36}, longitude{-95, -94, -94};
  EXPECT_THAT([&] { GeodesicRingArea(swapped, longitude); },
              ThrowsMessage<RangeError>(::testing::AllOf(HasSubstr("-95"), HasSubstr("longitude first"))));
}

TEST(GeodesicAreas, SubtractsHolesAndNamesPolygonsWithoutArea) {
  Polygons polygons;
  const auto square = [&](double half) {
    for (const Point p : {Point{-half, -half}, {half, -half}, {half, half}, {-half, half}})
      polygons.AddVertex(p.x, p.y);
  };
  square(1);
  polygons.EndRing();
  square(0.5);
  polygons.EndRing(true);
  polygons.EndPolygon();
  const double area = GeodesicAreas(polygons.View())[0];
  square(1);
  polygons.EndRing();
  polygons.EndPolygon();
  square(0.5);
  polygons.EndRing();
  polygons.EndPolygon();
  const std::vector<double> areas = GeodesicAreas(polygons.View());
  EXPECT_NEAR(area, areas[1] - areas[2], 1e-14 * areas[1]);
  square(0);
  polygons.EndRing();
  polygons.EndPolygon();
  EXPECT_THAT([&] { GeodesicAreas(polygons.View()); }, ThrowsMessage<RangeError>(HasSubstr("polygon 3")));
}

TEST(ProjectToEqualArea, CellsAlongMeridiansAndParallelsKeepTheirArea) {
  const std::vector<double> longitude{-180, 180, 0, 0}, latitude{-90, 90, 0, 30};
  std::vector<double> x(4), y(4);
  ProjectToEqualArea(longitude, latitude, 0.0, x, y);
  const double width = 2 * 20037508.342789244;  // m, the equator
  EXPECT_NEAR(width * (y[1] - y[0]), kEarth, kEarth * 1e-14);
  EXPECT_EQ(y[2], 0.0);
  EXPECT_EQ(y[0], -y[1]);
  EXPECT_NEAR(x[1] - x[0], width, width * 1e-14);
  // One degree square against geodesics cut so short that they follow the parallels.
  std::vector<double> lon, lat;
  for (int i = 0; i <= 2000; ++i) lon.push_back(i / 2000.0), lat.push_back(44.0);
  for (int i = 2000; i >= 0; --i) lon.push_back(i / 2000.0), lat.push_back(45.0);
  const double geodesic = GeodesicRingArea(lon, lat);
  std::vector<double> px{0, 1}, py{44, 45};
  ProjectToEqualArea(px, py, 0.0, px, py);
  EXPECT_NEAR((px[1] - px[0]) * (py[1] - py[0]), geodesic, geodesic * 1e-9);
}

TEST(ProjectToEqualArea, KeepsARingAcrossTheDateLineInOnePiece) {
  const std::vector<double> longitude{179, -179, -179, 179, 181}, latitude{10, 10, 12, 12, 11};
  EXPECT_NEAR(std::abs(MiddleLongitude(longitude)), 180.0, 1e-12);
  std::vector<double> x(5), y(5);
  ProjectToEqualArea(longitude, latitude, MiddleLongitude(longitude), x, y);
  EXPECT_NEAR(x[1] - x[0], 2 * 111319.49, 1);
  EXPECT_EQ(x[4], x[1]);
  EXPECT_NEAR(MiddleLongitude(std::vector<double>{-80, -81}), -80.5, 360 * kEpsilon);
  EXPECT_EQ(MiddleLongitude({}), 0.0);
  EXPECT_THAT([&] { ProjectToEqualArea(latitude, longitude, 0, x, y); },
              ThrowsMessage<RangeError>(HasSubstr("vertex 0")));
}

struct Catchment {
  std::string id;
  double area_km2;
};

/// Reads the one file it is made for: numbers in order, rings by their brackets.
std::vector<Catchment> ReadCatchments(const std::filesystem::path& path, Polygons& polygons) {
  std::ifstream file(path);
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string text = stream.str();
  std::vector<Catchment> catchments;
  const auto number_at = [&](std::size_t at, std::size_t& end) {
    while (text[at] == ' ' || text[at] == ',') ++at;
    double value = 0.0;
    const auto result = std::from_chars(text.data() + at, text.data() + text.size(), value);
    end = result.ec == std::errc{} ? static_cast<std::size_t>(result.ptr - text.data()) : std::string::npos;
    return value;
  };
  std::size_t at = 0;
  while ((at = text.find("\"type\": \"Feature\",", at)) != std::string::npos) {
    Catchment catchment;
    const std::size_t id = text.find("\"id\": \"", at) + 7;
    catchment.id = text.substr(id, text.find('"', id) - id);
    std::size_t end = 0;
    catchment.area_km2 = number_at(text.find("\"areasqkm\":", at) + 11, end);
    at = text.find("\"coordinates\": [", at) + 16;
    int depth = 1;
    bool first_ring = true;
    for (; depth > 0; ++at) {
      if (text[at] == '[') {
        ++depth;
        if (depth == 2) first_ring = true;
      } else if (text[at] == ']') {
        if (depth == 3) {
          polygons.EndRing(!first_ring);
          first_ring = false;
        }
        --depth;
      } else if (depth == 4) {
        const double x = number_at(at, end);
        const double y = number_at(end, end);
        polygons.AddVertex(x, y);
        at = end - 1;
      }
    }
    polygons.EndPolygon();
    catchments.push_back(catchment);
  }
  return catchments;
}

TEST(GeodesicAreas, OfRealCatchmentsAreTheAreasStated) {
  Polygons polygons;
  const auto path = RealData() / "basin" / "catchment_data.geojson";
  const std::vector<Catchment> catchments = ReadCatchments(path, polygons);
  ASSERT_EQ(catchments.size(), 3U) << path;
  const PolygonsView view = polygons.View();
  EXPECT_EQ(view.x.size(), 109U + 115U + 127U + 4U);
  const std::vector<double> areas = GeodesicAreas(view);
  std::vector<double> x(view.x.size()), y(view.y.size());
  ProjectToEqualArea(view.x, view.y, MiddleLongitude(view.x), x, y);
  PolygonsView plane = view;
  plane.x = x;
  plane.y = y;
  const std::vector<double> plane_areas = PolygonAreas(plane);
  for (std::size_t i = 0; i < 3; ++i) {
    std::cout << catchments[i].id << ": stated " << catchments[i].area_km2 << " km2, geodesic off by "
              << areas[i] / (1e6 * catchments[i].area_km2) - 1 << ", equal-area plane by "
              << plane_areas[i] / areas[i] - 1 << " of geodesic\n";
    // The stated areas were measured in a projection of their own, with straight edges.
    EXPECT_NEAR(areas[i] / (1e6 * catchments[i].area_km2), 1.0, 1e-6) << catchments[i].id;
    // Edges up to 700 m: 15 mm * 0.49 * tan 35 off over 700 m, on 25 km of rim and 15 km2, if all went one way: 1e-5.
    EXPECT_NEAR(plane_areas[i] / areas[i], 1.0, 1e-5) << catchments[i].id;
  }
}

}  // namespace
}  // namespace openmi
