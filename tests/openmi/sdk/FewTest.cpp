#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "openmi/sdk/Few.hpp"

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

TEST(Few, HoldsWhatAVectorHolds) {
  std::mt19937 random(3);
  Few<int> few;
  std::vector<int> vector;
  for (int i = 0; i < 5000; ++i) {
    const int what = std::uniform_int_distribution<int>(0, 9)(random);
    const int value = std::uniform_int_distribution<int>(0, 5)(random);
    if (what < 4) {
      few.push_back(value);
      vector.push_back(value);
    } else if (what < 7) {
      few.RemoveIf([value](int one) { return one == value; });
      std::erase(vector, value);
    } else if (what == 7) {
      few.SetOnly(value);
      vector.assign(1, value);
    } else if (what == 8) {
      vector.resize(static_cast<std::size_t>(value) % 4, value);
      few.Assign(vector);
    } else if (value == 0) {
      few.clear();
      vector.clear();
    }
    ASSERT_THAT(few.Items(), ElementsAreArray(vector)) << i;
    ASSERT_EQ(few.size(), vector.size());
    ASSERT_EQ(few.empty(), vector.empty());
    if (!vector.empty()) {
      ASSERT_EQ(few.front(), vector.front());
      ASSERT_EQ(few.back(), vector.back());
    }
  }
}

TEST(Few, TheOnlyElementLiesInside) {
  Few<double> few;
  few.push_back(1.5);
  EXPECT_GE(static_cast<const void*>(few.data()), static_cast<const void*>(&few));
  EXPECT_LT(static_cast<const void*>(few.data()), static_cast<const void*>(&few + 1));
}

TEST(Few, CopiesStandAlone) {
  Few<int> one;
  one.push_back(1);
  Few<int> two = one;
  two.push_back(2);
  Few<int> copy = two;
  two[0] = 7;
  EXPECT_THAT(one.Items(), ElementsAre(1));
  EXPECT_THAT(copy.Items(), ElementsAre(1, 2));
  copy = one;
  EXPECT_THAT(copy.Items(), ElementsAre(1));
  const Few<int> moved = std::move(two);
  EXPECT_THAT(moved.Items(), ElementsAre(7, 2));
}

TEST(Few, RemovesTheLastOneAlone) {
  Few<int> few;
  EXPECT_FALSE(few.RemoveLast([](int) { return true; }));
  for (const int value : {4, 7, 4, 9}) few.push_back(value);
  int looked_at = 0;
  EXPECT_TRUE(few.RemoveLast([&](int value) { return ++looked_at, value == 9; }));
  EXPECT_EQ(looked_at, 1);
  EXPECT_TRUE(few.RemoveLast([](int value) { return value == 4; }));
  EXPECT_THAT(few.Items(), ElementsAre(4, 7));
  EXPECT_FALSE(few.RemoveLast([](int value) { return value == 5; }));
  EXPECT_TRUE(few.RemoveLast([](int value) { return value == 4; }));
  EXPECT_THAT(few.Items(), ElementsAre(7));
  EXPECT_TRUE(few.RemoveLast([](int value) { return value == 7; }));
  EXPECT_TRUE(few.empty());
}

}  // namespace
}  // namespace openmi
