#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Unit.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const Stamp kFirst{60000.0};

void Add(RowHistory& history, int hour, double value, std::size_t width = 2) {
  const std::span<double> row = history.NextRow(width);
  std::ranges::fill(row, value);
  history.Commit(kFirst + Hours(hour), Days{});
}

TEST(RowHistory, RowsStayWhereTheyAreWhileOthersComeAndGo) {
  RowHistory history;
  std::mt19937 random(7);
  std::map<int, const double*> places;
  int oldest = 0;
  for (int hour = 0; hour < 2000; ++hour) {
    Add(history, hour, hour, std::uniform_int_distribution<std::size_t>(1, 40)(random));
    places[hour] = history.Row(history.LastIndex()).data();
    if (hour % 3 == 0) {
      oldest = std::max(oldest, hour - std::uniform_int_distribution<int>(0, 200)(random));
      history.TrimBefore(kFirst + Hours(oldest));
      while (places.begin()->first < oldest) places.erase(places.begin());
    }
    ASSERT_EQ(history.Count(), places.size());
    std::size_t row = 0;
    for (const auto& [then, place] : places) {
      ASSERT_EQ(history.Row(row).data(), place);
      ASSERT_EQ(history.Row(row).front(), then);
      ASSERT_EQ(history.Row(row).back(), then);
      ++row;
    }
  }
  EXPECT_EQ(history.Trimmed() + history.Count(), 2000u);
}

TEST(RowHistory, FindsTheSameRowAsALookAtAllOfThem) {
  RowHistory history;
  std::mt19937 random(11);
  double hour = 0.0;
  for (int i = 0; i < 300; ++i) {
    const double length = std::uniform_real_distribution<double>(0.1, 3.0)(random);
    history.NextRow(1)[0] = i;
    history.Commit(kFirst + Hours(hour), Hours(length));
    hour += length;
  }
  for (int i = 0; i < 2000; ++i) {
    const Stamp time = kFirst + Hours(std::uniform_real_distribution<double>(-2.0, hour + 2.0)(random));
    std::size_t expected = history.Count();
    for (std::size_t row = 0; row < history.Count(); ++row) {
      if (!Before(time, history.End(row))) expected = row;
    }
    ASSERT_EQ(history.LastEndingBy(time), expected);
  }
  for (std::size_t row = 0; row < history.Count(); ++row) ASSERT_EQ(history.LastEndingBy(history.End(row)), row);
}

TEST(RowHistory, KeepsTheLatestRowAtOrBeforeWhatIsNeeded) {
  RowHistory history;
  for (int hour = 0; hour < 10; ++hour) Add(history, hour, hour);
  history.TrimBefore(kFirst + Hours(4.5));
  EXPECT_EQ(history.Row(0)[0], 4.0);
  history.TrimBefore(kFirst + Hours(5));
  EXPECT_EQ(history.Row(0)[0], 5.0);
  history.TrimBefore(kFarPast);
  EXPECT_EQ(history.Count(), 5u);
  history.TrimBefore(kFarFuture);
  EXPECT_EQ(history.Count(), 1u);
  EXPECT_EQ(history.Row(0)[0], 9.0);
}

TEST(RowHistory, ForgetsWhatIsLaterAndGoesOnFromThere) {
  RowHistory history;
  for (int hour = 0; hour < 10; ++hour) Add(history, hour, hour);
  history.TrimAfter(kFirst + Hours(6));
  EXPECT_EQ(history.Count(), 7u);
  Add(history, 7, 70.0);
  EXPECT_EQ(history.Row(history.LastIndex())[0], 70.0);
  EXPECT_EQ(history.Row(6)[0], 6.0);
}

TEST(RowHistory, NoNumberOfARowIsGivenTwice) {
  RowHistory history;
  for (int hour = 0; hour < 10; ++hour) Add(history, hour, hour);
  std::uint64_t next = history.Trimmed() + history.Count();
  EXPECT_EQ(next, 10u);
  history.TrimBefore(kFirst + Hours(3));
  EXPECT_EQ(history.Trimmed() + history.Count(), next);
  history.TrimAfter(kFirst + Hours(6));
  EXPECT_EQ(history.Trimmed() + history.Count(), next);  // so the next row is a new one for all who count
  Add(history, 7, 70.0);
  EXPECT_EQ(history.Trimmed() + history.Count(), next + 1);
  history.Clear();
  EXPECT_EQ(history.Trimmed() + history.Count(), next + 1);
}

TEST(RowHistory, ARowAtTheSameTimeTakesThePlaceOfTheLast) {
  RowHistory history;
  history.Append(kFirst, Days{}, std::vector{1.0});
  history.Append(kFirst, Days{}, std::vector{2.0});
  EXPECT_EQ(history.Count(), 1u);
  EXPECT_EQ(history.Row(0)[0], 2.0);
}

TEST(RowHistory, RefusesTimeThatDoesNotAdvance) {
  RowHistory history;
  EXPECT_THAT([&] { history.Commit(kFirst, Days{}); }, ThrowsMessage<RangeError>(HasSubstr("NextRow")));
  Add(history, 1, 1.0);
  history.NextRow(1)[0] = 2.0;
  EXPECT_THAT([&] { history.Commit(kFirst + Hours(1), Days{}); }, ThrowsMessage<RangeError>(HasSubstr("advance")));
  history.Commit(kFirst + Hours(2), Days{});
  EXPECT_EQ(history.Count(), 2u);
}

TEST(RowHistory, IsFullWhenTheNextRowNeedsMemory) {
  for (const std::size_t width : {1u, 20u, 1000u}) {
    RowHistory history;
    std::set<const double*> places;
    int trims = 0;
    for (int hour = 0; hour < 200; ++hour) {
      if (history.IsFull()) {
        history.TrimBefore(kFirst + Hours(hour - 2));
        ++trims;
      }
      Add(history, hour, hour, width);
      places.insert(history.Row(history.LastIndex()).data());
    }
    const bool is_short = width < 100;
    EXPECT_LE(places.size(), is_short ? 8u : 3u) << width;  // long rows: no more than are needed
    EXPECT_LE(trims, is_short ? 50 : 200) << width;         // short ones: a look every few rows
    EXPECT_EQ(history.Trimmed() + history.Count(), 200u);
  }
}

TEST(RowHistory, WhatIsBeingWrittenStaysWhenRowsGo) {
  RowHistory history;
  for (int hour = 0; hour < 5; ++hour) Add(history, hour, hour);
  std::ranges::fill(history.NextRow(2), 42.0);
  history.TrimBefore(kFirst + Hours(2));
  history.TrimAfter(kFirst + Hours(3));
  EXPECT_TRUE(history.IsWriting());
  EXPECT_THAT(history.NextRow(2), ::testing::Each(42.0));
  history.Commit(kFirst + Hours(4), Days{});
  EXPECT_EQ(history.Count(), 3u);
  EXPECT_EQ(history.Row(0)[0], 2.0);
  EXPECT_EQ(history.Row(1)[0], 3.0);
  EXPECT_EQ(history.Row(2)[0], 42.0);
}

TEST(RowHistory, TakesItsRowsAlongWhereTheyAre) {
  RowHistory from;
  for (int hour = 0; hour < 5; ++hour) Add(from, hour, hour);
  std::ranges::fill(from.NextRow(2), 5.0);
  const double* const third = from.Row(3).data();
  RowHistory to;
  to = std::move(from);
  from = RowHistory();
  EXPECT_TRUE(from.Empty());
  EXPECT_EQ(from.LatestEnd(), kFarPast);
  ASSERT_EQ(to.Count(), 5u);
  EXPECT_EQ(to.Row(3).data(), third);
  to.Commit(kFirst + Hours(5), Days{});
  EXPECT_EQ(to.Row(5)[1], 5.0);
  Add(from, 1, 1.0);
  EXPECT_EQ(from.Row(0)[0], 1.0);
}

TEST(RowHistory, PutsForgottenRowsBackWithoutMovingTheOthers) {
  for (const std::size_t width : {2u, 300u}) {
    RowHistory history;
    for (int hour = 0; hour < 20; ++hour) Add(history, hour, hour, width);
    std::ranges::fill(history.NextRow(width), 20.0);
    history.TrimBefore(kFirst + Hours(12));
    const double* const kept = history.Row(0).data();
    EXPECT_THROW(history.PutBack(kFirst + Hours(12), Days{}, std::vector{1.0}), RangeError);
    for (int hour = 11; hour >= 0; --hour) {
      history.PutBack(kFirst + Hours(hour), Days{}, std::vector<double>(width, hour));
    }
    history.Commit(kFirst + Hours(20), Days{});
    ASSERT_EQ(history.Count(), 21u);
    for (std::size_t row = 0; row < 21; ++row) EXPECT_THAT(history.Row(row), ::testing::Each(static_cast<double>(row)));
    EXPECT_EQ(history.Row(12).data(), kept);
    EXPECT_EQ(history.Trimmed(), 0u);
  }
}

TEST(RowHistory, RowsOfAnyLengthComeAndGo) {
  std::mt19937 random(5);
  RowHistory history;
  for (int hour = 0; hour < 3000; ++hour) {
    const std::size_t width = std::uniform_int_distribution<std::size_t>(0, hour % 500 < 250 ? 5 : 90)(random);
    if (hour % 7 == 0) history.TrimBefore(kFirst + Hours(hour - 12));
    if (hour % 31 == 30) history.TrimAfter(kFirst + Hours(hour - 1));
    Add(history, hour, hour, width);
    for (std::size_t row = 0; row < history.Count(); ++row) {
      const double then = ToSeconds(history.Begin(row) - kFirst) / 3600.0;
      for (double value : history.Row(row)) ASSERT_NEAR(value, then, 1e-4);
    }
    ASSERT_EQ(history.Row(history.LastIndex()).size(), width);
  }
}

/// An output with these rows of one value, hour by hour from `hour` on.
std::unique_ptr<NumericOutput> OutputWith(int hour, const std::vector<double>& values) {
  auto output =
      std::make_unique<NumericOutput>("out", std::make_unique<Quantity>(Unit::Parse("1"), "out"), nullptr, nullptr);
  for (const double value : values) {
    output->NextRow()[0] = value;
    output->PublishAt(kFirst + Hours(hour++), Days{});
  }
  return output;
}

TEST(LentRows, ThoseThatAreThereAlreadyStayAndNobodyTakesThemForNew) {
  RowHistory rows;
  const auto first = OutputWith(0, {1, 2, 3, 4});
  first->KeepRowsIn(&rows);
  first->KeepRowsIn(nullptr);
  ASSERT_EQ(rows.Count(), 4U);
  // The same again, in new code that took up the state; and a row that was repeated meanwhile gives way.
  const double* const place = rows.Row(1).data();
  Add(rows, 4, 4.0, 1);
  const std::uint64_t known = rows.Trimmed() + rows.Count() - 1;
  const auto same = OutputWith(1, {2, 3, 4});
  same->KeepRowsIn(&rows);
  EXPECT_EQ(rows.Row(1).data(), place);
  EXPECT_EQ(rows.Count(), 4U);
  EXPECT_EQ(rows.Trimmed() + rows.Count() - 1, known);  // but for the one that gave way
  same->KeepRowsIn(nullptr);
  // Others from the third on.
  const auto other = OutputWith(1, {2, 30, 40});
  other->KeepRowsIn(&rows);
  ASSERT_EQ(rows.Count(), 4U);
  EXPECT_EQ(rows.Row(1).data(), place);
  EXPECT_EQ(rows.Row(2)[0], 30.0);
  EXPECT_EQ(rows.Row(3)[0], 40.0);
  other->KeepRowsIn(nullptr);
}

}  // namespace
}  // namespace openmi
