#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "openmi/sdk/Suggest.hpp"

namespace openmi {
namespace {

TEST(SpellingDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(SpellingDistance("", ""), 0U);
  EXPECT_EQ(SpellingDistance("", "abc"), 3U);
  EXPECT_EQ(SpellingDistance("discharge", "dischrge"), 1U);
  EXPECT_EQ(SpellingDistance("discharge", "dishcarge"), 1U);
  EXPECT_EQ(SpellingDistance("kitten", "sitting"), 3U);
}

TEST(SpellingDistance, TreatsCaseAndDashesAsEqual) {
  EXPECT_EQ(SpellingDistance("Depth_Rate", "depth-rate"), 0U);
}

TEST(SpellingDistance, IsSymmetric) {
  const std::vector<std::string> words{"a", "discharge", "depth", "flow", "outflow", "rain"};
  for (const auto& a : words) {
    for (const auto& b : words) EXPECT_EQ(SpellingDistance(a, b), SpellingDistance(b, a)) << a << " " << b;
  }
}

TEST(Suggest, NamesTheNearest) {
  const std::vector<std::string> items{"precipitation", "depth-rate", "discharge"};
  EXPECT_EQ(Suggest("percipitation", items), "did you mean 'precipitation'?");
  EXPECT_EQ(Suggest("Discharge", items), "did you mean 'discharge'?");
}

TEST(Suggest, ListsWhatThereIsWhenNothingIsNear) {
  const std::vector<std::string> items{"rain", "discharge"};
  EXPECT_EQ(Suggest("temperature", items), "there are: rain, discharge");
  EXPECT_EQ(Suggest("temperature", {}), "there are none");
}

TEST(Suggest, ListsTenAndCountsTheRest) {
  std::vector<std::string> items;
  for (int i = 0; i < 25; ++i) items.push_back("item-" + std::to_string(i));
  EXPECT_EQ(Suggest("zzzzzzzz", items),
            "there are: item-0, item-1, item-2, item-3, item-4, item-5, item-6, item-7, item-8, item-9 and 15 more");
}

TEST(Suggest, DoesNotMeasureMonstrousNames) {
  const std::vector<std::string> items{std::string(1'000'000, 'a'), "short"};
  EXPECT_EQ(Nearest(std::string(1'000'000, 'a'), items), "");
}

}  // namespace
}  // namespace openmi
