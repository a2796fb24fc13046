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
#include "composition/link/Composition.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Takes families out of a composition while it runs, and puts them back.
///
/// A family is all components of the same code, usually of one library (FamilyKeyOf). It is named by its key, by the
/// file name of its library, or by the id of any member.
///
/// When a family is disengaged, its components are frozen: others get their last values, the run continues without
/// them, and their code is unloaded. When it is engaged again, its components run the code that the library's file
/// holds by then, with the arguments in force, from the present time of the run on.
///
/// All calls are made between two passes of the run (CompositionRun::BetweenPasses), by the thread that makes the
/// passes.
class Families {
 public:
  /// \param composition  loaded and linked; borrowed
  explicit Families(Composition& composition);
  Families(const Families&) = delete;
  Families& operator=(const Families&) = delete;
  /// Waits for code that is being loaded beside the run, and unloads it.
  ~Families();

  const std::vector<Family>& All() const { return families_; }
  /// The family of that name.
  /// \param name  a key, the file name of a library, or the id of a component
  /// \throws ArgumentError  there is no such family
  const Family& Find(const std::string& name) const { return families_[IndexOf(name)]; }
  /// The name of a family in messages: "libreservoir.so (upper, lower)".
  /// \param name  see Find
  std::string TextOf(const std::string& name) const;
  FamilyStatus StatusOf(const std::string& name) const { return Find(name).status; }

  /// Takes a family out. Does nothing if it is out; if its new code is being loaded, that is abandoned.
  /// \returns notes and warnings: what a component reported when it left, a state that could not be kept, code that
  ///   stayed in memory
  /// \throws ArgumentError  there is no such family
  /// \throws Error          it cannot be taken out, with the reason and the remedy; nothing has changed
  Problems Disengage(const std::string& name);

  /// Puts a family back, at the present time. Does nothing if it is in.
  /// \param name  see Find
  /// \param now   the present time of the run (UTC)
  /// \returns notes and warnings
  /// \throws ArgumentError  there is no such family
  /// \throws Error          the new code does not load, fit or start: the family stays disengaged (Family::problem says
  ///   why), and the run can continue
  Problems Engage(const std::string& name, Stamp now);

  /// Starts to put a family back. Its new code is loaded, and its members are made and initialized, on a thread beside
  /// the run.
  ///
  /// Until Engage is called the family is out (Family::is_starting), and its members will start at the present time
  /// `now`. If the code does not allow this (IThreadSafety, and `always` is not set), nothing is done before Engage.
  /// \param name     see Find
  /// \param now      the present time of the run (UTC)
  /// \param always   the run has several threads, so that all of its components may run beside others
  /// \param is_done  called on the other thread when Engage would no longer wait
  /// \returns whether something is done beside the run now
  /// \throws ArgumentError  there is no such family
  bool BeginEngage(const std::string& name, Stamp now, bool always, std::function<void()> is_done);
  /// A family whose members have been made, or could not be made; null if there is none. Engage does not wait for it,
  /// and reports the outcome.
  const Family* NextMade() const;

  /// Changes an argument of a component that is out: it starts with the new value when it is back.
  /// \returns whether its value is a secret
  /// \throws ArgumentError  there is no such component or argument
  /// \throws StateError     the component takes part in the run
  bool SetArgument(const std::string& component, const std::string& key, const std::string& value);

  /// Moves the members of disengaged families, and what failed and is held, to the present time, so that providers
  /// upstream need not keep more rows.
  /// To be called between passes while a family is out or a component is held.
  /// \param now  the present time of the run (UTC)
  void MoveTo(Stamp now);
  bool IsAnyDisengaged() const { return disengaged_ > 0; }

 private:
  /// Members that are being made on a thread beside the run.
  struct Start {
    std::thread thread;
    std::atomic<bool> is_over = false;
    std::optional<ModelError> failure;  // in the engine's own memory: the library may own the exception that was thrown
  };
  void MakeMembers(std::size_t index, Start& start);
  /// Waits for the members of a family that are being made.
  /// \returns what the thread did
  std::unique_ptr<Start> Join(std::size_t index);
  /// Undoes what was done to put a family back.
  void GiveUp(std::size_t index);
  std::size_t IndexOf(const std::string& name) const;
  /// Reports members that started again: "s1, s2 started anew at ...".
  void ReportBeginnings(std::size_t index, Problems& problems) const;
  void RequireUnloadable(const Family& family) const;
  Problems TakeOut(std::size_t index);
  /// Ends the threads of a family's code, and unloads the code.
  void Unload(std::size_t index);
  /// The members in the order of the graph, providers first.
  std::vector<std::size_t> UpstreamFirst(const Family& family) const;
  void NotifyExchanged();

  Composition& composition_;
  std::vector<Family> families_;
  std::vector<std::vector<std::unique_ptr<FamilyMember>>> members_;  // of each family; empty while it is engaged
  std::vector<std::unique_ptr<Start>> starts_;                       // of each family; null: none is under way
  std::size_t disengaged_ = 0;
};

}  // namespace openmi
