// The two components of the exchange benchmark, as a plug-in.

#include "bench/exchange/Arithmetic.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace {

std::shared_ptr<const openmi::ISpatialDefinition> Elements(std::int64_t count) {
  std::vector<std::string> ids;
  for (std::int64_t i = 0; i < count; ++i) ids.push_back(std::to_string(i));
  return std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("cells", ids));
}

class ExchangeProvider final : public openmi::SteppingComponent {
 public:
  ExchangeProvider() : SteppingComponent("exchange-provider", "PT1S") {
    count_ = AddArgument<std::int64_t>("count", {.caption = "values a step", .value = 1, .minimum = 1});
  }

 private:
  void Setup() override { level_ = AddOutput("level", "m", Elements(count_.Value())); }
  void Start(openmi::Stamp) override { exchange::Produce(step_ = 0.0, level_.Next()); }
  void Step(openmi::Stamp, openmi::Stamp) override { exchange::Produce(step_ += 1.0, level_.Next()); }
  openmi::Argument<std::int64_t> count_;
  openmi::ArrayOutput level_;
  double step_ = 0.0;
};

class ExchangeConsumer final : public openmi::SteppingComponent {
 public:
  ExchangeConsumer() : SteppingComponent("exchange-consumer", "PT1S") {
    count_ = AddArgument<std::int64_t>("count", {.caption = "values a step", .value = 1, .minimum = 1});
  }

 private:
  void Setup() override { level_ = AddInput("level", "m", Elements(count_.Value())); }
  void Step(openmi::Stamp, openmi::Stamp) override { sum_ += exchange::Consume(level_.Values()); }
  openmi::Argument<std::int64_t> count_;
  openmi::ArrayInput level_;
  double sum_ = 0.0;
};

OPENMI_EXPORT_COMPONENT(ExchangeProvider)
OPENMI_EXPORT_COMPONENT(ExchangeConsumer)

}  // namespace
