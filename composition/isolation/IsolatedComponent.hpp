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
/// The returned component behaves like the component in that process: arguments, items, status and values are those of
/// the component there. Its rows are in memory that both processes share, and are not copied. If that process ends, for
/// any reason, the call in progress throws a ModelError that says how it ended, the component is Failed, and its last
/// values stay.
///
/// It offers the optional interfaces ISteps, IBalance, IManageState and IByteStateConverter where the component has
/// them. It always offers IResumes, ITunable, IThreadSafety, IInitialValues and IRemarks, which answer as the component
/// does, or as if it did not have that interface.
/// \param process   the process that loads the component
/// \param omi       names the library and the type, with arguments
/// \param problems  see LoadOmi; or null
/// \throws LoadError, ArgumentError  only without `problems`
LoadedComponent LoadIsolated(const std::shared_ptr<IsolatedProcess>& process, const OmiFile& omi,
                             Problems* problems = nullptr);

/// The proxy, in this process, of a component in another process. LoadIsolated makes it.
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
  /// The first half of Update, so that several processes compute at the same time: asks the providers ahead and sends
  /// the request. Until EndUpdate, nothing else is asked of this process, unless a component elsewhere asks this one
  /// for values: then the second half is done first, and EndUpdate only reports its result.
  /// \returns false if there is nothing to update; then EndUpdate is not called
  bool BeginUpdate();
  /// The second half of Update: takes the reply.
  /// \throws Error, std::exception  see Update
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
  /// Empty if its process has ended.
  Problems Remarks() const override;
  void SetArgument(std::size_t number, const std::string* text, const Value* value) override;

  IsolatedProcess& Process() const { return *process_; }
  /// The same, for another component to be loaded into the process.
  const std::shared_ptr<IsolatedProcess>& SharedProcess() const { return process_; }

 protected:
  /// The parts of the conversation with the worker that the optional interfaces need.
  StateWriter& Begin(std::int64_t request);
  StateReader Call();
  void TakeProgress(StateReader& reader);
  /// Writes what changed since the last request: providers, and what is needed of the outputs.
  void WriteNews(StateWriter& request);
  IsolatedProcess::TalkLock Lock() const { return process_->Lock(); }
  /// The id of a state in the worker, valid until Forget.
  const IIdentifiable& Remember(std::string id);
  void Forget(const std::string& id) { states_.erase(id); }

  Stamp current_ = kFarPast;
  Stamp next_ = kFarPast;
  std::uint64_t step_count_ = 0;
  BalanceTerms balance_;
  std::string balance_unit_;
  double balance_area_ = 0.0;

 private:
  friend LoadedComponent LoadIsolated(const std::shared_ptr<IsolatedProcess>& process, const OmiFile& omi,
                                      Problems* problems);
  void Become(LinkableComponentStatus status, const std::string& message = {});
  /// Returns the reply that `talk` receives; if the process ends, this component fails.
  template <class Talk>
  StateReader Answered(Talk&& talk);
  /// Makes one call of the life cycle; if it fails, the component is Failed.
  template <class Read>
  void Run(std::int64_t request, LinkableComponentStatus during, bool with_news, Read&& read);
  void TakeUpdated(StateReader& reply);
  /// Takes the reply to the update that was started; EndUpdate throws what this throws.
  void TakeUpdate();
  void TakeArguments(StateReader& reader);
  void TakeItems(StateReader& reader);
  bool TakeRows(StateReader& reader, NumericOutput& output);
  void Serve(std::int64_t request, StateReader& reader, StateWriter& reply);

  struct Slot {
    std::size_t offset = 0;
    std::size_t size = 0;
  };
  /// Distinguishes spatial definitions, also from others that later have the same address. It holds no reference, since
  /// the library that they belong to may be unloaded.
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
    const IBaseOutput* reported_provider = nullptr;
    const ITimeSpaceOutput* reported_items = nullptr;  // the same, if it has times and elements
    PlacesMark reported_places;
    const ISteps* steps = nullptr;  // of the providing component; null if it does not report steps
    Stamp reported_time = kFarPast;
    Stamp reported_next = kFarPast;
    Stamp earliest = kFarFuture;    // the earliest time that it may still ask for
    bool asks_spans = false;        // at the last question
    bool asks_bytes = false;        // at the last question
    Slot slot;                      // where its last answer was written
    Slot spare;                     // where the next answer may be written ahead
    std::exception_ptr is_refused;  // what its provider threw when it was asked ahead; thrown when the question comes
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

  /// Writes the spatial definition of an input's provider if it, or its version, is not the one that the worker knows.
  /// Writes how far the provider's component is, if that changed.
  static void WriteProviderNews(StateWriter& writer, In& input);
  void TakeSpatial(StateReader& reader, Out& output);
  void TakeBytes(StateReader& reader, Out& output);
  void GiveBytes(In& input, IBaseOutput& provider, StateReader& reader, StateWriter& reply);
  /// Sets the time set of an input to what is asked for.
  /// \param times  UTC
  static void Ask(In& input, bool has_durations, std::span<const Time> times, Stamp earliest);
  /// Copies the one row, or the one value of bytes, if `to` has room for it.
  /// \returns the number of values or bytes; no value if there are more rows, or other values
  std::optional<std::size_t> CopyOne(const In& input, const IBaseValueSet& values, Slot to);
  /// The one value of bytes at the last time; no value if there are other values.
  std::optional<std::span<const std::byte>> OneOfBytes(const IBaseValueSet& values);
  /// Copies a row.
  /// \param rows  `values` as rows of numbers, or null
  static void CopyRow(const IBaseValueSet& values, const INumericRows* rows, std::size_t row, std::span<double> to);
  /// The time that a component asks for if it asks for the end of the step that was reported before.
  Time StepEnd(bool has_durations) const {
    return has_durations ? Time(current_, next_ - current_) : Time(next_, Days{});
  }
  /// Asks the providers for what the next update will ask for, as far as that is foreseen.
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
  std::vector<Ahead> ahead_;         // what is sent together with the request of this update
  IsolatedProcess::TalkLock talk_;   // from BeginUpdate to EndUpdate
  std::exception_ptr update_error_;  // thrown by the second half
  CastByType<const INumericRows, const IBaseValueSet> numeric_rows_;
  CastByType<const IBytesRows, const IBaseValueSet> bytes_rows_;
};

}  // namespace openmi
