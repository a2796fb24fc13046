// What an FMU gives back to say which instance logs: a number that is looked up, whatever it is.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "fmi-bridge/fmi/run/CallbackTarget.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi::fmi {
namespace {

TEST(CallbackTarget, PassesNewsOfClocksOnlyOnTheThreadThatExpectsThem) {
  const ModelDescription description;
  CallbackTarget target("x", description, {}, {});
  int heard = 0;
  target.HearClocks([&heard] { ++heard; });
  target.ExpectClocks(true);
  target.ClocksChanged();
  EXPECT_EQ(heard, 1);
  std::thread([&target] { target.ClocksChanged(); }).join();
  EXPECT_EQ(heard, 1) << "another thread of the FMU";
  EXPECT_THROW(target.ThrowProblem(), ModelError);
  target.ExpectClocks(false);
  target.ClocksChanged();
  EXPECT_EQ(heard, 1);
  EXPECT_THROW(target.ThrowProblem(), ModelError);
  target.HearClocks({});
  target.ClocksChanged();
  EXPECT_FALSE(target.HasProblem()) << "no one hears";
}

TEST(CallbackTarget, CallsForMomentsOfAStepWhileItIsMadeWhateverTheThread) {
  const ModelDescription description;
  int own = 0;  // the importer changes it between steps, the hook within them
  CallbackTarget target("x", description, {}, [&own](const IntermediateMoment&) { return static_cast<double>(++own); });
  EXPECT_TRUE(std::isnan(target.At({}))) << "before a step";
  std::atomic<bool> is_over = false;
  std::atomic<int> asked = 0;
  std::thread of_the_fmu([&] {
    while (!is_over) {
      target.At({});
      ++asked;
      std::this_thread::yield();
    }
  });
  int inside = 0;
  for (int step = 0; step < 200; ++step) {
    own = 0;
    auto within = std::make_unique<CallbackTarget::Step>(target, 0.0, 1.0);
    if (step % 2 == 0) target.At({});
    const int before = asked;
    while (step < 20 && asked < before + 2) std::this_thread::yield();
    within.reset();
    inside += own;
    const int after = own;
    std::this_thread::yield();
    EXPECT_EQ(own, after) << "between steps";
  }
  is_over = true;
  of_the_fmu.join();
  EXPECT_GE(inside, 100 + 20) << "each of the calls from here, and some of the thread of the FMU";
}

TEST(CallbackTarget, CallsForTimesOfTheStepOnly) {
  const ModelDescription description;
  int heard = 0;
  CallbackTarget target("x", description, {}, [&heard](const IntermediateMoment&) { return 1.0 * ++heard; });
  const CallbackTarget::Step within(target, 1e6 + 1.0, 1e6 + 1.01);
  for (const double late : {1e6 + 0.9999, 1e6 + 1.0101, 0.0, kNotANumber, -kNotANumber}) {
    EXPECT_TRUE(std::isnan(target.At({.time = late}))) << late;
  }
  EXPECT_EQ(heard, 0);
  for (const double time : {1e6 + 1.0 - 1e-9, 1e6 + 1.0, 1e6 + 1.005, 1e6 + 1.01 + 1e-9}) {
    target.At({.time = time});
  }
  EXPECT_EQ(heard, 4);
}

TEST(CallbackTarget, DoesNotCallForAThreadForWhichTheHookMayWait) {
  const ModelDescription description;
  CallbackTarget* target = nullptr;
  double nested = 0.0;
  double on_thread = 0.0;
  bool is_first = true;
  CallbackTarget made("x", description, {}, [&](const IntermediateMoment&) {
    if (!std::exchange(is_first, false)) return 2.0;
    nested = target->At({});
    std::thread([&] { on_thread = target->At({}); }).join();  // as an FMU that lets its thread set the values
    return 1.0;
  });
  target = &made;
  const CallbackTarget::Step within(made, 0.0, 1.0);
  EXPECT_EQ(made.At({}), 1.0);
  EXPECT_EQ(nested, 2.0) << "the same thread";
  EXPECT_TRUE(std::isnan(on_thread));
}

TEST(CallbackKey, LeadsNowhereWhereAnFmuGivesBackSomethingElse) {
  int anything = 7;
  for (const auto given :
       {std::uintptr_t{0}, std::uintptr_t{1}, UINTPTR_MAX, reinterpret_cast<std::uintptr_t>(&anything)}) {
    EXPECT_EQ(CallbackKey::Find(reinterpret_cast<const void*>(given)), nullptr) << given;
  }
  EXPECT_EQ(CallbackKey::FindNamed(nullptr), nullptr);
  EXPECT_EQ(CallbackKey::FindNamed("nobody"), nullptr);
}

}  // namespace
}  // namespace openmi::fmi
