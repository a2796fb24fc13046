#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/proxy/HostCopies.hpp"
#include "openmi/omi/OmiFile.hpp"

namespace openmi {

/// The arguments of a component that is out of its composition: what it is made with when it comes back.
class KeptArguments {
 public:
  /// Keeps those of a component that is about to leave.
  void Keep(const Instance& instance);
  /// See FamilyMember::SetArgument.
  bool Set(Instance& instance, const std::string& key, const std::string& value);
  const std::vector<OmiArgument>& Values() const { return values_; }

 private:
  std::vector<OmiArgument> values_;
  std::vector<std::string> ids_;  // those that can be set
  std::vector<std::string> secret_ids_;
};

/// One component that leaves its composition and comes back.
///
/// Order of calls: Freeze, Keep, Detach, Leave; then Plan, Make, TakeUp, Connect, Start, Show, CatchUp. Each step can
/// be undone by the steps before it.
class FamilyMember {
 public:
  /// \param composition  borrowed
  /// \param number       index of the instance
  FamilyMember(Composition& composition, std::size_t number);

  const std::string& Id() const { return TheInstance().Id(); }
  Instance& TheInstance() const { return composition_->Instances()[number_]; }
  std::size_t Number() const { return number_; }

  /// Copies what the component's items show.
  /// \throws Error  something cannot be copied, or has no value yet; nothing has changed
  void Freeze();
  /// Keeps its arguments, and its state if the composition file requires that.
  /// \returns why no state was kept, if one was required; else empty
  std::string Keep();
  /// Sets an argument while the component is out: it starts with the value when it is back.
  /// \returns whether its value is a secret
  /// \throws ArgumentError  it had no such argument
  bool SetArgument(const std::string& key, const std::string& value) {
    return arguments_.Set(TheInstance(), key, value);
  }
  /// Requires, after Make, that the component was not made from a file of the same name in another folder.
  /// \param key  the file of its family until then
  /// \throws LoadError  that file is gone, and the code is from a file of its name elsewhere, which no operator named
  void RequireCodeOf(const std::string& key) const;
  /// Takes the component out of all links. Afterwards nothing of the engine points to it.
  void Detach();
  /// Finishes and destroys the component.
  /// \returns the errors that it reported; empty: none
  std::string Leave();
  /// Unloads the library. To be called after the thread that its code ran on, if it had one, has ended.
  void Unload() { library_.reset(); }

  /// Determines how the component is to be made. From then on its arguments stay, and so does what it may ask its
  /// providers for.
  /// \param now  the present time of the run (UTC)
  void Plan(Stamp now);
  /// Makes the component again: it is Initialized. May be called on another thread while the run continues; it changes
  /// nothing that the run uses.
  /// \throws Error  it cannot be loaded or initialized
  void Make();
  /// Sets where its code runs from now on; to be called after Make, whether that succeeded or not.
  void TakeUp() { TheInstance().thread = thread_; }
  /// Whether its code may be loaded and initialized while others compute: it declares so (IThreadSafety), or has its
  /// own process.
  bool MayStartBeside() const { return may_start_beside_; }
  /// Links its inputs.
  /// \throws Error  an input does not fit
  void Connect();
  /// Validates and prepares the component; restores the kept state.
  /// \param now  the present time of the run (UTC)
  /// \throws Error  the component's own
  void Start(Stamp now);
  /// After Start: "started anew at ...", and the reason if its state was to be kept; empty: it continued with its
  /// state.
  std::string Beginning() const;
  /// Whether the composition requires that its state is kept, and it was not.
  bool HasLostState() const { return !has_state_ && TheInstance().spec->keep_state; }
  /// Attaches its outputs to their proxies.
  /// \throws Error  an output does not fit
  void Show();
  /// Updates the component until it has reached `now` (UTC).
  /// \throws Error, std::exception  the component's own
  void CatchUp(Stamp now);
  /// Undoes what was done since Make: the component is out again.
  void Undo();

  /// While the component is out: moves the earliest time that it may ask for to the present, so that its providers need
  /// not keep more rows. Does nothing if its state was kept, since it will ask for everything since then.
  void MoveHorizon(Stamp now);

 private:
  template <class Item>
  Item& Find(std::span<Item* const> items, const std::string& id, const char* kind) const;
  /// Where it starts again: the first end of its own steps that is not before `now`.
  Stamp BeginAfter(Stamp now) const;
  /// Notifies the adaptors of its links that elements have other coordinates.
  void ReplaceElements(const Link& link, const ISpatialDefinition* before, const ISpatialDefinition* after);
  Where Place() const { return {.component = Id()}; }

  Composition* composition_;
  std::size_t number_;
  std::vector<Link*> inputs_;         // links to it that end in a InputProxy
  std::vector<Link*> direct_inputs_;  // of a link without times and elements
  std::vector<Link*> outputs_;        // links from it
  std::vector<Link*> direct_outputs_;
  KeptArguments arguments_;
  std::vector<OmiArgument> planned_;  // what it will be made with
  FamilyThread* thread_ = nullptr;    // the thread on which it is made
  bool may_start_beside_ = false;
  Bytes state_;
  bool has_state_ = false;
  std::string why_no_state_;       // set if the composition requires that its state is kept
  bool begins_at_present_ = true;  // it has an argument start-time
  LoadedComponent made_;
  std::shared_ptr<SharedLibrary> library_;  // of the component that left
  PlaceCopies places_;
  std::map<OutputProxy*, std::unique_ptr<FrozenOutput>> frozen_outputs_;
  std::map<Link*, std::unique_ptr<FrozenInput>> frozen_inputs_;
  std::map<Link*, std::unique_ptr<IBaseValueSet>> frozen_values_;
};

}  // namespace openmi
