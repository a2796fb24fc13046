#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "timespace/optional/IHistoryProvider.hpp"

/// \file
/// What the interface of outputs with rows promises (`IHistoryProvider`), for any implementation of it.

namespace openmi::test {

/// Advances a provider to a time, and holds what it says against its rows: they ascend, they reach the time unless it
/// says that they never will, and a second call makes no other row. To be called in mid-run; UseHistory was called
/// before the first row.
/// \returns what the provider says
inline Advance ExpectProvidesRows(IHistoryProvider& output, Stamp time) {
  const RowHistory* const rows = output.UseHistory();
  if (rows == nullptr) {
    ADD_FAILURE() << "expected rows, found none";
    return Advance::Ended;
  }
  const Advance advance = output.AdvanceTo(time);
  EXPECT_EQ(output.UseHistory(), rows) << "another history";
  if (!rows->IsTimeless() && advance != Advance::Busy) {
    EXPECT_EQ(Before(rows->LatestEnd(), time), advance == Advance::Ended) << "rows until " << rows->LatestEnd().mjd;
  }
  for (std::size_t row = 1; row < rows->Count(); ++row) EXPECT_TRUE(Before(rows->End(row - 1), rows->End(row))) << row;
  const std::uint64_t made = rows->Trimmed() + rows->Count();
  EXPECT_EQ(output.AdvanceTo(time), advance) << "the same question, another answer";
  if (!rows->Empty()) {
    const Advance there = output.AdvanceTo(rows->LatestEnd());
    EXPECT_TRUE(there == Advance::Reached || there == advance) << "a row that is there is reached";
  }
  EXPECT_EQ(rows->Trimmed() + rows->Count(), made) << "a row that nobody asked for";
  return advance;
}

/// Lends a history to a provider that takes one, and takes it back. Afterwards only its newest row is left.
/// \pre  it has two rows at least
inline void ExpectTakesAHistory(IHistoryProvider& output) {
  const RowHistory before = [&output] {
    RowHistory copy;
    const RowHistory& rows = *output.UseHistory();
    for (std::size_t row = 0; row < rows.Count(); ++row)
      copy.Append(rows.Begin(row), rows.Duration(row), rows.Row(row));
    return copy;
  }();
  ASSERT_GE(before.Count(), 2U);
  const auto is_same = [&before](std::size_t row, const RowHistory& rows, std::size_t at) {
    return rows.Begin(at) == before.Begin(row) && rows.Duration(at) == before.Duration(row) &&
           std::ranges::equal(rows.Row(at), before.Row(row));
  };
  RowHistory lent;
  const std::vector<double> other(before.Row(0).size(), -7.5);
  lent.Append(before.Begin(0) - Days{1.0}, before.Duration(0), other);  // ends before the first row: stays
  lent.Append(before.Begin(0), before.Duration(0), before.Row(0));      // equal: stays, where it is
  lent.Append(before.End(0) + (before.End(1) - before.End(0)) * 0.5, Days{}, other);
  lent.Append(before.Begin(1), before.Duration(1), other);
  const double* const place = lent.Row(1).data();
  ASSERT_TRUE(output.KeepRowsIn(&lent));
  EXPECT_EQ(output.UseHistory(), &lent);
  ASSERT_EQ(lent.Count(), before.Count() + 1) << "rows that are neither earlier nor equal are dropped";
  for (std::size_t row = 0; row < before.Count(); ++row) EXPECT_TRUE(is_same(row, lent, row + 1)) << row;
  EXPECT_EQ(lent.Row(1).data(), place) << "views of the row were valid";
  ASSERT_TRUE(output.KeepRowsIn(nullptr));
  const RowHistory& own = *output.UseHistory();
  ASSERT_NE(&own, &lent);
  ASSERT_EQ(own.Count(), 1U);
  EXPECT_TRUE(is_same(before.LastIndex(), own, 0)) << "the newest row was not taken back";
}

/// A provider that takes no history says so, and goes on with its own.
inline void ExpectTakesNoHistory(IHistoryProvider& output) {
  const RowHistory* const own = output.UseHistory();
  RowHistory lent;
  EXPECT_FALSE(output.KeepRowsIn(&lent));
  EXPECT_TRUE(lent.Empty());
  EXPECT_EQ(output.UseHistory(), own);
}

}  // namespace openmi::test
