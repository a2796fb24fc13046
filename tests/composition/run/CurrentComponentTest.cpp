// What the run sets back after a component's call, and while a component calls the run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <functional>

#include "composition/threads/CurrentComponent.hpp"
#include "composition/threads/FamilyThread.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

/// A third in the direction of rounding that is in force; the compiler must not know it.
double Third() {
  volatile double one = 1.0;
  volatile double three = 3.0;
  return one / three;
}

class CurrentComponentTest : public testing::Test {
 protected:
  ~CurrentComponentTest() override { std::fesetround(FE_TONEAREST); }

  Conduct conduct_{"creek"};
  const double third_ = Third();
};

TEST_F(CurrentComponentTest, RoundingIsSetBackAfterACallAndNoted) {
  CallComponent(conduct_, [this] { EXPECT_EQ(Third(), third_); });
  EXPECT_EQ(conduct_.changes, 0U);
  CallComponent(conduct_, [] { std::fesetround(FE_UPWARD); });
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(Third(), third_);
  EXPECT_EQ(conduct_.changes, unsigned{Conduct::kFloatingPoint});
}

TEST_F(CurrentComponentTest, RoundingOfTheProgramAroundTheRunStays) {
  std::fesetround(FE_DOWNWARD);
  CallComponent(conduct_, [] {});
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  EXPECT_EQ(conduct_.changes, 0U);
}

TEST_F(CurrentComponentTest, RoundingIsSetBackWhereTheComponentThrows) {
  const auto call = [this] {
    CallComponent(conduct_, [] {
      std::fesetround(FE_UPWARD);
      throw 1;
    });
  };
  EXPECT_THROW(call(), int);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST_F(CurrentComponentTest, TheRunAndOthersComputeAsBeforeWhileTheComponentAsks) {
  Conduct other("rain");
  CallComponent(conduct_, [&] {
    std::fesetround(FE_UPWARD);
    const double upward = Third();
    EXPECT_NE(upward, third_);
    {
      const HostWork asked;
      EXPECT_EQ(Third(), third_);
      CallComponent(other, [this] { EXPECT_EQ(Third(), third_); });
    }
    EXPECT_EQ(Third(), upward) << "it finds what it had set";
  });
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(other.changes, 0U);
}

TEST_F(CurrentComponentTest, StopsAtFaultsAreTakenAway) {
  CallComponent(conduct_, [] { feenableexcept(FE_DIVBYZERO | FE_INVALID); });
  EXPECT_EQ(fegetexcept(), 0);
  volatile double zero = 0.0;
  EXPECT_GT(1.0 / zero, 1.0) << "and the program goes on";
  EXPECT_EQ(conduct_.changes, unsigned{Conduct::kFloatingPoint});
}

TEST_F(CurrentComponentTest, NamesTheInnermost) {
  EXPECT_EQ(CurrentComponent::Component(), nullptr);
  Conduct other("rain");
  CallComponent(conduct_, [&] {
    EXPECT_STREQ(CurrentComponent::Component(), "creek");
    CallComponent(other, [] { EXPECT_STREQ(CurrentComponent::Component(), "rain"); });
    EXPECT_STREQ(CurrentComponent::Component(), "creek");
  });
  EXPECT_EQ(CurrentComponent::Component(), nullptr);
}

TEST_F(CurrentComponentTest, AComponentThatLeavesHasFailed) {
  EXPECT_THAT([this] { CallComponent(conduct_, [] { CurrentComponent::Current()->Leave(); }); },
              ThrowsMessage<ModelError>(AllOf(HasSubstr("creek"), HasSubstr("ended the program"))));
  EXPECT_TRUE(conduct_.has_left);
  EXPECT_EQ(CurrentComponent::Component(), nullptr);
}

TEST_F(CurrentComponentTest, OnlyTheInnermostLeaves) {
  Conduct other("rain");
  bool came_back = false;
  CallComponent(conduct_, [&] {
    const HostWork asked;
    EXPECT_THROW(CallComponent(other, [] { CurrentComponent::Current()->Leave(); }), ModelError);
    came_back = true;
  });
  EXPECT_TRUE(came_back && other.has_left && !conduct_.has_left);
}

TEST_F(CurrentComponentTest, WhileTheRunIsAtWorkNobodyLeaves) {
  CallComponent(conduct_, [] {
    EXPECT_TRUE(CurrentComponent::Current()->CanLeave());
    const HostWork asked;
    EXPECT_FALSE(CurrentComponent::Current()->CanLeave());
  });
  const CurrentComponent loading(conduct_);
  EXPECT_FALSE(CurrentComponent::Current()->CanLeave());
}

TEST_F(CurrentComponentTest, AComponentLeavesOnTheThreadOfItsFamilyToo) {
  FamilyThread thread;
  EXPECT_THROW(CallComponent(conduct_, [&] { thread.Run([] { CurrentComponent::Current()->Leave(); }); }), ModelError);
  int answer = 0;
  thread.Run([&answer] { answer = 7; });
  EXPECT_EQ(answer, 7) << "the thread goes on";
}

TEST_F(CurrentComponentTest, OnlyACallThatIsLateIsGivenUp) {
  bool was_left_early = true;
  const auto call = [&] {
    CallComponent(conduct_, [&] {
      CurrentComponent::GiveUp();
      was_left_early = false;
      CurrentComponent::NoteLate();
      {
        const HostWork asked;
        EXPECT_FALSE(CurrentComponent::IsLate()) << "while the run is at work, no component is left";
        CurrentComponent::GiveUp();
      }
      EXPECT_TRUE(CurrentComponent::IsLate());
      CurrentComponent::GiveUp();
      ADD_FAILURE() << "it was to be left";
    });
  };
  EXPECT_THAT(call, ThrowsMessage<ModelError>(AllOf(HasSubstr("creek"), HasSubstr("still computing"))));
  EXPECT_FALSE(was_left_early);
  EXPECT_TRUE(conduct_.has_left);
  EXPECT_EQ(CurrentComponent::Component(), nullptr);
}

TEST_F(CurrentComponentTest, WhoWaitsForTheThreadOfAFamilyIsNotLeft) {
  FamilyThread thread;
  CallComponent(conduct_, [&] {
    const CurrentComponent* const caller = CurrentComponent::Current();
    thread.Run([caller] {
      EXPECT_FALSE(caller->CanLeave());
      EXPECT_TRUE(CurrentComponent::Current()->CanLeave());
    });
    EXPECT_TRUE(caller->CanLeave());
  });
}

TEST_F(CurrentComponentTest, ACopyOfTheProcessThatComesBackIsEnded) {
  CurrentComponent::WatchForCopies();
  EXPECT_FALSE(CurrentComponent::WasCopied(conduct_));
  const pid_t mine = getpid();
  pid_t copy = -1;
  CallComponent(conduct_, [&copy] { copy = fork(); });
  if (getpid() != mine) _exit(0);  // which must not be reached
  int status = 0;
  ASSERT_EQ(waitpid(copy, &status, 0), copy);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_TRUE(CurrentComponent::WasCopied(conduct_));
}

TEST_F(CurrentComponentTest, AProgramThatSplitsItselfIsLeftAlone) {
  CurrentComponent::WatchForCopies();
  const pid_t copy = fork();
  if (copy == 0) {
    CallComponent(conduct_, [] {});
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(copy, &status, 0), copy);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace
}  // namespace openmi
