// Chains of ten thousand components, and what the graph of links knows.

#include <pthread.h>
#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <thread>
#include <vector>

#include "composition/link/LinkGraph.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunLoop.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "tests/composition/run/RunFixture.hpp"

namespace openmi::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr int kLong = 10'000;

/// A chain of relays, x = x / 2 + 1 from each to the next.
std::string LongChain() {
  std::string text;
  for (int i = 0; i < kLong; ++i) text += ComponentXml("m" + std::to_string(i), "Relay");
  for (int i = 1; i < kLong; ++i) {
    text += LinkXml("m" + std::to_string(i - 1) + ".out", "m" + std::to_string(i) + ".in");
  }
  return text + RunXml("2015-12-01T03:00Z");
}

/// Runs `work` on a thread with a stack of that size; \returns what it threw.
std::string OnStack(std::size_t bytes, std::function<void()> work) {
  std::string failure;
  std::function<void()> guarded = [&] {
    try {
      work();
    } catch (const std::exception& error) {
      failure = error.what();
    }
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread{};
  const int failed = pthread_create(
      &thread, &attributes,
      [](void* argument) -> void* {
        (*static_cast<std::function<void()>*>(argument))();
        return nullptr;
      },
      &guarded);
  pthread_attr_destroy(&attributes);
  if (failed != 0) return "no thread";
  pthread_join(thread, nullptr);
  return failure;
}

class LongChainRuns : public ::testing::TestWithParam<RunMode> {};
INSTANTIATE_TEST_SUITE_P(Modes, LongChainRuns, ::testing::Values(RunMode::Pull, RunMode::Step));

TEST_P(LongChainRuns, OnAnEightMegabyteStack) {
  const std::string failure = OnStack(8U << 20, [] {
    Made made(LongChain());
    ASSERT_THAT(made.Text(), IsEmpty());
    const RunRecord record = made.Run(GetParam());
    ASSERT_THAT(ErrorsOf(record), IsEmpty());
    EXPECT_TRUE(record.is_complete);
    // The first has the default 2 as input; every further one what the one before has at that hour, at once.
    double expected = 2.0;
    for (int i = 0; i < 40; ++i) {
      for (double got : made.Get<Relay>("m" + std::to_string(i)).got) EXPECT_DOUBLE_EQ(got, expected) << i;
      expected = 0.5 * expected + 1.0;
    }
    const auto& last = made.Get<Relay>("m" + std::to_string(kLong - 1)).got;
    ASSERT_EQ(last.size(), 3U);
    EXPECT_EQ(last.back(), 2.0);
  });
  EXPECT_EQ(failure, "");
}

/// `count` relays with steps of an hour and of 40 minutes in turn, and `cubic` between them: each needs its provider
/// one row further than it asks.
std::string CubicChain(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += ComponentXml("m" + std::to_string(i), "Relay", ArgumentXml("time-step", i % 2 == 0 ? "PT1H" : "PT40M"));
    if (i > 0)
      text += LinkXml("m" + std::to_string(i - 1) + ".out", "m" + std::to_string(i) + ".in", AdaptorXml("cubic"));
  }
  return text + RunXml("2015-12-01T06:00Z");
}

TEST_P(LongChainRuns, WhereEveryLinkLooksAhead) {
  constexpr int kFew = 20;  // pulled without a sweep
  Made few(CubicChain(kFew));
  ASSERT_THAT(ErrorsOf(few.Run()), IsEmpty());
  const std::string failure = OnStack(2U << 20, [&few] {
    Made made(CubicChain(kLong / 2));
    const RunRecord record = made.Run(GetParam());
    ASSERT_THAT(ErrorsOf(record), IsEmpty());
    EXPECT_TRUE(record.is_complete);
    for (int i = 0; i < kFew; ++i) {
      const std::string id = "m" + std::to_string(i);
      EXPECT_EQ(made.Get<Relay>(id).got, few.Get<Relay>(id).got) << id;
    }
  });
  EXPECT_EQ(failure, "");
}

TEST(LongChain, RunsOnAThreadOfTheHost) {
  RunRecord record;
  std::thread([&record] {
    Made made(LongChain());
    record = made.Run();
  }).join();
  EXPECT_TRUE(record.is_complete) << ErrorsOf(record);
}

TEST(LongChain, APullThatIsTooDeepForTheStackIsRefusedAndDoesNotCrash) {
  // Without the engine's sweep the pull goes down the whole chain.
  std::string found;
  const std::string failure = OnStack(1U << 20, [&found] {
    Made made(LongChain());
    PrepareComponents(*made.composition);
    try {
      made.composition->Instances().back().Component().Update({});
    } catch (const DepthError& error) {
      found = error.what();
    }
  });
  EXPECT_EQ(failure, "");
  EXPECT_THAT(found, ::testing::HasSubstr("fits the stack of this thread"));
}

TEST(LinkGraph, LoopsAndOrder) {
  LinkGraph graph(7);
  for (auto [from, to] : {std::pair{0, 1}, {1, 2}, {2, 1}, {2, 3}, {4, 4}, {5, 3}}) {
    graph.AddLink(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  }
  EXPECT_THAT(graph.Loops(), ElementsAre(ElementsAre(1, 2), ElementsAre(4)));
  const std::vector<std::size_t> order = graph.UpstreamFirst();
  ASSERT_EQ(order.size(), 7U);
  const auto place = [&order](std::size_t component) { return std::ranges::find(order, component) - order.begin(); };
  EXPECT_LT(place(0), place(1));
  EXPECT_LT(place(1), place(3));
  EXPECT_LT(place(2), place(3));
  EXPECT_LT(place(5), place(3));
  EXPECT_EQ(graph.LongestChain(), 4U);
  EXPECT_THAT(graph.UpstreamOf({3}), ElementsAre(true, true, true, true, false, true, false));
  EXPECT_THAT(graph.UpstreamOf({0}), ElementsAre(true, false, false, false, false, false, false));
}

ucontext_t host_context, fiber_context;
bool is_refused = false;

void AskOnFiber() {
  try {
    GuardStack();
  } catch (const DepthError&) {
    is_refused = true;
  }
  swapcontext(&fiber_context, &host_context);
}

TEST(LongChain, AHostsCoroutineHasAStackOfItsOwn) {
  GuardStack();                                        // the thread's own is known from here on
  std::vector<std::byte> stack(std::size_t{1} << 18);  // of the heap: below the thread's
  getcontext(&fiber_context);
  fiber_context.uc_stack.ss_sp = stack.data();
  fiber_context.uc_stack.ss_size = stack.size();
  makecontext(&fiber_context, AskOnFiber, 0);
  swapcontext(&host_context, &fiber_context);
  EXPECT_FALSE(is_refused);
}

}  // namespace
}  // namespace openmi::testing
