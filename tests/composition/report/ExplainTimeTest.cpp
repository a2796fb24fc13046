#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <vector>

#include "Markup.hpp"
#include "composition/report/ExplainLink.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;

TEST(ExplainTime, InstantsAreDotsAndSpansAreBars) {
  const std::vector<double> times{57357.0, 57357.25, 57357.5, 57358.0}, values{1, 4, NAN, 2};
  const std::vector<double> begins{57357.0, 57357.5}, ends{57357.5, 57358.0}, means{2.5, 3};
  const std::string svg = ExplainTimeSvg({"rain.out", "mm", times, times, values},
                                         {"runoff.in", "mm", begins, ends, means}, "rain.out to runoff.in: mean");
  ExpectWellFormed(svg);
  std::ofstream(std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "explain-time.svg") << svg;
  EXPECT_EQ(CountNodes(svg, "//circle[@class='obsdot' and @r='3.5']"), 3u);  // the missing one is not drawn
  const std::string bars = TextOf(svg, "//path[@class='l s1']/@d");
  EXPECT_EQ(std::count(bars.begin(), bars.end(), 'M'), 2);
  EXPECT_EQ(std::count(bars.begin(), bars.end(), 'L'), 2);
  EXPECT_EQ(CountNodes(svg, "//text[.='rain.out to runoff.in: mean']"), 1u);
}

TEST(ExplainTime, AnswersAreJoinedButForMissingOnes) {
  const std::vector<double> begins{57357.0}, ends{57358.0}, one{3};
  const std::vector<double> times{57357.1, 57357.2, 57357.3, 57357.4, 57357.5}, values{3, 3, NAN, 3, 3};
  const std::string svg = ExplainTimeSvg({"a", "m", begins, ends, one}, {"b", "m", times, times, values}, "previous");
  ExpectWellFormed(svg);
  const std::string line = TextOf(svg, "//path[@class='l s1']/@d");
  EXPECT_EQ(std::count(line.begin(), line.end(), 'M'), 2);
  const std::string bar = TextOf(svg, "//path[@class='obs']/@d");
  EXPECT_EQ(std::count(bar.begin(), bar.end(), 'L'), 1);
}

TEST(ExplainTime, OtherUnitsHaveAPanelOfTheirOwn) {
  const std::vector<double> times{57357.0, 57358.0}, depths{1, 4}, rates{1e-9, 4e-9};
  const auto height = [](const std::string& svg) { return std::stod(TextOf(svg, "/svg/@height")); };
  const std::string apart =
      ExplainTimeSvg({"a", "mm", times, times, depths}, {"b", "m s-1", times, times, rates}, "conversion");
  const std::string together =
      ExplainTimeSvg({"a", "mm", times, times, depths}, {"b", "mm", times, times, depths}, "linear");
  ExpectWellFormed(apart);
  std::ofstream(std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "explain-units.svg") << apart;
  EXPECT_GT(height(apart), height(together) + 200.0);
}

TEST(ExplainTime, SaysThatNothingPassed) {
  const std::vector<double> none;
  const std::string svg = ExplainTimeSvg({"a", "mm", none, none, none}, {"b", "mm", none, none, none}, "linear");
  ExpectWellFormed(svg);
  EXPECT_THAT(svg, HasSubstr("Nothing passed"));
}

}  // namespace
}  // namespace openmi
