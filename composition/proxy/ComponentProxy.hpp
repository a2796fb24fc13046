#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "composition/threads/CurrentComponent.hpp"
#include "composition/threads/FamilyThread.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Event.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/optional/ISteps.hpp"

namespace openmi {

/// The engine's proxy of a component. The engine's items name it as their owner, so that the owner lives as long as
/// they do.
///
/// While a component is attached, the proxy passes every call on. Without one its status is Finished, it has no
/// arguments and no items, and its time is the one at which the component left.
class ComponentProxy final : public IdentifiedAs<IBaseLinkableComponent>, public ISteps {
 public:
  /// \param name  id of the instance in its composition
  explicit ComponentProxy(std::string name) : IdentifiedAs(std::move(name)) {}
  ComponentProxy(const ComponentProxy&) = delete;
  ComponentProxy& operator=(const ComponentProxy&) = delete;

  /// \param component  borrowed until Detach
  /// \param steps      the component's optional interface ISteps; null if it has none
  void Attach(IBaseLinkableComponent& component, const ISteps* steps);
  /// Removes the component.
  ///
  /// \param now   the end of its last step (UTC); the far past for a component without times
  /// \param next  the end of the step that it would make next
  void Detach(Stamp now, Stamp next);
  bool IsAttached() const { return component_ != nullptr; }

  /// Makes the run go on when the component fails: its last values are used from then on (OnFailure="freeze").
  ///
  /// \param held  counts such failures; borrowed
  void SetFreezes(std::atomic<std::size_t>& held) { held_ = &held; }
  bool Freezes() const { return held_ != nullptr; }
  /// Marks that the component failed. The engine does not call it any more.
  void Hold(const std::string& failure);
  bool IsHeld() const { return is_held_; }
  /// Why the component is held.
  const std::string& Failure() const { return failure_; }
  /// Sets the thread on which the component is called; null: the thread of the caller. Borrowed.
  void SetThread(FamilyThread* thread) { thread_ = thread; }
  bool HasThread() const { return thread_ != nullptr; }
  /// Sets where the engine notes what the component does to the process; null: nowhere. Borrowed.
  void SetConduct(Conduct* conduct) { conduct_ = conduct; }
  Conduct* TheConduct() const { return conduct_; }

  std::string Id() const override { return component_ != nullptr ? component_->Id() : id_; }
  std::string Description() const override;
  std::vector<IAdaptedOutputFactory*>& AdaptedOutputFactories() override;
  std::span<IArgument* const> Arguments() const override;
  std::span<IBaseInput* const> Inputs() const override;
  std::span<IBaseOutput* const> Outputs() const override;
  LinkableComponentStatus Status() const override {
    return component_ != nullptr ? component_->Status() : LinkableComponentStatus::Finished;
  }
  IEvent<LinkableComponentStatusChangeEventArgs>& StatusChanged() override;
  void Initialize() override;
  std::vector<std::string> Validate() override;
  void Prepare() override;
  /// Does nothing while no component is attached.
  void Update(std::span<IBaseOutput* const> required_outputs) override {
    if (component_ != nullptr) RunOn(thread_, [&] { component_->Update(required_outputs); });
  }
  void Finish() override;

  Stamp CurrentTime() const override { return steps_ != nullptr ? steps_->CurrentTime() : now_; }
  Stamp NextTime() const override { return steps_ != nullptr ? steps_->NextTime() : next_; }
  std::uint64_t StepCount() const override { return steps_count_ + (steps_ != nullptr ? steps_->StepCount() : 0); }

 private:
  IBaseLinkableComponent& Need(const char* call) const;

  IBaseLinkableComponent* component_ = nullptr;
  const ISteps* steps_ = nullptr;
  FamilyThread* thread_ = nullptr;
  Conduct* conduct_ = nullptr;
  std::string id_;
  std::string description_;
  Stamp now_ = kFarPast;
  Stamp next_ = kFarPast;
  std::uint64_t steps_count_ = 0;  // of the components that left
  std::atomic<std::size_t>* held_ = nullptr;
  bool is_held_ = false;
  std::string failure_;
  std::vector<IAdaptedOutputFactory*> no_factories_;
  Event<LinkableComponentStatusChangeEventArgs> nobody_raises_;
};

}  // namespace openmi
