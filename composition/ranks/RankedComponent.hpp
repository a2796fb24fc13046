#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/isolation/ProcessPool.hpp"
#include "composition/ranks/RankThreads.hpp"
#include "composition/ranks/RankedInput.hpp"
#include "composition/ranks/RankedOutput.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "openmi/sdk/LinkableComponentOf.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/optional/IRemarks.hpp"
#include "timespace/optional/ISteps.hpp"

namespace openmi {

/// Makes the component of an OMI file in several processes, which compute it together with MPI.
///
/// The returned component behaves like one that computes everything itself: it has the elements of all ranks. If one of
/// the processes ends, the call in progress throws a ModelError that names the rank, and the component is Failed.
/// \param pool       starts the processes
/// \param component  id in the composition
/// \param apart      with ranks
/// \param problems   see LoadOmi; or null
/// \throws Error  only without `problems`
LoadedComponent LoadOnRanks(ProcessPool& pool, const std::string& component, const OmiFile& omi,
                            const IsolationSpec& apart, Problems* problems);

/// A component that several ranks compute together, as the run sees it. LoadOnRanks makes it.
///
/// Each call goes to all ranks at the same time, since any of them may be collective. Its items have the elements of
/// all ranks (JoinElements). Its arguments are those of rank 0; the other ranks get their values.
class RankedComponent : public LinkableComponentOf<ITimeSpaceComponent>,
                        public ISteps,
                        public IFamilyKey,
                        public IResumes,
                        public ITunable,
                        public IRemarks,
                        public IStateAbility,
                        public IManageState,
                        public IByteStateConverter {
 public:
  /// \param threads  one for each piece
  /// \param pieces   made by LoadIsolated, one for each rank
  RankedComponent(std::unique_ptr<RankThreads> threads, std::vector<LoadedComponent> pieces);
  ~RankedComponent() override;

  std::span<IArgument* const> Arguments() const override { return pieces_[0]->Arguments(); }
  const ITimeSet& TimeExtent() const override { return pieces_[0]->TimeExtent(); }
  void SetCaption(const std::string& caption) override;
  Stamp CurrentTime() const override { return steps_[0]->CurrentTime(); }
  Stamp NextTime() const override { return steps_[0]->NextTime(); }
  std::uint64_t StepCount() const override { return steps_[0]->StepCount(); }
  std::string FamilyKey() const override { return pieces_[0]->FamilyKey(); }
  void ExpectRestore() override;
  bool IsTunable(const std::string& argument) const override { return pieces_[0]->IsTunable(argument); }
  Problems Remarks() const override;
  const StateAbility& AbilityOfStates() override;
  const IIdentifiable& KeepCurrentState() override;
  void RestoreState(const IIdentifiable& state_id) override;
  void ClearState(const IIdentifiable& state_id) override;
  const IIdentifiable& ConvertFromByteArray(ByteView bytes) override;
  Bytes ConvertToByteArray(const IIdentifiable& state_id) override;

 protected:
  const std::vector<IsolatedComponent*>& Pieces() const { return pieces_; }
  void OnInitialize() override;
  bool OnValidate(std::vector<std::string>& messages) override;
  void OnPrepare() override;
  void OnPrepared() override;
  UpdateResult OnUpdate(std::span<IBaseOutput* const> required_outputs) override;
  void OnFinish() override;

 private:
  struct Kept {
    std::unique_ptr<Identifier> id;
    std::vector<std::string> pieces;  // ids of the states of the ranks
    Bytes rows;                       // of the outputs
  };
  /// Calls all ranks at the same time.
  /// \throws ModelError  a rank failed: names it
  void OnAll(const std::function<void(std::size_t rank, IsolatedComponent& piece)>& job);
  [[noreturn]] void ThrowFirst(const std::vector<RankThreads::Failure>& failures) const;
  void ShareArguments();
  void MakeItems();
  Where PlaceOf(const std::string& item) const { return {.component = Caption(), .item = item}; }
  Kept& Find(const IIdentifiable& state_id);
  const IIdentifiable& Keep(std::vector<std::string> pieces, Bytes rows);

  std::unique_ptr<RankThreads> threads_;
  std::vector<LoadedComponent> loaded_;
  std::vector<IsolatedComponent*> pieces_;
  std::vector<const ISteps*> steps_;
  std::vector<std::unique_ptr<RankedInput>> inputs_;
  std::vector<std::unique_ptr<RankedOutput>> outputs_;
  std::vector<NumericOutput*> fresh_;  // outputs with a new row
  std::map<std::string, Kept> states_;
  std::int64_t next_state_ = 1;
  StateAbility ability_;
  bool has_failed_ = false;
};

/// The same, for a component that states its storage: the sum of its ranks.
class RankedBalance final : public RankedComponent, public IBalance {
 public:
  using RankedComponent::RankedComponent;
  BalanceTerms Balance() const override;
  std::string BalanceUnit() const override;
  double BalanceArea() const override;
};

}  // namespace openmi
