// Components that are computed by several ranks, without calling MPI themselves: one that behaves, and one that does
// what ranks do not survive.

#include <csignal>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/optional/IUsesCommunicator.hpp"

namespace {

using openmi::Communicator;
using openmi::Stamp;

/// Cells in a row, dealt out like cards: 1 to rank 0, 2 to rank 1 ... out = memory of what each took; `total` is asked
/// of a single value, which all ranks have.
class Dealt final : public openmi::StatefulSteppingComponent,
                    public openmi::IUsesCommunicator,
                    public openmi::ITunable,
                    public openmi::IBalance {
 public:
  Dealt() : StatefulSteppingComponent("dealt") {
    gain_ = AddArgument<double>("gain", {.caption = "what it takes counts so often", .value = 1.0});
    cells_ = AddArgument<int>("cells", {.caption = "cells", .value = 7, .minimum = 1});
    ids_ = AddArgument<std::string>("ids", {.caption = "what the ids of cells are", .value = "numbers"});
  }
  bool IsTunable(const std::string& argument) const override { return argument == "gain"; }
  void SetCommunicator(const Communicator& communicator) override { communicator_ = communicator; }
  openmi::BalanceTerms Balance() const override { return {.storage = storage_, .in = in_, .out = 0.0, .losses = 0.0}; }

 private:
  void Setup() override {
    openmi::ElementSetBuilder cells("cells", openmi::ElementType::Polygon, openmi::kLocalMetresWkt);
    mine_.clear();
    for (int i = communicator_.rank; i < cells_.Value(); i += communicator_.size) {
      const double x = 10.0 * i;
      const std::string id = ids_.Value() == "own"     ? std::to_string(mine_.size())
                             : ids_.Value() == "texts" ? "c" + std::to_string(i + 1)
                                                       : std::to_string(i + 1);
      cells.AddPolygon(id, {{x, 0.0}, {x + 10.0, 0.0}, {x + 10.0, 5.0}, {x, 5.0}});
      mine_.push_back(i);
    }
    const auto where = std::make_shared<const openmi::ElementSet>(cells.Build());
    take_ = AddInput("take", "m3", where, {.default_value = 1.0});
    share_ = AddInput("share", "1", {.default_value = 0.5});
    out_ = AddOutput("out", "m3", where);
    shared_ = AddOutput("shared", "1");
  }
  void Start(Stamp) override {
    values_.assign(mine_.size(), 0.25);
    in_ = 0.0;
    Show();
  }
  void Step(Stamp, Stamp) override {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = values_[i] * 0.875 + gain_.Value() * share_.Get() * take_.Values()[i] * (mine_[i] + 1);
      in_ += take_.Values()[i];
    }
    Show();
  }
  void Show() {
    storage_ = 0.0;
    const auto row = out_.Next();
    for (std::size_t i = 0; i < values_.size(); ++i) storage_ += row[i] = values_[i];
    shared_.Set(share_.IsLinked() ? share_.Get() : 0.5);
  }
  void SaveState(openmi::StateWriter& writer) const override {
    writer.Write(values_);
    writer.Write(in_);
  }
  void LoadState(openmi::StateReader& reader) override {
    values_ = reader.ReadDoubles();
    in_ = reader.ReadDouble();
    storage_ = 0.0;
    for (const double value : values_) storage_ += value;
  }

  openmi::Argument<double> gain_;
  openmi::Argument<int> cells_;
  openmi::Argument<std::string> ids_;
  Communicator communicator_;
  std::vector<int> mine_;
  openmi::ArrayInput take_;
  openmi::ScalarInput share_;
  openmi::ArrayOutput out_;
  openmi::ScalarOutput shared_;
  std::vector<double> values_;
  double storage_ = 0.0;
  double in_ = 0.0;
};

/// One rank fails in the fifth step, in the way that `how` names: throw, kill, strand (throws while the others wait for
/// it for ever), behind (it makes longer steps).
class Trouble final : public openmi::SteppingComponent, public openmi::IUsesCommunicator {
 public:
  Trouble() : SteppingComponent("trouble") {
    how_ = AddArgument<std::string>("how", {.caption = "how it fails", .value = "throw"});
    who_ = AddArgument<int>("who", {.caption = "the rank that fails", .value = 1});
  }
  void SetCommunicator(const Communicator& communicator) override { communicator_ = communicator; }

 private:
  void Setup() override {
    where_ = std::make_shared<const openmi::ElementSet>(
        openmi::ElementSet::IdBased("ranks", {std::to_string(communicator_.rank)}));
    if (how_.Value() == "setup" && communicator_.rank == who_.Value()) {
      throw openmi::ModelError({}, "expected a file, found none");
    }
    count_ = AddOutput("count", "1", where_);
    if (how_.Value() == "behind" && communicator_.rank == who_.Value()) SetTimeStep(openmi::Days{0.25});
  }
  void Step(Stamp, Stamp) override {
    count_.Next()[0] = static_cast<double>(StepCount() + 1);
    if (StepCount() < 4) return;
    const bool is_me = communicator_.rank == who_.Value();
    if (how_.Value() == "kill" && is_me) std::raise(SIGKILL);
    if (how_.Value() == "strand" && !is_me) std::this_thread::sleep_for(std::chrono::hours(1));
    if (is_me && (how_.Value() == "throw" || how_.Value() == "strand")) {
      throw openmi::ModelError({}, "expected a number, found none");
    }
  }

  openmi::Argument<std::string> how_;
  openmi::Argument<int> who_;
  Communicator communicator_;
  std::shared_ptr<const openmi::ElementSet> where_;
  openmi::ArrayOutput count_;
};

/// Computes in one process.
class Alone final : public openmi::SteppingComponent {
 public:
  Alone() : SteppingComponent("alone") { out_ = AddOutput("out", "1"); }

 private:
  void Step(Stamp, Stamp) override { out_.Set(1.0); }
  openmi::ScalarOutput out_;
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("test.Dealt", Dealt)
OPENMI_EXPORT_COMPONENT_AS("test.Trouble", Trouble)
OPENMI_EXPORT_COMPONENT_AS("test.Alone", Alone)
