// Rows in memory that two sides see.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "composition/isolation/RowArena.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

SharedMemory Twin(const SharedMemory& memory) {
  return SharedMemory(dup(memory.Descriptor()));
}

TEST(RowArena, TheOtherSideSeesTheRowsWithoutACopy) {
  SharedMemory memory = SharedMemory::Create();
  RowWindow window(Twin(memory));
  RowArena arena(std::move(memory));
  double* row = arena.Take(1000);
  for (int i = 0; i < 1000; ++i) row[i] = i;
  StateWriter news;
  arena.WriteNews(news);
  StateReader reader(news.Bytes());
  window.ReadNews(reader);
  const std::span<double> seen = window.At(*arena.OffsetOf(row), 1000);
  EXPECT_EQ(seen[999], 999.0);
  row[999] = -1.0;
  EXPECT_EQ(seen[999], -1.0);
  seen[0] = 7.0;
  EXPECT_EQ(row[0], 7.0);
}

TEST(RowArena, UsesWhatWasGivenBack) {
  RowArena arena(SharedMemory::Create());
  double* first = arena.Take(100);
  double* second = arena.Take(100);
  EXPECT_NE(first, second);
  arena.Give(first, 100);
  EXPECT_EQ(arena.Take(100), first);
  double local = 0.0;
  EXPECT_FALSE(arena.OffsetOf(&local));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % 64, 0U);
}

TEST(RowArena, RowsLargerThanAPieceHaveOneOfTheirOwn) {
  RowArena arena(SharedMemory::Create());
  double* large = arena.Take(1 << 20);
  large[(1 << 20) - 1] = 1.0;
  EXPECT_TRUE(arena.OffsetOf(large + (1 << 20) - 1));
}

TEST(RowWindow, RefusesWhatIsNotThere) {
  SharedMemory memory = SharedMemory::Create();
  RowWindow window(Twin(memory));
  RowArena arena(std::move(memory));
  arena.Take(10);
  StateWriter news;
  arena.WriteNews(news);
  StateReader reader(news.Bytes());
  window.ReadNews(reader);
  const std::size_t size = std::size_t{1} << 18;
  EXPECT_NO_THROW(window.At(0, size / 8));
  const std::pair<std::size_t, std::size_t> lies[] = {{0, size / 8 + 1}, {size, 1},         {size - 8, 2},    {4, 1},
                                                      {0, SIZE_MAX},     {SIZE_MAX - 7, 1}, {8, SIZE_MAX / 8}};
  for (const auto& lie : lies) {
    EXPECT_THAT([&] { window.At(lie.first, lie.second); },
                ThrowsMessage<RangeError>(HasSubstr("expected a row in shared memory")));
  }
  StateWriter lie;
  for (std::int64_t number : {1, 0, 1 << 30}) lie.Write(number);
  StateReader lying(lie.Bytes());
  EXPECT_THAT([&] { window.ReadNews(lying); }, ThrowsMessage<RangeError>(HasSubstr("bytes of shared memory")));
}

TEST(SharedMemory, CannotBeTakenAway) {
  SharedMemory memory = SharedMemory::Create();
  memory.Grow(8192);
  EXPECT_NE(ftruncate(memory.Descriptor(), 4096), 0);
  EXPECT_EQ(memory.Size(), 8192U);
}

TEST(RowHistory, KeepsItsRowsInAStore) {
  RowArena arena(SharedMemory::Create());
  {
    RowHistory history(&arena);
    for (int i = 0; i < 5; ++i) {
      history.NextRow(4)[0] = i;
      history.Commit(Stamp{static_cast<double>(i)}, {});
      history.TrimBefore(Stamp{static_cast<double>(i) - 1.5});
      EXPECT_TRUE(arena.OffsetOf(history.Row(history.LastIndex()).data()));
    }
  }
  double* again = arena.Take(4);
  EXPECT_LT(*arena.OffsetOf(again), 5U * 64U);  // what the history gave back
}

TEST(RowHistory, ShowsRowsOfOthersAndTakesThemOver) {
  double rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  RowHistory history;
  history.AppendView(Stamp{1.0}, {}, rows[0]);
  history.AppendView(Stamp{2.0}, {}, rows[1]);
  EXPECT_EQ(history.Row(0).data(), rows[0]);
  history.OwnRows();
  rows[0][0] = rows[1][2] = -9.0;
  EXPECT_EQ(history.Row(0)[0], 1.0);
  EXPECT_EQ(history.Row(1)[2], 6.0);
  history.NextRow(3)[0] = 7.0;
  history.Commit(Stamp{3.0}, {});
  history.TrimBefore(Stamp{3.0});
  EXPECT_EQ(history.Count(), 1U);
  EXPECT_THROW(history.AppendView(Stamp{3.0}, {}, rows[0]), RangeError);
}

/// Brings rows of ones, after it failed as often as was asked.
class Fetcher final : public IRowFetcher {
 public:
  void Fetch(const RowHistory& rows) override {
    ++calls;
    if (failures-- > 0) throw ModelError({}, "expected a worker, found none");
    for (std::size_t i = 0; i < rows.Count(); ++i) std::ranges::fill(memory[i], 1.0);
  }
  std::vector<std::vector<double>> memory{2, std::vector<double>(3, 0.0)};
  int failures = 0;
  int calls = 0;
};

TEST(RowHistory, FetchesRowsWhenTheyAreRead) {
  Fetcher fetcher;
  RowHistory rows;
  rows.AppendView(Stamp{1.0}, {}, fetcher.memory[0], &fetcher);
  rows.AppendView(Stamp{2.0}, {}, fetcher.memory[1], &fetcher);
  EXPECT_EQ(rows.Place(1).data(), fetcher.memory[1].data());
  EXPECT_EQ(rows.LatestEnd().mjd, 2.0);
  EXPECT_EQ(fetcher.calls, 0) << "where a row is, and when, is known without its values";
  fetcher.failures = 1;
  EXPECT_THROW(rows.LastRow(), ModelError);
  EXPECT_EQ(rows.Row(0)[2], 1.0) << "the next one who reads tries again";
  EXPECT_EQ(rows.LastRow()[0], 1.0);
  EXPECT_EQ(fetcher.calls, 2) << "all rows come at once";
}

TEST(RowHistory, FetchesRowsBeforeItTakesThemOver) {
  Fetcher fetcher;
  RowHistory rows;
  rows.AppendView(Stamp{1.0}, {}, fetcher.memory[0], &fetcher);
  rows.OwnRows();
  EXPECT_TRUE(rows.IsOwn(0));
  EXPECT_EQ(rows.Row(0)[1], 1.0);
}

}  // namespace
}  // namespace openmi::testing
