// What one wants to see of the platoon, side by side: an element for each vehicle.
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "timespace/ElementSet.hpp"
#include "timespace/SteppingComponent.hpp"

namespace platoon {

class Instruments final : public openmi::SteppingComponent {
 public:
  Instruments() : SteppingComponent("platoon-instruments", "PT0.01S") {
    SetDescription("ways, speeds, accelerations and gaps of a platoon, an element for each vehicle");
    names_ = AddArgument<std::string>(
        "vehicles", {.description = "ids between blanks, the leader first", .value = "leader follower-1 follower-2"});
  }

 private:
  static constexpr double kSlow = 5.0;  // m/s: below it a time gap says nothing
  struct Quantity {
    const char* id;
    const char* unit;
    bool is_of_leader;
    std::vector<openmi::ScalarInput> inputs = {};
    openmi::ArrayOutput output = {};
  };

  void Setup() override {
    std::vector<std::string> ids(1);
    for (const char letter : names_.Value()) {
      if (letter == ' ') {
        ids.emplace_back();
      } else {
        ids.back() += letter;
      }
    }
    std::erase(ids, std::string());
    const auto all = Elements(ids);
    const auto followers = Elements({ids.empty() ? ids.begin() : ids.begin() + 1, ids.end()});
    for (Quantity& quantity : quantities_) {
      quantity.inputs.clear();
      for (const std::string& id : ids) {
        if (!quantity.is_of_leader && id == ids[0]) continue;
        quantity.inputs.push_back(AddInput(id + "." + quantity.id, quantity.unit));
      }
      quantity.output = AddOutput(quantity.id, quantity.unit, quantity.is_of_leader ? all : followers);
    }
    time_gap_ = AddOutput("time-gap", "s", followers, {.description = "gap by speed; missing below 5 m/s"});
  }

  static std::shared_ptr<const openmi::ElementSet> Elements(const std::vector<std::string>& ids) {
    return std::make_shared<const openmi::ElementSet>(openmi::ElementSet::IdBased("vehicles", ids));
  }

  void Start(openmi::Stamp) override {
    for (Quantity& quantity : quantities_) {
      for (double& value : quantity.output.Next()) value = kMissing;
    }
    for (double& value : time_gap_.Next()) value = kMissing;
  }

  void Step(openmi::Stamp, openmi::Stamp) override {
    for (Quantity& quantity : quantities_) {
      const auto row = quantity.output.Next();
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = quantity.inputs[i].Get();
    }
    const auto row = time_gap_.Next();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double speed = Find("speed").inputs[i + 1].Get();
      row[i] = speed > kSlow ? Find("gap").inputs[i].Get() / speed : kMissing;
    }
  }

  const Quantity& Find(std::string_view id) const {
    for (const Quantity& quantity : quantities_) {
      if (quantity.id == id) return quantity;
    }
    throw openmi::RangeError({.item = std::string(id)}, "expected a quantity, found none");
  }

  static constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
  openmi::Argument<std::string> names_;
  std::array<Quantity, 6> quantities_ = {{{"x", "m", true},
                                          {"y", "m", true},
                                          {"heading", "rad", true},
                                          {"speed", "m/s", true},
                                          {"acceleration", "m/s2", true},
                                          {"gap", "m", false}}};
  openmi::ArrayOutput time_gap_;
};

}  // namespace platoon

OPENMI_EXPORT_COMPONENT_AS("platoon.Instruments", platoon::Instruments)
