#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "timespace/SteppingComponent.hpp"
#include "timespace/items/StepMemory.hpp"

namespace openmi {
namespace {

class Pond : public SteppingComponent {
 public:
  Pond() : SteppingComponent("pond") {
    in = AddInput("in", "m", {.default_value = 2.0});
    out = AddOutput("out", "m");
  }
  ScalarInput in;
  ScalarOutput out;

 private:
  void Step(Stamp, Stamp) override { out.Set(in.Get()); }
};

class alignas(64) WidePond final : public Pond {};

std::ptrdiff_t Between(const void* a, const void* b) {
  return reinterpret_cast<std::intptr_t>(b) - reinterpret_cast<std::intptr_t>(a);
}

TEST(StepMemory, HoldsComponentsWithThePlacesOfTheirItemsOneAfterTheOther) {
  StepMemory memory;
  std::vector<std::unique_ptr<Pond>> ponds;
  {
    const StepMemory::Use use(memory);
    for (int i = 0; i < 3; ++i) ponds.push_back(std::make_unique<Pond>());
  }
  for (int i = 0; i < 3; ++i) {
    const Pond& pond = *ponds[static_cast<std::size_t>(i)];
    const std::ptrdiff_t input = Between(&pond, &pond.in.Item().StepPlace());
    const std::ptrdiff_t output = Between(&pond.in.Item().StepPlace(), &pond.out.Item().StepPlace());
    EXPECT_GE(input, static_cast<std::ptrdiff_t>(sizeof(Pond)));
    EXPECT_LT(input, static_cast<std::ptrdiff_t>(sizeof(Pond) + 16));
    EXPECT_EQ(output, static_cast<std::ptrdiff_t>(sizeof(StepInput)));
    EXPECT_EQ(pond.in.Get(), 2.0);
    if (i == 0) continue;
    const std::ptrdiff_t each = Between(ponds[static_cast<std::size_t>(i) - 1].get(), &pond);
    EXPECT_LT(each, static_cast<std::ptrdiff_t>(sizeof(Pond) + sizeof(StepInput) + sizeof(StepOutput) + 48));
  }
}

TEST(StepMemory, IsUsedOnlyWhileAskedFor) {
  StepMemory memory;
  std::unique_ptr<Pond> inside, outside;
  {
    const StepMemory::Use use(memory);
    inside = std::make_unique<Pond>();
    Pond on_stack;  // was made while the memory is used, and lies elsewhere
    EXPECT_LT(Between(&on_stack.in.Item(), &on_stack.in.Item().StepPlace()),
              static_cast<std::ptrdiff_t>(sizeof(NumericInput)));
  }
  outside = std::make_unique<Pond>();
  const std::ptrdiff_t place = Between(&outside->in.Item(), &outside->in.Item().StepPlace());
  EXPECT_GE(place, 0);
  EXPECT_LT(place, static_cast<std::ptrdiff_t>(sizeof(NumericInput)));
  EXPECT_EQ(outside->in.Get(), 2.0);
}

TEST(StepMemory, LeavesTheAlignmentOfAComponentToIt) {
  StepMemory memory;
  const StepMemory::Use use(memory);
  for (int i = 0; i < 3; ++i) {
    const auto first = std::make_unique<Pond>();
    const auto wide = std::make_unique<WidePond>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.get()) % 64, 0U);
    EXPECT_EQ(wide->in.Get(), 2.0);
  }
}

TEST(StepMemory, GrowsByBlocksThatHoldAnyComponent) {
  StepMemory memory;
  std::vector<void*> taken;
  for (std::size_t i = 0; i < 200; ++i) {
    const std::size_t bytes = 1 + 40'000 * (i % 5);
    auto* const place = static_cast<unsigned char*>(memory.Take(bytes, 16));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(place) % 16, 0U);
    std::fill_n(place, bytes, static_cast<unsigned char>(i));
    taken.push_back(place);
  }
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const auto* const place = static_cast<const unsigned char*>(taken[i]);
    EXPECT_EQ(place[0], static_cast<unsigned char>(i));
    EXPECT_EQ(place[40'000 * (i % 5)], static_cast<unsigned char>(i));
  }
}

}  // namespace
}  // namespace openmi
