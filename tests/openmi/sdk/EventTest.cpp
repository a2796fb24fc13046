#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "openmi/sdk/Event.hpp"

namespace openmi {
namespace {

TEST(Event, CallsHandlersInTheOrderTheyWereAdded) {
  Event<int> event;
  std::string heard;
  EXPECT_FALSE(event.HasHandlers());
  event.Add([&](int value) { heard += "a" + std::to_string(value); });
  event.Add([&](int value) { heard += "b" + std::to_string(value); });
  event.Raise(1);
  EXPECT_EQ(heard, "a1b1");
}

TEST(Event, KeepsWhatAHandlerHoldsUntilItReturnsThoughItRemovesItself) {
  Event<int> event;
  const auto held = std::make_shared<std::string>("what the handler needs to the end");
  const std::weak_ptr<std::string> watched = held;
  EventSubscription subscription{};
  std::string after;
  subscription = event.Add([&event, &subscription, &after, copy = *held, watched, owned = held](int) {
    event.Remove(subscription);
    EXPECT_FALSE(watched.expired());
    after = copy + " and " + *owned;  // of the handler itself: gone, if Remove destroyed it
  });
  event.Raise(1);
  EXPECT_EQ(after, *held + " and " + *held);
  EXPECT_EQ(held.use_count(), 1) << "it is let go afterwards";
  EXPECT_FALSE(event.HasHandlers());
}

TEST(Event, ClearsWhileAHandlerRuns) {
  Event<int> event;
  int heard = 0;
  const auto held = std::make_shared<int>(7);
  event.Add([&event, &heard, held](int) {
    event.Clear();
    heard += *held;
  });
  event.Add([&heard](int) { heard += 100; });
  event.Raise(1);
  event.Raise(2);
  EXPECT_EQ(heard, 7) << "one that was removed is not called any more";
  EXPECT_EQ(held.use_count(), 1);
}

TEST(Event, RemovesARunningHandlerFromWithinAnotherEvent) {
  Event<int> event;
  EventSubscription first{};
  int calls = 0;
  first = event.Add([&](int value) {
    ++calls;
    if (value == 1) event.Raise(2);
    if (value == 2) event.Remove(first);
  });
  event.Raise(1);
  event.Raise(3);
  EXPECT_EQ(calls, 2);
}

TEST(Event, LetsHandlersThatWereAddedMeanwhileHearTheNextOne) {
  Event<int> event;
  int late = 0;
  event.Add([&](int value) {
    if (value == 1) event.Add([&late](int) { ++late; });
  });
  event.Raise(1);
  EXPECT_EQ(late, 0);
  event.Raise(2);
  EXPECT_EQ(late, 1);
}

TEST(Event, KeepsWhatAHandlerThrowsFromTheOthers) {
  Event<int> event;
  int heard = 0;
  event.Add([](int) { throw 1; });
  event.Add([&](int) { ++heard; });
  event.Raise(1);
  EXPECT_EQ(heard, 1);
}

}  // namespace
}  // namespace openmi
