#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quality.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Quality Wetness() {
  return {"wetness", {Category("dry"), Category("moist", "a little wet"), Category("wet", "", "dripping")}, true};
}

TEST(Quality, KeepsItsCategoriesInOrder) {
  const Quality wetness = Wetness();
  ASSERT_EQ(wetness.Categories().size(), 3U);
  EXPECT_EQ(wetness.Categories()[0]->Caption(), "dry");
  EXPECT_EQ(wetness.Categories()[1]->Caption(), "a little wet");
  EXPECT_EQ(wetness.Categories()[1]->Value(), Value("moist"));
  EXPECT_EQ(wetness.Categories()[2]->Description(), "dripping");
  EXPECT_TRUE(wetness.IsOrdered());
  EXPECT_EQ(wetness.ValueType(), ValueType{ValueKind::String});
  EXPECT_EQ(wetness.MissingDataValue(), Value(""));
}

TEST(Quality, FindsStringsAndCategoryObjects) {
  const Quality wetness = Wetness();
  EXPECT_EQ(wetness.IndexOf("wet"), 2U);
  EXPECT_EQ(wetness.IndexOf(Value::Of<ICategory>(std::make_shared<const Category>("moist"))), 1U);
  EXPECT_EQ(wetness.IndexOf(Value::Of<Category>(std::make_shared<const Category>("dry"))), 0U);
  EXPECT_EQ(wetness.IndexOf("soaked"), std::nullopt);
  EXPECT_EQ(wetness.IndexOf(wetness.MissingDataValue()), std::nullopt);
  EXPECT_EQ(wetness.IndexOf({}), std::nullopt);
  EXPECT_EQ(wetness.IndexOf(2.0), std::nullopt);
}

TEST(Quality, MayHaveNumbersForValues) {
  const Quality classes("class", {Category(10), Category(20, "twenty")}, false);
  EXPECT_EQ(classes.IndexOf(20), 1U);
  EXPECT_EQ(classes.IndexOf("twenty"), std::nullopt);
}

TEST(Quality, IsCopiedWithItsCategories) {
  std::optional<Quality> copy;
  {
    const Quality wetness = Wetness();
    copy = wetness;
  }
  EXPECT_EQ(copy->Categories()[2]->Value(), Value("wet"));
}

TEST(Quality, RefusesEqualCategoriesAndEmptyValues) {
  EXPECT_THAT(
      [] {
        Quality("colour", {Category("red"), Category("red")}, false);
      },
      ThrowsMessage<FormatError>(HasSubstr("colour: expected categories of different values, found 'red' twice")));
  EXPECT_THROW(Category(Value(), "nothing"), TypeError);
}

}  // namespace
}  // namespace openmi
