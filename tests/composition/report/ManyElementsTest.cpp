// Items of many elements: quantiles over time, the oddest elements, maps as images, balances of parts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Markup.hpp"
#include "composition/record/SeriesFigures.hpp"
#include "composition/report/HtmlSections.hpp"
#include "composition/report/OddElements.hpp"
#include "composition/report/SvgMap.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// The quantile with linear interpolation, of numbers in any order.
double QuantileOf(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

TEST(SeriesFigures, AreThoseOfEachElement) {
  SeriesFigures figures(3);
  figures.Add(0.0, 1.0, std::vector{2.0, kMissing, 5.0});
  figures.Add(1.0, 2.0, std::vector{7.0, kMissing, 5.0});
  figures.Add(2.0, 3.0, std::vector{4.0, kMissing, kMissing});
  const ElementFigures& first = figures.Elements()[0];
  EXPECT_EQ(first.smallest, 2.0);
  EXPECT_EQ(first.smallest_time, 1.0);
  EXPECT_EQ(first.largest, 7.0);
  EXPECT_EQ(first.largest_time, 2.0);
  EXPECT_EQ(first.Mean(), 13.0 / 3.0);
  EXPECT_EQ(first.last, 4.0);
  EXPECT_EQ(figures.Elements()[1].missing, 3u);
  EXPECT_TRUE(std::isnan(figures.Elements()[1].Mean()));
  EXPECT_EQ(figures.Elements()[2].largest_time, 1.0) << "the first time";
  EXPECT_TRUE(std::isnan(figures.Elements()[2].last));
  EXPECT_EQ(figures.All().count, 5u);
  EXPECT_EQ(figures.All().missing, 4u);
  EXPECT_EQ(figures.All().largest_time, 2.0);
}

TEST(SeriesFigures, HaveTheQuantilesOfEachRow) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> draw(0.0, 1.0);
  for (const std::size_t elements : {1u, 2u, 9u, 137u, 2000u}) {
    SeriesFigures figures(elements);
    std::vector<double> row(elements);
    for (double& value : row) value = draw(random);
    figures.Add(0.0, 1.0, row);
    const std::vector<FigureBand> bands = figures.Bands(10);
    ASSERT_EQ(bands.size(), 1u);
    for (std::size_t q = 0; q < FigureBand::kShares.size(); ++q) {
      EXPECT_DOUBLE_EQ(bands[0].quantiles[q], QuantileOf(row, FigureBand::kShares[q])) << elements << ' ' << q;
    }
  }
  // Of many, a neighbour: within 1 / n of the share.
  SeriesFigures figures(30'001);
  std::vector<double> row(30'001);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<double>((i * 7919) % row.size());
  figures.Add(0.0, 1.0, row);
  for (std::size_t q = 0; q < FigureBand::kShares.size(); ++q) {
    EXPECT_NEAR(figures.Bands(1)[0].quantiles[q], FigureBand::kShares[q] * 30'000.0, 1.0);
  }
}

TEST(SeriesFigures, CoverAllRowsWithFewBands) {
  constexpr std::size_t kRows = 5000;
  SeriesFigures figures(8);
  for (std::size_t i = 0; i < kRows; ++i) {
    std::vector<double> row(8, 1.0);
    if (i == 3333) row[4] = 99.0;  // one value of one row
    figures.Add(static_cast<double>(i), static_cast<double>(i + 1), row);
  }
  EXPECT_EQ(figures.RowCount(), kRows);
  for (const std::size_t most : {1u, 7u, 430u, 4000u}) {
    const std::vector<FigureBand> bands = figures.Bands(most);
    EXPECT_LE(bands.size(), std::min<std::size_t>(most, 1024));
    EXPECT_EQ(bands.front().begin, 0.0);
    EXPECT_EQ(bands.back().end, static_cast<double>(kRows));
    double largest = 0.0;
    for (std::size_t i = 0; i < bands.size(); ++i) {
      EXPECT_EQ(bands[i].begin, i > 0 ? bands[i - 1].end : 0.0);
      EXPECT_DOUBLE_EQ(bands[i].quantiles[3], 1.0);
      largest = std::fmax(largest, bands[i].quantiles.back());
    }
    EXPECT_EQ(largest, 99.0) << "no row is left out of the range";
  }
  figures.Clear();
  EXPECT_THAT(figures.Bands(5), IsEmpty());
  EXPECT_EQ(figures.Elements().size(), 8u);
}

TEST(SeriesFigures, SkipRowsWithoutNumbers) {
  SeriesFigures figures(4);
  figures.Add(0.0, 1.0, std::vector(4, kMissing));
  EXPECT_TRUE(std::isnan(figures.Bands(1)[0].quantiles[0]));
  figures.Add(1.0, 2.0, std::vector{1.0, kMissing, 3.0, kMissing});
  EXPECT_EQ(figures.Bands(1)[0].quantiles[3], 2.0);
}

/// 50 elements over 24 times that are much alike.
SeriesFigures Alike(const std::function<void(std::size_t time, std::vector<double>& row)>& change = {}) {
  SeriesFigures figures(50);
  for (std::size_t time = 0; time < 24; ++time) {
    std::vector<double> row(50);
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto x = static_cast<double>(i);
      row[i] = 10.0 + 0.1 * x + std::sin(0.3 * static_cast<double>(time) - 0.02 * x);
    }
    if (change) change(time, row);
    figures.Add(57357.0 + static_cast<double>(time) / 24.0, 57357.0 + static_cast<double>(time + 1) / 24.0, row);
  }
  return figures;
}

std::vector<std::size_t> OddOf(const SeriesFigures& figures, std::span<const double> balances = {}) {
  std::vector<std::size_t> elements;
  for (const OddElement& one : OddElements(figures, "m", balances, 1e-9)) elements.push_back(one.element);
  return elements;
}

TEST(OddElements, AreNoneWhereAllAreAlike) {
  EXPECT_THAT(OddOf(Alike()), IsEmpty());
  EXPECT_THAT(OddOf(SeriesFigures(50)), IsEmpty()) << "no row at all";
  // Equal values up to rounding are equal.
  SeriesFigures equal(50);
  std::vector<double> row(50, 1.0);
  row[7] += 1e-12;
  equal.Add(0.0, 1.0, row);
  EXPECT_THAT(OddOf(equal), IsEmpty());
}

TEST(OddElements, SayWhatIsFarFromTheOthers) {
  const auto odd_with = [](const std::function<void(std::size_t, std::vector<double>&)>& change) {
    const std::vector<OddElement> odd = OddElements(Alike(change), "m", {}, 1e-9);
    EXPECT_EQ(odd.size(), 1u);
    return odd.empty() ? OddElement() : odd.front();
  };
  const OddElement large = odd_with([](std::size_t, std::vector<double>& row) { row[13] *= 100.0; });
  EXPECT_EQ(large.element, 13u);
  EXPECT_THAT(large.why, AllOf(HasSubstr("mean 1"), HasSubstr("the median is 1"), HasSubstr(" m")));
  const OddElement peak =
      odd_with([](std::size_t time, std::vector<double>& row) { row[20] += time == 5 ? 90.0 : 0.0; });
  EXPECT_EQ(peak.element, 20u);
  EXPECT_THAT(peak.why, HasSubstr("largest 1"));
  const OddElement gaps = odd_with([](std::size_t time, std::vector<double>& row) {
    if (time % 2 == 0) row[31] = kMissing;
  });
  EXPECT_EQ(gaps.element, 31u);
  EXPECT_THAT(gaps.why, HasSubstr("12 missing, the median is 0"));
  const OddElement late = odd_with([](std::size_t time, std::vector<double>& row) {
    if (time == 23) row[2] += 1.5;
  });
  EXPECT_EQ(late.element, 2u);
  EXPECT_THAT(late.why, HasSubstr("largest at 2015-12-02T00:00Z, the median is 2015-12-01T"));
}

TEST(OddElements, CountABalanceThatIsNotClosed) {
  std::vector<double> balances(50, 1e-15);
  balances[9] = 0.25;
  balances[10] = kMissing;
  const std::vector<OddElement> odd = OddElements(Alike(), "m", balances, 1e-9);
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_EQ(odd[0].element, 9u);
  EXPECT_THAT(odd[0].why, HasSubstr("balance open by +25.00"));
}

TEST(OddElements, AreTheFarthestTen) {
  const SeriesFigures figures = Alike([](std::size_t, std::vector<double>& row) {
    for (std::size_t i = 0; i < 12; ++i) row[i] += 1000.0 * static_cast<double>(i + 1);
  });
  EXPECT_THAT(OddOf(figures), ElementsAre(11, 10, 9, 8, 7, 6, 5, 4, 3, 2));
}

MapPoint Same(const MapPoint& point) {
  return point;
}

TEST(MapImage, FillsThePolygonAndLeavesItsHole) {
  ElementSetBuilder builder("c", ElementType::Polygon, std::string(kWgs84Wkt));
  builder.AddPolygon("a",
                     {{{{0, 0, 0}, {8, 0, 0}, {8, 8, 0}, {0, 8, 0}}, {{{2, 2, 0}, {2, 4, 0}, {4, 4, 0}, {4, 2, 0}}}}});
  builder.AddPolygon("tiny", {{{{9.1, 9.1, 0}, {9.2, 9.1, 0}, {9.2, 9.2, 0}}, {}}});
  builder.AddPolygon("missing", {{{{9, 0, 0}, {10, 0, 0}, {10, 1, 0}}, {}}});
  const ElementSet places = builder.Build();
  const std::vector<double> cells = MapCells(places, std::vector{3.0, 7.0, kMissing}, Same, 10, 10);
  std::string shape;
  for (std::size_t row = 0; row < 10; ++row) {
    for (std::size_t column = 0; column < 10; ++column) {
      const double value = cells[row * 10 + column];
      shape += std::isnan(value) ? '.' : value == 3.0 ? 'a' : 't';
    }
    shape += '\n';
  }
  EXPECT_EQ(
      shape,
      "aaaaaaaa..\naaaaaaaa..\naa..aaaa..\naa..aaaa..\naaaaaaaa..\naaaaaaaa..\naaaaaaaa..\naaaaaaaa..\n..........\n"
      ".........t\n");
}

TEST(MapImage, ShowsTheMeanOfWhatIsInACell) {
  const ElementSet points = ElementSet::Points("p", std::string(kWgs84Wkt), {}, std::vector{0.2, 0.7, 5.5, -3.0, 1e300},
                                               std::vector{0.2, 0.3, 1.5, 0.0, 0.0});
  const std::vector<double> cells = MapCells(points, std::vector{1.0, 4.0, 9.0, 1.0, 1.0}, Same, 6, 2);
  EXPECT_EQ(cells[0], 2.5);
  EXPECT_EQ(cells[11], 9.0);
  EXPECT_EQ(std::ranges::count_if(cells, [](double cell) { return !std::isnan(cell); }), 2);
  ElementSetBuilder builder("l", ElementType::PolyLine, std::string(kWgs84Wkt));
  builder.AddPolyLine("a", std::vector<ElementVertex>{{0.5, 0.5, 0}, {3.5, 0.5, 0}});
  const std::vector<double> line = MapCells(builder.Build(), std::vector{2.0}, Same, 4, 2);
  EXPECT_THAT(std::vector(line.begin(), line.begin() + 4), ElementsAre(2.0, 2.0, 2.0, 2.0));
  EXPECT_TRUE(std::isnan(line[4]));
}

/// A series of so many elements that only its figures are known, and their map.
ReportModel Population(std::size_t elements) {
  ReportModel model;
  model.title = "population";
  ReportSeries series;
  series.item = "catchments.outflow";
  series.unit = "m3 s-1";
  series.is_whole = false;
  series.figures.emplace(elements);
  std::vector<double> x, y;
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < elements; ++i) {
    series.elements.push_back({"cat-" + std::to_string(i), false});
    ids.push_back(series.elements.back().id);
    x.push_back(-80.0 + 0.01 * static_cast<double>(i % 400));
    const std::size_t line = i / 400;
    y.push_back(35.0 + 0.01 * static_cast<double>(line));
  }
  for (int hour = 1; hour <= 48; ++hour) {
    std::vector<double> row(elements);
    for (std::size_t i = 0; i < elements; ++i) {
      row[i] = 1.0 + std::sin(0.1 * hour + 0.001 * static_cast<double>(i % 400)) + (i == 7 ? 500.0 : 0.0);
    }
    series.figures->Add(57357.0 + (hour - 1) / 24.0, 57357.0 + hour / 24.0, row);
  }
  ElementMap map{"largest catchments.outflow", "m3 s-1", true, 1.0, {}};
  map.places = std::make_shared<ElementSet>(ElementSet::Points("c", std::string(kWgs84Wkt), ids, x, y));
  for (const ElementFigures& element : series.figures->Elements()) map.values.push_back(element.largest);
  map.marked = {7};
  model.maps.push_back(std::move(map));
  model.series.push_back(std::move(series));
  return model;
}

TEST(HtmlReport, OfAPopulationHasAnImageBandsAndTheOddestRow) {
  const std::string page = HtmlReport(Population(100'000));
  EXPECT_TRUE(CheckMarkup(page).is_well_formed);
  EXPECT_LT(page.size(), 2'500'000u);
  EXPECT_EQ(CountNodes(page, "//section[@id='maps']//image"), 1u);
  EXPECT_EQ(TextOf(page, "//section[@id='maps']//circle[@class='mark']/title"), "cat-7");
  EXPECT_THAT(TextOf(page, "//section[@id='maps']"), HasSubstr("colours from the 1 % to the 99 % quantile"));
  EXPECT_EQ(
      CountNodes(page, "//section[@id='items']//path[@class='range'] | //section[@id='items']//path[@class='quart']"),
      2u);
  EXPECT_THAT(TextOf(page, "//section[@id='items']"), HasSubstr("5 to 95 % of 100\xE2\x80\x89"
                                                                "000 elements"));
  const std::string odd = TextOf(page, "//table[@class='odd']//tbody");
  EXPECT_THAT(odd, AllOf(HasSubstr("cat-7"), HasSubstr("largest 50"), Not(HasSubstr("cat-8"))));
}

TEST(HtmlReport, ListsThePartsWhoseBalancesAreOpen) {
  ReportModel model;
  ComponentBalance balance;
  balance.component = "catchments";
  balance.parts = 100'000;
  balance.open_parts = 2;
  balance.unknown_parts = 1;
  balance.worst_parts = {{"cat-<5>", {.start = 1.0, .in = 2.0, .residual = 0.5, .relative = 0.25}},
                         {"cat-6", {.residual = -0.1, .relative = -0.05}}};
  model.component_balances.push_back(balance);
  const std::string page = HtmlReport(model);
  ASSERT_TRUE(CheckMarkup(page).is_well_formed);
  const std::string text = TextOf(page, "//section[@id='balances']");
  EXPECT_THAT(text, AllOf(HasSubstr("Rows of catchments"),
                          HasSubstr("99\xE2\x80\x89"
                                    "997 of 100\xE2\x80\x89"
                                    "000 are closed"),
                          HasSubstr("1 are unknown"), HasSubstr("cat-<5>"), HasSubstr("cat-6")));
  model.component_balances[0].open_parts = 0;
  const std::string closed = TextOf(HtmlReport(model), "//section[@id='balances']");
  EXPECT_THAT(closed, AllOf(HasSubstr("the largest relative residual is"), Not(HasSubstr("cat-6"))));
}

}  // namespace
}  // namespace openmi
