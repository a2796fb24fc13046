// Components that are run in another process: one that behaves, and one that does what a process does not survive.

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/InputOf.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/optional/IRemarks.hpp"
#include "timespace/optional/IUsesThreads.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"

namespace {

using openmi::Argument;
using openmi::ArrayInput;
using openmi::ArrayOutput;
using openmi::Stamp;

/// out = memory of all it took, element by element; keeps its state and states a balance.
class Memory final : public openmi::StatefulSteppingComponent, public openmi::IBalance {
 public:
  Memory() : StatefulSteppingComponent("memory") {
    elements_ = AddArgument<int>("elements", {.caption = "elements", .value = 3, .minimum = 1});
    token_ = AddArgument<std::string>(
        "token", {.caption = "token", .optional = true, .meaning = openmi::ArgumentMeaning::Secret});
  }
  openmi::BalanceTerms Balance() const override { return {.storage = storage_, .in = in_, .out = 0.0, .losses = 0.0}; }
  std::string BalanceUnit() const override { return "kg"; }
  double BalanceArea() const override { return 12.0; }

 private:
  void Setup() override {
    std::vector<std::string> ids;
    for (int i = 0; i < elements_.Value(); ++i) ids.push_back("e" + std::to_string(i));
    auto where = std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("cells", ids));
    take_ = AddInput("take", "kg", where, {.default_value = 1.0});
    out_ = AddOutput("out", "kg", where);
  }
  void Start(Stamp) override {
    values_.assign(static_cast<std::size_t>(elements_.Value()), 0.25);
    in_ = 0.0;
    Show();
  }
  void Step(Stamp, Stamp) override {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = values_[i] * 0.875 + std::sin(take_.Values()[i] + static_cast<double>(i));
      in_ += take_.Values()[i];
    }
    Show();
  }
  void Show() {
    storage_ = 0.0;
    const auto row = out_.Next();
    for (std::size_t i = 0; i < values_.size(); ++i) storage_ += row[i] = values_[i];
  }
  void SaveState(openmi::StateWriter& writer) const override {
    writer.Write(values_);
    writer.Write(in_);
  }
  void LoadState(openmi::StateReader& reader) override {
    values_ = reader.ReadDoubles();
    in_ = reader.ReadDouble();
  }
  Argument<int> elements_;
  Argument<std::string> token_;
  ArrayInput take_;
  ArrayOutput out_;
  std::vector<double> values_;
  double in_ = 0.0;
  double storage_ = 0.0;
};

/// Counts its steps, until `at`: then it ends its process in the way of `how`.
class Trouble final : public openmi::SteppingComponent {
 public:
  Trouble() : SteppingComponent("trouble") {
    how_ = AddArgument<std::string>("how", {.caption = "how", .value = "never"});
    at_ = AddArgument<int>("at", {.caption = "step", .value = 5});
    count_ = AddOutput("count", "1");
  }

 private:
  void Setup() override {
    if (how_.Value() == "crash-on-setup") std::raise(SIGSEGV);
    if (how_.Value() == "lack-a-file") throw openmi::FileError({.file = "rain.csv"}, "expected a file, found none");
    for (volatile bool go_on = how_.Value() == "hang-on-setup"; go_on;) {
    }
  }
  void Start(Stamp) override {
    if (how_.Value() == "crash-on-start") std::raise(SIGSEGV);
    count_.Set(0.0);
  }
  void Step(Stamp, Stamp) override {
    count_.Set(count_.Get() + 1.0);
    if (++step_ != at_.Value()) return;
    const std::string how = how_.Value();
    if (how == "segfault") std::raise(SIGSEGV);
    if (how == "abort") std::abort();
    if (how == "exit") std::exit(3);
    if (how == "quick-exit") std::_Exit(0);
    if (how == "throw") throw std::runtime_error("no water left");
    if (how == "refuse") throw openmi::ModelError({.item = "count"}, "expected rain, found none", "wait");
    if (how == "hang") {
      for (volatile bool go_on = true; go_on;) {
      }
    }
    if (how == "eat") {
      std::vector<std::vector<char>> eaten;
      while (true) eaten.emplace_back(std::size_t{1} << 24, 'x');
    }
  }
  Argument<std::string> how_;
  Argument<int> at_;
  openmi::ScalarOutput count_;
  int step_ = 0;
};

/// out = 0.5 in + 1; its process is killed in the step after hour `at`.
class Fragile final : public openmi::StatefulSteppingComponent {
 public:
  Fragile() : StatefulSteppingComponent("fragile") {
    at_ = AddArgument<int>("at", {.caption = "hour", .value = 1000});
    in_ = AddInput("in", "1");
    out_ = AddOutput("out", "1", {.initial = 2.0});
  }

 private:
  void Step(Stamp from, Stamp) override {
    constexpr double kHours = 24.0;
    if ((from - StartTime()).count * kHours > at_.Value() - 0.5) std::raise(SIGKILL);
    out_.Set(0.5 * in_.Get() + 1.0);
  }
  void SaveState(openmi::StateWriter&) const override {}
  void LoadState(openmi::StateReader&) override {}
  Argument<int> at_;
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
};

/// out = in.
class Counter final : public openmi::SteppingComponent {
 public:
  Counter() : SteppingComponent("counter") {
    in_ = AddInput("in", "1");
    out_ = AddOutput("out", "1");
  }

 private:
  void Step(Stamp, Stamp) override { out_.Set(in_.Get()); }
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
};

/// An input that is asked only when its component says so.
class PlainInput final : public openmi::InputOf<openmi::ITimeSpaceInput> {
 public:
  PlainInput(std::string id, openmi::IBaseLinkableComponent* component)
      : InputOf(std::move(id), std::make_unique<openmi::Quantity>(openmi::Unit::Parse("kg"), "any"), component) {}
  const openmi::ITimeSpaceValueSet* Values() const override { return values_; }
  void SetValues(const openmi::IBaseValueSet* values) override {
    values_ = dynamic_cast<const openmi::ITimeSpaceValueSet*>(values);
  }
  const openmi::ITimeSet* TimeSet() const override { return &times_; }
  const openmi::ISpatialDefinition* SpatialDefinition() const override { return nullptr; }
  double Ask(Stamp time) {
    times_.SetSingle(time);
    values_ = &dynamic_cast<openmi::ITimeSpaceOutput&>(*Provider()).GetValues(*this);
    return *values_->GetValue(0, 0).Number();
  }
  void MoveHorizon(Stamp time) { times_.MoveHorizonBegin(time); }

 private:
  openmi::TimeSet times_;
  const openmi::ITimeSpaceValueSet* values_ = nullptr;
};

/// Asks as others do for some steps, then not at all, then for the middle of the step, twice, and for its end.
class Moody final : public openmi::SteppingComponent {
 public:
  Moody() : SteppingComponent("moody") { out_ = AddOutput("out", "kg"); }

 private:
  void Setup() override { in_ = &TakeInput(std::make_unique<PlainInput>("in", this)); }
  void Step(Stamp from, Stamp to) override {
    const int step = step_++ % 16;
    const Stamp middle = from + (to - from) * 0.5;
    double sum = in_->Values() != nullptr ? *in_->Values()->GetValue(0, 0).Number() : 0.0;  // the last answer stays
    if (step < 6 || step >= 12) sum += in_->Ask(to);
    if (step >= 8 && step < 12) sum += in_->Ask(middle);
    if (step >= 10 && step < 14) sum += in_->Ask(to);
    in_->MoveHorizon(from);
    out_.Set(sum);
  }
  PlainInput* in_ = nullptr;
  openmi::ScalarOutput out_;
  int step_ = 0;
};

/// Has the doors that are asked for by name: out = gain, 1000 more if it was told that a state would be restored, and
/// 100 more for each thread that it may use.
class Doors final : public openmi::StatefulSteppingComponent,
                    public openmi::IResumes,
                    public openmi::ITunable,
                    public openmi::IUsesThreads {
 public:
  Doors() : StatefulSteppingComponent("doors") {
    gain_ = AddArgument<double>("gain", {.caption = "gain", .value = 2.0});
    alone_ = AddArgument<bool>("alone", {.caption = "not beside others", .value = false});
    out_ = AddOutput("out", "1");
  }
  void ExpectRestore() override { expected_ = 1000.0; }
  bool IsTunable(const std::string& argument) const override { return argument == "gain"; }
  void SetThreads(std::size_t threads) override { threads_ = static_cast<double>(threads); }

 private:
  void Setup() override { SetThreadSafe(!alone_.Value()); }
  void Start(Stamp) override {
    base_ = expected_;
    out_.Set(0.0);
  }
  void Step(Stamp, Stamp) override { out_.Set(base_ + gain_.Value() + 100.0 * threads_); }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(1.0); }
  void LoadState(openmi::StateReader& reader) override { reader.ReadDouble(); }
  Argument<double> gain_;
  Argument<bool> alone_;
  openmi::ScalarOutput out_;
  double expected_ = 0.0;
  double base_ = 0.0;
  double threads_ = 0.0;
};

openmi::ElementSet Cells(double shift, int count) {
  openmi::ElementSetBuilder builder("cells", openmi::ElementType::Polygon, std::string(openmi::kLocalMetresWkt));
  for (int i = 0; i < count; ++i) {
    const double x = i + shift;
    const openmi::ElementVertex corners[] = {{x, 0}, {x + 1, 0}, {x + 1, 1}, {x, 1}};
    builder.AddPolygon("c" + std::to_string(i), std::vector(std::begin(corners), std::end(corners)));
  }
  return builder.Build();
}

/// Cells in a row whose values are the x of their left edges; they move by a quarter of a cell in each step.
class Moving final : public openmi::SteppingComponent {
 public:
  Moving() : SteppingComponent("moving") {
    anew_ = AddArgument<bool>("anew", {.caption = "shows another set in each step", .value = false});
  }

 private:
  void Setup() override {
    cells_ = std::make_shared<openmi::ElementSet>(Cells(0.0, 50));
    out_ = AddOutput("x", "m", cells_);
  }
  void Start(Stamp) override { Show(); }
  void Step(Stamp, Stamp) override {
    shift_ += 0.25;
    if (anew_.Value()) {
      cells_ = std::make_shared<openmi::ElementSet>(Cells(shift_, 50));
      out_.Item().SetSpatialDefinition(cells_);
    } else {
      cells_->ReplaceGeometry(Cells(shift_, 50));
    }
    Show();
  }
  void Show() {
    double x = shift_;
    for (double& value : out_.Next()) value = x++;
  }
  Argument<bool> anew_;
  std::shared_ptr<openmi::ElementSet> cells_;
  openmi::ArrayOutput out_;
  double shift_ = 0.0;
};

/// out = the mean of what its five cells, from x = 20 on, are given.
class Taker final : public openmi::SteppingComponent {
 public:
  Taker() : SteppingComponent("taker") {}

 private:
  void Setup() override {
    in_ = AddInput("in", "m", std::make_shared<openmi::ElementSet>(Cells(20.0, 5)));
    out_ = AddOutput("out", "m");
  }
  void Step(Stamp, Stamp) override {
    double sum = 0.0;
    for (const double value : in_.Values()) sum += value;
    out_.Set(sum / 5.0);
  }
  openmi::ArrayInput in_;
  openmi::ScalarOutput out_;
};

/// out = the x of the left edge of the first cell that its provider shows, plus a thousand times how often that showed
/// another version. At the end it says what it saw.
class Looker final : public openmi::SteppingComponent, public openmi::IRemarks {
 public:
  Looker() : SteppingComponent("looker") {}
  openmi::Problems Remarks() const override {
    openmi::Problems remarks;
    openmi::AddWarning(remarks, {.item = "in"}, "expected cells that stay, found some that moved", "hold them");
    return remarks;
  }

 private:
  void Setup() override {
    in_ = AddInput("in", "m", std::make_shared<openmi::ElementSet>(Cells(0.0, 50)));
    out_ = AddOutput("out", "m");
  }
  void Step(Stamp, Stamp) override {
    const auto& provider = dynamic_cast<const openmi::ITimeSpaceOutput&>(*in_.Item().Provider());
    const auto& cells = dynamic_cast<const openmi::IElementSet&>(*provider.SpatialDefinition());
    if (cells.Version() != version_) ++changes_;
    version_ = cells.Version();
    out_.Set(cells.GetVertexXCoordinate(0, 0) + 1000.0 * changes_);
  }
  openmi::ArrayInput in_;
  openmi::ScalarOutput out_;
  int version_ = 0;
  int changes_ = 0;
};

/// Waits in each step until all of its kind are in theirs, which they show by files: out = how many came within a
/// while.
class Meeting final : public openmi::SteppingComponent {
 public:
  Meeting() : SteppingComponent("meeting") {
    number_ = AddArgument<int>("number", {.caption = "its own"});
    count_ = AddArgument<int>("count", {.caption = "how many there are"});
    folder_ = AddArgument<std::string>("folder", {.caption = "for the files"});
    out_ = AddOutput("out", "1");
  }

 private:
  std::string File(int number) const {
    return folder_.Value() + "/" + std::to_string(step_) + "-" + std::to_string(number);
  }
  void Start(Stamp) override { out_.Set(count_.Value()); }
  void Step(Stamp, Stamp) override {
    ++step_;
    std::ofstream(File(number_.Value())).put('x');
    int there = 0;
    for (int tries = 0; tries < 3000 && there < count_.Value(); ++tries) {
      there = 0;
      for (int i = 0; i < count_.Value(); ++i) there += std::filesystem::exists(File(i)) ? 1 : 0;
      if (there < count_.Value()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    out_.Set(there);
  }
  Argument<int> number_, count_;
  Argument<std::string> folder_;
  openmi::ScalarOutput out_;
  int step_ = 0;
};

/// Cannot be destroyed.
class Stuck final : public openmi::SteppingComponent {
 public:
  Stuck() : SteppingComponent("stuck") { out_ = AddOutput("out", "1"); }
  ~Stuck() override {
    for (volatile bool go_on = true; go_on;) {
    }
  }

 private:
  void Step(Stamp, Stamp) override { out_.Set(1.0); }
  openmi::ScalarOutput out_;
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("test.Doors", Doors)
OPENMI_EXPORT_COMPONENT_AS("test.Moving", Moving)
OPENMI_EXPORT_COMPONENT_AS("test.Taker", Taker)
OPENMI_EXPORT_COMPONENT_AS("test.Fragile", Fragile)
OPENMI_EXPORT_COMPONENT_AS("test.Looker", Looker)
OPENMI_EXPORT_COMPONENT_AS("test.Meeting", Meeting)
OPENMI_EXPORT_COMPONENT_AS("test.Stuck", Stuck)
OPENMI_EXPORT_COMPONENT_AS("test.Memory", Memory)
OPENMI_EXPORT_COMPONENT_AS("test.Trouble", Trouble)
OPENMI_EXPORT_COMPONENT_AS("test.Counter", Counter)
OPENMI_EXPORT_COMPONENT_AS("test.Moody", Moody)
