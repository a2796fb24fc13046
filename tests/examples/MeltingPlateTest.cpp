#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "tests/support/Ranks.hpp"
#include "tests/support/RunChecked.hpp"

namespace {

using namespace openmi;

const bool ranks_start = test::LetRanksStart();
constexpr double kRounding = 1e-13;

RunRecord RunOn(int ranks) {
  std::ifstream in(OPENMI_SOURCE_DIR "/examples/melting-plate/melting-plate.xml");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const std::string given = "Ranks=\"4\"";
  text.replace(text.find(given), given.size(), "Ranks=\"" + std::to_string(ranks) + "\"");
  Problems problems;
  Composition composition(
      ReadCompositionText(text, OPENMI_SOURCE_DIR "/examples/melting-plate/melting-plate.xml", problems));
  return test::RunChecked(composition, problems);
}

double LargestDifference(const RunRecord& a, const RunRecord& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.series.size(); ++i) {
    EXPECT_EQ(a.series[i].values.size(), b.series[i].values.size());
    for (std::size_t k = 0; k < a.series[i].values.size(); ++k) {
      largest = std::max(largest, std::fabs(a.series[i].values[k] - b.series[i].values[k]));
    }
  }
  return largest;
}

// What examples/melting-plate/README.md says.
TEST(MeltingPlate, HasTheSameValuesOnOneTwoAndFourRanks) {
  const RunRecord one = RunOn(1);
  ASSERT_TRUE(one.is_complete);
  ASSERT_EQ(one.series.size(), 3U);
  EXPECT_GT(*std::ranges::max_element(one.series[2].values), 0.1);  // water does flow
  for (const int ranks : {2, 4}) {
    const RunRecord several = RunOn(ranks);
    ASSERT_TRUE(several.is_complete);
    EXPECT_LE(LargestDifference(one, several), kRounding) << ranks;
    const auto link = std::ranges::find(several.links, "plate.melt -> fields.inflow",
                                        [](const auto& link_of) { return link_of.first; });
    ASSERT_NE(link, several.links.end());
    const LinkBalanceFigures& figures = link->second;
    EXPECT_GT(figures.left, 1000.0);
    EXPECT_LE(std::fabs(figures.arrived + figures.outside - figures.left), kRounding * figures.left) << ranks;
  }
}

}  // namespace
