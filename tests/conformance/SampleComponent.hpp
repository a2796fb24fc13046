#pragma once

#include <charconv>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/ArgumentItem.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Event.hpp"
#include "openmi/sdk/ItemList.hpp"
#include "openmi/standard.hpp"
#include "tests/conformance/Fault.hpp"
#include "tests/conformance/SampleFactory.hpp"
#include "tests/conformance/SampleItems.hpp"
#include "tests/support/ForeignComponent.hpp"
#include "timespace/standard.hpp"

namespace openmi::sample {

/// An argument with the faults that arguments can have.
class SampleArgument final : public ArgumentItem {
 public:
  template <class T>
  SampleArgument(std::string id, const ArgumentOptions<T>& options, Fault fault)
      : ArgumentItem(std::move(id), options), fault_(fault) {}
  std::string ValueAsString() const override {
    return fault_ == Fault::TextIsNotReadBack && ValueType().kind == ValueKind::Double ? "7"
                                                                                       : ArgumentItem::ValueAsString();
  }
  void SetValue(const openmi::Value& value) override {
    if (IsReadOnly() && fault_ == Fault::ReadOnlyIsWritten) return Assign(value);
    if (PossibleValues() && fault_ == Fault::ImpossibleValueAccepted) {
      const auto possible = PossibleValues();
      const std::vector<openmi::Value> list(possible->begin(), possible->end());
      SetPossibleValues(std::nullopt);
      ArgumentItem::SetValue(value);
      SetPossibleValues(list);
      return;
    }
    ArgumentItem::SetValue(value);
  }

 private:
  Fault fault_;
};

/// A component with everything that Annex A speaks of, and at most one fault. It adds up what its input brings, a day a
/// step, from 2000-01-01 to 2000-01-06.
template <class Interface>
class SampleOf : public IdentifiedAs<Interface>, public IManageState, public IByteStateConverter {
 public:
  using S = LinkableComponentStatus;

  explicit SampleOf(Fault fault = Fault::None, bool restartable = false)
      : IdentifiedAs<Interface>("sample"), fault_(fault), restartable_(restartable) {
    extent_.SetHorizon(Stamp{kBegin}, Stamp{fault == Fault::ExtentEndsTooEarly ? kBegin + 3.0 : kEnd});
  }

  std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() override { return factories_; }
  std::span<IArgument* const> Arguments() const override { return arguments_; }
  std::span<IBaseInput* const> Inputs() const override {
    if (fault_ != Fault::InputsWhileCreated) Require(status_ != S::Created);
    return inputs_;
  }
  std::span<IBaseOutput* const> Outputs() const override {
    Require(status_ != S::Created);
    return outputs_;
  }
  LinkableComponentStatus Status() const override { return status_; }
  IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() override { return changed_; }

  void Initialize() override {
    Require(status_ == S::Created || (fault_ == Fault::SecondInitialize && status_ == S::Initialized));
    if (status_ == S::Initialized) return;
    Move(S::Initializing);
    if (fault_ == Fault::InitializeFails) Fail("the basin has no water");
    rain_.Promise(kBegin, kEnd);
    Move(S::Initialized);
  }
  std::vector<std::string> Validate() override {
    Require(status_ == S::Initialized || status_ == S::Valid || status_ == S::Invalid);
    if (fault_ == Fault::SilentValidating) {
      status_ = S::Validating;
    } else {
      Move(S::Validating);
    }
    Move(fault_ == Fault::InvalidWithoutMessage ? S::Invalid : S::Valid);
    return {};
  }
  void Prepare() override {
    Require(status_ == S::Initialized || status_ == S::Valid ||
            (fault_ == Fault::SecondPrepare && status_ == S::Updated));
    if (status_ == S::Updated) return;
    if (fault_ != Fault::SkipsPreparing) Move(S::Preparing);
    step_ = 0;
    if (fault_ != Fault::OtherwiseTheSecondTime) sum_ = 0.0;
    if (fault_ != Fault::NoAdaptedOutputInitialized) {
      for (IBaseOutput* output : outputs_) detail::InitializeAdaptedOutputs(*output);
    }
    Publish();
    Tell();
    Move(S::Updated);
  }
  void Update(std::span<IBaseOutput* const>) override {
    if (status_ == S::Done) {
      if (fault_ == Fault::GoesOnWhenDone) sum_ += 1.0, Publish();
      return;
    }
    if (fault_ == Fault::UpdateBeforePrepare && status_ == S::Initialized) return;
    if (fault_ == Fault::UpdateWhenFinished && status_ == S::Finished) return;
    Require(status_ == S::Updated || status_ == S::WaitingForData);
    if (fault_ == Fault::FifteenthStatus) Move(static_cast<S>(14));
    if (fault_ != Fault::UpdatesWithoutUpdating) Move(S::Updating);
    if (fault_ == Fault::WaitsForEver) return Move(S::WaitingForData);
    if (fault_ == Fault::UpdateFails && step_ == 2) Fail("the dam broke");
    if (fault_ != Fault::StandsStill) ++step_;
    sum_ += rain_.Pull(Now());
    squares_.Drift();
    Publish();
    Tell();
    rain_.Promise(Now(), kEnd);
    if (fault_ != Fault::UpdatesWithoutUpdating) Move(step_ < kSteps ? S::Updated : S::Done);
    if (fault_ == Fault::UpdatesWithoutUpdating && step_ == kSteps) {
      Move(S::Updating);
      Move(S::Done);
    }
  }
  void Finish() override {
    Require(status_ == S::Updated || status_ == S::Done || status_ == S::WaitingForData || status_ == S::Failed);
    Move(S::Finishing);
    if (fault_ == Fault::FinishFails) Fail("the file is full");
    for (Output* output : {&flow_, &stage_, &copy_}) output->Clear();
    Move(restartable_ ? S::Created : S::Finished);
  }

  const IIdentifiable& KeepCurrentState() override { return Keep({step_, sum_}); }
  void RestoreState(const IIdentifiable& id) override {
    if (fault_ == Fault::UnknownStateAccepted && !states_.contains(id.Id())) return;
    const State& state = Find(id).state;
    step_ = state.step;
    if (fault_ != Fault::StateIsIncomplete) sum_ = state.sum;
    Publish();
    if (status_ != S::Updated) Move(S::Updated);
  }
  void ClearState(const IIdentifiable& id) override {
    if (fault_ == Fault::UnknownStateAccepted) return;
    Find(id);
    states_.erase(id.Id());
  }
  Bytes ConvertToByteArray(const IIdentifiable& id) override {
    const State state = Find(id).state;
    Bytes bytes(sizeof state);
    std::memcpy(bytes.data(), &state, sizeof state);
    return bytes;
  }
  const IIdentifiable& ConvertFromByteArray(std::span<const std::byte> bytes) override {
    State state;
    if (bytes.size() != sizeof state) throw FormatError({}, "expected the bytes of a state, found others");
    std::memcpy(&state, bytes.data(), sizeof state);
    if (fault_ == Fault::BytesAreIncomplete) state.sum = 0.0;
    const IIdentifiable& id = Keep(state);
    if (fault_ == Fault::BytesBecomeCurrent) RestoreState(id);
    return id;
  }

 protected:
  static constexpr double kBegin = 51544.0;
  static constexpr int kSteps = 5;
  static constexpr double kEnd = kBegin + kSteps;
  TimeSet extent_;

 private:
  struct State {
    int step = 0;
    double sum = 0.0;
  };
  struct Kept {
    std::unique_ptr<Identifier> id;
    State state;
  };

  double Now() const { return kBegin + step_; }
  void Require(bool fits) const {
    if (!fits)
      throw StateError({}, "expected another status, found number " + std::to_string(static_cast<int>(status_)));
  }
  void Move(LinkableComponentStatus status) {
    const LinkableComponentStatus old = std::exchange(status_, status);
    changed_.Raise({fault_ == Fault::EventOfNobody ? nullptr : this, "", status, old});
  }
  [[noreturn]] void Fail(const std::string& why) {
    Move(S::Failed);
    throw ModelError({.component = "sample"}, why);
  }
  Kept& Find(const IIdentifiable& id) {
    const auto found = states_.find(id.Id());
    if (found == states_.end()) throw ArgumentError({}, "expected a kept state, found '" + id.Id() + "'");
    return found->second;
  }
  const IIdentifiable& Keep(const State& state) {
    const std::string id = "state-" + std::to_string(++kept_);
    Kept& kept = states_[id] = Kept{std::make_unique<Identifier>(id), state};
    return *kept.id;
  }
  void Publish() {
    std::vector<Value> flows = {sum_, 2.0 * sum_};
    if (fault_ == Fault::MoreValuesThanElements) flows.push_back(0.0);
    if (fault_ == Fault::QuantityOfTexts) flows = {std::to_string(sum_), "more"};
    flow_.Publish(Now(), flows);
    stage_.Publish(Now(), {sum_ < 4.0 ? "low" : "high"});
    copy_.Publish(Now(), {sum_});
  }
  void Tell() {
    for (Output* output : {&flow_, &stage_, &copy_}) output->Tell();
  }
  std::unique_ptr<const IValueDefinition> FlowDefinition() const {
    if (fault_ == Fault::DefinitionIsBare) return std::make_unique<BareDefinition>();
    return std::make_unique<Discharge>(fault_);
  }
  IBaseLinkableComponent* Owner() {
    if (fault_ == Fault::ItemsOfAnother) return &other_;
    return this;
  }

  Fault fault_;
  bool restartable_;
  Event<LinkableComponentStatusChangeEventArgs> changed_;
  LinkableComponentStatus status_ = S::Created;
  int step_ = 0;
  double sum_ = 0.0;
  int kept_ = 0;
  std::map<std::string, Kept, std::less<>> states_;
  SampleArgument factor_{"factor", ArgumentOptions<double>{.value = 2.5}, fault_};
  SampleArgument scheme_{
      "scheme", ArgumentOptions<std::string>{.value = "explicit", .possible_values = {"explicit", "implicit"}}, fault_};
  SampleArgument engine_{"engine", ArgumentOptions<std::string>{.value = "sample", .read_only = true}, fault_};
  Squares squares_{fault_};
  foreign::Component other_{"another"};
  Input rain_{"rain", squares_, Owner(), fault_};
  Output flow_{"flow", FlowDefinition(), &squares_, Owner(), fault_};
  Output stage_{"stage", std::make_unique<Stage>(fault_), nullptr, Owner(), Fault::None};
  Output copy_{fault_ == Fault::TwoOutputsOfOneId ? "flow" : "total", std::make_unique<Discharge>(Fault::None), nullptr,
               Owner(), Fault::None};
  Factory factory_{fault_};
  std::vector<IArgument*> arguments_{&factor_, &scheme_, &engine_};
  std::vector<IBaseInput*> inputs_{&rain_};
  std::vector<IBaseOutput*> outputs_{&flow_, &stage_, &copy_};
  std::vector<IAdaptedOutputFactory*> factories_{&factory_};
};

class Sample final : public SampleOf<ITimeSpaceComponent> {
 public:
  using SampleOf::SampleOf;
  const ITimeSet& TimeExtent() const override { return extent_; }
};

/// The same without a time extent.
class SampleWithoutExtent final : public SampleOf<IBaseLinkableComponent> {
 public:
  using SampleOf::SampleOf;
};

}  // namespace openmi::sample
