#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "openmi/sdk/Error.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Indices = std::vector<std::size_t>;

TEST(NumericValueSet, HasRowsOfDifferentLengths) {
  NumericValueSet set;
  set.SetValues2D({{1.0, 2.0, 3.0}, {}, {4.0}});
  EXPECT_EQ(set.NumberOfIndices(), 2u);
  EXPECT_EQ(set.GetIndexCount({}), 3u);
  EXPECT_EQ(set.GetIndexCount(Indices{0}), 3u);
  EXPECT_EQ(set.GetIndexCount(Indices{1}), 0u);
  EXPECT_EQ(set.GetIndexCount(Indices{2}), 1u);
  EXPECT_EQ(set.GetValue(Indices{2, 0}), Value(4.0));
  // A series through rows that are too short has empty values there.
  const std::vector<Value> series = set.GetTimeSeriesValuesForElement(2);
  EXPECT_EQ(series[0], Value(3.0));
  EXPECT_TRUE(series[1].IsEmpty());
  EXPECT_TRUE(series[2].IsEmpty());
  EXPECT_THAT(set.Values2D()[0], ElementsAre(Value(1.0), Value(2.0), Value(3.0)));
}

TEST(NumericValueSet, RefusesIndicesOutsideAndTheWrongNumberOfThem) {
  NumericValueSet set(2, 3, 1.5);
  EXPECT_THAT([&] { set.GetValue(Indices{0}); }, ThrowsMessage<RangeError>(HasSubstr("expected 2 indices")));
  EXPECT_THAT([&] { set.GetValue(Indices{0, 1, 2}); }, ThrowsMessage<RangeError>(HasSubstr("found 3")));
  EXPECT_THAT([&] { set.SetValue(Indices{0}, 1.0); }, ThrowsMessage<RangeError>(HasSubstr("expected 2 indices")));
  EXPECT_THAT([&] { set.GetValue(2, 0); }, ThrowsMessage<RangeError>(HasSubstr("a time index from 0 to 1, found 2")));
  EXPECT_THAT([&] { set.GetValue(-1, 0); }, ThrowsMessage<RangeError>(HasSubstr("found -1")));
  EXPECT_THAT([&] { set.SetValue(0, 3, 1.0); }, ThrowsMessage<RangeError>(HasSubstr("an element index from 0 to 2")));
  EXPECT_THROW(static_cast<void>(set.GetIndexCount(Indices{0, 1})), RangeError);
  EXPECT_THROW(static_cast<void>(set.GetIndexCount(Indices{5})), RangeError);
  EXPECT_THROW(static_cast<void>(set.GetTimeSeriesValuesForElement(3)), RangeError);
  EXPECT_THROW(static_cast<void>(set.GetElementValuesForTime(2)), RangeError);
  EXPECT_THAT([&] { set.SetTimeSeriesValuesForElement(0, std::vector<Value>{1.0}); },
              ThrowsMessage<RangeError>(HasSubstr("2 times, found 1")));
  EXPECT_THAT([&] { set.SetValue(0, 0, "wet"); }, ThrowsMessage<TypeError>(HasSubstr("found string")));
}

TEST(NumericValueSet, SetsRowsAndSeries) {
  NumericValueSet set(2, 2);
  set.SetElementValuesForTime(0, std::vector<Value>{1.0, 2.0, 3.0});
  EXPECT_EQ(set.GetIndexCount(Indices{0}), 3u);
  set.SetTimeSeriesValuesForElement(1, std::vector<Value>{8.0, 9.0});
  EXPECT_EQ(set.GetValue(1, 1), Value(9.0));
  EXPECT_EQ(set.Row(0)[1], 8.0);
  EXPECT_EQ(set.RowCount(), 2u);
}

TEST(NumericValueSet, ShowsNumbersAsTheTypeItHas) {
  const NumericValueSet integers(1, 1, 3.0, ValueKind::Integer);
  EXPECT_EQ(integers.GetValue(0, 0), Value(std::int64_t{3}));
  const NumericValueSet flags(1, 1, 1.0, ValueKind::Boolean);
  EXPECT_EQ(flags.GetValue(0, 0), Value(true));
}

TEST(NumericValueSet, ShowsNothingWhereANumberIsMissingOrNoneOfItsType) {
  // A row of doubles marks what is missing by NaN; a whole number and a truth value have no such mark.
  NumericValueSet integers(1, 3, 3.0, ValueKind::Integer);
  integers.SetRow(0, std::vector<double>{NAN, 1e300, -HUGE_VAL});
  for (int element = 0; element < 3; ++element) EXPECT_TRUE(integers.GetValue(0, element).IsEmpty()) << element;
  NumericValueSet flags(1, 1, NAN, ValueKind::Boolean);
  EXPECT_TRUE(flags.GetValue(0, 0).IsEmpty());
  // And such a value may be set.
  flags.SetValue(0, 0, true);
  flags.SetValue(0, 0, Value());
  EXPECT_TRUE(std::isnan(flags.Row(0)[0]));
  EXPECT_THAT([&] { integers.SetValue(0, 0, 2.5); }, ThrowsMessage<TypeError>(HasSubstr("a whole number, found 2.5")));
  EXPECT_THAT([&] { flags.SetValue(0, 0, 2.0); }, ThrowsMessage<TypeError>(HasSubstr("true or false, found 2")));
}

TEST(RowsView, ShowsRowsOfOthersAndWritesNone) {
  const std::vector<double> first = {1.0, 2.0};
  const std::vector<double> second = {NAN};
  RowsView view;
  view.Add(first);
  view.Add(second);
  EXPECT_EQ(view.Row(0).data(), first.data());
  EXPECT_EQ(view.GetValue(0, 1), Value(2.0));
  EXPECT_TRUE(std::isnan(*view.GetValue(1, 0).Number()));
  EXPECT_THAT([&] { view.SetValue(0, 0, 1.0); }, ThrowsMessage<TypeError>(HasSubstr("copy it into a NumericValueSet")));
  EXPECT_THROW(view.SetElementValuesForTime(0, std::vector<Value>{1.0}), TypeError);
  EXPECT_THROW(view.SetValues2D({}), TypeError);
  view.SetSingle(second);
  EXPECT_EQ(view.GetIndexCount({}), 1u);
}

TEST(ObjectValueSet, HoldsTexts) {
  ObjectValueSet set(ValueType{ValueKind::String}, 1, 2);
  set.SetValue(0, 0, "low");
  EXPECT_EQ(set.GetValue(Indices{0, 0}), Value("low"));
  EXPECT_TRUE(set.GetValue(0, 1).IsEmpty());
  set.SetValue(0, 0, Value());
  EXPECT_TRUE(set.GetValue(0, 0).IsEmpty());
  EXPECT_THAT([&] { set.SetValue(0, 1, 2.0); }, ThrowsMessage<TypeError>(HasSubstr("type string, found double")));
}

}  // namespace
}  // namespace openmi
