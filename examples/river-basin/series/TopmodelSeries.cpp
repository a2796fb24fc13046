#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "examples/river-basin/series/TopmodelFile.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/SteppingComponent.hpp"

namespace riverbasin {

/// The three series of a TOPMODEL input file. The file has no dates: its first row is the first step of the run.
class TopmodelSeries final : public openmi::SteppingComponent {
 public:
  TopmodelSeries() : SteppingComponent("river-basin-topmodel-series") {
    SetDescription("rain, potential evaporation and observed discharge out of a TOPMODEL input file, as rates");
    file_ = AddArgument<std::string>("file", {.caption = "TOPMODEL input file"});
    element_ = AddArgument<std::string>("element", {.caption = "id of the catchment", .value = "catchment"});
    SetRestartable(true);
  }

 private:
  void Setup() override {
    series_ = ReadTopmodelFile(PathOf(file_.Value()));
    SetTimeStep(openmi::Hours(series_.step_hours));
    row_ = 0;
    const auto where =
        std::make_shared<const openmi::ElementSet>(openmi::ElementSet::IdBased("catchment", {element_.Value()}));
    const auto over_step = [](const char* caption) {
      return openmi::OutputOptions{
          .caption = caption, .description = "mean over the step", .gives = openmi::OutputTime::Span};
    };
    rain_ = AddOutput("precipitation", "m h-1", where, over_step("precipitation"));
    evaporation_ = AddOutput("potential-evaporation", "m h-1", over_step("potential evaporation"));
    observed_ = AddOutput("observed-discharge", "m h-1", where, over_step("observed discharge"));
  }

  bool OnValidate(std::vector<std::string>& messages) override {
    // Where the rows end is where the items end, however long the run is meant to be.
    const openmi::Stamp end = StartTime() + openmi::Hours(series_.step_hours * static_cast<double>(series_.Rows()));
    rain_.Item().SetHorizon(StartTime(), end);
    evaporation_.Item().SetHorizon(StartTime(), end);
    observed_.Item().SetHorizon(StartTime(), end);
    return SteppingComponent::OnValidate(messages);
  }

  void Start(openmi::Stamp) override { row_ = 0; }

  void Step(openmi::Stamp from, openmi::Stamp to) override {
    if (row_ >= series_.Rows() || !openmi::SameTime(from + TimeStep(), to)) {
      throw openmi::RangeError({.file = file_.Value(), .component = Caption()},
                               fmt::format("expected a run within the {} rows of {} h, found a step beyond",
                                           series_.Rows(), series_.step_hours),
                               "end the run earlier, after a whole number of rows");
    }
    const double to_rate = 1.0 / series_.step_hours;  // m in the step to m/h
    rain_.Next()[0] = series_.rain[row_] * to_rate;
    evaporation_.Set(series_.evaporation[row_] * to_rate);
    observed_.Next()[0] = series_.discharge[row_] * to_rate;
    ++row_;
  }

  openmi::Argument<std::string> file_, element_;
  openmi::ArrayOutput rain_, observed_;
  openmi::ScalarOutput evaporation_;
  TopmodelFile series_;
  std::size_t row_ = 0;
};

}  // namespace riverbasin

OPENMI_EXPORT_COMPONENT_AS("river-basin.TopmodelSeries", riverbasin::TopmodelSeries)
