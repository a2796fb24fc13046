#include <memory>

#include "examples/river-basin/numerics/RatingCurve.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/StatefulComponent.hpp"

namespace riverbasin {

/// A gauge: takes the discharge of its section and tells the stage by its rating curve.
class Gauge final : public openmi::StatefulSteppingComponent {
 public:
  Gauge() : StatefulSteppingComponent("river-basin-gauge", "PT1H") {
    SetDescription("discharge and stage of one section, by a rating curve Q = a (h - h0)^b");
    factor_ = AddArgument<double>(
        "rating-factor", {.caption = "a of the rating curve (metres, seconds)", .value = 10.0, .minimum = 1e-9});
    exponent_ =
        AddArgument<double>("rating-exponent", {.caption = "b of the rating curve", .value = 1.6, .minimum = 0.1});
    zero_ = AddArgument<double>("rating-zero", {.caption = "stage of no flow", .unit = "m", .value = 0.0});
    inflow_ = AddInput(
        "inflow", "m3 s-1",
        {.caption = "discharge of the section", .description = "mean over the step", .asks = openmi::InputTime::Span});
    discharge_ =
        AddOutput("discharge", "m3 s-1",
                  {.caption = "discharge", .description = "mean over the step", .gives = openmi::OutputTime::Span});
    stage_ = AddOutput(
        "stage", "m",
        {.caption = "stage", .description = "of the mean discharge over the step", .gives = openmi::OutputTime::Span});
    SetRestartable(true);
  }

 private:
  void Step(openmi::Stamp, openmi::Stamp) override {
    discharge_.Set(inflow_.Get());
    stage_.Set(RatingCurve{factor_.Value(), exponent_.Value(), zero_.Value()}.Stage(inflow_.Get()));
  }

  void SaveState(openmi::StateWriter&) const override {}  // nothing is remembered from step to step
  void LoadState(openmi::StateReader&) override {}

  openmi::Argument<double> factor_, exponent_, zero_;
  openmi::ScalarInput inflow_;
  openmi::ScalarOutput discharge_, stage_;
};

}  // namespace riverbasin

OPENMI_EXPORT_COMPONENT_AS("river-basin.Gauge", riverbasin::Gauge)
