#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "openmi/sdk/SharedByKey.hpp"

namespace openmi {
namespace {

TEST(SharedByKey, MakesAnObjectAgainAfterItsLastUser) {
  SharedByKey<std::string, int> numbers;
  int made = 0;
  const auto make = [&made] { return std::make_shared<int>(++made); };
  auto first = numbers.Get("a", make);
  EXPECT_EQ(numbers.Get("a", make), first);
  EXPECT_EQ(*numbers.Get("b", make), 2);
  first.reset();
  EXPECT_EQ(*numbers.Get("a", make), 3);
}

TEST(SharedByKey, KeepsNothingOfAnObjectThatCouldNotBeMade) {
  SharedByKey<int, int> numbers;
  const auto fail = []() -> std::shared_ptr<int> { throw std::runtime_error("no"); };
  EXPECT_THROW(static_cast<void>(numbers.Get(1, fail)), std::runtime_error);
  EXPECT_EQ(*numbers.Get(1, [] { return std::make_shared<int>(5); }), 5);
}

}  // namespace
}  // namespace openmi
