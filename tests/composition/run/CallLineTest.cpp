// Lines of calls: what they hold stays theirs on any thread, and one that works alone gets what others of its run hold.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "composition/threads/CallLine.hpp"
#include "composition/threads/FamilyThread.hpp"
#include "composition/threads/LineLock.hpp"
#include "composition/threads/SharedOrAlone.hpp"
#include "composition/threads/TimeKeeper.hpp"

namespace openmi {
namespace {

TEST(CallLine, GoesOnWhereAFamilyHasAThreadOfItsOwn) {
  FamilyThread thread;
  FamilyThread other;
  CallLine& line = CallLine::Current();
  line.manner = CallLine::Manner::Shared;
  TimeKeeper::EnterLane(3);
  thread.Run([&] {
    EXPECT_EQ(&CallLine::Current(), &line);
    EXPECT_EQ(CallLine::Current().manner, CallLine::Manner::Shared);
    EXPECT_EQ(TimeKeeper::CurrentLane(), 3U);
    other.Run([&] { EXPECT_EQ(TimeKeeper::CurrentLane(), 3U); });
    CallLine::Current().manner = CallLine::Manner::Alone;
  });
  EXPECT_EQ(line.manner, CallLine::Manner::Alone);
  TimeKeeper::EnterLane(0);
  line.manner = CallLine::Manner::Plain;
  thread.Run([&] {
    EXPECT_EQ(CallLine::Current().manner, CallLine::Manner::Plain);
    EXPECT_EQ(TimeKeeper::CurrentLane(), 0U);
  });
}

TEST(LineLock, IsTheLinesAndNotTheThreads) {
  LineLock lock;
  FamilyThread thread;
  const std::lock_guard held(lock);
  bool was_there = false;
  thread.Run([&] {  // would wait for ever for the thread that waits for it
    const std::lock_guard again(lock);
    was_there = true;
  });
  EXPECT_TRUE(was_there);
}

TEST(LineLock, IsLentToTheLineOfItsTeamThatWorksAlone) {
  LineLock lock;
  const int team = 0;
  CallLine& line = CallLine::Current();
  line.team = &team;
  lock.lock();
  std::thread alone([&] {
    CallLine::Current().team = &team;
    CallLine::Current().manner = CallLine::Manner::Alone;
    const std::lock_guard lent(lock);
  });
  alone.join();  // this line stands still meanwhile
  std::atomic<bool> has_it = false;
  std::thread stranger([&] {
    CallLine::Current().manner = CallLine::Manner::Alone;  // of another run
    const std::lock_guard own(lock);
    has_it = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(has_it) << "the lock went to a line of another run";
  lock.unlock();
  stranger.join();
  EXPECT_TRUE(has_it);
  line.team = nullptr;
}

TEST(SharedOrAlone, NobodyWorksBesideOneThatIsAlone) {
  SharedOrAlone sharing;
  std::atomic<int> current = 0;
  std::atomic<int> alone = 0;
  std::atomic<int> faults = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        sharing.EnterShared();
        ++current;
        if (alone != 0) ++faults;
        --current;
        if (i % (5 + t) == 0) {
          sharing.BecomeAlone(static_cast<std::size_t>(t));
          if (++alone != 1 || current != 0) ++faults;
          --alone;
          sharing.ShareAgain(static_cast<std::size_t>(t));
        }
        sharing.LeaveShared();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(faults, 0);
}

}  // namespace
}  // namespace openmi
