// What the real data of the basin holds, and what is easily taken wrong in it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "adaptors/kernels/GeodesicArea.hpp"
#include "examples/river-basin/creek/ReachFile.hpp"
#include "tests/examples/TestData.hpp"

namespace riverbasin {
namespace {

struct Forcing {
  std::vector<double> amount;  // APCP_surface [mm over the hour that ends at the stamp]
  std::vector<double> rate;    // precip_rate [m s-1, from the stamp on], the last column
  std::string first, last;
};

Forcing ReadForcing(const std::string& id) {
  std::ifstream file(RealData() / "basin" / ("forcing_" + id + ".csv"));
  Forcing forcing;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cells;
    std::istringstream text(line);
    for (std::string cell; std::getline(text, cell, ',');) cells.push_back(cell);
    if (forcing.first.empty()) forcing.first = cells.front();
    forcing.last = cells.front();
    forcing.amount.push_back(std::stod(cells[1]));
    forcing.rate.push_back(std::stod(cells.back()));
  }
  return forcing;
}

openmi::GeoJsonFile Catchments() {
  return openmi::ReadGeoJson((RealData() / "basin/catchment_data.geojson").string());
}

TEST(BasinData, RatesAreStampedOneRowBeforeAmounts) {
  for (const char* id : {"cat-27", "cat-52", "cat-67"}) {
    const Forcing forcing = ReadForcing(id);
    ASSERT_EQ(forcing.amount.size(), 720u);
    double same_row = 0.0;
    for (std::size_t i = 0; i + 1 < forcing.amount.size(); ++i) {
      EXPECT_NEAR(forcing.amount[i + 1], 3.6e6 * forcing.rate[i], 0.04) << id << " row " << i;
      same_row = std::max(same_row, std::abs(forcing.amount[i] - 3.6e6 * forcing.rate[i]));
    }
    EXPECT_GT(same_row, 25.0) << "read row by row the rain would be an hour off";
    EXPECT_EQ(forcing.first, "2015-12-01 00:00:00");
    EXPECT_EQ(forcing.last, "2015-12-30 23:00:00") << "an hour before the thirty days end";
  }
}

TEST(BasinData, EachCatchmentHasItsOwnPeakAndVolume) {
  const std::map<std::string, std::pair<double, double>> expected = {// depth and peak hour [mm]
                                                                     {"cat-27", {215.20, 37.7}},
                                                                     {"cat-52", {216.30, 39.1}},
                                                                     {"cat-67", {215.60, 36.9}}};
  double volume = 0.0;
  double area = 0.0;
  const openmi::GeoJsonFile file = Catchments();
  for (const openmi::GeoJsonFeature& catchment : file.features) {
    const Forcing forcing = ReadForcing(catchment.id);
    const double depth = std::accumulate(forcing.amount.begin(), forcing.amount.end(), 0.0);
    EXPECT_NEAR(depth, expected.at(catchment.id).first, 1e-4) << catchment.id;
    EXPECT_NEAR(*std::max_element(forcing.amount.begin(), forcing.amount.end()), expected.at(catchment.id).second,
                1e-4);
    volume += depth * file.Number(catchment, "areasqkm") * 1e3;
    area += file.Number(catchment, "areasqkm");
  }
  EXPECT_NEAR(volume, 11'942'541.0, 1.0);
  EXPECT_NEAR(volume / area / 1e3, 215.737, 1e-3);
}

TEST(BasinData, RingsAreClockwiseOneHasATinyHoleAndThePlanarAreaIsNonsense) {
  const openmi::ElementSet set = openmi::ElementsOf(Catchments(), "catchments");
  ASSERT_EQ(set.ElementCount(), 3);
  EXPECT_EQ(set.IdOf(0), "cat-67") << "the order of the file, not of the names";
  EXPECT_EQ(set.FlippedCount(), 3) << "all outer rings came clockwise";
  EXPECT_TRUE(set.HasExtraRings());
  const openmi::ElementAttribute* area = set.Attribute("area");
  ASSERT_NE(area, nullptr);
  for (int element = 0; element < 3; ++element) {
    double geodesic = 0.0;
    double planar = 0.0;
    for (const openmi::ElementRing& ring : set.Rings(element)) {
      const double sign = ring.is_hole ? -1.0 : 1.0;
      geodesic += sign * openmi::GeodesicRingArea(ring.x, ring.y) / 1e6;
      for (std::size_t i = 0; i < ring.x.size(); ++i) {
        const std::size_t next = (i + 1) % ring.x.size();
        planar += 0.5 * (ring.x[i] * ring.y[next] - ring.x[next] * ring.y[i]);
      }
      if (ring.is_hole) {
        EXPECT_EQ(set.IdOf(element), "cat-52");
        EXPECT_LT(openmi::GeodesicRingArea(ring.x, ring.y), 1e4);
      }
    }
    EXPECT_NEAR(geodesic / area->values[static_cast<std::size_t>(element)], 1.0, 2e-3) << set.IdOf(element);
    EXPECT_LT(std::abs(planar), 0.01) << "square degrees, not square kilometres";
  }
}

bool Contains(const std::vector<openmi::ElementVertex>& ring, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++) {
    if ((ring[i].y > y) != (ring[j].y > y) &&
        x < ring[i].x + (ring[j].x - ring[i].x) * (y - ring[i].y) / (ring[j].y - ring[i].y)) {
      inside = !inside;
    }
  }
  return inside;
}

TEST(BasinData, AnOutletLiesOutsideItsCatchmentSoLinksGoByName) {
  std::ifstream file(RealData() / "basin/nexus_data.geojson");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  int outside = 0;
  for (const openmi::GeoJsonFeature& catchment : Catchments().features) {
    const std::size_t at = text.find("\"id\": \"" + catchment.Text("toid") + "\"");
    ASSERT_NE(at, std::string::npos) << catchment.id << " drains to a nexus that is there";
    const std::size_t open = text.find('[', text.find("\"coordinates\"", at));
    std::istringstream numbers(text.substr(open + 1, 80));
    double x = 0.0;
    double y = 0.0;
    char comma = 0;
    numbers >> x >> comma >> y;
    outside += Contains(catchment.polygons[0].outer, x, y) ? 0 : 1;
  }
  EXPECT_GE(outside, 1);
}

TEST(BasinData, ReachesAreLinkedByNameToTheInventedOneBelowThem) {
  const ReachFile file = ReadReaches((RealData() / "basin/flowpath_data.geojson").string(),
                                     (RiverBasin() / "basin-joining.geojson").string(), Catchments(), {});
  ASSERT_EQ(file.reaches.size(), 4u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(file.reaches[i].downstream, "invented-joining-reach");
  EXPECT_EQ(file.lateral_ids, (std::vector<std::string>{"cat-27", "cat-52", "cat-67"}))
      << "another order than the shapes'";
  EXPECT_NEAR(file.reaches[0].geometry.slope, 0.003417065, 1e-12) << "slope_percent is m/m";
  EXPECT_NEAR(file.reaches[0].geometry.length, 4973.94391298842, 1e-9);
  const ReachNetwork network(file.reaches, 3600.0);
  EXPECT_EQ(network.Outlets().size(), 1u);
}

TEST(BasinData, TheSameHourIsTooLongForTheReachesAndIsDivided) {
  // In flood the reaches are run through in well under the hour: beyond 2 K (1 - X) the weights turn negative.
  SectionRules flood;
  flood.specific_discharge = 1.0;
  const ReachFile file = ReadReaches((RealData() / "basin/flowpath_data.geojson").string(),
                                     (RiverBasin() / "basin-joining.geojson").string(), Catchments(), flood);
  const ReachNetwork network(file.reaches, 3600.0);
  int divided = 0;
  for (std::size_t i = 0; i < network.Size(); ++i) {
    const MuskingumParameters p = CungeParameters(file.reaches[i].geometry);
    if (3600.0 > 2.0 * p.travel_time * (1.0 - p.weight)) {
      ++divided;
      EXPECT_GE(network.Reach(i).SubSteps(), 2) << file.reaches[i].id;
    }
  }
  EXPECT_GE(divided, 3);
}

}  // namespace
}  // namespace riverbasin
