#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/isolation/ProcessPool.hpp"
#include "composition/joined/JoinedElements.hpp"
#include "composition/joined/JoinedInput.hpp"
#include "composition/joined/JoinedOutput.hpp"
#include "composition/joined/JoinedThreads.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "openmi/sdk/LinkableComponentOf.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/IManageState.hpp"
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

/// Makes a population in several processes, each of which has some of its rows: one in each of the groups of GroupsOf.
/// The returned component is the population with all rows.
/// \param component  with `parts`, placed in groups
/// \param problems   see LoadOmi; or null
/// \throws Error  only without `problems`
LoadedComponent LoadInParts(ProcessPool& pool, const ComponentSpec& component, const OmiFile& omi, Problems* problems);

/// A component that several processes compute together, as the run sees it: ranks, or the parts of a population.
/// LoadOnRanks and LoadInParts make it.
///
/// Each call goes to all pieces at the same time, since any of them may be collective. Its items have the elements of
/// all pieces. Its arguments are those of the first piece; the others get their values.
class JoinedComponent : public LinkableComponentOf<ITimeSpaceComponent>,
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
  /// \param pieces   made by LoadIsolated
  JoinedComponent(const PieceNames& names, std::unique_ptr<JoinedThreads> threads, std::vector<LoadedComponent> pieces);
  ~JoinedComponent() override;

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
  /// That of each piece.
  std::vector<IsolatedProcess*> Processes() const;
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
  /// Makes the items, when all pieces are initialized.
  virtual void MakeItems();
  /// The elements of an item.
  virtual JoinedElements Join(std::span<const ISpatialDefinition* const> each, std::vector<std::size_t> pieces,
                              const Where& place) const {
    return JoinElements(each, std::move(pieces), names_, place);
  }
  virtual void UpdatePieces();
  /// To be called before each call of the pieces.
  void BeginCall();
  /// "rank 2 of 4", for messages.
  virtual std::string NameOf(std::size_t piece) const;
  /// Throws what the first of the pieces threw that failed, with its name.
  [[noreturn]] void ThrowFirst(const std::vector<JoinedThreads::Failure>& failures);

 private:
  struct Kept {
    std::unique_ptr<Identifier> id;
    std::vector<std::string> pieces;  // ids of the states of the pieces
    Bytes rows;                       // of the outputs
  };
  /// Calls all pieces at the same time.
  /// \throws ModelError  one of them failed: names it
  void OnAll(const std::function<void(std::size_t number, IsolatedComponent& piece)>& job);
  void ShareArguments();
  Where PlaceOf(const std::string& item) const { return {.component = Caption(), .item = item}; }
  Kept& Find(const IIdentifiable& state_id);
  const IIdentifiable& Keep(std::vector<std::string> pieces, Bytes rows);

  const PieceNames& names_;
  std::unique_ptr<JoinedThreads> threads_;
  std::vector<LoadedComponent> loaded_;
  std::vector<IsolatedComponent*> pieces_;
  std::vector<const ISteps*> steps_;
  std::vector<std::unique_ptr<JoinedInput>> inputs_;
  std::vector<std::unique_ptr<JoinedOutput>> outputs_;
  std::vector<NumericOutput*> fresh_;  // outputs with a new row
  std::map<std::string, Kept> states_;
  std::int64_t next_state_ = 1;
  StateAbility ability_;
  bool has_failed_ = false;
};

}  // namespace openmi
