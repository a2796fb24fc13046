// What one wants to see of the platoon, side by side: an element for each vehicle.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace platoon {

class Instruments final : public openmi::SteppingComponent {
 public:
  Instruments() : SteppingComponent("platoon-instruments", "PT0.01S") {
    SetDescription("quantities of vehicles side by side: an element for each vehicle");
    vehicles_ = AddArgument<std::string>("vehicles", {.description = "names between blanks, the leader first",
                                                      .value = "leader follower-1 follower-2",
                                                      .meaning = openmi::ArgumentMeaning::Plain});
    ids_ = AddArgument<std::string>("ids", {.description = "ids of the elements between blanks; default: the names",
                                            .optional = true,
                                            .meaning = openmi::ArgumentMeaning::Plain});
    wanted_ = AddArgument<std::string>("quantities", {.description = "with their units, between blanks",
                                                      .value = "x[m] y[m] heading[rad] speed[m/s]",
                                                      .meaning = openmi::ArgumentMeaning::Plain});
    with_gaps_ = AddArgument<bool>("gaps", {.description = "takes the gaps before the followers too, and gives them in "
                                                           "metres and in seconds; speed must be among the quantities",
                                            .value = false});
  }

 private:
  static constexpr double kSlow = 5.0;  // m/s: below it a time gap says nothing
  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  struct Quantity {
    std::vector<openmi::ScalarInput> inputs;
    openmi::ArrayOutput output;
  };
  using Words = std::vector<std::string>;

  static Words WordsOf(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
  }

  void Setup() override {
    const Words vehicles = WordsOf(vehicles_.Value());
    const Words ids = ids_.HasValue() ? WordsOf(ids_.Value()) : vehicles;
    if (vehicles.empty() || ids.size() != vehicles.size()) {
      throw openmi::ArgumentError({.component = Caption(), .item = "ids"},
                                  "expected a vehicle at least, and as many ids, found " + std::to_string(ids.size()) +
                                      " for " + std::to_string(vehicles.size()) + " vehicles",
                                  "give each vehicle an id, or none");
    }
    quantities_.clear();
    speed_ = kNone;
    for (const std::string& word : WordsOf(wanted_.Value())) {
      const std::size_t bracket = word.find('[');
      if (bracket == std::string::npos || word.back() != ']') {
        throw openmi::ArgumentError({.component = Caption(), .item = "quantities"},
                                    "expected quantities with units, found '" + word + "'", "write speed[m/s]");
      }
      const std::string id = word.substr(0, bracket);
      if (id == "speed") speed_ = quantities_.size();
      AddQuantity(id, word.substr(bracket + 1, word.size() - bracket - 2), vehicles, ids);
    }
    if (!with_gaps_.Value()) return;
    if (speed_ == kNone) {
      throw openmi::ArgumentError({.component = Caption(), .item = "gaps"},
                                  "expected speed among the quantities, found none", "add speed[m/s]");
    }
    const Words followers(ids.begin() + 1, ids.end());
    AddQuantity("gap", "m", {vehicles.begin() + 1, vehicles.end()}, followers);
    time_gap_ = AddOutput("time-gap", "s", Elements(followers), {.description = "gap by speed; missing below 5 m/s"});
  }

  void AddQuantity(const std::string& id, const std::string& unit, const Words& vehicles, const Words& ids) {
    Quantity& quantity = quantities_.emplace_back();
    for (const std::string& vehicle : vehicles) quantity.inputs.push_back(AddInput(vehicle + "." + id, unit));
    quantity.output = AddOutput(id, unit, Elements(ids));
  }

  static std::shared_ptr<const openmi::ElementSet> Elements(const Words& ids) {
    return std::make_shared<const openmi::ElementSet>(openmi::ElementSet::IdBased("vehicles", ids));
  }

  void Start(openmi::Stamp) override {
    for (Quantity& quantity : quantities_) std::ranges::fill(quantity.output.Next(), kMissing);
    if (with_gaps_.Value()) std::ranges::fill(time_gap_.Next(), kMissing);
  }

  void Step(openmi::Stamp, openmi::Stamp) override {
    for (Quantity& quantity : quantities_) {
      const auto row = quantity.output.Next();
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = quantity.inputs[i].Get();
    }
    if (!with_gaps_.Value()) return;
    const auto row = time_gap_.Next();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double speed = quantities_[speed_].inputs[i + 1].Get();
      row[i] = speed > kSlow ? quantities_.back().inputs[i].Get() / speed : kMissing;
    }
  }

  static constexpr auto kNone = static_cast<std::size_t>(-1);
  openmi::Argument<std::string> vehicles_, ids_, wanted_;
  openmi::Argument<bool> with_gaps_;
  std::vector<Quantity> quantities_;
  std::size_t speed_ = kNone;
  openmi::ArrayOutput time_gap_;
};

}  // namespace platoon

OPENMI_EXPORT_COMPONENT_AS("platoon.Instruments", platoon::Instruments)
