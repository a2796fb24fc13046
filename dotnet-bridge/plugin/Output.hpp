#pragma once

#include <map>
#include <memory>

#include "dotnet-bridge/plugin/Input.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/items/DemandList.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"

namespace openmi::dotnet {

/// An output or adapted output of a component, for those on it that the component does not know.
class IHasOthers {
 public:
  virtual ~IHasOthers() = default;
  virtual void RefreshOthers() = 0;
  virtual void InitializeOthers() = 0;
};

class IOwner {
 public:
  virtual ~IOwner() = default;
  /// Takes the rows that the component published.
  virtual void TakeRows() = 0;
};

/// An output or adapted output of a component. The component sees a consumer for each one in the engine, and one for
/// all adapted outputs of the engine.
///
/// \tparam Interface  ITimeSpaceOutput or ITimeSpaceAdaptedOutput
template <class Interface>
class OutputThing : public OutputOf<Interface>,
                    public IManaged,
                    public ISharedPlaces,
                    public IHasTimes,
                    public IHasOthers,
                    public IHearsItem {
 public:
  /// \param component  the owner; borrowed
  OutputThing(Thing thing, IBaseLinkableComponent* component);
  ~OutputThing() override;

  std::string Caption() const override;
  void SetCaption(const std::string& caption) override;
  std::string Description() const override;
  void SetDescription(const std::string& description) override;
  void RemoveAdaptedOutput(IBaseAdaptedOutput& adapted_output) override;
  const ITimeSpaceValueSet& Values() const override;
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const openmi::ITimeSet* TimeSet() const override;
  const ISpatialDefinition* SpatialDefinition() const override { return SharedPlaces().get(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return places_.Of(Number()); }
  int Number() const override { return thing_.Number(); }
  Places& KnownPlaces() { return places_; }
  const openmi::ITimeSet* ConsumerTimes() override { return &needed_; }
  void OnItemChanged(const std::string& message) override {
    if (message != "values") this->RaiseItemChanged(message.c_str());
  }

  /// Refreshes the adapted outputs that the component does not know, also those on its own.
  void RefreshOthers() override;
  /// Initializes them.
  void InitializeOthers() override;

 protected:
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;
  void OnAdaptedOutputsChanged() override;
  const DemandList& Demand() const { return demand_; }
  openmi::TimeSet& Needed() { return needed_; }

 private:
  /// A consumer in the engine.
  class Consumer final : public IHasTimes {
   public:
    explicit Consumer(const IBaseExchangeItem& item) : item_(dynamic_cast<const ITimeSpaceExchangeItem*>(&item)) {}
    const openmi::ITimeSet* ConsumerTimes() override { return item_ != nullptr ? item_->TimeSet() : nullptr; }
    int number = 0;                              ///< what the component sees; 0: not registered
    std::unique_ptr<ITimeSpaceValueSet> answer;  ///< the last one

   private:
    const ITimeSpaceExchangeItem* item_;
  };

  /// Takes a consumer of the component's away.
  void Unregister(int consumer);

  Thing thing_;
  std::map<const IBaseExchangeItem*, std::unique_ptr<Consumer>> consumers_;
  int watcher_ = 0;  // the consumer that stands for all adapted outputs; 0: none
  openmi::TimeSet needed_;
  std::unique_ptr<ITimeSpaceValueSet> other_answer_;
  CastByType<IHasOthers, IBaseAdaptedOutput> as_owner_;
  DemandList demand_;
  Places places_;
  mutable Times times_;
  mutable std::unique_ptr<ITimeSpaceValueSet> values_;
};

/// An output of a component. Its rows are copied once, to where the engine keeps them, when the component was called.
class Output final : public OutputThing<ITimeSpaceOutput>, public IHistoryProvider {
 public:
  Output(Thing thing, IBaseLinkableComponent* component);

  const RowHistory* UseHistory() override { return has_rows_ ? history_ : nullptr; }
  Advance AdvanceTo(Stamp time) override;
  bool KeepRowsIn(RowHistory* rows) override;

  /// Copies the rows that are new.
  void TakeRows();
  /// \param looked  what Border.Look wrote
  void TakeRows(std::span<const double> looked);
  bool HasRows() const { return has_rows_; }
  /// Forgets the rows of later than the output has now: the component went back.
  void Rewind();

 private:
  RowHistory own_;
  RowHistory* history_ = &own_;  // own_, or the lent one
  bool has_rows_;
  std::vector<double> look_ = std::vector<double>(16);
  Times times_;
};

extern template class OutputThing<ITimeSpaceOutput>;
extern template class OutputThing<ITimeSpaceAdaptedOutput>;

}  // namespace openmi::dotnet
