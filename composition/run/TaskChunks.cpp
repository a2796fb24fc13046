#include "composition/run/TaskChunks.hpp"

#include <algorithm>
#include <utility>

namespace openmi {
namespace {

constexpr double kLeastSeconds = 50e-6;        // of tasks scheduled together: scheduling then costs little
constexpr std::size_t kChunksAThread = 32;     // so that threads do not wait long at the end of a round
constexpr std::uint64_t kLeastMeasured = 4;    // rounds, before tasks are grouped by their times
constexpr double kFirstGuess = kLeastSeconds;  // for a task that was never measured

}  // namespace

TaskChunks::TaskChunks(std::vector<bool> is_apart, std::size_t threads)
    : is_apart_(std::move(is_apart)), threads_(threads), seconds_(is_apart_.size(), kFirstGuess) {}

void TaskChunks::Arrange(const std::vector<TaskOrder::Uses>& uses, std::size_t things) {
  order_ = TaskOrder(uses, things).Grouped();
  Group(uses, things);
}

void TaskChunks::Group(const std::vector<TaskOrder::Uses>& uses, std::size_t things) {
  double all = 0.0;
  for (const double seconds : seconds_) all += seconds;
  const double least = std::max(kLeastSeconds, all / static_cast<double>(kChunksAThread * threads_));
  chunks_.clear();
  double seconds = least;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (seconds >= least || is_apart_[order_[i]] || is_apart_[order_[i - 1]]) {
      chunks_.push_back({i, i});
      seconds = 0.0;
    }
    ++chunks_.back().end;
    seconds += seconds_[order_[i]];
  }
  std::vector<TaskOrder::Uses> together(chunks_.size());
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    TaskOrder::Uses& all_uses = together[chunk];
    for (const std::size_t task : TasksOf(chunk)) {
      all_uses.reads.insert(all_uses.reads.end(), uses[task].reads.begin(), uses[task].reads.end());
      all_uses.changes.insert(all_uses.changes.end(), uses[task].changes.begin(), uses[task].changes.end());
    }
    all_uses.Sort();
  }
  chunk_order_ = TaskOrder(together, things);
  std::vector<double> lengths;
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    double& length = lengths.emplace_back(0.0);
    for (const std::size_t task : TasksOf(chunk)) length += seconds_[task];
  }
  chunk_order_.StartLongChainsFirst(lengths);
  rounds_ = 0;
}

bool TaskChunks::IsMeasured() const {
  return rounds_ >= kLeastMeasured;
}

void TaskChunks::Regroup(const std::vector<TaskOrder::Uses>& uses, std::size_t things) {
  for (std::size_t chunk = 0; chunk < chunks_.size(); ++chunk) {
    // Without the longest round, in which another program may have had the processor.
    const Chunk& one = chunks_[chunk];
    const double each = (one.seconds - one.longest) / static_cast<double>((rounds_ - 1) * (one.end - one.begin));
    for (const std::size_t task : TasksOf(chunk)) seconds_[task] = each;
  }
  Group(uses, things);
}

void TaskChunks::Note(std::size_t chunk, double seconds) {
  chunks_[chunk].seconds += seconds;
  chunks_[chunk].longest = std::max(chunks_[chunk].longest, seconds);
}

}  // namespace openmi
