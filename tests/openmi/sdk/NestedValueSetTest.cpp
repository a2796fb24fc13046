#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/NestedValueSet.hpp"

namespace openmi {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Indices = std::vector<std::size_t>;

constexpr ValueType kDouble{ValueKind::Double, nullptr};

/// Three indices, every list of another length: [[1, 2, 3], []], [], [[4]].
NestedValueSet Ragged() {
  NestedValueSet set({ValueKind::Integer, nullptr}, 3);
  set.Resize({}, 3);
  set.Resize({0}, 2);
  set.Resize({0, 0}, 3);
  set.Resize({2}, 1);
  set.Resize({2, 0}, 1);
  for (std::size_t i = 0; i < 3; ++i) set.SetValue(Indices{0, 0, i}, i + 1);
  set.SetValue(Indices{2, 0, 0}, 4);
  return set;
}

TEST(NestedValueSet, IsRectangularFromCounts) {
  NestedValueSet set(kDouble, {2, 3, 4});
  EXPECT_EQ(set.NumberOfIndices(), 3U);
  EXPECT_EQ(set.GetIndexCount(Indices{}), 2U);
  EXPECT_EQ(set.GetIndexCount(Indices{1}), 3U);
  EXPECT_EQ(set.GetIndexCount(Indices{1, 2}), 4U);
  EXPECT_TRUE(std::isnan(*set.GetValue(Indices{1, 2, 3}).As<double>()));
  set.SetValue(Indices{1, 2, 3}, 7.5);
  EXPECT_EQ(set.GetValue(Indices{1, 2, 3}), Value(7.5));
  EXPECT_TRUE(std::isnan(*set.GetValue(Indices{1, 2, 2}).As<double>()));
}

TEST(NestedValueSet, HasListsOfDifferentLengths) {
  const NestedValueSet set = Ragged();
  EXPECT_EQ(set.GetIndexCount(Indices{}), 3U);
  EXPECT_EQ(set.GetIndexCount(Indices{0}), 2U);
  EXPECT_EQ(set.GetIndexCount(Indices{1}), 0U);
  EXPECT_EQ(set.GetIndexCount(Indices{2}), 1U);
  EXPECT_EQ(set.GetIndexCount(Indices{0, 0}), 3U);
  EXPECT_EQ(set.GetIndexCount(Indices{0, 1}), 0U);
  EXPECT_EQ(set.GetIndexCount(Indices{2, 0}), 1U);
  EXPECT_EQ(set.GetValue(Indices{0, 0, 2}), Value(3));
  EXPECT_EQ(set.GetValue(Indices{2, 0, 0}), Value(4));
}

TEST(NestedValueSet, KeepsValuesWhenResized) {
  NestedValueSet set = Ragged();
  set.Resize({0, 0}, 5);
  EXPECT_EQ(set.GetValue(Indices{0, 0, 2}), Value(3));
  EXPECT_EQ(set.GetValue(Indices{0, 0, 4}), Value(0));
  set.Resize({}, 1);
  EXPECT_EQ(set.GetIndexCount(Indices{}), 1U);
  EXPECT_EQ(set.GetValue(Indices{0, 0, 0}), Value(1));
}

TEST(NestedValueSet, IsIndependentOfItsCopies) {
  const NestedValueSet original = Ragged();
  NestedValueSet copy = original;
  copy.SetValue(Indices{0, 0, 0}, 100);
  EXPECT_EQ(original.GetValue(Indices{0, 0, 0}), Value(1));
}

TEST(NestedValueSet, NamesIndexAndCountOutsideItsRange) {
  const NestedValueSet set = Ragged();
  EXPECT_THAT(
      [&] {
        set.GetValue(Indices{0, 0, 3});
      },
      ThrowsMessage<RangeError>(HasSubstr("expected index 2 below its count 3, found 3 in [0, 0, 3]")));
  EXPECT_THAT(
      [&] {
        set.GetValue(Indices{1, 0, 0});
      },
      ThrowsMessage<RangeError>(HasSubstr("expected index 1 below its count 0, found 0 in [1, 0]")));
  EXPECT_THAT([&] { set.GetIndexCount(Indices{7}); },
              ThrowsMessage<RangeError>(HasSubstr("expected index 0 below its count 3, found 7")));
}

TEST(NestedValueSet, WantsOneIndexForEachDimension) {
  NestedValueSet set = Ragged();
  for (const Indices& indices : {Indices{}, Indices{0}, Indices{0, 0}, Indices{0, 0, 0, 0}}) {
    EXPECT_THAT([&] { set.GetValue(indices); }, ThrowsMessage<RangeError>(HasSubstr("expected 3 indices")));
    EXPECT_THAT([&] { set.SetValue(indices, 1); }, ThrowsMessage<RangeError>(HasSubstr("expected 3 indices")));
  }
  EXPECT_THAT(
      [&] {
        set.GetIndexCount(Indices{0, 0, 0});
      },
      ThrowsMessage<RangeError>(HasSubstr("expected at most 2 leading indices in a set of 3, found 3")));
  EXPECT_THROW(set.Resize({0, 0, 0}, 1), RangeError);
  EXPECT_THROW(set.Resize({5}, 1), RangeError);
}

TEST(NestedValueSet, ChecksTheTypeAndLeavesTheValue) {
  NestedValueSet set = Ragged();
  EXPECT_THAT(
      [&] {
        set.SetValue(Indices{0, 0, 0}, 1.5);
      },
      ThrowsMessage<TypeError>(HasSubstr("expected a value of type integer, found double")));
  EXPECT_THROW(set.SetValue(Indices{0, 0, 0}, {}), TypeError);
  EXPECT_EQ(set.GetValue(Indices{0, 0, 0}), Value(1));
}

struct Bottle {
  double litres;
};
struct Bucket {
  double litres;
};

TEST(NestedValueSet, HoldsObjectsOfTheUsersOwn) {
  NestedValueSet set(ValueType::ObjectOf<Bottle>(), {2});
  EXPECT_TRUE(set.GetValue(Indices{0}).IsEmpty());
  set.SetValue(Indices{0}, Value::Of<Bottle>(std::make_shared<const Bottle>(Bottle{0.7})));
  EXPECT_EQ(set.GetValue(Indices{0}).ObjectAs<Bottle>()->litres, 0.7);
  EXPECT_THROW(set.SetValue(Indices{1}, Value::Of<Bucket>(std::make_shared<const Bucket>(Bucket{10.0}))), TypeError);
  set.SetValue(Indices{0}, {});
  EXPECT_TRUE(set.GetValue(Indices{0}).IsEmpty());
}

TEST(NestedValueSet, StartsWithTheInitialValue) {
  EXPECT_EQ(NestedValueSet({ValueKind::String, nullptr}, {1}).GetValue(Indices{0}), Value(""));
  EXPECT_EQ(NestedValueSet({ValueKind::Boolean, nullptr}, {1}).GetValue(Indices{0}), Value(false));
  EXPECT_EQ(NestedValueSet({ValueKind::Binary, nullptr}, {1}).GetValue(Indices{0}), Value(Bytes()));
  EXPECT_EQ(NestedValueSet(kDouble, {1}, -999.0).GetValue(Indices{0}), Value(-999.0));
  EXPECT_THROW(NestedValueSet(kDouble, {1}, "x"), TypeError);
}

TEST(NestedValueSet, RefusesNoIndexAndNoType) {
  EXPECT_THROW(NestedValueSet(kDouble, std::size_t{0}), RangeError);
  EXPECT_THROW(NestedValueSet({ValueKind::Empty, nullptr}, {1}), TypeError);
}

}  // namespace
}  // namespace openmi
