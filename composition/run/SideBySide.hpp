#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "composition/run/Composition.hpp"
#include "composition/run/SharedOrAlone.hpp"
#include "composition/run/WorkerPool.hpp"

namespace openmi {

class LoopGroup;

/// Updates components that do not depend on each other side by side.
///
/// A piece of work is the update of one component, or of the members of one iterated loop. What it asks of others is
/// there already; should it ask for more than was foreseen, it waits until no other piece is at work, and the provider
/// updates alone. No two pieces that touch the same family are at work at once unless that family says it is safe
/// (IThreadSafety); nor any that touch components of one other process, which answers one question at a time. Pieces
/// that need the same locks are one thread's work: they never wait for each other. Listeners hear the rows when all
/// pieces are done, one component after the other.
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

  using Members = std::span<const std::span<const std::size_t>>;
  /// Listeners hear nothing of the outputs of `members` from now on. \param members  the instances that each piece
  /// updates; shape [pieces]
  void BeginQuiet(Members members);
  /// They hear what came meanwhile.
  void EndQuiet(Members members);
  /// Calls `work(piece)` for each piece. \param members  as above
  /// \returns what each piece threw, null where nothing; shape [pieces], good until the next call
  std::span<const std::exception_ptr> Run(Members members, const std::function<void(std::size_t piece)>& work);

 private:
  class Gate;
  using Locks = std::vector<std::mutex*>;  // in the order in which they are taken
  /// Pieces that need the same locks, or none: one worker does them, one after the other.
  struct Chunk {
    std::size_t begin;  // in order_
    std::size_t end;
    std::size_t locks;
  };
  /// The locks of the families and processes that updating `instance` calls.
  Locks LocksOf(std::size_t instance);
  std::mutex* LockOf(std::size_t instance);
  /// The number of these locks in lock_sets_.
  std::size_t NumberOf(Locks locks);
  std::size_t LocksOfPiece(std::span<const std::size_t> members);
  void MakeChunks(Members members);
  void Work(const Chunk& chunk, std::size_t worker, const std::function<void(std::size_t)>& work);
  void Do(std::size_t piece, const std::function<void(std::size_t)>& work);
  template <class Call>
  void ForEachOutput(Members members, const Call& call);

  Composition& composition_;
  SharedOrAlone sharing_;
  std::vector<std::unique_ptr<Gate>> gates_;
  std::map<std::string, std::mutex> families_;
  std::vector<Locks> lock_sets_ = std::vector<Locks>(1);  // the first one is empty
  std::vector<std::size_t> locks_of_;                     // by instance: which of them
  std::map<std::size_t, std::size_t> of_loops_;           // likewise, of the pieces of several members, by the first
  std::vector<Chunk> chunks_;                             // of the pieces at hand
  std::vector<std::size_t> order_;                        // pieces, those with the same locks together
  std::vector<std::size_t> set_of_piece_;
  std::vector<std::size_t> next_of_set_;
  std::vector<std::exception_ptr> errors_;
  WorkerPool pool_;
};

}  // namespace openmi
