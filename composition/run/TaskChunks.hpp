#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "composition/threads/TaskOrder.hpp"

namespace openmi {

/// Tasks that one thread does one after the other, so that scheduling costs little compared with what they take. They
/// are grouped by their times, which are measured.
class TaskChunks {
 public:
  /// \param is_apart  of each task: whether it has a chunk of its own
  /// \param threads   that work on them
  TaskChunks(std::vector<bool> is_apart, std::size_t threads);

  /// Orders and groups the tasks anew, since what they use has changed.
  /// \param things  the number of things that are used
  void Arrange(const std::vector<TaskOrder::Uses>& uses, std::size_t things);
  /// Groups them by the times that were measured since the last grouping. See Arrange.
  /// \pre IsMeasured()
  void Regroup(const std::vector<TaskOrder::Uses>& uses, std::size_t things);
  /// Whether enough rounds were made to group the tasks by their times.
  bool IsMeasured() const;
  void CountRounds(std::size_t rounds) { rounds_ += rounds; }
  /// Notes how long a round of a chunk took. Each chunk is noted by one thread at a time.
  void Note(std::size_t chunk, double seconds);

  std::size_t Count() const { return chunks_.size(); }
  /// Which chunks wait for which others.
  const TaskOrder& Order() const { return chunk_order_; }
  std::span<const std::size_t> TasksOf(std::size_t chunk) const {
    return std::span(order_).subspan(chunks_[chunk].begin, chunks_[chunk].end - chunks_[chunk].begin);
  }

 private:
  struct Chunk {
    std::size_t begin;  // in order_
    std::size_t end;
    double seconds = 0.0;  // of all measured rounds
    double longest = 0.0;  // of one round
  };
  void Group(const std::vector<TaskOrder::Uses>& uses, std::size_t things);

  std::vector<bool> is_apart_;
  std::size_t threads_;
  std::vector<std::size_t> order_;  // tasks
  std::vector<double> seconds_;     // of each task
  std::vector<Chunk> chunks_;
  TaskOrder chunk_order_;
  std::uint64_t rounds_ = 0;  // of these chunks
};

}  // namespace openmi
