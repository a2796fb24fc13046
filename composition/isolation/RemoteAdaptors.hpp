#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/isolation/IsolatedArgument.hpp"
#include "composition/isolation/Protocol.hpp"
#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "timespace/items/DemandList.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"

namespace openmi {

/// Makes one request of a component's worker: `write` adds to the request, `read` takes the reply.
using WorkerTalk = std::function<void(HostRequest request, const std::function<void(StateWriter&)>& write,
                                      const std::function<void(StateReader&)>& read)>;

/// An adapted output that a component made in its worker, on an output of its own. It asks the worker for each answer,
/// which crosses the border as a copy. What it remembers is in no state of the component.
class RemoteAdaptedOutput final : public OutputOf<ITimeSpaceAdaptedOutput>, public IDemand, public IArgumentHolder {
 public:
  /// \param number   among the outputs and adapted outputs of the component
  /// \param read     its description
  /// \param adaptee  what the engine links: the proxy of the output, or another of these. Borrowed
  RemoteAdaptedOutput(WorkerTalk talk, std::int64_t number, ItemDescription read, IBaseOutput& adaptee);

  IBaseOutput& Adaptee() const override { return adaptee_; }
  std::span<IArgument* const> Arguments() const override { return arguments_.Items(); }
  /// Does nothing: the component initializes it in Prepare.
  void Initialize() override {}
  void Refresh() override;
  /// The last answer, if the component failed and is frozen (OnFailure="freeze").
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override;
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return spatial_.get(); }
  /// The component keeps what it needs of its own rows.
  Stamp EarliestNeeded() const override { return kFarFuture; }
  void SetArgument(std::size_t number, const std::string* text, const Value* value) override;

  std::int64_t Number() const { return number_; }
  void ReadArguments(StateReader& reader) { arguments_.Read(reader); }

 protected:
  void OnConsumerRemoved(IBaseInput& consumer) override { answers_.erase(&consumer); }

 private:
  /// Has the component computed until `time`, in the engine's way.
  void Advance(Stamp time);

  WorkerTalk talk_;
  std::int64_t number_;
  IBaseOutput& adaptee_;
  std::shared_ptr<const ISpatialDefinition> spatial_;
  std::unique_ptr<openmi::TimeSet> times_;
  IsolatedArguments arguments_{*this};
  std::map<const IBaseExchangeItem*, std::unique_ptr<ITimeSpaceValueSet>> answers_;
  std::unique_ptr<ITimeSpaceValueSet> other_answer_;
  mutable std::unique_ptr<ITimeSpaceValueSet> values_;
};

/// An output of a component in its worker that has values for times and no time set: each question is passed on.
class AskedOutput final : public OutputOf<ITimeSpaceOutput> {
 public:
  AskedOutput(WorkerTalk talk, std::int64_t number, ItemDescription read, IBaseLinkableComponent& component);
  /// The last answer, if the component failed and is frozen.
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override;
  const openmi::ITimeSet* TimeSet() const override { return nullptr; }
  const ISpatialDefinition* SpatialDefinition() const override { return spatial_.get(); }

  /// The earliest time that is needed, UTC; the far future: it is not linked.
  Stamp EarliestNeeded() const { return demand_.EarliestNeeded(); }

 protected:
  void OnConsumerAdded(IBaseInput& consumer) override { demand_.Add(consumer); }
  void OnConsumerRemoved(IBaseInput& consumer) override {
    demand_.Remove(consumer);
    answers_.erase(&consumer);
  }
  void OnAdaptedOutputsChanged() override { demand_.SetAdaptedOutputs(AdaptedOutputs()); }

 private:
  WorkerTalk talk_;
  std::int64_t number_;
  std::shared_ptr<const ISpatialDefinition> spatial_;
  DemandList demand_;
  std::map<const IBaseExchangeItem*, std::unique_ptr<ITimeSpaceValueSet>> answers_;
  mutable std::unique_ptr<ITimeSpaceValueSet> values_;
};

/// The factories of a component in a worker.
class RemoteFactories {
 public:
  explicit RemoteFactories(WorkerTalk talk) : talk_(std::move(talk)) {}
  /// Makes the factories again.
  /// \param outputs  the outputs of the component, in this process; borrowed
  void Read(StateReader& reader, std::span<IBaseOutput* const> outputs);
  std::vector<IAdaptedOutputFactory*>& Items() { return items_; }
  /// Whether an adapted output was made.
  bool HaveMade() const { return has_made_; }

 private:
  class Factory;
  WorkerTalk talk_;
  std::vector<IBaseOutput*> outputs_;
  std::vector<std::unique_ptr<IAdaptedOutputFactory>> factories_;
  std::vector<IAdaptedOutputFactory*> items_;
  bool has_made_ = false;
};

}  // namespace openmi
