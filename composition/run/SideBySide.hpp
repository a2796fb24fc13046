#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "composition/run/Composition.hpp"
#include "composition/run/WorkerPool.hpp"

namespace openmi {

class LoopGroup;

/// Updates components that do not depend on each other side by side.
///
/// A piece of work is the update of one component, or of the members of one iterated loop. What it asks of others is
/// there already; should it ask for more than was foreseen, it waits until no other piece is at work, and the provider
/// updates alone. No two pieces that touch the same family are at work at once unless that family says it is safe
/// (IThreadSafety). Listeners hear the rows when all pieces are done, one component after the other.
class SideBySide {
 public:
  /// \param composition  prepared; borrowed. Stands between its outputs and whoever asks from now on.
  /// \param group_of     the iterated loop each instance is a member of, or null; shape [instances]
  SideBySide(Composition& composition, std::span<const LoopGroup* const> group_of, std::size_t threads);
  ~SideBySide();
  SideBySide(const SideBySide&) = delete;
  SideBySide& operator=(const SideBySide&) = delete;

  /// Which components may be updated this way: those that stand in no loop of links but an iterated one, and that take
  /// numbers with times, from such components only. A flag for each instance.
  static std::vector<bool> FitFor(const Composition& composition, std::span<const LoopGroup* const> group_of);

  /// Calls `work(piece)` for each piece. \param members  the instances that a piece updates; shape [pieces]
  /// \throws whatever a piece threw; of several, the first in the order given
  void Run(std::span<const std::span<const std::size_t>> members, const std::function<void(std::size_t piece)>& work);
  /// The piece that threw what Run throws.
  std::size_t Failed() const { return failed_; }

 private:
  class Gate;
  /// The locks of the families that updating `instance` calls, in the order in which they are taken.
  std::vector<std::mutex*> LocksOf(std::size_t instance);
  void Work(std::size_t piece, std::size_t worker, const std::function<void(std::size_t)>& work);
  std::mutex* LockOf(std::size_t instance);

  Composition& composition_;
  std::shared_mutex alone_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::map<std::string, std::mutex> families_;
  std::vector<std::vector<std::mutex*>> locks_;        // by instance
  std::vector<std::vector<std::mutex*>> piece_locks_;  // of the pieces at hand
  std::vector<std::exception_ptr> errors_;
  std::size_t failed_ = 0;
  WorkerPool pool_;
};

}  // namespace openmi
