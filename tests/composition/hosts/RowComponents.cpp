// Components whose links carry no conserved quantity, so that nothing in the run reads their rows.

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace {

using openmi::Argument;
using openmi::ArrayInput;
using openmi::ArrayOutput;
using openmi::Stamp;

std::shared_ptr<openmi::ElementSet> Ids(int count) {
  std::vector<std::string> ids;
  for (int i = 0; i < count; ++i) ids.push_back("e" + std::to_string(i));
  return std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("cells", ids));
}

/// out = memory of all it took, element by element.
class Wave final : public openmi::StatefulSteppingComponent {
 public:
  Wave() : StatefulSteppingComponent("wave") {
    elements_ = AddArgument<int>("elements", {.caption = "elements", .value = 3, .minimum = 1});
  }

 private:
  void Setup() override {
    const auto where = Ids(elements_.Value());
    take_ = AddInput("take", "1", where, {.default_value = 1.0});
    out_ = AddOutput("out", "1", where);
  }
  void Start(Stamp) override {
    values_.assign(static_cast<std::size_t>(elements_.Value()), 0.25);
    Show();
  }
  void Step(Stamp, Stamp) override {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = values_[i] * 0.875 + std::sin(take_.Values()[i] + static_cast<double>(i));
    }
    Show();
  }
  void Show() { std::ranges::copy(values_, out_.Next().begin()); }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(values_); }
  void LoadState(openmi::StateReader& reader) override { values_ = reader.ReadDoubles(); }
  Argument<int> elements_;
  ArrayInput take_;
  ArrayOutput out_;
  std::vector<double> values_;
};

/// A row of another length in each step.
class Herd final : public openmi::SteppingComponent {
 public:
  Herd() : SteppingComponent("herd") {}

 private:
  void Setup() override { out_ = AddOutput("out", "1", Ids(1)); }
  void Start(Stamp) override { Show(); }
  void Step(Stamp, Stamp) override {
    ++step_;
    out_.Item().SetSpatialDefinition(Ids(1 + step_ * 7 % 11));
    Show();
  }
  void Show() {
    double value = step_;
    for (double& one : out_.Next()) one = value += 0.25;
  }
  ArrayOutput out_;
  int step_ = 0;
};

/// An input of as many numbers as there are.
class AnyInput final : public openmi::InputOf<openmi::ITimeSpaceInput> {
 public:
  explicit AnyInput(openmi::IBaseLinkableComponent* component)
      : InputOf("in", std::make_unique<openmi::Quantity>(openmi::Unit::Parse("1"), "any"), component), where_(Ids(1)) {}
  const openmi::ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const openmi::IBaseValueSet* values) override {
    values_ = dynamic_cast<const openmi::ITimeSpaceValueSet*>(values);
  }
  const openmi::ITimeSet* TimeSet() const override { return &times_; }
  const openmi::ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  const openmi::ITimeSpaceValueSet& Ask(std::span<const openmi::Time> times) {
    times_.Assign(times);
    values_ = &dynamic_cast<openmi::ITimeSpaceOutput&>(*Provider()).GetValues(*this);
    return *values_;
  }
  void MoveHorizon(Stamp time) { times_.MoveHorizonBegin(time); }

 private:
  std::shared_ptr<openmi::ElementSet> where_;
  openmi::TimeSet times_;
  const openmi::ITimeSpaceValueSet* values_ = nullptr;
};

/// Remembers all it is given, at the end of each step and, in each third one, at its start too.
class Crowd final : public openmi::SteppingComponent {
 public:
  Crowd() : SteppingComponent("crowd") { out_ = AddOutput("out", "1"); }

 private:
  void Setup() override { in_ = &TakeInput(std::make_unique<AnyInput>(this)); }
  void Step(Stamp from, Stamp to) override {
    std::vector<openmi::Time> times = {openmi::Time(to, {})};
    if (step_++ % 3 == 2) times.insert(times.begin(), openmi::Time(from, {}));
    const openmi::ITimeSpaceValueSet& values = in_->Ask(times);
    for (std::size_t time = 0; time < times.size(); ++time) {
      const std::size_t count = values.GetIndexCount(std::span(&time, 1));
      sum_ = 0.5 * sum_ + static_cast<double>(count);
      for (std::size_t i = 0; i < count; ++i) {
        sum_ = 0.5 * sum_ + *values.GetValue(static_cast<int>(time), static_cast<int>(i)).Number();
      }
    }
    in_->MoveHorizon(from);
    out_.Set(sum_);
  }
  AnyInput* in_ = nullptr;
  openmi::ScalarOutput out_;
  double sum_ = 1.0;
  int step_ = 0;
};

/// Many items with the same elements: of one object, or of one object each.
class Sharer final : public openmi::SteppingComponent {
 public:
  Sharer() : SteppingComponent("sharer") {
    items_ = AddArgument<int>("items", {.caption = "inputs, and outputs", .value = 20, .minimum = 1});
    elements_ = AddArgument<int>("elements", {.caption = "elements", .value = 100, .minimum = 1});
    copies_ = AddArgument<bool>("copies", {.caption = "whether each item has its own object", .value = false});
  }

 private:
  std::shared_ptr<const openmi::ElementSet> Cells() const {
    openmi::ElementSetBuilder cells("cells", openmi::ElementType::Polygon, openmi::kLocalMetresWkt);
    for (int i = 0; i < elements_.Value(); ++i) {
      const double x = 10.0 * i;
      cells.AddPolygon("cell" + std::to_string(i), {{x, 0.0}, {x + 10.0, 0.0}, {x + 10.0, 5.0}, {x, 5.0}});
    }
    return std::make_shared<const openmi::ElementSet>(cells.Build());
  }
  void Setup() override {
    const auto cells = Cells();
    for (int i = 0; i < items_.Value(); ++i) {
      const auto where = copies_.Value() ? Cells() : cells;
      in_.push_back(AddInput("in" + std::to_string(i), "1", where, {.default_value = 1.0}));
      out_.push_back(AddOutput("out" + std::to_string(i), "1", where));
    }
  }
  void Start(Stamp) override { Show(0.0); }
  void Step(Stamp, Stamp) override { Show(++step_ + in_.front().Values()[0]); }
  void Show(double value) {
    for (ArrayOutput& out : out_) std::ranges::fill(out.Next(), value);
  }
  Argument<int> items_;
  Argument<int> elements_;
  Argument<bool> copies_;
  std::vector<ArrayInput> in_;
  std::vector<ArrayOutput> out_;
  double step_ = 0.0;
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("test.Sharer", Sharer)
OPENMI_EXPORT_COMPONENT_AS("test.Wave", Wave)
OPENMI_EXPORT_COMPONENT_AS("test.Herd", Herd)
OPENMI_EXPORT_COMPONENT_AS("test.Crowd", Crowd)
