#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

/// \file
/// What the interfaces of value sets promise, for any implementation of them: a set by itself, or the answer of an
/// output.

namespace openmi::test {

using Indices = std::vector<std::size_t>;

/// Two values are the same: equal, or both no number.
inline bool SameValue(const Value& a, const Value& b) {
  const auto* x = a.As<double>();
  const auto* y = b.As<double>();
  if (x != nullptr && y != nullptr && std::isnan(*x) && std::isnan(*y)) return true;
  return a == b;
}

/// Visits the indices of all values of a set.
template <class Visit>
void EachPlace(const IBaseValueSet& set, const Visit& visit, const Indices& leading = {}) {
  const std::size_t count = set.GetIndexCount(leading);
  for (std::size_t i = 0; i < count; ++i) {
    Indices here = leading;
    here.push_back(i);
    if (here.size() == set.NumberOfIndices()) {
      visit(here);
    } else {
      EachPlace(set, visit, here);
    }
  }
}

/// Reading, by any number of indices. Source: OGC 11-014r3, requirement 6.1.
inline void ExpectReads(const IBaseValueSet& set) {
  ASSERT_GE(set.NumberOfIndices(), 1U);
  ASSERT_NE(set.ValueType().kind, ValueKind::Empty);
  EachPlace(set, [&](const Indices& place) {
    const Value value = set.GetValue(place);
    EXPECT_TRUE(value.IsEmpty() || value.Type() == set.ValueType())
        << "a value of type " << value.Type().Name() << " in a set of " << set.ValueType().Name();
    EXPECT_TRUE(SameValue(value, set.GetValue(place))) << "the same again";
    // Behind the last index of each dimension there is nothing.
    for (std::size_t level = 0; level < place.size(); ++level) {
      Indices beyond = place;
      beyond[level] = set.GetIndexCount(Indices(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(level)));
      EXPECT_THROW(static_cast<void>(set.GetValue(beyond)), RangeError);
      beyond[level] = static_cast<std::size_t>(-1);
      EXPECT_THROW(static_cast<void>(set.GetValue(beyond)), RangeError);
      if (level + 1 < place.size()) {
        beyond.resize(level + 1);
        EXPECT_THROW(static_cast<void>(set.GetIndexCount(beyond)), RangeError);
      }
    }
  });
  const Indices all(set.NumberOfIndices(), 0);
  Indices longer = all, shorter = all;
  longer.push_back(0);
  shorter.pop_back();
  EXPECT_THROW(static_cast<void>(set.GetValue(longer)), RangeError);
  EXPECT_THROW(static_cast<void>(set.GetValue(shorter)), RangeError);
  EXPECT_THROW(static_cast<void>(set.GetIndexCount(all)), RangeError);
}

/// Reading by time and element, and by rows where the set shows them. Source: OGC 11-014r3, requirement 6.2.
inline void ExpectReadsByTimeAndElement(const ITimeSpaceValueSet& set) {
  ASSERT_EQ(set.NumberOfIndices(), 2U);
  const std::size_t times = set.GetIndexCount({});
  const std::vector<std::vector<Value>> all = set.Values2D();
  ASSERT_EQ(all.size(), times);
  std::size_t widest = 0;
  const auto* rows = dynamic_cast<const INumericRows*>(&set);
  if (rows != nullptr) {
    ASSERT_EQ(rows->RowCount(), times);
    EXPECT_THROW(static_cast<void>(rows->Row(times)), RangeError);
    EXPECT_THROW(static_cast<void>(rows->Row(static_cast<std::size_t>(-1))), RangeError);
  }
  for (std::size_t time = 0; time < times; ++time) {
    const std::vector<Value> row = set.GetElementValuesForTime(static_cast<int>(time));
    ASSERT_EQ(row.size(), set.GetIndexCount(Indices{time}));
    ASSERT_EQ(row.size(), all[time].size());
    widest = std::max(widest, row.size());
    if (rows != nullptr) {
      ASSERT_EQ(rows->Row(time).size(), row.size());
    }
    for (std::size_t element = 0; element < row.size(); ++element) {
      const Value value = set.GetValue(static_cast<int>(time), static_cast<int>(element));
      EXPECT_TRUE(SameValue(value, row[element]) && SameValue(value, all[time][element]) &&
                  SameValue(value, set.GetValue(Indices{time, element})));
      if (rows == nullptr) continue;
      const double number = rows->Row(time)[element];
      if (std::isnan(number)) {
        // Missing: no number in a set of doubles, and nothing in a set of a type without such a value.
        EXPECT_TRUE(value.IsEmpty() || (value.As<double>() != nullptr && std::isnan(*value.As<double>())))
            << "a missing value is shown as one of type " << value.Type().Name();
      } else {
        EXPECT_EQ(value.Number(), number);
      }
    }
  }
  for (std::size_t element = 0; element < widest; ++element) {
    const std::vector<Value> series = set.GetTimeSeriesValuesForElement(static_cast<int>(element));
    ASSERT_EQ(series.size(), times);
    for (std::size_t time = 0; time < times; ++time) {
      EXPECT_TRUE(element < all[time].size() ? SameValue(series[time], all[time][element]) : series[time].IsEmpty());
    }
  }
  const int last = static_cast<int>(times);
  for (const int time : {-1, last}) {
    EXPECT_THROW(static_cast<void>(set.GetValue(time, 0)), RangeError);
    EXPECT_THROW(static_cast<void>(set.GetElementValuesForTime(time)), RangeError);
  }
  for (const int element : {-1, static_cast<int>(widest)}) {
    EXPECT_THROW(static_cast<void>(set.GetTimeSeriesValuesForElement(element)), RangeError);
    if (times > 0) {
      EXPECT_THROW(static_cast<void>(set.GetValue(0, element)), RangeError);
    }
  }
}

/// Both.
inline void ExpectKeepsTheReadingContract(const IBaseValueSet& set) {
  ExpectReads(set);
  if (const auto* timed = dynamic_cast<const ITimeSpaceValueSet*>(&set)) ExpectReadsByTimeAndElement(*timed);
}

}  // namespace openmi::test
