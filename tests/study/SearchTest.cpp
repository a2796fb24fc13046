#include <gtest/gtest.h>

#include <cmath>

#include "openmi/sdk/Missing.hpp"
#include "study/search/Search.hpp"

namespace openmi {
namespace {

/// The sphere around 0.3 in all dimensions.
double Sphere(const std::vector<double>& point) {
  double sum = 0.0;
  for (const double one : point) sum += (one - 0.3) * (one - 0.3);
  return sum;
}

double RunSearch(Search& search, std::uint64_t budget) {
  for (std::uint64_t i = 0; i < budget; ++i) {
    const auto point = search.Point(i);
    EXPECT_TRUE(point.has_value()) << i;
    for (const double one : *point) EXPECT_TRUE(one >= 0.0 && one <= 1.0) << one;
    search.Take(Sphere(*point));
  }
  return search.BestCost();
}

TEST(DdsSearch, FindsTheMinimumOfASphere) {
  DdsSearch search(6, 1000, 1);
  EXPECT_LT(RunSearch(search, 1000), 1e-3);
}

TEST(DifferentialEvolution, FindsTheMinimumOfASphere) {
  DifferentialEvolution search(6, 30, 1);
  EXPECT_LT(RunSearch(search, 3000), 1e-6);
}

TEST(DdsSearch, PointsFollowFromTheCostsBeforeThem) {
  DdsSearch first(4, 200, 5);
  DdsSearch second(4, 200, 5);
  for (std::uint64_t i = 0; i < 200; ++i) {
    (void)second.Point(i + 3);  // a guess changes nothing
    ASSERT_EQ(*first.Point(i), *second.Point(i)) << i;
    first.Take(Sphere(*first.Point(i)));
    second.Take(Sphere(*second.Point(i)));
  }
}

TEST(DdsSearch, CrossesAPlain) {
  DdsSearch search(4, 200, 5);
  for (std::uint64_t i = 0; i < 100; ++i) search.Take(1.0);
  const auto before = search.Point(100);
  search.Take(1.0);
  EXPECT_EQ(search.Best(), 0u);  // the first of equals is the one that is named
  DdsSearch still(4, 200, 5);
  still.Take(1.0);
  for (std::uint64_t i = 1; i < 101; ++i) still.Take(2.0);
  EXPECT_NE(*search.Point(101), *still.Point(101));
}

TEST(DdsSearch, AGuessIsRightUnlessACostIsTheLowest) {
  DdsSearch search(4, 200, 5);
  int right = 0;
  for (std::uint64_t i = 0; i < 199; ++i) {
    const auto guess = search.Point(i + 1);
    const double before = search.BestCost();
    search.Take(Sphere(*search.Point(i)));
    const auto actual = search.Point(i + 1);
    if (search.BestCost() == before && guess) {
      EXPECT_EQ(*guess, *actual) << i;
      ++right;
    }
  }
  EXPECT_GT(right, 100);
}

TEST(DifferentialEvolution, WaitsForAWholeGeneration) {
  DifferentialEvolution search(2, 4, 1);
  EXPECT_TRUE(search.Point(3).has_value());
  EXPECT_FALSE(search.Point(4).has_value());
  for (std::uint64_t i = 0; i < 4; ++i) search.Take(static_cast<double>(i));
  EXPECT_TRUE(search.Point(7).has_value());
}

TEST(Search, SurvivesMembersWithoutACost) {
  DdsSearch search(3, 50, 2);
  for (std::uint64_t i = 0; i < 50; ++i) search.Take(i % 3 == 0 ? Sphere(*search.Point(i)) : kNotANumber);
  ASSERT_TRUE(search.Best().has_value());
  EXPECT_EQ(*search.Best() % 3, 0u);
  EXPECT_TRUE(std::isfinite(search.BestCost()));
}

}  // namespace
}  // namespace openmi
