// The two components of the isolation benchmark. The provider measures the time in which it makes its values, which is
// no part of an exchange.

#include <chrono>

#include "bench/exchange/Arithmetic.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace {

using Clock = std::chrono::steady_clock;

std::shared_ptr<const openmi::ISpatialDefinition> Elements(std::int64_t count) {
  std::vector<std::string> ids;
  for (std::int64_t i = 0; i < count; ++i) ids.push_back(std::to_string(i));
  return std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("cells", ids));
}

class IsolationProvider final : public openmi::SteppingComponent {
 public:
  IsolationProvider() : SteppingComponent("isolation-provider", "PT1S") {
    count_ = AddArgument<std::int64_t>("count", {.caption = "values a step", .value = 1, .minimum = 1});
  }

 private:
  void Setup() override {
    level_ = AddOutput("level", "m", Elements(count_.Value()));
    work_ = AddOutput("work", "s");
    made_ = AddOutput("made", "1");
  }
  void Start(openmi::Stamp) override { Fill(); }
  void Step(openmi::Stamp, openmi::Stamp) override { Fill(); }
  void Fill() {
    const auto begin = Clock::now();
    step_ += 1.0;
    double next = step_;
    for (double& value : level_.Next()) value = next += 0.5;
    seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
    work_.Set(seconds_);
    made_.Set(step_);
  }
  openmi::Argument<std::int64_t> count_;
  openmi::ArrayOutput level_;
  openmi::ScalarOutput work_;
  openmi::ScalarOutput made_;
  double step_ = 0.0;
  double seconds_ = 0.0;
};

/// Reads all values it is given.
class IsolationConsumer final : public openmi::SteppingComponent {
 public:
  IsolationConsumer() : SteppingComponent("isolation-consumer", "PT1S") {
    count_ = AddArgument<std::int64_t>("count", {.caption = "values a step", .value = 1, .minimum = 1});
  }

 private:
  void Setup() override {
    level_ = AddInput("level", "m", Elements(count_.Value()));
    sum_ = AddOutput("sum", "m");
  }
  void Start(openmi::Stamp) override { sum_.Set(0.0); }
  void Step(openmi::Stamp, openmi::Stamp) override { sum_.Set(exchange::Consume(level_.Values())); }
  openmi::Argument<std::int64_t> count_;
  openmi::ArrayInput level_;
  openmi::ScalarOutput sum_;
};

OPENMI_EXPORT_COMPONENT(IsolationProvider)
OPENMI_EXPORT_COMPONENT(IsolationConsumer)

}  // namespace
