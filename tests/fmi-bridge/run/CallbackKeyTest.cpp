// What an FMU gives back to say which instance logs: a number that is looked up, whatever it is.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>

#include "fmi-bridge/fmi/run/CallbackTarget.hpp"

namespace openmi::fmi {
namespace {

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
