// The weather of the population benchmark: rain and evaporation for each catchment, another one for each.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace {

class CatchmentWeather final : public openmi::SteppingComponent {
 public:
  CatchmentWeather() : SteppingComponent("weather") { count_ = AddArgument<int>("count", {.minimum = 1}); }

 private:
  void Setup() override {
    std::vector<std::string> ids;
    for (int i = 0; i < count_.Value(); ++i) ids.push_back("c" + std::to_string(i));
    const auto places = std::make_shared<const openmi::ElementSet>(openmi::ElementSet::IdBased("catchments", ids));
    rain_ = AddOutput("rain", "m", places, {.gives = openmi::OutputTime::Span});
    pet_ = AddOutput("pet", "m", places, {.gives = openmi::OutputTime::Span});
    step_ = 0;
  }
  void Step(openmi::Stamp, openmi::Stamp) override {
    const double rain = std::fmax(0.0, 0.004 * std::sin(0.37 * step_));
    const double pet = std::fmax(0.0, 0.0002 * std::sin(0.26 * step_));
    const auto rains = rain_.Next(), pets = pet_.Next();
    for (std::size_t i = 0; i < rains.size(); ++i) {
      rains[i] = rain * (1.0 + 1e-6 * static_cast<double>(i));
      pets[i] = pet;
    }
    ++step_;
  }
  openmi::Argument<int> count_;
  openmi::ArrayOutput rain_, pet_;
  int step_ = 0;
};

OPENMI_EXPORT_COMPONENT(CatchmentWeather)

}  // namespace
