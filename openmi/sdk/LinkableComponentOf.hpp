#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/IFileRoot.hpp"
#include "openmi/sdk/IThreadSafety.hpp"
#include "openmi/sdk/ItemList.hpp"
#include "openmi/sdk/Status.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// How an update ended.
enum class UpdateResult {
  Updated,  ///< can be updated again
  Done,     ///< that was the last step
  Waiting   ///< inputs are not there yet
};

/// Everything of a linkable component but what it computes: identity, arguments, items, the status machine and the
/// order of calls, for the core interface and for the time-space one.
///
/// A derived class declares its arguments (and, if it knows them already, its items) in the constructor and overrides
/// the hooks. A hook that throws leaves the component Failed, with the reason in its status event, and the exception
/// goes on to the caller. The caption names the instance in messages; the engine sets it to the instance's id.
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
  /// Where relative paths in arguments start; set from the OMI file's folder before Initialize.
  void SetFileRoot(const std::string& folder) override { file_root_ = folder; }

  /// Whether it shares nothing unguarded with other instances of its code: true unless SetThreadSafe said otherwise.
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
  /// Reads the arguments and makes the items that depend on them.
  virtual void OnInitialize() {}
  /// Appends messages; returns whether the component can be prepared.
  virtual bool OnValidate(std::vector<std::string>& messages) {
    static_cast<void>(messages);
    return true;
  }
  /// Gets ready: afterwards the outputs hold their initial values.
  virtual void OnPrepare() {}
  /// The adapted outputs are initialized: tell them about the initial values.
  virtual void OnPrepared() {}
  /// Makes one step.
  virtual UpdateResult OnUpdate(std::span<IBaseOutput* const> required_outputs) = 0;
  /// Gives everything back; also called after a failure.
  virtual void OnFinish() {}

  /// Declares an argument; in the constructor.
  template <class T>
  Argument<T> AddArgument(std::string id, const ArgumentOptions<T>& options) {
    return arguments_.Add<T>(std::move(id), options);
  }
  ArgumentList& ArgumentItems() { return arguments_; }
  /// Takes an item over. Items made in OnInitialize are made anew when the component runs again.
  template <class Input>
  Input& TakeInput(std::unique_ptr<Input> input) {
    Input& taken = *input;
    items_.Take(std::unique_ptr<IBaseInput>(std::move(input)), status_.Status());
    return taken;
  }
  template <class Output>
  Output& TakeOutput(std::unique_ptr<Output> output) {
    Output& taken = *output;
    items_.Take(std::unique_ptr<IBaseOutput>(std::move(output)), status_.Status());
    return taken;
  }
  std::span<IBaseInput* const> InputItems() const { return items_.Inputs(); }
  std::span<IBaseOutput* const> OutputItems() const { return items_.Outputs(); }

  /// Finish ends in Created: the component can run again, from its arguments.
  void SetRestartable(bool restartable) { restartable_ = restartable; }
  /// Says that no two instances of this component's code may be called at once; in the constructor.
  void SetThreadSafe(bool safe) { thread_safe_ = safe; }
  /// After a restored state: from Done or Failed back to Updated.
  void ResumeUpdated() {
    if (status_.Status() != LinkableComponentStatus::Updated)
      status_.Move(LinkableComponentStatus::Updated, "state restored");
  }
  /// A path out of an argument: relative ones start at the OMI file's folder.
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
  StatusMachine status_;  // used in every step: beside what a derived class has first
};

/// A component without times and places.
using LinkableComponent = LinkableComponentOf<IBaseLinkableComponent>;

}  // namespace openmi
