#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/proxy/FrozenItems.hpp"
#include "openmi/sdk/IProxy.hpp"
#include "timespace/items/AdaptedOutput.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

class ComponentProxy;

/// Is notified of each row that an output publishes, once, in order. Rows of outputs of different components may arrive
/// on several threads at once: listeners guard what they share.
class IRowListener {
 public:
  virtual ~IRowListener() = default;
  /// \param begin     start of the row, UTC
  /// \param duration  0 for an instant
  /// \param row       shape [elements], in the output's unit; valid during the call only
  virtual void OnRow(Stamp begin, Days duration, std::span<const double> row) = 0;
};

/// The engine's proxy of a component's output: everything else is linked to the proxy and never to the component's
/// item.
///
/// The proxy passes questions on, and it owns the rows. A component of the SDK writes its rows here
/// (IHistoryProvider::KeepRowsIn); from any other component, the proxy copies each row when it is published. Values
/// that are no numbers, or have no times, stay with the component. Listeners are notified of every row.
///
/// The component may leave, and another one may replace it. In between the proxy shows everything that was shown
/// before, and answers questions for any time with the last row: it repeats that row up to the time asked for.
class OutputProxy final : public AdaptedOutput, public IHistoryProvider, public IProxy {
 public:
  /// \param output     the component's item; borrowed until Detach. The proxy registers there.
  /// \param component  the engine's proxy of the component; null: the component itself is the owner. Borrowed.
  /// \param store      where the rows are stored; null: in ordinary memory. Borrowed.
  explicit OutputProxy(ITimeSpaceOutput& output, IBaseLinkableComponent* component = nullptr,
                       IRowStore* store = nullptr);
  ~OutputProxy() override;

  std::string Caption() const override { return AdapteeItems().Caption(); }
  std::string Description() const override { return AdapteeItems().Description(); }
  void Refresh() override;
  /// As that of an adaptor, but also before the proxy is initialized.
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override {
    Answer& answer = Answers().For(query_specifier);
    return Compute({query_specifier, answer}, answer);
  }
  const RowHistory* UseHistory() override { return &rows_; }
  Advance AdvanceTo(Stamp time) override;
  /// The earliest time (UTC) that is still needed, including rows that listeners still wait for.
  Stamp EarliestNeeded() const override;
  bool ReadsRows() const override;
  /// The output of the component; while that is out, what shows its last values.
  const IBaseOutput& Behind() const override { return Adaptee(); }

  /// Sets what makes the component step when a row is asked for that is not there; null: the component itself.
  /// Borrowed.
  void SetStepper(IHistoryProvider* stepper) { stepper_ = stepper; }
  IHistoryProvider* Stepper() const { return stepper_; }
  /// What AdvanceTo does without a stepper.
  Advance AdvanceComponent(Stamp time);
  /// Sets whether listeners wait, because rows that are made now may be undone, or are made side by side with others.
  /// When the last caller ends the wait, the listeners are notified of the rows that are left. Calls nest.
  void SetQuiet(bool quiet);
  /// Forgets the rows after `time`: the component went back to that time, where it was at the last call of
  /// SetQuiet(true).
  void Rewind(Stamp time);
  /// Whether listeners wait at present.
  bool IsQuiet() const { return quiet_ > 0; }
  /// Like Rewind, for a component that cannot go back and is not called again: its rows go back without it.
  void TakeBack(Stamp time);
  /// Whether the component itself writes its rows here; otherwise they are copied, or asked for.
  bool HoldsRows() const { return lent_; }
  /// Whether the values never change, so that a question for any time gets them.
  bool IsTimeless() const { return rows_.IsTimeless(); }
  /// Whether the values are numbers. Others are passed on unchanged.
  bool IsNumeric() const { return numeric_; }
  /// Whether questions go to the component's own item, which answers itself.
  bool PassesOn() const { return !numeric_ || (!lent_ && AdapteeItems().TimeSet() == nullptr); }
  void AddListener(IRowListener& listener) { listeners_.push_back(&listener); }
  void RemoveListener(IRowListener& listener) { std::erase(listeners_, &listener); }
  /// Stops notifying listeners: the component has not yet reached the time at which it starts.
  void Mute() { is_muted_ = true; }
  /// Notifies listeners of the rows that exist from `begin` on, and of all later ones.
  void UnmuteFrom(Stamp begin);

  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

  /// Copies what the item shows into the engine's own memory, for Detach.
  /// \throws LinkError  something cannot be copied
  std::unique_ptr<FrozenOutput> Freeze(PlaceCopies& places) const;
  /// Releases the component's item.
  /// \param shown  what Freeze gave
  void Detach(std::unique_ptr<FrozenOutput> shown);
  /// Attaches the item of a prepared component. Its rows follow those that exist here; of the latter, rows at its times
  /// or later are replaced. Listeners are notified only of rows later than those they know. Call Refresh afterwards.
  /// \returns what was shown until now, for another Detach if the component does not continue
  /// \throws LinkError  it is not of the same kind as the one before; nothing changes
  std::unique_ptr<FrozenOutput> Attach(ITimeSpaceOutput& output);
  /// Checks what Attach checks.
  /// \throws LinkError  Attach would refuse `output`
  void RequireFits(const ITimeSpaceOutput& output) const { RequireSameKind(*frozen_, output); }
  bool IsAttached() const { return frozen_ == nullptr; }

 protected:
  void OnInitialize() override;
  void OnRefresh() override;
  const ITimeSpaceValueSet& Compute(const Question& question, Answer& answer) override;

 private:
  /// Finds out how the item gives its rows, and registers there.
  void TakeUp(ITimeSpaceOutput& output);
  /// Repeats the last row until `time`.
  Advance HoldUntil(Stamp time);
  /// Copies the present rows.
  /// \param again  also a row that ends when the newest one ends: it replaces the newest one
  void Capture(bool again);
  /// Updates a component whose values cannot be stored here until it has reached the time of the question.
  void AdvanceInPlace(const Question& question);
  Advance StepInPlace(Stamp wanted);
  void NotifyListeners();

  /// AdvanceComponent for a component that may fail freely: its failure is thrown, not held.
  Advance AdvanceFreely(Stamp time);
  /// AdvanceFreely, once it is noted which component runs.
  Advance AdvanceHere(Stamp time);

  RowHistory rows_;
  ComponentProxy* host_ = nullptr;  // null: the component itself is the owner
  bool lent_ = false;               // whether the component itself writes its rows here
  bool is_bound_ = false;           // whether the component has to be updated on a thread of its own
  IHistoryProvider* stepper_ = nullptr;
  int quiet_ = 0;                    // how many callers make listeners wait
  Stamp quiet_since_ = kFarFuture;   // listeners wait for the rows from here on
  Stamp reported_until_ = kFarPast;  // the end of the last row of which they were notified
  bool is_rewound_ = false;          // whether rows were undone since
  bool numeric_ = true;
  std::uint64_t reported_ = 0;
  Stamp heard_until_ = kFarPast;  // the same, for a component before this one
  bool is_muted_ = false;
  std::vector<IRowListener*> listeners_;
  std::unique_ptr<FrozenOutput> frozen_;  // while no component is attached
};

}  // namespace openmi
