#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "composition/families/FamilyMember.hpp"
#include "composition/families/FamilyStatus.hpp"
#include "composition/run/Composition.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Takes families out of a composition while it runs, and puts them back.
///
/// A family is all components that stand on the same code: of one library, as a rule (FamilyKeyOf). It is named by its
/// key, by the file name of its library, or by the id of any one member.
///
/// Disengaged, its components are frozen: whoever asks gets their last values, the run goes on without them, and their
/// code is out of memory. Engaged again, they run the code that the library's file holds by then, with the arguments
/// in force, from the present time of the run on.
///
/// All calls between two passes of the run (CompositionRun::BetweenPasses), by the thread that makes them.
class Families {
 public:
  /// \param composition  loaded and linked; borrowed
  explicit Families(Composition& composition);
  Families(const Families&) = delete;
  Families& operator=(const Families&) = delete;
  /// Waits for code that is being loaded beside the run, and lets it go.
  ~Families();

  const std::vector<Family>& All() const { return families_; }
  /// \param name  a key, the file name of a library, or the id of a component
  /// \throws ArgumentError  there is no such family
  const Family& Find(const std::string& name) const { return families_[IndexOf(name)]; }
  /// A family as messages name it: "libreservoir.so (upper, lower)". \param name  as of Find
  std::string TextOf(const std::string& name) const;
  FamilyStatus StatusOf(const std::string& name) const { return Find(name).status; }

  /// Takes a family out. Does nothing when it is out; where its new code is just being loaded, that is given up.
  /// \returns what is worth telling: what a component complained about, a state that could not be kept, code that
  ///          stayed in memory all the same
  /// \throws ArgumentError  there is no such family
  /// \throws Error          it cannot be taken out, with the reason and what to do; nothing has changed
  Problems Disengage(const std::string& name);

  /// Puts a family back, at the present time. Does nothing when it is in.
  /// \param now  the present time of the run (UTC)
  /// \returns what is worth telling
  /// \throws ArgumentError  there is no such family
  /// \throws Error          the new code does not load, fit or start: the family stays disengaged (Family::problem says
  ///                        why), and the run can go on
  Problems Engage(const std::string& name, Stamp now);

  /// Begins to put a family back: its new code is loaded, and its members are made and initialized, on a thread beside
  /// the run. Until then the family is out (Family::is_starting), and its members will begin at what is the present
  /// time now. Where the code does not allow that (IThreadSafety, and `always` is not set), nothing is done before
  /// Engage.
  /// \param always   the run has several threads: all of its components stand others beside them
  /// \param is_done  called on the other thread when Engage would not wait any more
  /// \returns whether something is done beside the run now
  /// \throws ArgumentError  there is no such family
  bool BeginEngage(const std::string& name, Stamp now, bool always, std::function<void()> is_done);
  /// A family whose members are made, or could not be: Engage does not wait for it, and says how it went.
  const Family* NextMade() const;

  /// Changes an argument of a component that is out: it begins with it once it is back.
  /// \returns whether its value is a secret
  /// \throws ArgumentError  no such component or argument
  /// \throws StateError     the component takes part in the run
  bool SetArgument(const std::string& component, const std::string& key, const std::string& value);

  /// To be called between passes while a family is out, with the present time: what is upstream of it need not keep
  /// more.
  void MoveTo(Stamp now);
  bool IsAnyDisengaged() const { return disengaged_ > 0; }

 private:
  /// Members being made on a thread beside the run.
  struct Start {
    std::thread thread;
    std::atomic<bool> is_over = false;
    std::optional<ModelError> failure;  // in the host's own memory: what was thrown may be of the library's making
  };
  void MakeMembers(std::size_t index, Start& start);
  /// Waits for the members of a family that are being made. \returns what it did
  std::unique_ptr<Start> Join(std::size_t index);
  /// Takes back what was done to put a family back.
  void GiveUp(std::size_t index);
  std::size_t IndexOf(const std::string& name) const;
  /// "s1, s2 began anew at ..." of those that did.
  void TellBeginnings(std::size_t index, Problems& problems) const;
  void RequireUnloadable(const Family& family) const;
  Problems TakeOut(std::size_t index);
  /// Ends what the code of a family ran on, and lets it go.
  void Unload(std::size_t index);
  /// Members as the graph has them, providers first.
  std::vector<std::size_t> UpstreamFirst(const Family& family) const;
  void TellExchanged();

  Composition& composition_;
  std::vector<Family> families_;
  std::vector<std::vector<std::unique_ptr<FamilyMember>>> members_;  // of each family; empty while it is engaged
  std::vector<std::unique_ptr<Start>> starts_;                       // of each family; null: none is under way
  std::size_t disengaged_ = 0;
};

}  // namespace openmi
