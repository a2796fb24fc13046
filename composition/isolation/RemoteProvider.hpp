#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "composition/channel/Channel.hpp"
#include "composition/isolation/AnswerRow.hpp"
#include "composition/isolation/Protocol.hpp"
#include "composition/isolation/RowPeers.hpp"
#include "composition/proxy/ComponentProxy.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/optional/ISharedPlaces.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/BytesValueSet.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

/// The provider of a component's input whose real provider is in the other process. It passes the question on, and
/// answers with rows that the other process wrote into shared memory.
class RemoteProvider final : public OutputOf<ITimeSpaceOutput>, public ISharedPlaces {
 public:
  /// Registers as the provider of `input`.
  /// \param input     the component's input; borrowed
  /// \param channel   borrowed
  /// \param peers     other workers, and the rows of this one; borrowed
  /// \param instance  number of the component
  /// \param number    number of the input
  RemoteProvider(ITimeSpaceInput& input, Channel& channel, RowPeers& peers, std::int64_t instance, std::int64_t number);
  ~RemoteProvider() override;

  /// Sets what the real provider gives. Before that, the input's own definition is used.
  void Describe(std::unique_ptr<const IValueDefinition> definition, std::unique_ptr<openmi::TimeSet> times);
  /// Reads where the real provider's elements are now, and how far its component is, if `reader` contains that.
  /// Elements of which only the coordinates changed stay the same object, with another version.
  void TakeNews(StateReader& reader);

  const IValueDefinition& ValueDefinition() const override;
  const openmi::ITimeSet* TimeSet() const override { return times_.get(); }
  const ISpatialDefinition* SpatialDefinition() const override { return spatial_.get(); }
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return spatial_; }
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override;
  /// Notes that the answer to a foreseen question was sent ahead, into the place that the last question named for it.
  /// \param has_durations  whether the question will be for a span
  /// \param asked          the one time that the question will be for, UTC
  /// \param size           number of values of the row, or number of bytes
  /// \param name           of the row
  void TakeAhead(bool has_durations, const Time& asked, std::size_t size, const RowName& name);
  /// Drops an answer that was sent ahead and that the component did not ask for.
  /// \returns whether there was such an answer
  bool DropAhead() { return ahead_.Drop(); }
  /// The earliest time (UTC) that the input may still ask for.
  Stamp EarliestNeeded() const;

 private:
  enum class Answers { InRows, InBytes, AsValues };
  void TakePlaces(StateReader& reader);
  const ITimeSpaceValueSet& AskForRows(std::size_t count);
  /// Takes a row from where it comes.
  void TakeRow(const RowName& name, std::size_t size, AnswerRow& into);
  /// Asks for one value of bytes.
  /// \returns null if the other side has no single value of bytes
  const ITimeSpaceValueSet* AskForBytes();
  const ITimeSpaceValueSet& UseAhead();
  void BeginRequest(EngineRequest request, const openmi::ITimeSet* times);

  ITimeSpaceInput& input_;
  const IDemand* demand_;
  Channel& channel_;
  RowPeers& peers_;
  std::int64_t instance_;
  std::int64_t number_;
  std::unique_ptr<const IValueDefinition> definition_;
  std::shared_ptr<const ISpatialDefinition> spatial_;
  std::shared_ptr<ElementSet> moved_;  // the same elements, after their coordinates changed
  ComponentProxy owner_;               // reports how far the providing component is
  std::unique_ptr<openmi::TimeSet> times_;
  Answers answers_ = Answers::InRows;
  CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space_;
  StateWriter request_;
  std::vector<AnswerRow> rows_;
  AnswerRow spare_;  // for rows of numbers: the last answer stays until the next question
  AheadAnswer ahead_;
  RowsView view_;
  BytesValueSet bytes_{1};
  std::unique_ptr<ITimeSpaceValueSet> other_values_;
};

}  // namespace openmi
