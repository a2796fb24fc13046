// The standard's own reason for states: run to now, keep the state, forecast, come back, take the new observation,
// and forecast again. Prints, for each hour, the forecast of the level three hours ahead and what it then was.

#include <cmath>
#include <cstdio>
#include <vector>

#include "openmi/standard/IManageState.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/testing/Driver.hpp"

namespace {

using openmi::Stamp;

/// The rain, as far as it was observed; beyond that the last hour's goes on.
class Rain final : public openmi::StatefulSteppingComponent {
 public:
  Rain() : StatefulSteppingComponent("rain") {
    rain_ = AddOutput("rain", "mm h-1", {.gives = openmi::OutputTime::Span});
  }
  void Observe(double rain) { observed_ = rain; }

 private:
  void Step(Stamp, Stamp) override { rain_.Set(observed_); }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(observed_); }
  void LoadState(openmi::StateReader& reader) override { observed_ = reader.ReadDouble(); }
  openmi::ScalarOutput rain_;
  double observed_ = 0.0;  // mm/h
};

/// A pond that drains by its level.
class Pond final : public openmi::StatefulSteppingComponent {
 public:
  Pond() : StatefulSteppingComponent("pond") {
    rain_ = AddInput("rain", "mm h-1", {.asks = openmi::InputTime::Span});
    level_ = AddOutput("level", "mm", {.initial = 40.0});
  }
  double Level() const { return level_.Get(); }

 private:
  void Step(Stamp, Stamp) override { level_.Set((level_.Get() + 12.0 * rain_.Get()) * 0.9); }
  void SaveState(openmi::StateWriter&) const override {}  // the level is a row of an output, and kept with it
  void LoadState(openmi::StateReader&) override {}
  openmi::ScalarInput rain_;
  openmi::ScalarOutput level_;
};

}  // namespace

int main() {
  Rain rain;
  Pond pond;
  openmi::Driver rain_driver(rain);
  openmi::Driver pond_driver(pond);
  for (openmi::Driver* driver : {&rain_driver, &pond_driver}) {
    driver->Set("start-time", "2024-06-01T00:00Z").Set("end-time", "2024-06-02T00:00Z");
    driver->Initialize();
  }
  rain.Outputs()[0]->AddConsumer(*pond.Inputs()[0]);
  rain_driver.Prepare();
  pond_driver.Prepare();

  constexpr int kAhead = 3;
  std::vector<double> forecasts;
  std::vector<double> levels;
  for (int hour = 0; hour < 12; ++hour) {
    rain.Observe(5.0 * std::exp(-0.25 * (hour - 4) * (hour - 4)));  // the new observation
    pond.Update({});                                                // to now
    levels.push_back(pond.Level());

    const openmi::IIdentifiable& rain_now = rain.KeepCurrentState();
    const openmi::IIdentifiable& pond_now = pond.KeepCurrentState();
    for (int step = 0; step < kAhead; ++step) pond.Update({});  // the forecast
    forecasts.push_back(pond.Level());
    rain.RestoreState(rain_now);
    pond.RestoreState(pond_now);
    rain.ClearState(rain_now);
    pond.ClearState(pond_now);
  }
  std::printf("hour  level  forecast of it %d hours before (mm)\n", kAhead);
  for (std::size_t hour = kAhead; hour < levels.size(); ++hour) {
    std::printf("%4zu  %5.1f  %5.1f\n", hour, levels[hour], forecasts[hour - kAhead]);
  }
  rain.Outputs()[0]->RemoveConsumer(*pond.Inputs()[0]);
  return 0;
}
