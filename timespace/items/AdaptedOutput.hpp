#pragma once

#include <memory>
#include <string>
#include <vector>

#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "timespace/items/AnswerCache.hpp"
#include "timespace/items/DemandList.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/optional/ISharedPlaces.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"
#include "timespace/values/NumberRows.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {

class StateReader;
class StateWriter;

/// What an adapted output does with the rows of its adaptee. Only checks and advice use it, not computations.
struct AdaptorTraits {
  bool keeps_rows = false;     ///< makes one row from each row, at the row's own time
  bool blends_rows = false;    ///< makes values for times between rows, and spans from instants
  bool maps_places = false;    ///< maps values to other elements, by their places or ids
  bool fills_missing = false;  ///< gives a value where the adaptee has none, also before its first row
};

/// The base class of adapted outputs of numbers.
///
/// This class implements identity, arguments, consumers with one answer each, and refresh. A derived class implements
/// `Compute`, which gets each question with its times. The derived class reads the rows of the adaptee through
/// `AdapteeProvider()` if it needs rows at other times than those of the question, otherwise through `Ask()`.
class AdaptedOutput : public OutputOf<ITimeSpaceAdaptedOutput>, public IDemand, public ISharedPlaces {
 public:
  /// \param adaptee     borrowed; an output with times and places
  /// \param definition  what the adapted values mean; null: the definition of the adaptee
  /// \throws LinkError  the adaptee has no times and places
  AdaptedOutput(std::string id, IBaseOutput& adaptee, std::unique_ptr<const IValueDefinition> definition = nullptr);
  ~AdaptedOutput() override;

  IBaseOutput& Adaptee() const override { return *adaptee_; }
  std::span<IArgument* const> Arguments() const override { return arguments_.Items(); }
  const IValueDefinition& ValueDefinition() const override;
  const openmi::ITimeSet* TimeSet() const override { return adaptee_items_->TimeSet(); }
  const ISpatialDefinition* SpatialDefinition() const override { return adaptee_items_->SpatialDefinition(); }
  /// The places of the adaptee. A derived class with other places overrides this and `SpatialDefinition()`.
  std::shared_ptr<const ISpatialDefinition> SharedPlaces() const override { return PlacesOf(*adaptee_items_); }

  void Initialize() override;
  void Refresh() override;
  /// Reads the times of the query and answers with `Compute`, which a derived class implements.
  const ITimeSpaceValueSet& GetValues(const IBaseExchangeItem& query_specifier) override;
  const ITimeSpaceValueSet& Values() const override { return adaptee_items_->Values(); }
  Stamp EarliestNeeded() const override;

  /// Checks arguments and elements before the run. Call it when the arguments are set.
  /// \throws Error  as `Initialize` would
  virtual void Check() {}
  /// Notes of `Check` for the author of the composition, one sentence each.
  /// \pre  `Check` has been called
  virtual std::vector<std::string> Notes() const { return {}; }
  /// Possible mistakes that `Check` found, one sentence each.
  /// \pre  `Check` has been called
  virtual std::vector<std::string> Warnings() const { return {}; }
  /// What this output does with the rows of its adaptee. Does not depend on arguments.
  virtual AdaptorTraits Traits() const { return {}; }
  /// Whether a row of this output can start and end at `time`. False if this output makes rows in regular steps, and
  /// `time` is within a step.
  /// \pre  `Check` found no error
  virtual bool HasEdgeAt(Stamp time) const { return static_cast<void>(time), true; }
  /// Writes the data that this output keeps from one query to the next and cannot compute again from the rows of its
  /// adaptee. For checkpoints.
  ///
  /// Writes nothing unless a derived class overrides this function.
  virtual void SaveState(StateWriter& writer) const { static_cast<void>(writer); }
  /// Reads what `SaveState` wrote, after `Initialize` and after the state of the component was restored.
  virtual void LoadState(StateReader& reader) { static_cast<void>(reader); }

  /// Whether the output can answer queries for stamps. The default is the answer of the adaptee.
  virtual bool AnswersStamps() const;
  /// Whether the output can answer queries for spans. The default is the answer of the adaptee.
  virtual bool AnswersSpans() const;

  /// Announces that the element set `before` is about to be destroyed and that `after` replaces it.
  ///
  /// This output may hold a pointer to `before`. Both sets have the same elements at different addresses. The adaptee
  /// may still return either of the two.
  /// \param moved  whether the geometry differs nevertheless, so that weights must be computed again
  virtual void ReplaceElements(const ISpatialDefinition& before, const ISpatialDefinition& after, bool moved) {
    static_cast<void>(before), static_cast<void>(after), static_cast<void>(moved);
  }

 protected:
  using Answer = AnswerCache::Answer;
  using Question = AnswerCache::Question;

  /// Sets the definition of the adapted values, when the constructor could not know it.
  void SetOwnDefinition(std::unique_ptr<const IValueDefinition> definition) {
    SetValueDefinition(std::move(definition));
    own_definition_ = true;
  }

  /// Reads the arguments and prepares weights. Called once, before the first `Refresh`.
  virtual void OnInitialize() {}
  /// Updates this output after a change of the adaptee.
  virtual void OnRefresh() {}
  /// Answers a question for its times.
  /// \param answer  the answer that belongs to the asker; its `view` and its rows may be used
  /// \returns the values, valid until the asker asks again: usually `answer.view`
  virtual const ITimeSpaceValueSet& Compute(const Question& question, Answer& answer) = 0;
  /// The earliest time of the adaptee that an answer for `time` needs.
  virtual Stamp NeededFor(Stamp time) const { return time; }

  /// Declares an argument. Call it in the constructor.
  template <class T>
  Argument<T> AddArgument(std::string id, const ArgumentOptions<T>& options) {
    return arguments_.Add<T>(std::move(id), options);
  }
  /// The arguments, for the derived class.
  ArgumentList& ArgumentItems() { return arguments_; }

  /// Replaces the adaptee by another one with the same kind of values and the same history.
  void SetAdaptee(ITimeSpaceOutput& adaptee);
  ITimeSpaceOutput& AdapteeItems() const { return *adaptee_items_; }
  /// Access to the rows of the adaptee, for a derived class that needs more than the answer to a question; null if the
  /// adaptee gives no such access.
  IHistoryProvider* AdapteeProvider() const { return adaptee_provider_; }
  /// The values with which the adaptee answers `question`.
  const ITimeSpaceValueSet& AskForValues(const Question& question);
  /// The rows with which the adaptee answers `question`, as contiguous numbers. Valid until the next call.
  const INumericRows& Ask(const Question& question) { return AsRows(AskForValues(question)); }
  /// The adaptee's present values (`IBaseOutput::Values`) as contiguous numbers. Valid until the next call.
  const INumericRows& Present();
  /// The place of this output, for error messages.
  Where Place() const;
  bool IsInitialized() const { return initialized_; }
  /// Whether a consumer or adapted output reads the values of rows here.
  bool AreRowsRead() const { return demand_.AreRowsRead(); }
  AnswerCache& Answers() { return answers_; }
  void CheckConsumer(const IBaseInput& consumer) const override;
  void OnConsumerAdded(IBaseInput& consumer) override;
  void OnConsumerRemoved(IBaseInput& consumer) override;
  void OnAdaptedOutputsChanged() override { demand_.SetAdaptedOutputs(AdaptedOutputs()); }

 private:
  /// Answers a question of a consumer, or of an adapted output on this output. The question already has its times.
  /// \throws StateError  this output is not initialized
  const ITimeSpaceValueSet& Reply(const Question& question, Answer& answer);
  const INumericRows& AsRows(const ITimeSpaceValueSet& values);
  /// Registers a consumer of this output, or of an adapted output on this output: its queries also arrive here.
  ///
  /// Each consumer has its own answer, so that consumers can ask in parallel.
  void ExpectQuestionsOf(const IBaseInput& consumer);
  void ForgetQuestionsOf(const IBaseInput& consumer);

  IBaseOutput* adaptee_;
  ITimeSpaceOutput* adaptee_items_;
  IHistoryProvider* adaptee_provider_;
  AdaptedOutput* below_;  // the adaptee when it is an AdaptedOutput; else null
  bool own_definition_;
  bool initialized_ = false;
  AnswerCache answers_;
  DemandList demand_;
  NumberRows numeric_rows_;
  std::unique_ptr<NumericValueSet> foreign_;  // copy of the answer of a third-party adaptee; made when first needed
  ArgumentList arguments_;
};

/// The traits of an adapted output; all false if it does not derive from `AdaptedOutput`.
inline AdaptorTraits TraitsOf(const IBaseAdaptedOutput& adaptor) {
  const auto* own = dynamic_cast<const AdaptedOutput*>(&adaptor);
  return own != nullptr ? own->Traits() : AdaptorTraits();
}

}  // namespace openmi
