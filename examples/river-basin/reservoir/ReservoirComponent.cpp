#include <fmt/format.h>

#include <array>
#include <memory>
#include <optional>

#include "examples/river-basin/numerics/Reservoir.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IBalance.hpp"

namespace riverbasin {

/// A reservoir whose level sets its release and answers back to the river above it.
class ReservoirComponent final : public openmi::StatefulSteppingComponent, public openmi::IBalance {
 public:
  ReservoirComponent() : StatefulSteppingComponent("river-basin-reservoir", "PT1H") {
    SetDescription("storage with an outlet and a spillway; dV/dt = inflow - release(level) - evaporation");
    const auto level = [this](const char* id, const char* caption, double value) {
      return AddArgument<double>(id, {.caption = caption, .unit = "m", .value = value});
    };
    bottom_ = level("bottom", "level of the deepest point", 0.0);
    volume_factor_ = AddArgument<double>(
        "volume-factor", {.caption = "a in volume = a depth^b (metres)", .value = 40'000.0, .minimum = 1e-6});
    volume_exponent_ =
        AddArgument<double>("volume-exponent", {.caption = "b in volume = a depth^b", .value = 2.0, .minimum = 1.0});
    outlet_level_ = level("outlet-level", "axis of the outlet", 1.0);
    outlet_area_ = AddArgument<double>("outlet-area",
                                       {.caption = "area of the outlet", .unit = "m2", .value = 1.0, .minimum = 0.0});
    crest_level_ = level("crest-level", "crest of the spillway", 6.0);
    crest_length_ = AddArgument<double>(
        "crest-length", {.caption = "length of the spillway", .unit = "m", .value = 20.0, .minimum = 0.0});
    initial_level_ = level("initial-level", "level at the begin", 2.0);
    SetRestartable(true);
  }

  openmi::BalanceTerms Balance() const override {
    if (!reservoir_) return {};
    return {reservoir_->Storage(), reservoir_->CumulativeInflow(), reservoir_->CumulativeRelease(),
            reservoir_->CumulativeLoss()};
  }

 private:
  void Setup() override {
    inflow_ = AddInput("inflow", "m3 s-1",
                       {.caption = "inflow", .description = "mean over the step", .asks = openmi::InputTime::Span});
    evaporation_ = AddInput("evaporation", "mm h-1",
                            {.caption = "evaporation",
                             .description = "from the surface, mean over the step; none without a link",
                             .asks = openmi::InputTime::Span,
                             .default_value = 0.0});
    opening_ = AddInput("gate-opening", "1",
                        {.caption = "part of the outlet that is open",
                         .description = "over the step, 0 to 1; 1 without a link",
                         .default_value = 1.0});
    release_ =
        AddOutput("release", "m3 s-1",
                  {.caption = "release", .description = "mean over the step", .gives = openmi::OutputTime::Span});
    level_ = AddOutput("level", "m", {.caption = "water level", .description = "at the end of the step"});
    Make();
  }

  void Start(openmi::Stamp) override {
    Make();
    level_.Set(reservoir_->Level());
  }

  void Step(openmi::Stamp from, openmi::Stamp to) override {
    if (!openmi::SameTime(from + TimeStep(), to)) {
      throw openmi::ModelError({.component = Caption()},
                               fmt::format("expected whole steps of {:g} h, found one of {:g} h",
                                           TimeStep().count * 24.0, (to - from).count * 24.0),
                               "let the run last a whole number of steps");
    }
    const double opening = opening_.Get();
    if (!(opening >= 0.0 && opening <= 1.0)) {
      throw openmi::ModelError({.component = Caption(), .item = "gate-opening"},
                               fmt::format("expected a part of the outlet, 0 to 1, found {}", opening),
                               "link it to what gives a part, or put the adaptor 'clip' on the link");
    }
    release_.Set(reservoir_->Step(inflow_.Get(), evaporation_.Get() * 1e-3 / 3600.0, opening));
    level_.Set(reservoir_->Level());
  }

  void SaveState(openmi::StateWriter& writer) const override {
    for (const double state : reservoir_->States()) writer.Write(state);
  }

  void LoadState(openmi::StateReader& reader) override {
    std::array<double, 4> states{};
    for (double& state : states) state = reader.ReadDouble();
    reservoir_->SetStates(states);
  }

  void Make() {
    reservoir_.emplace(ReservoirGeometry{.bottom = bottom_.Value(),
                                         .volume_factor = volume_factor_.Value(),
                                         .volume_exponent = volume_exponent_.Value(),
                                         .outlet_level = outlet_level_.Value(),
                                         .outlet_area = outlet_area_.Value(),
                                         .crest_level = crest_level_.Value(),
                                         .crest_length = crest_length_.Value()},
                       initial_level_.Value(), openmi::ToSeconds(TimeStep()));
  }

  openmi::Argument<double> bottom_, volume_factor_, volume_exponent_, outlet_level_, outlet_area_, crest_level_,
      crest_length_, initial_level_;
  openmi::ScalarInput inflow_, evaporation_, opening_;
  openmi::ScalarOutput release_, level_;
  std::optional<Reservoir> reservoir_;
};

}  // namespace riverbasin

OPENMI_EXPORT_COMPONENT_AS("river-basin.Reservoir", riverbasin::ReservoirComponent)
