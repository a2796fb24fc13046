#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "adaptors/kernels/Crew.hpp"

namespace openmi {
namespace {

TEST(Crew, DoesEachPartOnceAgainAndAgain) {
  for (std::size_t size : {0U, 1U, 2U, 7U}) {
    Crew crew(size);
    std::vector<int> done(crew.Size(), 0);
    for (int round = 0; round < 200; ++round) crew.Run([&](std::size_t part) { ++done[part]; });
    EXPECT_THAT(done, ::testing::Each(200)) << size;
  }
}

TEST(Crew, SharesCoverEverythingOnce) {
  const Crew crew(3);
  for (std::size_t count : {0U, 1U, 2U, 3U, 10U}) {
    std::size_t next = 0;
    for (std::size_t part = 0; part < 3; ++part) {
      const auto [first, last] = crew.ShareOf(part, count);
      EXPECT_EQ(first, next);
      next = last;
    }
    EXPECT_EQ(next, count);
  }
}

TEST(Crew, PassesOnTheFailureOfTheLowestPartWhenAllAreDone) {
  Crew crew(4);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done{0};
    const auto work = [&](std::size_t part) {
      ++done;
      if (part % 2 == 1) throw std::runtime_error("part " + std::to_string(part));
    };
    EXPECT_THAT([&] { crew.Run(work); }, ::testing::ThrowsMessage<std::runtime_error>("part 1"));
    EXPECT_EQ(done, 4);
  }
  crew.Run([](std::size_t) {});  // nothing is left over
}

}  // namespace
}  // namespace openmi
