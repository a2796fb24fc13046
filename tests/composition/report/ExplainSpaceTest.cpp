#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "Markup.hpp"
#include "composition/report/ExplainLink.hpp"
#include "composition/report/SvgTheme.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;

/// n x n squares over 6 x 6 km, their values rising eastwards from `first` to `last`.
ElementMap Squares(const std::string& title, int n, double first, double last) {
  ElementMap map{.title = title, .unit = "mm"};
  const double size = 6000.0 / n;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      MapElement cell{.id = "c" + std::to_string(j * n + i)};
      const double x = i * size, y = j * size;
      cell.parts = {{{x, y}, {x + size, y}, {x + size, y + size}, {x, y + size}}};
      cell.value = n > 1 ? first + (last - first) * i / (n - 1) : first;
      map.elements.push_back(cell);
    }
  }
  return map;
}

TEST(ExplainSpace, ShowsSourceTargetAndMappedValuesInOneColouring) {
  const std::string svg =
      ExplainSpaceSvg(Squares("rain.depth", 3, 0, 10), Squares("runoff.depth", 2, 5, 5), "area-weighted-mean");
  const MarkupCheck check = CheckMarkup(svg);
  EXPECT_TRUE(check.is_well_formed) << check.problem;
  std::ofstream(std::filesystem::path(OPENMI_BINARY_DIR) / "tests" / "explain-space.svg") << svg;
  EXPECT_LT(svg.find("rain.depth"), svg.find("area-weighted-mean"));
  EXPECT_LT(svg.find("area-weighted-mean"), svg.find("runoff.depth"));
  // 5 mm is half-way between 0 and 10 there, too, although all of the target is 5 mm.
  EXPECT_THAT(svg.substr(svg.find("runoff.depth")), HasSubstr(ScaleColour(0.5)));
  const std::size_t most = svg.find("c2: 10 mm");
  ASSERT_NE(most, std::string::npos);
  EXPECT_THAT(svg.substr(most, 200), HasSubstr(ScaleColour(1.0)));
  EXPECT_THAT(svg, HasSubstr("c3: no value"));  // in the middle
}

TEST(ExplainSpace, OtherUnitsHaveColoursOfTheirOwn) {
  ElementMap target = Squares("runoff.rate", 2, 1, 2);
  target.unit = "m s-1";
  const std::string svg = ExplainSpaceSvg(Squares("rain.depth", 3, 0, 10), target, "chain");
  EXPECT_THAT(svg.substr(svg.find("runoff.rate")), HasSubstr(ScaleColour(0.0)));
  EXPECT_THAT(svg.substr(svg.find("runoff.rate")), HasSubstr(ScaleColour(1.0)));
}

}  // namespace
}  // namespace openmi
