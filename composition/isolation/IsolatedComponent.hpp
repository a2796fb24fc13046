#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/isolation/IProcessClaims.hpp"
#include "composition/isolation/IsolatedArgument.hpp"
#include "composition/isolation/RemoteAdaptors.hpp"
#include "composition/isolation/RemoteInputs.hpp"
#include "composition/isolation/RemoteOutputs.hpp"
#include "composition/isolation/WorkerCalls.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Event.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/IIcon.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/optional/IInitialValues.hpp"
#include "timespace/optional/IRemarks.hpp"
#include "timespace/optional/ISteps.hpp"
#include "timespace/optional/IUsesThreads.hpp"
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
/// them. It always offers IResumes, ITunable, IThreadSafety, IInitialValues, IRemarks, IIcon, IStateAbility and
/// IUsesThreads, which answer as the component does, or as if it did not have that interface.
/// \param process   the process that loads the component
/// \param omi       names the library and the type, with arguments
/// \param problems  see LoadOmi; or null
/// \throws LoadError, ArgumentError  only without `problems`
LoadedComponent LoadIsolated(const std::shared_ptr<IsolatedProcess>& process, const OmiFile& omi,
                             Problems* problems = nullptr);

/// The proxy, in this process, of a component in another process. LoadIsolated makes it.
class IsolatedComponent : public IdentifiedAs<ITimeSpaceComponent>,
                          public IUpdatesApart,
                          public IFamilyKey,
                          public IProcessClaims,
                          public IResumes,
                          public ITunable,
                          public IThreadSafety,
                          public IInitialValues,
                          public IRemarks,
                          public IIcon,
                          public IStateAbility,
                          public IConverges,
                          public IUsesThreads,
                          public IArgumentHolder {
 public:
  /// \param description  the reply to HostRequest::Describe
  IsolatedComponent(WorkerCalls calls, StateReader& description);
  ~IsolatedComponent() override;

  std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() override { return adaptors_.Items(); }
  std::span<IArgument* const> Arguments() const override { return arguments_.Items(); }
  std::span<IBaseInput* const> Inputs() const override { return inputs_.Items(); }
  std::span<IBaseOutput* const> Outputs() const override { return outputs_.Items(); }
  LinkableComponentStatus Status() const override { return status_; }
  IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() override { return changed_; }
  const ITimeSet& TimeExtent() const override { return *time_extent_; }
  void SetCaption(const std::string& caption) override;
  void Initialize() override;
  std::vector<std::string> Validate() override;
  void Prepare() override;
  void Update(std::span<IBaseOutput* const> required_outputs) override;
  bool BeginUpdate() override;
  void EndUpdate() override;
  void AddProcesses(std::vector<IsolatedProcess*>& processes) const override { processes.push_back(&Process()); }
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
  /// Empty if its process has ended.
  std::string Icon() const override;
  const StateAbility& AbilityOfStates() override;
  bool HasConverged() const override { return progress_.HasConverged(); }
  /// Threads of its process, beside those of the run.
  void SetThreads(std::size_t threads) override;
  void SetArgument(std::size_t number, const std::string* text, const Value* value) override;
  /// Sets a function that is called after each SetArgument: the arguments of other ranks follow.
  void SetOnArgument(std::function<void(std::size_t number, const std::string* text, const Value* value)> on_argument) {
    on_argument_ = std::move(on_argument);
  }

  /// See RemoteOutputs.
  bool AddRoute(const IBaseOutput& output, const std::shared_ptr<RowRoute>& route) {
    return outputs_.AddRoute(output, route);
  }
  bool IsPulledOnly() const override { return outputs_.AreAsked() || adaptors_.HaveMade(); }
  IsolatedProcess& Process() const { return *calls_.Process(); }
  /// The same, for another component to be loaded into the process.
  const std::shared_ptr<IsolatedProcess>& SharedProcess() const { return calls_.Process(); }

 protected:
  /// The parts of the conversation with the worker that the optional interfaces need.
  StateWriter& Begin(HostRequest request) { return calls_.Begin(request); }
  StateReader Call();
  void TakeProgress(StateReader& reader);
  /// The same after it went back to a state.
  /// \returns whether its next step may depend on what was written before its time was known
  bool TakeRestored(StateReader& reader);
  /// Writes what changed since the last request: providers, and what is needed of the outputs.
  void WriteNews(StateWriter& request);
  IsolatedProcess::TalkLock Lock() const { return Process().Lock(); }
  /// The id of a state in the worker, valid until Forget.
  const IIdentifiable& Remember(std::string id);
  void Forget(const std::string& id) { states_.erase(id); }
  const RemoteProgress& Progress() const { return progress_; }

 private:
  friend LoadedComponent LoadIsolated(const std::shared_ptr<IsolatedProcess>& process, const OmiFile& omi,
                                      Problems* problems);
  void Become(LinkableComponentStatus status, const std::string& message = {});
  /// Returns the reply that `talk` receives; if the process ends, this component fails.
  template <class Talk>
  StateReader Answered(Talk&& talk);
  /// Makes one call of the life cycle; if it fails, the component is Failed.
  template <class Read>
  void Run(HostRequest request, LinkableComponentStatus during, bool with_news, Read&& read);
  /// For items that ask the worker themselves.
  WorkerTalk TalkOfItems();
  void TakeUpdated(StateReader& reply);
  /// Takes the reply to the update that was started; EndUpdate throws what this throws.
  void TakeUpdate();
  void TakeItems(StateReader& reader);

  WorkerCalls calls_;
  RemoteProgress progress_;
  RemoteInputs inputs_;
  RemoteOutputs outputs_;
  RemoteFactories adaptors_;
  std::string family_;
  std::vector<ProcessClaim> claims_;
  std::optional<ProcessClaim> held_;
  std::int64_t offers_ = 0;  // optional interfaces of the component, kOffers...
  bool thread_safe_ = false;
  Limits initial_limits_;
  LinkableComponentStatus status_;
  Event<LinkableComponentStatusChangeEventArgs> changed_;
  IsolatedArguments arguments_{*this};
  std::function<void(std::size_t, const std::string*, const Value*)> on_argument_;
  std::unique_ptr<TimeSet> time_extent_;
  std::map<std::string, std::unique_ptr<Identifier>> states_;
  std::optional<StateAbility> ability_;  // as answered since Initialize
  IsolatedProcess::TalkLock talk_;       // from BeginUpdate to EndUpdate
  std::exception_ptr update_error_;      // thrown by the second half
};

}  // namespace openmi
