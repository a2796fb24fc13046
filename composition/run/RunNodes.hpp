#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/PassTimes.hpp"
#include "composition/run/RunNode.hpp"

namespace openmi {

/// The components that run, providers first, and how they are updated up to a time.
class RunNodes {
 public:
  /// \param composition  prepared; borrowed
  /// \param threads      see PassTimes
  RunNodes(Composition& composition, RunMode mode, std::size_t threads);
  ~RunNodes();
  RunNodes(const RunNodes&) = delete;
  RunNodes& operator=(const RunNodes&) = delete;

  std::vector<RunNode>& All() { return nodes_; }
  const std::vector<RunNode>& All() const { return nodes_; }
  /// The position of a component; the number of components if it does not run.
  std::size_t PositionOf(std::size_t component) const { return position_[component]; }
  /// The end of the run, UTC.
  Stamp End() const { return end_; }
  PassTimes& Times() { return times_; }
  const PassTimes& Times() const { return times_; }
  /// The index of the component whose update threw; the number of components if none did.
  std::size_t Failed() const { return failed_; }
  void SetFailed(std::size_t component) { failed_ = component; }
  void SetNoneFailed() { failed_ = position_.size(); }
  /// Sets a function that is called after each update, with the component's index.
  void SetAfterUpdate(std::function<void(std::size_t)> after_update) { after_update_ = std::move(after_update); }
  bool HasAfterUpdate() const { return after_update_ != nullptr; }
  void CallAfterUpdate(std::size_t component) const {
    if (after_update_) after_update_(component);
  }

  /// Reads the instances again, since a component came or left.
  void Bind();
  /// Watches the status of the components that are updated from within each other, which shows when they compute.
  void Watch();
  /// Stops to watch a component that leaves.
  void Unwatch(std::size_t component);
  /// Finds the links that look ahead.
  void FindAhead();
  bool IsAnyAhead() const { return is_any_ahead_; }

  void Update(RunNode& node);
  /// Does `update` as an update of the node: notes which component runs, and holds a component that fails where the
  /// file requires that.
  /// \returns whether it succeeded
  template <class Call>
  bool UpdateBy(RunNode& node, const Call& update);
  /// Updates a node until it has reached the time that is required of it.
  /// \returns whether it moved
  bool Bring(RunNode& node);
  /// Does `work`, which updates a node. If it throws, Failed is the component that threw.
  template <class Work>
  auto Noting(const RunNode& node, const Work& work);
  /// \throws ModelError  the node could go on, and is still at `before`
  void RequireProgress(const RunNode& node, Stamp before) const;
  /// Computes how far each node's providers have to go, so that the node can reach the time that is required of it.
  /// \param foresees  whether the times of nodes are foreseen, and not those of the components
  void RequireUpstream(bool foresees = false) {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      if (Before(nodes_[i].time, nodes_[i].required)) RequireProviders(nodes_[i], foresees);
    }
  }
  /// Brings what a node will ask for to the time it needs, providers first, at a depth of one.
  void BringProvidersOf(std::size_t position);

 private:
  void UpdateGroup(RunNode& node);
  void RequireProviders(RunNode& node, bool foresees);

  Composition& composition_;
  RunMode mode_;
  Stamp end_;
  std::vector<RunNode> nodes_;
  std::vector<std::size_t> position_;  // of each component in nodes_
  PassTimes times_;
  std::size_t failed_;
  std::function<void(std::size_t)> after_update_;
  bool is_any_ahead_ = false;
  std::vector<std::size_t> open_, visited_;  // of BringProvidersOf
  std::vector<std::pair<IBaseLinkableComponent*, EventSubscription>> watched_;
};

template <class Call>
bool RunNodes::UpdateBy(RunNode& node, const Call& update) {
  try {
    update();
    return true;
  } catch (const std::exception& error) {
    TimeKeeper& keeper = times_.Keeper();
    if (!node.is_watched && times_.IsTimed() && keeper.IsInside(node.number)) keeper.Leave();
    node.failed = node.number;
    if (!node.instance->host->Freezes()) throw;
    node.instance->host->Hold(error.what());
    return false;
  } catch (...) {
    node.failed = node.number;
    throw;
  }
}

inline void RunNodes::Update(RunNode& node) {
  if (node.group != nullptr) return UpdateGroup(node);
  const bool is_updated = UpdateBy(node, [this, &node] {
    if (!node.is_watched && times_.IsTimed()) {
      times_.Keeper().Enter(node.number);
      node.UpdateComponent();
      times_.Keeper().Leave();
    } else {
      node.UpdateComponent();  // timed by its status, or not in this pass
    }
  });
  if (is_updated) CallAfterUpdate(node.number);
}

inline bool RunNodes::Bring(RunNode& node) {
  bool moved = false;
  while (Before(node.time, node.required)) {
    const Stamp before = node.Time();  // others may have pulled it further
    node.time = before;
    if (!Before(before, node.required) || !node.CanUpdate()) break;
    Update(node);
    moved = true;
    node.time = node.Time();
    if (!Before(before, node.time)) break;
  }
  return moved;
}

template <class Work>
auto RunNodes::Noting(const RunNode& node, const Work& work) {
  try {
    return work();
  } catch (...) {
    failed_ = node.failed;
    throw;
  }
}

}  // namespace openmi
