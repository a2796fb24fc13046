#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "examples/river-basin/runoff/TmSolver.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/files/GeoJson.hpp"
#include "timespace/optional/IBalance.hpp"

namespace riverbasin {

/// Rainfall to runoff for all catchments of the solver's input file, by the legacy library.
///
/// A catchment that once had a missing rain has no state any more: its runoff is missing from then on.
class Runoff final : public openmi::StatefulSteppingComponent, public openmi::IBalance {
 public:
  Runoff() : StatefulSteppingComponent("river-basin-runoff") {
    SetDescription("TOPMODEL-like rainfall-runoff solver in Fortran (Beven and Kirkby 1979; Beven 1997)");
    parameters_ = AddArgument<std::string>("parameters", {.caption = "input file of the solver",
                                                          .description = "described in legacy/tminit.f90",
                                                          .meaning = openmi::ArgumentMeaning::Path});
    classes_ = AddArgument<std::string>(
        "classes", {.caption = "classes of the topographic index",
                    .description = "a file in the usual form of TOPMODEL, for input files that hold none",
                    .optional = true,
                    .meaning = openmi::ArgumentMeaning::Path});
    catchments_ = AddArgument<std::string>(
        "catchments", {.caption = "shapes of the catchments",
                       .description = "GeoJSON; its ids are the names in the input file, in any order. Without it the "
                                      "catchments are bare ids",
                       .optional = true,
                       .meaning = openmi::ArgumentMeaning::Path});
    SetRestartable(true);
  }

  openmi::BalanceTerms Balance() const override {
    openmi::BalanceTerms terms;
    for (std::size_t i = 0; i < lost_.size(); ++i) {
      const TmSolver::Totals totals = solver_.TotalsOf(i);
      const double volume = lost_[i] ? std::numeric_limits<double>::quiet_NaN() : per_depth_[i];
      terms.storage += solver_.Storage(i) * volume;
      terms.in += totals.rain * volume;
      terms.out += totals.discharge * volume;
      terms.losses += totals.evaporation * volume;
    }
    return terms;
  }
  std::string BalanceUnit() const override { return area_ > 0.0 ? "m3" : "m"; }
  double BalanceArea() const override { return area_; }

 private:
  void Setup() override {
    const std::string file = PathOf(parameters_.Value());
    solver_.Open(file, classes_.HasValue() ? PathOf(classes_.Value()) : std::string());
    SetTimeStep(openmi::Hours(solver_.StepHours()));
    const std::size_t count = solver_.Catchments().size();
    const std::shared_ptr<const openmi::ElementSet> where = Places(file);

    rain_.assign(count, 0.0);
    potential_.assign(count, 0.0);
    discharge_.assign(count, 0.0);
    lost_.assign(count, false);
    precipitation_ =
        AddInput("precipitation", "mm h-1", where,
                 {.caption = "precipitation", .description = "mean over the step", .asks = openmi::InputTime::Span});
    evaporation_ = AddInput("potential-evaporation", "mm h-1",
                            {.caption = "potential evaporation",
                             .description = "mean over the step, the same for all catchments",
                             .asks = openmi::InputTime::Span});
    depth_rate_ = AddOutput("depth-rate", "mm h-1", where,
                            {.caption = "runoff",
                             .description = "mean over the step, at the outlet of each catchment",
                             .gives = openmi::OutputTime::Span});
    mean_rain_ = AddOutput("mean-precipitation", "mm h-1",
                           {.caption = "mean precipitation",
                            .description = "mean over the step and, weighted by area, over all catchments",
                            .gives = openmi::OutputTime::Span});
  }

  /// The elements, and which of them each catchment of the solver is.
  std::shared_ptr<const openmi::ElementSet> Places(const std::string& file) {
    std::vector<std::string> names;
    for (const TmSolver::Catchment& catchment : solver_.Catchments()) names.push_back(catchment.name);
    element_of_.clear();
    per_depth_.clear();
    area_ = 0.0;
    auto set = std::make_shared<openmi::ElementSet>(
        catchments_.HasValue() ? openmi::ElementsOf(openmi::ReadGeoJson(PathOf(catchments_.Value())), "catchment")
                               : openmi::ElementSet::IdBased("catchment", names));
    if (set->ElementCount() != static_cast<int>(names.size())) {
      throw openmi::FormatError(
          {.file = file, .component = Caption()},
          fmt::format("expected {} catchments as there are shapes, found {}", set->ElementCount(), names.size()),
          "give every shape an entry of its name in the input file");
    }
    const openmi::ElementAttribute* areas = set->Attribute("area");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const int element = set->IndexOf(names[i]);
      if (element < 0) {
        throw openmi::FormatError({.file = file, .component = Caption()},
                                  fmt::format("expected the names of the shapes, found '{}', which is none", names[i]),
                                  "use the ids of the GeoJSON file");
      }
      element_of_.push_back(static_cast<std::size_t>(element));
      const double area = areas != nullptr ? areas->values[element_of_.back()] : solver_.Catchments()[i].area;
      area_ += area * 1e6;
      per_depth_.push_back(area * 1e6);
    }
    // Where areas are unknown the balance is stated as a depth, the mean of all catchments.
    if (!(area_ > 0.0)) std::fill(per_depth_.begin(), per_depth_.end(), 1.0 / static_cast<double>(names.size()));
    return set;
  }

  void Step(openmi::Stamp from, openmi::Stamp to) override {
    const double hours = solver_.StepHours();
    if (!openmi::SameTime(from + openmi::Hours(hours), to)) {
      throw openmi::ModelError(
          {.component = Caption()},
          fmt::format("expected whole steps of {:g} h, found one of {:g} h", hours, (to - from).count * 24.0),
          "let the run last a whole number of steps");
    }
    const double potential = evaporation_.Get();
    for (std::size_t i = 0; i < rain_.size(); ++i) {
      const double rain = precipitation_.Values()[element_of_[i]];
      lost_[i] = lost_[i] || std::isnan(rain) || std::isnan(potential);
      rain_[i] = lost_[i] ? 0.0 : rain * 1e-3 * hours;  // mm/h to m in the step
      potential_[i] = lost_[i] ? 0.0 : potential * 1e-3 * hours;
    }
    solver_.Step(rain_, potential_, discharge_);
    double volume = 0.0;
    double all = 0.0;
    for (std::size_t i = 0; i < rain_.size(); ++i) {
      volume += precipitation_.Values()[element_of_[i]] * per_depth_[i];
      all += per_depth_[i];
    }
    mean_rain_.Set(volume / all);
    const std::span<double> out = depth_rate_.Next();
    for (std::size_t i = 0; i < discharge_.size(); ++i) {
      out[element_of_[i]] = lost_[i] ? std::numeric_limits<double>::quiet_NaN() : discharge_[i] * 1e3 / hours;
    }
  }

  void SaveState(openmi::StateWriter& writer) const override {
    writer.Write(solver_.States());
    for (const bool lost : lost_) writer.Write(lost);
  }

  void LoadState(openmi::StateReader& reader) override {
    std::vector<double> states = solver_.States();
    reader.ReadDoubles(states);
    solver_.SetStates(states);
    for (std::size_t i = 0; i < lost_.size(); ++i) lost_[i] = reader.ReadBool();
  }

  void End() override {
    solver_.Close();
    lost_.clear();
  }

  openmi::Argument<std::string> parameters_;
  openmi::Argument<std::string> classes_;
  openmi::Argument<std::string> catchments_;
  openmi::ArrayInput precipitation_;
  openmi::ScalarInput evaporation_;
  openmi::ArrayOutput depth_rate_;
  openmi::ScalarOutput mean_rain_;
  TmSolver solver_;
  std::vector<std::size_t> element_of_;  // by catchment of the solver
  std::vector<double> per_depth_;        // what a metre of depth is in the unit of the balance, by catchment
  double area_ = 0.0;                    // [m2]; 0: unknown
  std::vector<double> rain_, potential_, discharge_;  // [m in the step], by catchment of the solver
  std::vector<bool> lost_;
};

}  // namespace riverbasin

OPENMI_EXPORT_COMPONENT_AS("river-basin.Runoff", riverbasin::Runoff)
