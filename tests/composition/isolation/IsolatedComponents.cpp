// Components that are run in another process: one that behaves, and one that does what a process does not survive.

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IResumes.hpp"
#include "openmi/sdk/ITunable.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/IBalance.hpp"
#include "timespace/StatefulComponent.hpp"

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
    token_ = AddArgument<std::string>("token", {.caption = "token", .optional = true, .secret = true});
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

/// Has the doors that are asked for by name: out = gain, and 1000 more if it was told that a state would be restored.
class Doors final : public openmi::StatefulSteppingComponent, public openmi::IResumes, public openmi::ITunable {
 public:
  Doors() : StatefulSteppingComponent("doors") {
    gain_ = AddArgument<double>("gain", {.caption = "gain", .value = 2.0});
    alone_ = AddArgument<bool>("alone", {.caption = "not beside others", .value = false});
    out_ = AddOutput("out", "1");
  }
  void ExpectRestore() override { expected_ = 1000.0; }
  bool IsTunable(const std::string& argument) const override { return argument == "gain"; }

 private:
  void Setup() override { SetThreadSafe(!alone_.Value()); }
  void Start(Stamp) override {
    base_ = expected_;
    out_.Set(0.0);
  }
  void Step(Stamp, Stamp) override { out_.Set(base_ + gain_.Value()); }
  void SaveState(openmi::StateWriter& writer) const override { writer.Write(1.0); }
  void LoadState(openmi::StateReader& reader) override { reader.ReadDouble(); }
  Argument<double> gain_;
  Argument<bool> alone_;
  openmi::ScalarOutput out_;
  double expected_ = 0.0;
  double base_ = 0.0;
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("test.Doors", Doors)
OPENMI_EXPORT_COMPONENT_AS("test.Memory", Memory)
OPENMI_EXPORT_COMPONENT_AS("test.Trouble", Trouble)
OPENMI_EXPORT_COMPONENT_AS("test.Counter", Counter)
