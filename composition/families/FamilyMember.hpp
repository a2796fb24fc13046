#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "composition/run/Composition.hpp"
#include "composition/run/HostCopies.hpp"
#include "openmi/omi/OmiFile.hpp"

namespace openmi {

/// One component that leaves its composition and comes back: the steps of it, each of which can be undone by the ones
/// before it, in the order Freeze, Keep, Detach, Leave; Plan, Make, TakeUp, Connect, Start, Show, CatchUp.
class FamilyMember {
 public:
  /// \param number  of its instance; borrowed
  FamilyMember(Composition& composition, std::size_t number);

  const std::string& Id() const { return TheInstance().Id(); }
  Instance& TheInstance() const { return composition_->Instances()[number_]; }
  std::size_t Number() const { return number_; }

  /// Copies what its items show. \throws Error  something cannot be copied, or has no value yet; nothing has changed
  void Freeze();
  /// Keeps its state, if the composition file wants it back, and its arguments.
  /// \returns why no state was kept, where one was wanted; else empty
  std::string Keep();
  /// While it is out: an argument that it begins with once it is back.
  /// \returns whether its value is a secret
  /// \throws ArgumentError  it had no such argument
  bool SetArgument(const std::string& key, const std::string& value);
  /// Once it was made again: \throws LoadError  it stands on a file of another place than `key`, the file of its family
  /// until then, which is gone. A file that an operator named is no other place.
  void RequireCodeOf(const std::string& key) const;
  /// Takes it out of all links. Nothing of the host points to it afterwards.
  void Detach();
  /// Finishes and destroys it. \returns what it complained about; empty: nothing
  std::string Leave();
  /// Lets the library go; once the thread that its code ran on, if it had one of its own, has ended.
  void Unload() { library_.reset(); }

  /// Says how it is to be made: from then on its arguments stay, and so does what it may ask its providers for.
  /// \param now  the present time of the run (UTC)
  void Plan(Stamp now);
  /// Makes it anew: Initialized. May be called by another thread, while the run goes on: nothing that the run looks at
  /// is touched.
  /// \throws Error
  void Make();
  /// Says where its code runs from now on; after Make, whether that went well or not.
  void TakeUp() { TheInstance().thread = thread_; }
  /// Whether its code may be loaded and initialized while others compute: it says so (IThreadSafety), or has a process
  /// of its own.
  bool MayStartBeside() const { return may_start_beside_; }
  /// Links its inputs. \throws Error
  void Connect();
  /// Validates and prepares it; brings the kept state back.
  /// \throws Error
  void Start(Stamp now);
  /// After Start: "began anew at ...", and why where its state was to be kept; empty: it went on with its state.
  std::string Beginning() const;
  /// Whether the composition wants its state kept, and it was not.
  bool HasLostState() const { return !has_state_ && TheInstance().spec->keep_state; }
  /// Puts its outputs behind their stand-ins. \throws Error
  void Show();
  /// Lets it step until it is at `now`. \throws Error  std::exception
  void CatchUp(Stamp now);
  /// Takes back what was done since Make: it is out again.
  void Undo();

  /// While it is out: moves what it may ask for once it is back to the present, so that its providers need not keep
  /// more. Not where its state was kept: it will ask for everything since.
  void MoveHorizon(Stamp now);

 private:
  template <class Item>
  Item& Find(std::span<Item* const> items, const std::string& id, const char* kind) const;
  /// Where it begins again: the first end of its own steps that is not before `now`.
  Stamp BeginAfter(Stamp now) const;
  /// Tells the adaptors of its links that elements lie elsewhere.
  void ReplaceElements(const Link& link, const ISpatialDefinition* before, const ISpatialDefinition* after);
  Where Place() const { return {.component = Id()}; }

  Composition* composition_;
  std::size_t number_;
  std::vector<Link*> inputs_;         // links to it that end in a LinkEnd
  std::vector<Link*> direct_inputs_;  // without times and places
  std::vector<Link*> outputs_;        // links from it
  std::vector<Link*> direct_outputs_;
  std::vector<OmiArgument> arguments_;
  std::vector<std::string> argument_ids_;  // those that can be set
  std::vector<std::string> secret_ids_;
  std::vector<OmiArgument> planned_;  // what it is made with
  FamilyThread* thread_ = nullptr;    // where it is made
  bool may_start_beside_ = false;
  std::vector<std::byte> state_;
  bool has_state_ = false;
  std::string why_no_state_;       // where the composition wants it kept
  bool begins_at_present_ = true;  // it has an argument start-time
  LoadedComponent made_;
  std::shared_ptr<SharedLibrary> library_;  // of the one that left
  PlaceCopies places_;
  std::map<StandIn*, std::unique_ptr<FrozenOutput>> frozen_outputs_;
  std::map<Link*, std::unique_ptr<FrozenInput>> frozen_inputs_;
  std::map<Link*, std::unique_ptr<IBaseValueSet>> frozen_values_;
};

}  // namespace openmi
