// The thread of a family: one thing at a time, in any order, and what is thrown comes back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "composition/threads/FamilyThread.hpp"

namespace openmi {
namespace {

TEST(FamilyThread, RunsWorkOnOneThreadThatIsNotTheCallers) {
  FamilyThread thread;
  std::thread::id first;
  std::thread::id second;
  thread.Run([&] { first = std::this_thread::get_id(); });
  thread.Run([&] { thread.Run([&] { second = std::this_thread::get_id(); }); });
  EXPECT_EQ(first, second);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(FamilyThread, HandsOnWhatIsThrown) {
  FamilyThread thread;
  EXPECT_THAT([&] { thread.Run([] { throw std::runtime_error("too deep"); }); },
              ::testing::ThrowsMessage<std::runtime_error>("too deep"));
  int done = 0;
  thread.Run([&] { ++done; });
  EXPECT_EQ(done, 1);
}

TEST(FamilyThread, FamiliesMayAskEachOtherInARing) {
  FamilyThread a;
  FamilyThread b;
  FamilyThread c;
  std::vector<std::string> order;
  a.Run([&] {
    order.emplace_back("a");
    b.Run([&] {
      order.emplace_back("b");
      c.Run([&] {
        order.emplace_back("c");
        a.Run([&] {
          order.emplace_back("a again");
          b.Run([&] { order.emplace_back("b again"); });
        });
      });
    });
    order.emplace_back("a at the end");
  });
  EXPECT_THAT(order, ::testing::ElementsAre("a", "b", "c", "a again", "b again", "a at the end"));
}

TEST(FamilyThread, ServesSeveralCallers) {
  FamilyThread thread;
  int count = 0;  // only the family's thread writes
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&] {
      for (int k = 0; k < 1000; ++k) thread.Run([&] { ++count; });
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(count, 4000);
}

}  // namespace
}  // namespace openmi
