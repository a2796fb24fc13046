#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "composition/loops/IAcceleration.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/LoopFigures.hpp"
#include "composition/run/LoopLink.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/IStepLimit.hpp"

namespace openmi {

/// The members of one loop of links, stepped together and iterated until what they give each other agrees.
///
/// A step ends where the member with the longest step ends its own; members with shorter ones make several. Where steps
/// do not meet there, it goes on until they meet. In each iteration every member computes from the same state, which it
/// keeps (IManageState); the links that are cut answer from the iterate. Gauss-Seidel cuts the links that lead back in
/// the order of the members, Jacobi all of them. Components outside see the step when it is taken: listeners hear its
/// rows then, providers are asked once.
class LoopGroup {
 public:
  /// \param composition  prepared; borrowed. Takes the place of the members' outputs and of the ends of their links.
  /// \param spec         checked by CheckLoops; borrowed
  LoopGroup(Composition& composition, const IterateSpec& spec);
  ~LoopGroup();
  LoopGroup(const LoopGroup&) = delete;
  LoopGroup& operator=(const LoopGroup&) = delete;

  /// One step of all members. \returns false when nothing moved: all are done, or one is held
  /// A step that fails is taken back: the members that can be are where it began, and listeners hear nothing of it.
  /// Where the run goes on without the member that failed (OnFailure="freeze"), that one is held, and the group is
  /// broken.
  /// \throws ModelError  it does not converge, and the composition says that the run then fails
  bool Step();
  /// Whether a member is out of the run: the others answer each other with what they have, once this group is gone.
  bool IsBroken() const;
  /// Instance numbers, in the order of computation.
  const std::vector<std::size_t>& Members() const { return numbers_; }
  const LoopFigures& Figures() const { return figures_; }
  const IterateSpec& Spec() const { return spec_; }
  /// What was learned in the steps until now, the end of a step that is made in parts, and the figures: between two
  /// steps.
  void SaveState(StateWriter& writer) const;
  /// \throws FormatError
  void LoadState(StateReader& reader);
  /// Whether a step is under way.
  bool IsIterating() const { return iterating_; }
  /// The time that all members have reached.
  Stamp CurrentTime() const;
  /// The instance number of the member that threw; -1 if none did.
  std::ptrdiff_t Failed() const { return failed_; }

 private:
  class Gate;
  struct Member {
    Instance* instance = nullptr;
    IManageState* states = nullptr;
    IStepLimit* limit = nullptr;
    const IIdentifiable* kept = nullptr;
    Stamp begin = kFarPast;
    std::vector<StandIn*> outputs;
    Stamp Now() const { return instance->CurrentTime(); }
    bool CanUpdate() const;
  };
  void AddLinks(const IterateSpec& spec);
  LoopTolerance ToleranceOf(const Link& link) const;
  /// Where the next step ends by what the members say.
  Stamp PlannedEnd() const;
  /// A step, with what it throws.
  void Compute();
  /// Iterates to `end`. \returns whether it converged
  bool Iterate(Stamp& end);
  /// Lets every member compute until it is at `end`, or later where steps do not meet.
  void ComputeTo(Stamp& end);
  void ComputeMember(Member& member, Stamp& end);
  /// Whether all cut links agree; finds the one that agrees least.
  bool Agrees();
  /// Whether every value that was a number in an earlier iteration of the step still is one. A value that is missing
  /// from the first iteration on, where a number was tried, does not depend on the iterate; one that gets lost on the
  /// way has not converged.
  bool NumbersStay();
  void MakeNextIterate(bool is_first);
  void KeepStates();
  void RestoreStates();
  void ClearStates();
  void Take();
  /// Undoes a step that failed, as far as members let it.
  void TakeBack() noexcept;
  void SetQuiet(bool quiet);
  [[noreturn]] void Fail(Stamp end) const;

  Composition& composition_;
  const IterateSpec& spec_;
  std::vector<std::size_t> numbers_;
  std::vector<Member> members_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::vector<std::unique_ptr<LoopLink>> links_;
  std::vector<LoopLink*> cut_;
  std::unique_ptr<IAcceleration> acceleration_;
  std::vector<double> iterate_, answered_, weights_;
  std::vector<bool> was_number_;  // by value, in the iterations of this step
  std::vector<std::pair<std::size_t, double>> missing_;
  std::vector<double> sizes_;        // of each cut link's values, the largest so far
  std::vector<std::size_t> firsts_;  // of each cut link in them, and the end
  std::size_t learned_ = 0;          // how many values the acceleration knows
  bool accelerates_ = false;         // in this step
  bool iterating_ = false;
  Stamp goal_ = kFarPast;  // of the steps that a shortened one is made in
  const LoopLink* worst_ = nullptr;
  LoopResidual worst_residual_;
  std::ptrdiff_t failed_ = -1;
  LoopFigures figures_;
};

}  // namespace openmi
