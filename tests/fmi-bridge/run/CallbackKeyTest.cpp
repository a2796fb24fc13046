// What an FMU gives back to say which instance logs: a number that is looked up, whatever it is.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>

#include "fmi-bridge/fmi/run/CallbackTarget.hpp"
#include "openmi/sdk/Error.hpp"

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
