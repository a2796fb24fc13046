#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/loops/LoopFigures.hpp"
#include "composition/loops/LoopIterate.hpp"
#include "composition/loops/LoopLink.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/standard/IManageState.hpp"
#include "timespace/optional/ISteps.hpp"

namespace openmi {

/// The members of one loop of links, stepped together and iterated until what they give each other agrees.
///
/// A step ends where the member with the longest step ends its own; members with shorter steps make several. Where the
/// members' steps do not end at the same time there, the step continues until they do. In each iteration every member
/// computes from the same state, which it keeps (IManageState). The links that are cut answer from the iterate:
/// Gauss-Seidel cuts the links that lead back in the order of the members, Jacobi cuts all of them.
///
/// Components outside the loop see the step when it is taken: listeners are notified of its rows then, and providers
/// are asked once.
class LoopGroup {
 public:
  /// \param composition  prepared; borrowed. The group replaces the stepping of the members' outputs and the answers at
  ///   the ends of their links.
  /// \param spec         checked by CheckLoops; borrowed
  LoopGroup(Composition& composition, const IterateSpec& spec);
  ~LoopGroup();
  LoopGroup(const LoopGroup&) = delete;
  LoopGroup& operator=(const LoopGroup&) = delete;

  /// Makes one step of all members.
  ///
  /// A step that fails is undone: the members that can go back are where it started, and listeners are not notified of
  /// it. Where the run continues without the member that failed (OnFailure="freeze"), that member is held, and the
  /// group is broken.
  /// \returns false if nothing moved: all members are done, or one is held
  /// \throws ModelError  the step does not converge, and the composition states that the run then fails
  bool Step();
  /// Whether a member is out of the run. The others answer each other with the values they have, once this group is
  /// destroyed.
  bool IsBroken() const;
  /// Instance indices, in the order of computation.
  const std::vector<std::size_t>& Members() const { return numbers_; }
  const LoopFigures& Figures() const { return figures_; }
  const IterateSpec& Spec() const { return spec_; }
  /// Saves what was learned in the steps so far, the end of a step that is made in parts, and the figures. To be called
  /// between two steps.
  void SaveState(StateWriter& writer) const;
  /// \throws FormatError
  void LoadState(StateReader& reader);
  /// The time that all members have reached.
  Stamp CurrentTime() const;
  /// The instance index of the member that threw; -1 if none did.
  std::ptrdiff_t Failed() const { return failed_; }

 private:
  class Gate;
  struct Member {
    Instance* instance = nullptr;
    IManageState* states = nullptr;
    IStepLimit* limit = nullptr;
    IConverges* solver = nullptr;
    const IIdentifiable* kept = nullptr;
    Stamp begin = kFarPast;
    std::vector<OutputProxy*> outputs;
    Stamp Now() const { return instance->CurrentTime(); }
    bool CanUpdate() const;
  };
  void AddLinks(const IterateSpec& spec);
  LoopTolerance ToleranceOf(const Link& link) const;
  /// Where the next step ends, according to the members.
  Stamp PlannedEnd() const;
  /// Makes a step; throws what it throws.
  void Compute();
  /// Iterates to `end`.
  /// \returns whether it converged
  bool Iterate(Stamp& end);
  /// Makes every member compute until it is at `end`, or later where their steps do not end together.
  void ComputeTo(Stamp& end);
  void ComputeMember(Member& member, Stamp& end);
  /// Whether the members that iterate within their steps have converged.
  bool HaveConverged() const;
  void KeepStates();
  void RestoreStates();
  void ClearStates();
  void Take();
  /// Undoes a step that failed, as far as the members allow it.
  void TakeBack() noexcept;
  void SetQuiet(bool quiet);
  [[noreturn]] void Fail(Stamp end) const;

  Composition& composition_;
  const IterateSpec& spec_;
  std::vector<std::size_t> numbers_;
  std::vector<Member> members_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::vector<std::unique_ptr<LoopLink>> links_;
  LoopIterate iterate_;
  bool iterating_ = false;
  Stamp goal_ = kFarPast;  // end of the steps into which a shortened one is divided
  std::ptrdiff_t failed_ = -1;
  LoopFigures figures_;
};

}  // namespace openmi
