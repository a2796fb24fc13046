// The components of the matrix: every value depends, to the last bit, on all values before it, so a row that is lost,
// late or computed twice shows in every row after it. All keep their state. Two libraries are built from this file, so
// that a composition has two families of them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/optional/IUsesCommunicator.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"

namespace {

using openmi::Argument;
using openmi::Stamp;

/// `count` cells of 1 m, side by side from `shift` on, each stretched a little by `stretch` and by its number.
openmi::ElementSet Cells(const char* id, double shift, double stretch, int count) {
  openmi::ElementSetBuilder builder(id, openmi::ElementType::Polygon, std::string(openmi::kLocalMetresWkt));
  double x = shift;
  for (int i = 0; i < count; ++i) {
    const double width = 1.0 + stretch * static_cast<double>(i % 3);
    builder.AddPolygon("c" + std::to_string(i),
                       std::vector<openmi::ElementVertex>{{x, 0}, {x + width, 0}, {x + width, 1}, {x, 1}});
    x += width;
  }
  return builder.Build();
}

/// Rain over spans, a level at instants, a field of cells that stay, move or change their sizes, and the places of
/// cars, some of which are away for a while.
class Weather final : public openmi::StatefulSteppingComponent {
 public:
  Weather() : StatefulSteppingComponent("weather", "PT1M") {
    cells_ =
        AddArgument<std::string>("cells", {.value = "static", .possible_values = {"static", "moving", "changing"}});
    missing_ = AddArgument<bool>("missing", {.value = false});
    rain_ = AddOutput("rain", "1", {.gives = openmi::OutputTime::Span});
    level_ = AddOutput("level", "1");
    percent_ = AddOutput("percent", "percent");
    cars_ = AddOutput("cars", "m",
                      std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("cars", {"10", "11", "12"})));
  }

 private:
  void Setup() override {
    where_ = std::make_shared<openmi::ElementSet>(Cells("sky", 0.0, 0.0, kCells));
    field_ = AddOutput("field", "mm h-1", where_, {.gives = openmi::OutputTime::Span});
  }
  void Start(Stamp) override {
    x_ = 0.3;
    step_ = 0;
    level_.Set(x_);
    percent_.Set(100.0 * x_);
    Drive();
    Move();
  }
  void Step(Stamp, Stamp) override {
    ++step_;
    x_ = 3.97 * x_ * (1.0 - x_);
    Move();
    const bool is_missing = missing_.Value() && step_ % 5 == 3;
    const double none = std::numeric_limits<double>::quiet_NaN();
    rain_.Set(is_missing ? none : 1.0 + x_);
    level_.Set(is_missing ? none : x_);
    percent_.Set(is_missing ? none : 100.0 * x_);
    double value = x_;
    for (double& cell : field_.Next()) cell = value = 3.9 * value * (1.0 - value);
    if (is_missing) field_.Next()[1] = none;
    Drive();
  }
  void Drive() {
    double place = x_;
    for (double& car : cars_.Next()) {
      place = 3.9 * place * (1.0 - place);
      car = place > 0.75 ? std::numeric_limits<double>::quiet_NaN() : 100.0 * place;
    }
  }
  void Move() {
    const double time = static_cast<double>(step_ % 100);  // and back, so that they do not get lost
    if (cells_.Value() == "moving") where_->ReplaceGeometry(Cells("sky", 0.01 * time, 0.0, kCells));
    if (cells_.Value() == "changing") where_->ReplaceGeometry(Cells("sky", 0.0, 0.01 * time, kCells));
  }
  void SaveState(openmi::StateWriter& writer) const override {
    writer.Write(x_);
    writer.Write(static_cast<double>(step_));
  }
  void LoadState(openmi::StateReader& reader) override {
    x_ = reader.ReadDouble();
    step_ = static_cast<int>(reader.ReadDouble());
    Move();
  }

  static constexpr int kCells = 24;
  Argument<std::string> cells_;
  Argument<bool> missing_;
  openmi::ScalarOutput rain_, level_, percent_;
  openmi::ArrayOutput field_, cars_;
  std::shared_ptr<openmi::ElementSet> where_;
  double x_ = 0.0;
  int step_ = 0;
};

/// A pond with an inflow and, round a loop, the level of another pond. A missing inflow counts as none, and is counted.
class Pond final : public openmi::StatefulSteppingComponent {
 public:
  Pond() : StatefulSteppingComponent("pond", "PT1M") {
    in_ = AddInput("in", "1", {.default_value = 0.5});
    back_ = AddInput("back", "1", {.default_value = 0.0});
    out_ = AddOutput("out", "1");
    gaps_ = AddOutput("gaps", "1");
  }

 private:
  void Start(Stamp) override {
    storage_ = 1.0;
    count_ = 0.0;
    Show();
  }
  void Step(Stamp, Stamp) override {
    const double in = Known(in_.Get());
    const double back = Known(back_.Get());
    storage_ += 0.125 * (std::sin(in) - 0.25 * storage_ - 0.125 * back);
    Show();
  }
  double Known(double value) {
    if (std::isfinite(value)) return value;
    ++count_;
    return 0.0;
  }
  void Show() {
    out_.Set(storage_);
    gaps_.Set(count_);
  }
  void SaveState(openmi::StateWriter& writer) const override {
    writer.Write(storage_);
    writer.Write(count_);
  }
  void LoadState(openmi::StateReader& reader) override {
    storage_ = reader.ReadDouble();
    count_ = reader.ReadDouble();
  }

  openmi::ScalarInput in_, back_;
  openmi::ScalarOutput out_, gaps_;
  double storage_ = 0.0;
  double count_ = 0.0;
};

/// Three ponds with one inflow, which ranks share out like cards.
class SharedPonds final : public openmi::StatefulSteppingComponent, public openmi::IUsesCommunicator {
 public:
  SharedPonds() : StatefulSteppingComponent("shared-ponds", "PT1M") {
    in_ = AddInput("in", "1", {.default_value = 0.5});
  }
  void SetCommunicator(const openmi::Communicator& communicator) override { communicator_ = communicator; }

 private:
  void Setup() override {
    std::vector<std::string> ids;
    mine_.clear();
    for (int i = communicator_.rank; i < 3; i += communicator_.size) {
      ids.push_back(std::to_string(i + 1));
      mine_.push_back(i + 1);
    }
    out_ = AddOutput("out", "1", std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("ponds", ids)));
  }
  void Start(Stamp) override {
    storages_.assign(mine_.size(), 1.0);
    Show();
  }
  void Step(Stamp, Stamp) override {
    const double in = std::isfinite(in_.Get()) ? in_.Get() : 0.0;
    for (std::size_t i = 0; i < mine_.size(); ++i)
      storages_[i] += 0.125 * (std::sin(mine_[i] * in) - 0.25 * storages_[i]);
    Show();
  }
  void Show() { std::copy(storages_.begin(), storages_.end(), out_.Next().begin()); }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(storages_); }
  void LoadState(openmi::StateReader& reader) override { storages_ = reader.ReadDoubles(); }

  openmi::Communicator communicator_;
  std::vector<int> mine_;
  openmi::ScalarInput in_;
  openmi::ArrayOutput out_;
  std::vector<double> storages_;
};

/// Catches a field on cells of its own.
class Basin final : public openmi::StatefulSteppingComponent {
 public:
  Basin() : StatefulSteppingComponent("basin", "PT1M") {}

 private:
  void Setup() override {
    auto where = std::make_shared<openmi::ElementSet>(Cells("ground", 4.25, 0.0, 6));
    field_ = AddInput("field", "mm h-1", where, {.asks = openmi::InputTime::Span});
    caught_ = AddOutput("caught", "1");
  }
  void Start(Stamp) override {
    sum_ = 0.5;
    caught_.Set(sum_);
  }
  void Step(Stamp, Stamp) override {
    for (const double value : field_.Values()) {
      sum_ = std::isfinite(value) ? 0.9 * sum_ + 0.1 * value : -0.75 * sum_;
    }
    caught_.Set(sum_);
  }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(sum_); }
  void LoadState(openmi::StateReader& reader) override { sum_ = reader.ReadDouble(); }

  openmi::ArrayInput field_;
  openmi::ScalarOutput caught_;
  double sum_ = 0.0;
};

/// Values of one kind, as an input declares them.
class Definition final : public openmi::DescribedAs<openmi::IValueDefinition> {
 public:
  explicit Definition(openmi::ValueType type) : type_(type) {}
  openmi::Value MissingDataValue() const override { return {}; }
  openmi::ValueType ValueType() const override { return type_; }

 private:
  openmi::ValueType type_;
};

/// An input of one value of any kind, or of as many numbers as there are.
class AnyInput final : public openmi::InputOf<openmi::ITimeSpaceInput> {
 public:
  /// \param where  null: of one value
  AnyInput(std::string id, openmi::ValueKind kind, openmi::IBaseLinkableComponent* component,
           std::unique_ptr<openmi::ElementSet> where = nullptr)
      : InputOf(std::move(id), std::make_unique<Definition>(openmi::ValueType{kind, nullptr}), component),
        where_(std::move(where)) {}
  const openmi::ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const openmi::IBaseValueSet* values) override {
    values_ = dynamic_cast<const openmi::ITimeSpaceValueSet*>(values);
  }
  const openmi::ITimeSet* TimeSet() const override { return &times_; }
  const openmi::ISpatialDefinition* SpatialDefinition() const override { return where_.get(); }
  /// The values at `time`.
  const openmi::ITimeSpaceValueSet& AskAll(Stamp time) {
    times_.SetSingle(time);
    values_ = &dynamic_cast<openmi::ITimeSpaceOutput&>(*Provider()).GetValues(*this);
    return *values_;
  }
  /// The value at `time`.
  openmi::Value Ask(Stamp time) { return AskAll(time).GetValue(0, 0); }
  void MoveHorizon(Stamp time) { times_.MoveHorizonBegin(time); }

 private:
  std::unique_ptr<openmi::ElementSet> where_;
  openmi::TimeSet times_;
  const openmi::ITimeSpaceValueSet* values_ = nullptr;
};

/// Turns what it hears into a number that remembers all it heard.
class Ear final : public openmi::StatefulSteppingComponent {
 public:
  Ear() : StatefulSteppingComponent("ear", "PT1M") { heard_ = AddOutput("heard", "1"); }

 private:
  void Setup() override {
    word_ = &TakeInput(std::make_unique<AnyInput>("word", openmi::ValueKind::String, this));
    letter_ = &TakeInput(std::make_unique<AnyInput>("letter", openmi::ValueKind::Binary, this));
  }
  void Start(Stamp) override {
    sum_ = 1.0;
    heard_.Set(sum_);
  }
  void Step(Stamp from, Stamp to) override {
    for (AnyInput* input : {word_, letter_}) {
      if (input->Provider() == nullptr) continue;
      sum_ = 0.5 * sum_ + Said(input->Ask(to));
      input->MoveHorizon(from);
    }
    heard_.Set(sum_);
  }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(sum_); }
  void LoadState(openmi::StateReader& reader) override { sum_ = reader.ReadDouble(); }

  static double Said(const openmi::Value& value) {
    constexpr double kPrime = 1009.0;
    double said = 2.0;
    const auto hear = [&said](int letter) { said = std::fmod(said * 31.0 + static_cast<double>(letter), kPrime); };
    if (const auto* text = value.As<std::string>()) {
      for (const char letter : *text) hear(letter);
    } else if (const auto* bytes = value.As<openmi::Bytes>()) {
      for (const auto byte : *bytes) hear(static_cast<int>(byte));
    } else {
      return value.Number().value_or(-1.0);
    }
    return said;
  }

  AnyInput* word_ = nullptr;
  AnyInput* letter_ = nullptr;
  openmi::ScalarOutput heard_;
  double sum_ = 0.0;
};

/// Takes as many numbers as there are at each step, and remembers them all.
class Crowd final : public openmi::StatefulSteppingComponent {
 public:
  Crowd() : StatefulSteppingComponent("crowd", "PT1M") { seen_ = AddOutput("seen", "1"); }

 private:
  void Setup() override {
    who_ = &TakeInput(std::make_unique<AnyInput>(
        "who", openmi::ValueKind::Double, this,
        std::make_unique<openmi::ElementSet>(openmi::ElementSet::IdBased("nobody yet", {}))));
  }
  void Start(Stamp) override {
    sum_ = 1.0;
    seen_.Set(sum_);
  }
  void Step(Stamp from, Stamp to) override {
    const openmi::ITimeSpaceValueSet& values = who_->AskAll(to);
    const std::size_t time = 0;
    const std::size_t count = values.GetIndexCount(std::span(&time, 1));
    sum_ = 0.5 * sum_ + static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
      sum_ = 0.5 * sum_ + values.GetValue(0, static_cast<int>(i)).Number().value_or(-1.0);
    }
    who_->MoveHorizon(from);
    seen_.Set(sum_);
  }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(sum_); }
  void LoadState(openmi::StateReader& reader) override { sum_ = reader.ReadDouble(); }

  AnyInput* who_ = nullptr;
  openmi::ScalarOutput seen_;
  double sum_ = 0.0;
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("matrix.Weather", Weather)
OPENMI_EXPORT_COMPONENT_AS("matrix.Pond", Pond)
OPENMI_EXPORT_COMPONENT_AS("matrix.SharedPonds", SharedPonds)
OPENMI_EXPORT_COMPONENT_AS("matrix.Basin", Basin)
OPENMI_EXPORT_COMPONENT_AS("matrix.Ear", Ear)
OPENMI_EXPORT_COMPONENT_AS("matrix.Crowd", Crowd)
