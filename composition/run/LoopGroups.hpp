#pragma once

#include <memory>
#include <span>
#include <vector>

#include "composition/loops/ExtrapolatedLink.hpp"
#include "composition/loops/LoopGroup.hpp"
#include "composition/run/RunNode.hpp"

namespace openmi {

/// The loops of a run: groups that iterate, and links that extrapolate. A group is dissolved while one of its members
/// is out of the run.
class LoopGroups {
 public:
  /// \param composition  prepared; borrowed
  explicit LoopGroups(Composition& composition) : composition_(composition) {}

  /// Makes the groups of iterated loops that are complete and not there yet.
  /// \param nodes  learn to which group they belong
  void Make(std::span<RunNode> nodes);
  /// Lets links with `Loop="extrapolate"` extrapolate. To be called once, after Make.
  void MakeExtrapolated();
  /// Dissolves the group of a component that leaves, and keeps what it learned.
  void Dissolve(std::size_t component, std::span<RunNode> nodes);
  bool IsEmpty() const { return groups_.empty(); }
  /// One member of each group that has a member out of the run.
  std::vector<std::size_t> Held() const;
  /// What the iterated loops did, in the order of the composition.
  std::vector<LoopFigures> Figures() const;
  /// The links with `Loop="extrapolate"` along which no question has come back so far.
  std::vector<const Link*> IdleExtrapolations() const;
  void SaveState(StateWriter& writer) const;
  void LoadState(StateReader& reader);

 private:
  /// A group that a member left.
  struct Dissolved {
    const IterateSpec* spec = nullptr;
    LoopFigures figures;
    Bytes learned;  // as LoopGroup::SaveState gives it
    Stamp time;     // the time that all members had reached
  };
  /// Gives a group what the same loop had learned, if it was dissolved at the present time: a family that is exchanged
  /// between two passes for the same code changes nothing.
  void TakeUpLearned(LoopGroup& group);

  Composition& composition_;
  std::vector<std::unique_ptr<LoopGroup>> groups_;
  std::vector<Dissolved> dissolved_;
  std::vector<std::unique_ptr<ExtrapolatedLink>> extrapolated_;
};

}  // namespace openmi
