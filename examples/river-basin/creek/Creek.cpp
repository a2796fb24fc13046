#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>
#include <vector>

#include "examples/river-basin/creek/ReachFile.hpp"
#include "examples/river-basin/numerics/ReachNetwork.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/optional/IBalance.hpp"

namespace riverbasin {

/// River reaches, routed by Muskingum and Cunge; a water level below throttles the outlet.
class Creek final : public openmi::StatefulSteppingComponent, public openmi::IBalance {
 public:
  Creek() : StatefulSteppingComponent("river-basin-creek", "PT1H") {
    SetDescription("channel routing through a tree of reaches (Muskingum-Cunge, constant parameters, in sub-steps)");
    reaches_ = AddArgument<std::string>(
        "reaches", {.caption = "reaches",
                    .description = "GeoJSON: length_km, slope_percent (m/m), toid, realized_catchment",
                    .meaning = openmi::ArgumentMeaning::Path});
    joining_ = AddArgument<std::string>(
        "joining-reaches", {.caption = "further reaches",
                            .description = "GeoJSON as above; 'receives' lists the toids that such a reach stands for",
                            .optional = true,
                            .meaning = openmi::ArgumentMeaning::Path});
    catchments_ =
        AddArgument<std::string>("catchments", {.caption = "catchments",
                                                .description = "GeoJSON: areasqkm, from which the sections follow",
                                                .meaning = openmi::ArgumentMeaning::Path});
    roughness_ = AddArgument<double>(
        "roughness", {.caption = "Manning's n", .unit = "s m-1/3", .value = 0.045, .minimum = 0.005, .maximum = 0.5});
    width_factor_ = AddArgument<double>("width-factor",
                                        {.caption = "width where 1 km2 drains to; it grows with the root of the area",
                                         .unit = "m",
                                         .value = 1.8,
                                         .minimum = 0.01});
    specific_discharge_ = AddArgument<double>("reference-discharge",
                                              {.caption = "discharge about which waves are linearised, for each km2",
                                               .unit = "m3 s-1",
                                               .value = 0.05,
                                               .minimum = 1e-6});
    initial_discharge_ = AddArgument<double>(
        "initial-discharge",
        {.caption = "steady discharge at the begin, for each km2", .unit = "m3 s-1", .value = 0.0, .minimum = 0.0});
    bed_level_ = AddArgument<double>("outlet-bed-level", {.caption = "level of the bed at the outlet",
                                                          .description = "against which tailwater-level counts",
                                                          .unit = "m",
                                                          .value = 0.0});
    SetRestartable(true);
  }

  openmi::BalanceTerms Balance() const override {
    if (!network_) return {};
    return {network_->Storage(), network_->CumulativeInflow(), network_->CumulativeOutflow(), 0.0};
  }

 private:
  void Setup() override {
    const openmi::GeoJsonFile catchments = openmi::ReadGeoJson(PathOf(catchments_.Value()));
    file_ = ReadReaches(PathOf(reaches_.Value()), joining_.HasValue() ? PathOf(joining_.Value()) : std::string(),
                        catchments, {roughness_.Value(), width_factor_.Value(), specific_discharge_.Value()});
    areas_.assign(file_.reaches.size(), 0.0);
    for (std::size_t i = 0; i < file_.lateral_ids.size(); ++i) {
      for (const openmi::GeoJsonFeature& catchment : catchments.features) {
        if (catchment.id == file_.lateral_ids[i])
          areas_[file_.reach_of_lateral[i]] = catchments.Number(catchment, "areasqkm");
      }
    }
    network_.emplace(file_.reaches, openmi::ToSeconds(TimeStep()));
    lateral_.assign(network_->Size(), 0.0);

    lateral_inflow_ =
        AddInput("lateral-inflow", "m3 s-1",
                 std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("catchment", file_.lateral_ids)),
                 {.caption = "lateral inflow",
                  .description = "mean over the step, from the catchment that each reach realizes",
                  .asks = openmi::InputTime::Span});
    tailwater_ = AddInput("tailwater-level", "m",
                          {.caption = "water level below the outlet",
                           .description = "at the end of the step; without a link the outlet falls free",
                           .default_value = bed_level_.Value()});
    discharge_ =
        AddOutput("discharge", "m3 s-1", std::make_shared<openmi::ElementSet>(openmi::ElementsOf(file_.file, "reach")),
                  {.caption = "discharge",
                   .description = "mean over the step, at the lower end of each reach",
                   .gives = openmi::OutputTime::Span});
    outflow_ = AddOutput("outflow", "m3 s-1",
                         {.caption = "outflow",
                          .description = "mean over the step, of all outlets together",
                          .gives = openmi::OutputTime::Span});
  }

  void Start(openmi::Stamp begin) override {
    network_.emplace(file_.reaches, openmi::ToSeconds(TimeStep()));
    for (std::size_t i = 0; i < lateral_.size(); ++i) lateral_[i] = areas_[i] * initial_discharge_.Value();
    network_->StartSteady(lateral_);
    // The hour before the begin, for whoever asks round a loop before the first step is done.
    outflow_.Set(std::accumulate(lateral_.begin(), lateral_.end(), 0.0));
    outflow_.Item().PublishAt(begin - TimeStep(), TimeStep());
  }

  void Step(openmi::Stamp from, openmi::Stamp to) override {
    if (!openmi::SameTime(from + TimeStep(), to)) {
      throw openmi::ModelError({.component = Caption()},
                               fmt::format("expected whole steps of {:g} h, found one of {:g} h",
                                           TimeStep().count * 24.0, (to - from).count * 24.0),
                               "let the run last a whole number of steps");
    }
    std::fill(lateral_.begin(), lateral_.end(), 0.0);
    for (std::size_t i = 0; i < file_.reach_of_lateral.size(); ++i)
      lateral_[file_.reach_of_lateral[i]] += lateral_inflow_.Values()[i];
    const std::span<double> discharge = discharge_.Next();
    network_->Step(lateral_, {tailwater_.Get() - bed_level_.Value()}, discharge);
    double sum = 0.0;
    for (const std::size_t outlet : network_->Outlets()) sum += discharge[outlet];
    outflow_.Set(sum);
  }

  void SaveState(openmi::StateWriter& writer) const override { writer.Write(network_->States()); }

  void LoadState(openmi::StateReader& reader) override {
    std::vector<double> states = network_->States();
    reader.ReadDoubles(states);
    network_->SetStates(states);
  }

  openmi::Argument<std::string> reaches_, joining_, catchments_;
  openmi::Argument<double> roughness_, width_factor_, specific_discharge_, initial_discharge_, bed_level_;
  openmi::ArrayInput lateral_inflow_;
  openmi::ScalarInput tailwater_;
  openmi::ArrayOutput discharge_;
  openmi::ScalarOutput outflow_;
  ReachFile file_;
  std::vector<double> areas_;    // own catchment of each reach [km2]
  std::vector<double> lateral_;  // [m3 s-1], by reach
  std::optional<ReachNetwork> network_;
};

}  // namespace riverbasin

OPENMI_EXPORT_COMPONENT_AS("river-basin.Creek", riverbasin::Creek)
