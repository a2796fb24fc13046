#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "composition/isolation/BytesValueSet.hpp"
#include "composition/isolation/Channel.hpp"
#include "composition/isolation/RowArena.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/TimeSet.hpp"
#include "timespace/ValueSets.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The provider of a component's input whose real provider is in the other process: hands the question on, and answers
/// with rows that the other side wrote into shared memory.
class RemoteProvider final : public OutputOf<ITimeSpaceOutput> {
 public:
  /// \param input     the component's input; this registers itself as its provider. Borrowed, as channel and arena
  /// \param instance  the number of the component
  /// \param number    the number of the input
  RemoteProvider(ITimeSpaceInput& input, Channel& channel, RowArena& arena, std::int64_t instance, std::int64_t number);
  ~RemoteProvider() override;

  /// What the real provider gives. Before it is told, the input's own definition stands here.
  void Describe(std::unique_ptr<const IValueDefinition> definition, std::shared_ptr<const ISpatialDefinition> spatial,
                std::unique_ptr<openmi::TimeSet> times);

  const IValueDefinition& ValueDefinition() const override;
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return spatial_.get(); }
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override;
  /// The earliest time the input may still ask for, UTC.
  Stamp EarliestNeeded() const;

 private:
  struct Slot {
    double* row = nullptr;
    std::size_t capacity = 0;
  };
  const ITimeSpaceValueSet& AskForRows(std::size_t count);
  /// \returns null where the other side has no single value of bytes
  const ITimeSpaceValueSet* AskForBytes();
  StateWriter& BeginRequest(std::int64_t request, const openmi::ITimeSet* times);

  ITimeSpaceInput& input_;
  const IDemand* demand_;
  Channel& channel_;
  RowArena& arena_;
  std::int64_t instance_;
  std::int64_t number_;
  std::unique_ptr<const IValueDefinition> definition_;
  std::shared_ptr<const ISpatialDefinition> spatial_;
  std::unique_ptr<openmi::TimeSet> times_;
  bool is_numeric_ = true;
  bool is_bytes_ = false;
  CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space_;
  StateWriter request_;
  std::vector<Slot> slots_;
  RowsView view_;
  BytesValueSet bytes_{1};
  std::unique_ptr<ITimeSpaceValueSet> other_values_;
};

}  // namespace openmi
