#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/isolation/AskPlan.hpp"
#include "composition/isolation/IProcessClaims.hpp"
#include "composition/isolation/IsolatedArgument.hpp"
#include "composition/isolation/IsolatedProcess.hpp"
#include "composition/isolation/IsolatedValues.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/CastByType.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Event.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/IResumes.hpp"
#include "openmi/sdk/IThreadSafety.hpp"
#include "openmi/sdk/ITunable.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/IBalance.hpp"
#include "timespace/IInitialValues.hpp"
#include "timespace/IRemarks.hpp"
#include "timespace/ISteps.hpp"
#include "timespace/NumericInput.hpp"
#include "timespace/NumericOutput.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"

namespace openmi {

/// Makes the component of an OMI file in a process of its own.
///
/// What comes back behaves as the component itself: arguments, items, status and values are those of the component over
/// there; its rows lie in memory that both processes see and are not copied. When that process ends, for whatever
/// reason, the call under way throws a ModelError that says how, the component is Failed, and its last values stay.
/// It offers the doors that the component has: ISteps, IBalance, IManageState, IByteStateConverter; and IResumes,
/// ITunable, IThreadSafety, IInitialValues and IRemarks, which answer as the component does, or as if there was no such
/// door. \param problems  as LoadOmi; or null \throws LoadError, ArgumentError  only without `problems`
LoadedComponent LoadIsolated(const std::shared_ptr<IsolatedProcess>& process, const OmiFile& omi,
                             Problems* problems = nullptr);

/// A component in another process, seen from here. Made by LoadIsolated.
class IsolatedComponent : public IdentifiedAs<ITimeSpaceComponent>,
                          public IFamilyKey,
                          public IProcessClaims,
                          public IResumes,
                          public ITunable,
                          public IThreadSafety,
                          public IInitialValues,
                          public IRemarks,
                          public IArgumentHolder {
 public:
  IsolatedComponent(std::shared_ptr<IsolatedProcess> process, std::int64_t instance, StateReader& description);
  ~IsolatedComponent() override;

  std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() override { return factories_; }
  std::span<IArgument* const> Arguments() const override { return argument_list_; }
  std::span<IBaseInput* const> Inputs() const override { return input_list_; }
  std::span<IBaseOutput* const> Outputs() const override { return output_list_; }
  LinkableComponentStatus Status() const override { return status_; }
  IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() override { return changed_; }
  const ITimeSet& TimeExtent() const override { return *time_extent_; }
  void SetCaption(const std::string& caption) override;
  void Initialize() override;
  std::vector<std::string> Validate() override;
  void Prepare() override;
  void Update(std::span<IBaseOutput* const> required_outputs) override;
  /// The two halves of Update, so that several processes compute at once: asks ahead and sends the request; takes what
  /// came of it. Between them nothing else is asked of this process, unless a component elsewhere draws on it: then the
  /// second half is done first, and EndUpdate only says how it went.
  /// \returns false where there is nothing to update: EndUpdate is not called then
  bool BeginUpdate();
  void EndUpdate();
  void Finish() override;
  std::string FamilyKey() const override { return family_; }
  std::vector<ProcessClaim> ProcessClaims() const override { return claims_; }
  std::optional<ProcessClaim> HeldClaim() const override { return held_; }
  void ExpectRestore() override;
  bool IsTunable(const std::string& argument) const override;
  bool IsThreadSafe() const override { return thread_safe_; }
  Limits InitialLimits() const override { return initial_limits_; }
  void EnterInitialization() override;
  void SetInitialNumbers(std::string_view input, std::span<const double> row) override;
  void SetInitialValues(std::string_view input, std::span<const Value> values) override;
  void ShowInitialOutputs() override;
  /// Nothing where its process has ended.
  Problems Remarks() const override;
  void SetArgument(std::size_t number, const std::string* text, const Value* value) override;

  IsolatedProcess& Process() const { return *process_; }
  /// The same, for another component to be loaded into it.
  const std::shared_ptr<IsolatedProcess>& SharedProcess() const { return process_; }

 protected:
  /// What the engine asks of it and is told by, for the doors.
  StateWriter& Begin(std::int64_t request);
  StateReader Call();
  void TakeProgress(StateReader& reader);
  /// What changed since the last time: providers, and what is needed of the outputs.
  void WriteNews(StateWriter& request);
  IsolatedProcess::TalkLock Lock() const { return process_->Lock(); }
  /// The id of a state over there, good until it is forgotten.
  const IIdentifiable& Remember(std::string id);
  void Forget(const std::string& id) { states_.erase(id); }

  Stamp current_ = kFarPast;
  Stamp next_ = kFarPast;
  std::uint64_t step_count_ = 0;
  BalanceTerms balance_;
  std::string balance_unit_;
  double balance_area_ = 0.0;

 private:
  friend LoadedComponent LoadIsolated(const std::shared_ptr<IsolatedProcess>&, const OmiFile&, Problems*);
  void Become(LinkableComponentStatus status, const std::string& message = {});
  /// The reply that `talk` brings; an end of the process becomes this component's failure.
  template <class Talk>
  StateReader Answered(Talk&& talk);
  /// Runs one call of the life cycle; what fails leaves the component Failed.
  template <class Read>
  void Run(std::int64_t request, LinkableComponentStatus during, bool with_news, Read&& read);
  void TakeUpdated(StateReader& reply);
  /// Takes the reply to the update that was begun; what that throws is kept for EndUpdate.
  void TakeUpdate();
  void TakeArguments(StateReader& reader);
  void TakeItems(StateReader& reader);
  bool TakeRows(StateReader& reader, NumericOutput& output);
  void Serve(std::int64_t request, StateReader& reader, StateWriter& reply);

  struct Slot {
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  /// Tells places from others, and from some that lie in memory where they lay. Nothing is held: the library that they
  /// are of may go.
  struct PlacesMark {
    const ISpatialDefinition* places = nullptr;
    int version = 0;
    int count = 0;
    std::array<double, 4> corners{};  ///< of the first and of the last vertex
    bool operator==(const PlacesMark&) const = default;
  };
  static PlacesMark MarkOf(const ISpatialDefinition* places);
  struct In {
    std::unique_ptr<NumericInput> rows;  // one of the two
    std::unique_ptr<IsolatedValuesInput> values;
    ITimeSpaceInput* item = nullptr;
    const IBaseOutput* told_provider = nullptr;
    const ITimeSpaceOutput* told_items = nullptr;  // the same, if it has times and places
    PlacesMark told_places;
    const ISteps* steps = nullptr;  // of the component that provides, if it tells them
    Stamp told_time = kFarPast;
    Stamp told_next = kFarPast;
    Stamp earliest = kFarFuture;    // what it may still ask for
    bool asks_spans = false;        // when it asked last
    bool asks_bytes = false;        // likewise
    Slot slot;                      // where it got its last answer
    Slot spare;                     // where the next one may be sent along to
    std::exception_ptr is_refused;  // what its provider threw when it was asked ahead: thrown when the question comes
  };
  struct Ahead {
    std::size_t input;
    std::size_t size;
  };
  struct Out {
    std::unique_ptr<NumericOutput> rows;
    std::unique_ptr<IsolatedValuesOutput> values;
    ITimeSpaceOutput* item = nullptr;
  };

  /// Writes the places of an input's provider, if they are others than those told, or have another version; and how
  /// far its component is, if that is news.
  static void WriteProviderNews(StateWriter& writer, In& input);
  void TakeSpatial(StateReader& reader, Out& output);
  void TakeBytes(StateReader& reader, Out& output);
  void GiveBytes(In& input, IBaseOutput& provider, StateReader& reader, StateWriter& reply);
  /// Puts into an input's time set what is asked for. \param times  UTC
  static void Ask(In& input, bool has_durations, std::span<const Time> times, Stamp earliest);
  /// Copies the one row, or the one value of bytes, where it has room.
  /// \returns values or bytes; nothing where there are more, or others
  std::optional<std::size_t> CopyOne(const In& input, const IBaseValueSet& values, Slot to);
  /// The one value of bytes of the last time; nothing where there are others.
  std::optional<std::span<const std::byte>> OneOfBytes(const IBaseValueSet& values);
  /// \param rows  the door of `values`, or null
  static void CopyRow(const IBaseValueSet& values, const INumericRows* rows, std::size_t row, std::span<double> to);
  /// The question that a step to the end told before asks.
  Time StepEnd(bool has_durations) const {
    return has_durations ? Time(current_, next_ - current_) : Time(next_, Days{});
  }
  /// Asks the providers for what the update to come will ask for, as far as that is foreseen.
  void AskAhead();
  void WriteAhead(StateWriter& request) const;

  std::shared_ptr<IsolatedProcess> process_;
  std::int64_t instance_;
  std::string family_;
  std::vector<ProcessClaim> claims_;
  std::optional<ProcessClaim> held_;
  bool has_steps_;
  bool has_balance_;
  bool resumes_;
  bool has_remarks_;
  bool thread_safe_ = false;
  Limits initial_limits_;
  LinkableComponentStatus status_;
  Event<LinkableComponentStatusChangeEventArgs> changed_;
  std::vector<IAdaptedOutputFactory*> factories_;
  std::vector<std::unique_ptr<IsolatedArgument>> arguments_;
  std::vector<IArgument*> argument_list_;
  std::unique_ptr<TimeSet> time_extent_;
  std::vector<In> inputs_;
  std::vector<Out> outputs_;
  std::vector<IBaseInput*> input_list_;
  std::vector<IBaseOutput*> output_list_;
  std::map<std::string, std::unique_ptr<Identifier>> states_;
  StateWriter request_;
  std::vector<NumericOutput*> fresh_;  // buffers of one call
  std::vector<ShownRow> shown_;
  std::vector<Time> asked_;
  std::vector<Slot> slots_;
  AskPlan plan_;
  std::vector<Ahead> ahead_;         // what is sent along with this update
  IsolatedProcess::TalkLock talk_;   // from BeginUpdate to EndUpdate
  std::exception_ptr update_error_;  // of the second half
  CastByType<const INumericRows, const IBaseValueSet> rows_door_;
  CastByType<const IBytesRows, const IBaseValueSet> bytes_door_;
};

}  // namespace openmi
