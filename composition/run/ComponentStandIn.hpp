#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "composition/run/AtWork.hpp"
#include "composition/run/FamilyThread.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Event.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/ISteps.hpp"

namespace openmi {

/// The host's own component in front of a loaded one: what the host's items name as their owner, so that it is there as
/// long as they are.
///
/// It passes everything on while a component is attached. Without one it is Finished, shows neither arguments nor
/// items, and stands at the time at which the component left.
class ComponentStandIn final : public IdentifiedAs<IBaseLinkableComponent>, public ISteps {
 public:
  /// \param name  of the instance in its composition
  explicit ComponentStandIn(std::string name) : IdentifiedAs(std::move(name)) {}
  ComponentStandIn(const ComponentStandIn&) = delete;
  ComponentStandIn& operator=(const ComponentStandIn&) = delete;

  /// \param component  borrowed until Detach
  /// \param steps      its door to its times; null if it has none
  void Attach(IBaseLinkableComponent& component, const ISteps* steps);
  /// \param now   the end of its last step (UTC); the far past for a component without times
  /// \param next  the end of the step it would make next
  void Detach(Stamp now, Stamp next);
  bool IsAttached() const { return component_ != nullptr; }

  /// Says that the run goes on where the component fails: its last values then stand for it.
  /// \param held  counts how often that happened; borrowed
  void SetFreezes(std::atomic<std::size_t>& held) { held_ = &held; }
  bool Freezes() const { return held_ != nullptr; }
  /// The component failed, and is not called any more.
  void Hold(const std::string& failure);
  bool IsHeld() const { return is_held_; }
  /// Why it is held.
  const std::string& Failure() const { return failure_; }
  /// Where the component is called, if not where the caller is; null: there. Borrowed.
  void SetThread(FamilyThread* thread) { thread_ = thread; }
  bool HasThread() const { return thread_ != nullptr; }
  /// Where it is noted what the component does to the process; null: nowhere. Borrowed.
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
  std::uint64_t steps_count_ = 0;  // of those that left
  std::atomic<std::size_t>* held_ = nullptr;
  bool is_held_ = false;
  std::string failure_;
  std::vector<IAdaptedOutputFactory*> no_factories_;
  Event<LinkableComponentStatusChangeEventArgs> nobody_raises_;
};

}  // namespace openmi
