#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/IArgumentMeaning.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/ItemList.hpp"
#include "openmi/sdk/Status.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// The result of an update.
enum class UpdateResult {
  Updated,  ///< can be updated again
  Done,     ///< this was the last step
  Waiting   ///< inputs are not available yet
};

/// The base class of linkable components: it implements everything except the computation.
///
/// This class handles identity, arguments, items, the status and the order of calls, for the core interface and for the
/// time-space interface.
///
/// A derived class declares its arguments in the constructor. It also declares its items there, if it already knows
/// them; otherwise it declares them in `OnInitialize`. It also overrides the hooks. If a hook throws, the component
/// becomes Failed. The status event then gives the reason, and the caller gets the exception. The caption names the
/// instance in messages; the engine sets the caption to the id of the instance.
///
/// \tparam Interface  IBaseLinkableComponent or ITimeSpaceComponent
template <class Interface>
class LinkableComponentOf : public IdentifiedAs<Interface>, public IFileRoot, public IThreadSafety {
 public:
  explicit LinkableComponentOf(std::string id) : IdentifiedAs<Interface>(std::move(id)), status_(*this) {
    arguments_.SetOwner(this->IdText());
  }

  std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() override { return factories_; }
  std::span<IArgument* const> Arguments() const override { return arguments_.Items(); }
  std::span<IBaseInput* const> Inputs() const override {
    status_.Require("Inputs", kAfterInitialize);
    return items_.Inputs();
  }
  std::span<IBaseOutput* const> Outputs() const override {
    status_.Require("Outputs", kAfterInitialize);
    return items_.Outputs();
  }
  LinkableComponentStatus Status() const override { return status_.Status(); }
  IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() override { return status_.Changed(); }
  void SetCaption(const std::string& caption) override {
    IdentifiedAs<Interface>::SetCaption(caption);
    arguments_.SetOwner(caption);
  }
  /// Sets the folder for relative paths in arguments: the folder of the OMI file, before `Initialize`.
  void SetFileRoot(const std::string& folder) override { file_root_ = folder; }

  /// Whether the component shares no unguarded data with other instances of its code; true unless `SetThreadSafe`
  /// changed it.
  bool IsThreadSafe() const override { return thread_safe_; }

  void Initialize() override {
    status_.Require("Initialize", {LinkableComponentStatus::Created});
    status_.Move(LinkableComponentStatus::Initializing);
    Guarded([this] {
      arguments_.RequireValues();
      items_.BeginRun();
      OnInitialize();
      items_.RequireUniqueIds(this->Caption());
    });
    status_.Move(LinkableComponentStatus::Initialized);
  }

  std::vector<std::string> Validate() override {
    status_.Require("Validate", {S::Initialized, S::Valid, S::Invalid});
    status_.Move(S::Validating);
    std::vector<std::string> messages;
    bool valid = false;
    Guarded([&] { valid = OnValidate(messages); });
    if (!valid && messages.empty()) messages.emplace_back("the component says that it is invalid and does not say why");
    status_.Move(valid ? S::Valid : S::Invalid);
    return messages;
  }

  void Prepare() override {
    status_.Require("Prepare", {S::Initialized, S::Valid});
    status_.Move(S::Preparing);
    Guarded([this] {
      OnPrepare();
      for (IBaseOutput* output : items_.Outputs()) detail::InitializeAdaptedOutputs(*output);
      OnPrepared();
    });
    status_.Move(S::Updated);
  }

  void Update(std::span<IBaseOutput* const> required_outputs) override {
    const S now = status_.Status();
    if (now != S::Updated && now != S::WaitingForData) {
      if (now == S::Done || now == S::Updating) return;  // re-entered through a loop of links
      status_.Require("Update", {S::Updated, S::WaitingForData});
    }
    status_.Move(S::Updating);
    UpdateResult result = UpdateResult::Done;
    Guarded([&] { result = OnUpdate(required_outputs); });
    status_.Move(result == UpdateResult::Updated ? S::Updated
                 : result == UpdateResult::Done  ? S::Done
                                                 : S::WaitingForData);
  }

  void Finish() override {
    status_.Require("Finish",
                    {S::Initialized, S::Valid, S::Invalid, S::Updated, S::Done, S::WaitingForData, S::Failed});
    const bool failed = status_.Status() == S::Failed;
    status_.Move(S::Finishing);
    Guarded([this] { OnFinish(); });
    status_.Move(restartable_ && !failed ? S::Created : S::Finished);
  }

 protected:
  /// Hook of `Initialize`: reads the arguments and makes the items that depend on them.
  virtual void OnInitialize() {}
  /// Hook of `Validate`.
  /// \param messages  receives messages; empty at the call
  /// \returns whether the component can be prepared
  virtual bool OnValidate(std::vector<std::string>& messages) {
    static_cast<void>(messages);
    return true;
  }
  /// Hook of `Prepare`: makes the component ready. Afterwards the outputs hold their initial values.
  virtual void OnPrepare() {}
  /// Hook at the end of `Prepare`, when the adapted outputs are initialized: refreshes them with the initial values.
  virtual void OnPrepared() {}
  /// Hook of `Update`: computes one step.
  virtual UpdateResult OnUpdate(std::span<IBaseOutput* const> required_outputs) = 0;
  /// Hook of `Finish`: releases everything. Also called after a failure.
  virtual void OnFinish() {}

  /// Declares an argument. Call it in the constructor.
  /// \throws ArgumentError  as `ArgumentList::Add`
  template <class T>
  Argument<T> AddArgument(std::string id, const ArgumentOptions<T>& options) {
    return arguments_.Add<T>(std::move(id), options);
  }
  /// The arguments, for the derived class.
  ArgumentList& ArgumentItems() { return arguments_; }
  /// Takes ownership of an input. Items made in `OnInitialize` are made again when the component runs again.
  template <class Input>
  Input& TakeInput(std::unique_ptr<Input> input) {
    Input& taken = *input;
    items_.Take(std::unique_ptr<IBaseInput>(std::move(input)), status_.Status());
    return taken;
  }
  /// Takes ownership of an output; as `TakeInput`.
  template <class Output>
  Output& TakeOutput(std::unique_ptr<Output> output) {
    Output& taken = *output;
    items_.Take(std::unique_ptr<IBaseOutput>(std::move(output)), status_.Status());
    return taken;
  }
  /// The inputs, in any status.
  std::span<IBaseInput* const> InputItems() const { return items_.Inputs(); }
  /// The outputs, in any status.
  std::span<IBaseOutput* const> OutputItems() const { return items_.Outputs(); }

  /// Sets whether `Finish` ends in Created, so that the component can run again with its arguments.
  void SetRestartable(bool restartable) { restartable_ = restartable; }
  /// Sets the answer of `IsThreadSafe`. False: no two instances of this code may be called at once. Call it in the
  /// constructor.
  void SetThreadSafe(bool safe) { thread_safe_ = safe; }
  /// After a state was restored: returns from Done or Failed to Updated.
  void ResumeUpdated() {
    if (status_.Status() != LinkableComponentStatus::Updated)
      status_.Move(LinkableComponentStatus::Updated, "state restored");
  }
  /// A path from an argument; relative paths start at the folder of the OMI file.
  std::string PathOf(const std::string& path) const { return detail::PathUnder(file_root_, path); }

 private:
  using S = LinkableComponentStatus;
  static constexpr std::initializer_list<LinkableComponentStatus> kAfterInitialize = {
      S::Initialized, S::Validating, S::Valid, S::WaitingForData, S::Invalid, S::Preparing,
      S::Updating,    S::Updated,    S::Done,  S::Finishing,      S::Failed};

  template <class Work>
  void Guarded(Work&& work) {
    try {
      work();
    } catch (const std::exception& error) {
      status_.Move(LinkableComponentStatus::Failed, error.what());
      throw;
    } catch (...) {
      status_.Move(LinkableComponentStatus::Failed, "an exception that is not a std::exception");
      throw;
    }
  }

  ArgumentList arguments_;
  detail::ItemList items_;
  std::vector<IAdaptedOutputFactory*> factories_;
  std::string file_root_;
  bool restartable_ = false;
  bool thread_safe_ = true;
  StatusMachine status_;  // used in every step: next to the first members of a derived class
};

/// A component without times and places.
using LinkableComponent = LinkableComponentOf<IBaseLinkableComponent>;

}  // namespace openmi
