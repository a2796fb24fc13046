// When one who waits for a letter looks, and when it sleeps at once.

#include <gtest/gtest.h>

#include "composition/channel/SpinBudget.hpp"

namespace openmi {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr int kLooks = 4000;

/// A budget that has had `waits` waits, each of which looked as often as allowed and found what `rang` says.
void Wait(SpinBudget& budget, int waits, bool rang, microseconds took) {
  for (int i = 0; i < waits; ++i) {
    if (budget.Next() > 0) budget.Note(rang, took);
  }
}

/// How many of the next waits do not look.
int Asleep(SpinBudget& budget) {
  int waits = 0;
  while (budget.Next() == 0 && waits < 100'000) ++waits;
  return waits;
}

TEST(SpinBudget, LooksAsLongAsLettersCome) {
  SpinBudget budget;
  budget.Allow(kLooks);
  Wait(budget, 100'000, true, microseconds(1));
  EXPECT_EQ(budget.Next(), kLooks);
}

TEST(SpinBudget, NeverLooksWhereNoneIsAllowed) {
  SpinBudget budget;
  EXPECT_EQ(budget.Next(), 0);
  budget.Allow(0);
  EXPECT_EQ(Asleep(budget), 100'000);
}

TEST(SpinBudget, BearsSomeLooksInVain) {
  SpinBudget budget;
  budget.Allow(kLooks);
  Wait(budget, 60, false, microseconds(180));  // until the system has moved one of the two to another core
  EXPECT_EQ(budget.Next(), kLooks);
  for (int i = 0; i < 10'000; ++i) {  // one in a hundred
    Wait(budget, 99, true, microseconds(1));
    Wait(budget, 1, false, microseconds(180));
    ASSERT_EQ(budget.Next(), kLooks) << i;
  }
}

TEST(SpinBudget, SleepsForLongerAndLongerWhereLooksFindNothing) {
  SpinBudget budget;
  budget.Allow(kLooks);
  for (const int pause : {64, 128, 256, 512}) {
    Wait(budget, 67, false, microseconds(180));  // 12.06 ms
    EXPECT_EQ(Asleep(budget), pause - 1);
  }
  Wait(budget, 4096, true, microseconds(1));  // by and by less long again
  Wait(budget, 67, false, microseconds(180));
  EXPECT_LT(Asleep(budget), 512);
}

TEST(SpinBudget, SleepsWhereTheCoreGoesToOthers) {
  SpinBudget budget;
  budget.Allow(kLooks);
  Wait(budget, 2, true, milliseconds(4));
  EXPECT_EQ(budget.Next(), kLooks);
  Wait(budget, 1, true, milliseconds(5));  // the letters came, and yet 13 ms are lost
  EXPECT_EQ(Asleep(budget), 63);
}

}  // namespace
}  // namespace openmi
