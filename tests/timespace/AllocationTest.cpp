// In steady state a step takes no memory, counted at malloc.

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/timespace/MallocCount.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/testing/Driver.hpp"

namespace openmi {
namespace {

class Cells final : public SteppingComponent {
 public:
  explicit Cells(int count, const char* step) : SteppingComponent("cells", step) {
    std::vector<std::string> ids;
    for (int i = 0; i < count; ++i) ids.push_back(std::to_string(i));
    const auto where = std::make_shared<const ElementSet>(ElementSet::IdBased("cells", ids));
    in_ = AddInput("in", "m3 s-1", where, {.default_value = 1.0});
    in_span_ = AddInput("in-span", "m3 s-1", where, {.asks = InputTime::Span, .default_value = 1.0});
    out_ = AddOutput("out", "m3 s-1", where);
    out_span_ = AddOutput("out-span", "m3 s-1", where, {.gives = OutputTime::Span});
  }

 private:
  void Step(Stamp, Stamp) override {
    const std::span<double> next = out_.Next();
    const std::span<double> next_span = out_span_.Next();
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = 0.5 * in_.Values()[i] + 1.0;
      next_span[i] = 0.5 * in_span_.Values()[i] + 1.0;
    }
  }
  ArrayInput in_, in_span_;
  ArrayOutput out_, out_span_;
};

TEST(Allocation, TheCounterCounts) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  const std::uint64_t before = test::MallocCount();
  std::vector<double>* vector = new std::vector<double>(1000, 1.0);
  void* volatile memory = std::malloc(10);
  std::free(memory);
  EXPECT_GE(test::MallocCount() - before, 3u);
  delete vector;
}

TEST(Allocation, AChainOfComponentsTakesNoMemoryInSteadyState) {
  if (!test::MallocIsCounted()) GTEST_SKIP() << "a sanitizer has malloc for itself";
  Cells upper(1000, "PT1M"), middle(1000, "PT1M"), lower(1000, "PT1M"), other(1000, "PT1M");
  Cells* all[] = {&upper, &middle, &lower, &other};
  for (Cells* cells : all) {
    Driver driver(*cells);
    driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", "2020-02-01T00:00Z");
    driver.Initialize();
  }
  const auto link = [](Cells& from, Cells& to) {
    for (std::size_t i = 0; i < 2; ++i) from.Outputs()[i]->AddConsumer(*to.Inputs()[i]);
  };
  link(upper, middle);
  link(middle, lower);
  link(middle, other);
  int heard = 0;
  lower.StatusChanged().Add([&heard](const LinkableComponentStatusChangeEventArgs&) { ++heard; });
  lower.Outputs()[0]->ItemChanged().Add([&heard](const ExchangeItemChangeEventArgs&) { ++heard; });
  for (Cells* cells : all) cells->Prepare();
  for (int step = 0; step < 200; ++step) {
    lower.Update({});
    other.Update({});
  }
  const std::uint64_t before = test::MallocCount();
  for (int step = 0; step < 5000; ++step) {
    lower.Update({});
    other.Update({});
  }
  EXPECT_EQ(test::MallocCount() - before, 0u);
  EXPECT_GT(heard, 5000);
  EXPECT_TRUE(SameTime(upper.CurrentTime(), lower.CurrentTime()));
}

}  // namespace
}  // namespace openmi
