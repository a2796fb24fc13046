#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "composition/run/FrozenItems.hpp"
#include "composition/run/IRowListener.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "timespace/AdaptedOutput.hpp"

namespace openmi {

class ComponentStandIn;

/// The host's own output in front of a component's: everybody else is linked to it and never to the component's item.
///
/// It passes questions on, and it owns the rows: a component of the SDK writes them here
/// (IHistoryProvider::KeepRowsIn), from a foreign one each is taken over as it is published. Values that are no
/// numbers, or have no times, are the component's own. Listeners hear every row.
///
/// The component may go and another come in its place. In between everything that was shown stays, and questions are
/// answered with the last row, whatever time they are for: it is repeated as far as anybody asks.
class StandIn final : public AdaptedOutput, public IHistoryProvider {
 public:
  /// \param output     the component's item; borrowed until Detach. Registers itself there.
  /// \param component  the host's own stand-in for the component; null: the component itself is named as owner
  /// \param store      where the rows live; null: in ordinary memory. Borrowed
  explicit StandIn(ITimeSpaceOutput& output, IBaseLinkableComponent* component = nullptr, IRowStore* store = nullptr);
  ~StandIn() override;

  std::string Caption() const override { return AdapteeItems().Caption(); }
  std::string Description() const override { return AdapteeItems().Description(); }
  void Refresh() override;
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const RowHistory* UseHistory() override { return &rows_; }
  Advance AdvanceTo(Stamp time) override;
  /// Rows that listeners still wait for are needed, too.
  Stamp EarliestNeeded() const override;

  /// Who makes the component step when a row is asked for that is not there; null: the component itself.
  void SetStepper(IHistoryProvider* stepper) { stepper_ = stepper; }
  IHistoryProvider* Stepper() const { return stepper_; }
  /// What AdvanceTo does where nobody steps in.
  Advance AdvanceComponent(Stamp time);
  /// Lets listeners wait: rows are made that may be taken back, or side by side with others. They hear what is left
  /// when nobody lets them wait any longer. Calls nest.
  void SetQuiet(bool quiet);
  /// The component went back to `time`, where it was when SetQuiet(true) was called last: rows after it are forgotten.
  void Rewind(Stamp time);
  /// Whether listeners hear nothing at present.
  bool IsQuiet() const { return quiet_ > 0; }
  /// As Rewind where the component cannot be brought back, and is not called again: its rows go back without it.
  void TakeBack(Stamp time);
  /// Whether its rows are kept here by the component itself; else they are taken over, or asked for.
  bool HoldsRows() const { return lent_; }
  /// Whether its values never change, so that any time asked for gets them.
  bool IsTimeless() const { return rows_.IsTimeless(); }
  /// Whether the values are numbers; others are passed on as they are.
  bool IsNumeric() const { return numeric_; }
  /// Whether questions go to the component's own item, and answers are its own.
  bool PassesOn() const { return !numeric_ || (!lent_ && AdapteeItems().TimeSet() == nullptr); }
  void AddListener(IRowListener& listener) { listeners_.push_back(&listener); }
  void RemoveListener(IRowListener& listener) { std::erase(listeners_, &listener); }
  /// Listeners are told nothing from now on: the component is not yet where it begins.
  void Mute() { is_muted_ = true; }
  /// They are told what is there from `begin` on, and all that comes.
  void UnmuteFrom(Stamp begin);

  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

  /// What the item shows, in the host's own memory: what Detach takes.
  /// \throws LinkError  something that cannot be copied
  std::unique_ptr<FrozenOutput> Freeze(PlaceCopies& places) const;
  /// Lets the component's item go.
  /// \param shown  what Freeze gave
  void Detach(std::unique_ptr<FrozenOutput> shown);
  /// Takes the item of a prepared component up. Its rows follow those that are here; of the latter, those at its times
  /// or later give way. Listeners hear only what is later than what they heard. To be refreshed afterwards.
  /// \returns what was shown until now, to be detached with should the component not go on
  /// \throws LinkError  it is not of the same kind as the one before; nothing changes
  std::unique_ptr<FrozenOutput> Attach(ITimeSpaceOutput& output);
  /// What Attach refuses. \throws LinkError
  void RequireFits(const ITimeSpaceOutput& output) const { RequireSameKind(*frozen_, output); }
  bool IsAttached() const { return frozen_ == nullptr; }
  /// The end of the last row that the component gave; the far past before the first.
  Stamp LastGiven() const { return frozen_ != nullptr ? last_given_ : rows_.LatestEnd(); }

 protected:
  void OnInitialize() override;
  void OnRefresh() override;
  void OnConsumerRemoved(IBaseInput& consumer) override;
  void Compute(const IBaseExchangeItem& query, Answer& answer) override;

 private:
  /// Finds out how the item gives its rows, and registers there.
  void TakeUp(ITimeSpaceOutput& output);
  /// Repeats the last row until `time`.
  Advance HoldUntil(Stamp time);
  /// Takes the present rows over. \param again  also one that ends when the newest one does: it replaces that one
  void Capture(bool again);
  /// Lets a component whose values cannot be kept here update until it is where the question is.
  void AdvanceInPlace(const IBaseExchangeItem& query);
  Advance StepInPlace(Stamp wanted);
  void TellListeners();

  /// The same where nothing stands for a component that fails.
  Advance AdvanceFreely(Stamp time);
  /// The same once it is noted whose code is at work.
  Advance AdvanceHere(Stamp time);

  RowHistory rows_;
  CastByType<const ITimeSpaceExchangeItem, const IBaseExchangeItem> as_time_space_;  // of who asks
  ComponentStandIn* host_ = nullptr;  // null: the component itself is the owner
  bool lent_ = false;                 // whether the component writes there by itself
  bool is_bound_ = false;             // whether the component has to be updated on a thread of its own
  IHistoryProvider* stepper_ = nullptr;
  int quiet_ = 0;                   // how many wait for this
  Stamp quiet_since_ = kFarFuture;  // rows from here on have to be told
  Stamp told_until_ = kFarPast;     // the end of the last row they were told
  bool is_rewound_ = false;         // whether rows were taken back since
  bool numeric_ = true;
  std::uint64_t told_ = 0;
  Stamp heard_until_ = kFarPast;  // of a component before this one
  bool is_muted_ = false;
  std::vector<IRowListener*> listeners_;
  std::unique_ptr<FrozenOutput> frozen_;  // while no component is attached
  Stamp last_given_ = kFarPast;
};

}  // namespace openmi
