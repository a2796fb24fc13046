#pragma once

#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/DemandList.hpp"
#include "timespace/HistoryAnswers.hpp"
#include "timespace/IHistoryProvider.hpp"
#include "timespace/ISharedPlaces.hpp"
#include "timespace/ValueSets.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// The base of adapted outputs of numbers: identity, arguments, consumers with an answer each, refresh.
///
/// A derived class says what it makes of its adaptee in Compute. It reads the adaptee's rows through AdapteeHistory()
/// when there is one, and through Ask() otherwise.
class AdaptedOutput : public OutputOf<ITimeSpaceAdaptedOutput>, public IDemand, public ISharedPlaces {
 public:
  /// \param adaptee     borrowed; an output with times and places
  /// \param definition  what the adapted values are; null: the same as the adaptee's
  /// \throws LinkError  the adaptee has no times and places
  AdaptedOutput(std::string id, IBaseOutput& adaptee, std::unique_ptr<const IValueDefinition> definition = nullptr);
  ~AdaptedOutput() override;

  IBaseOutput& Adaptee() const override { return *adaptee_; }
  std::span<IArgument* const> Arguments() const override { return arguments_.Items(); }
  const IValueDefinition& ValueDefinition() const override;
  const openmi::ITimeSet* TimeSet() const override { return adaptee_items_->TimeSet(); }
  const ISpatialDefinition* SpatialDefinition() const override { return adaptee_items_->SpatialDefinition(); }
  /// Those of the adaptee; a derived class with places of its own overrides both.
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return PlacesOf(*adaptee_items_); }

  void Initialize() override;
  void Refresh() override;
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override { return adaptee_items_->Values(); }
  Stamp EarliestNeeded() const override;

  /// Finds what is wrong with arguments and elements before anything runs: call when the arguments are set.
  /// \throws Error  as Initialize would
  virtual void Check() {}
  /// Writes what it remembers from one question to the next, and cannot make anew of its adaptee's rows: for
  /// checkpoints. Nothing, unless a derived class remembers something.
  virtual void SaveState(StateWriter& writer) const { static_cast<void>(writer); }
  /// Reads it back, once Initialize was called and the component's own state was restored.
  virtual void LoadState(StateReader& reader) { static_cast<void>(reader); }

  /// Whether a question for stamps (spans) can be answered: as the adaptee can, unless a derived class says otherwise.
  virtual bool AnswersStamps() const;
  virtual bool AnswersSpans() const;

  /// Tells that `before`, which this output may hold a pointer to, is about to go, and that `after` is to be used in
  /// its place: the same elements, elsewhere in memory. The adaptee may still be showing either of the two. \param
  /// moved  whether their geometry differs all the same: weights made from it are to be made again
  virtual void ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) {
    static_cast<void>(before), static_cast<void>(after), static_cast<void>(moved);
  }

 protected:
  using Answer = AnswerBook::Answer;

  /// Says what the adapted values are, where the constructor could not know yet.
  void SetOwnDefinition(std::unique_ptr<const IValueDefinition> definition) {
    SetValueDefinition(std::move(definition));
    own_definition_ = true;
  }

  /// Reads the arguments and prepares weights; once, before the first Refresh.
  virtual void OnInitialize() {}
  /// The adaptee changed.
  virtual void OnRefresh() {}
  /// Fills `answer.view` for `answer.times` (UTC; empty when the query has no time: the present values are wanted).
  virtual void Compute(const IBaseExchangeItem& query, Answer& answer) = 0;
  /// The earliest time of the adaptee that is needed to answer for `time`.
  virtual Stamp NeededFor(Stamp time) const { return time; }

  template <class T>
  Argument<T> AddArgument(std::string id, const ArgumentOptions<T>& options) {
    return arguments_.Add<T>(std::move(id), options);
  }

  /// Puts another adaptee in the place of the present one, with the same kind of values and the same history.
  void SetAdaptee(ITimeSpaceOutput& adaptee);
  ITimeSpaceOutput& AdapteeItems() const { return *adaptee_items_; }
  /// The adaptee's door to its rows; null if it has none.
  IHistoryProvider* AdapteeDoor() const { return door_; }
  /// The adaptee's rows; null if it cannot show any. Asked for once, in Initialize.
  const RowHistory* AdapteeHistory() const { return history_; }
  /// Whether the adaptee's history is wanted: a derived class that only passes questions on says no.
  virtual bool WantsHistory() const { return true; }
  /// The rows with which the adaptee answers `query`, as contiguous numbers. Good until the next call.
  const INumericRows& Ask(const IBaseExchangeItem& query);
  /// The adaptee's present values (IBaseOutput::Values) as contiguous numbers. Good until the next call.
  const INumericRows& Present();
  /// The place of this output for error messages.
  Where Place() const;
  bool IsInitialized() const { return initialized_; }
  AnswerBook& Answers() { return answers_; }
  /// To be called once the adaptee was asked or advanced: in a loop of links somebody else may have put a question to
  /// this output meanwhile, and unregistered ones share one answer.
  void RereadTimes(const IBaseExchangeItem& query, const Answer& answer) {
    if (answer.query == nullptr) answers_.For(query);
  }
  void CheckConsumer(const IBaseInput& consumer) const override;
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;
  void OnAdaptedOutputsChanged() override { demand_.SetAdaptedOutputs(AdaptedOutputs()); }

 private:
  const INumericRows& AsRows(const ITimeSpaceValueSet& values);
  /// The questions of a consumer of an adapted output above arrive here too: each consumer has its own answer, so that
  /// consumers may ask side by side.
  void ExpectQuestionsOf(const IBaseInput& consumer);
  void ForgetQuestionsOf(const IBaseInput& consumer);

  IBaseOutput* adaptee_;
  ITimeSpaceOutput* adaptee_items_;
  IHistoryProvider* door_;
  AdaptedOutput* below_;  // the adaptee, where it is one of these; else null
  const RowHistory* history_ = nullptr;
  bool own_definition_;
  bool initialized_ = false;
  AnswerBook answers_;
  DemandList demand_;
  CastByType<const INumericRows, const IBaseValueSet> rows_door_;
  std::unique_ptr<NumericValueSet> foreign_;  // made when first needed
  ArgumentList arguments_;
};

}  // namespace openmi
