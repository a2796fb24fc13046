#include "composition/isolation/WorkerTimes.hpp"

#include <algorithm>
#include <utility>

namespace openmi {

struct WorkerTimes::Worker {
  std::size_t party = 0;
  bool is_at_work = false;
  double since = 0.0;           // up to when its times are counted
  double reported = 0.0;        // time at work that it has not reported on yet
  double share = 0.0;           // what the others' clocks counted for it meanwhile
  std::vector<double> seen{};   // the clocks at `since`
  std::vector<double> cells{};  // by bin and column
};

WorkerTimes::WorkerTimes() = default;
WorkerTimes::~WorkerTimes() = default;

std::size_t WorkerTimes::Add(const std::string& party) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(parties_, party);
  Worker worker;
  worker.party = static_cast<std::size_t>(found - parties_.begin());
  if (found == parties_.end()) {
    parties_.push_back(party);
    busy_.push_back(0);
  }
  if (counts_) {
    PassTo(Clock::now());
    MakeRoom(worker);
  }
  workers_.push_back(std::move(worker));
  return workers_.size() - 1;
}

void WorkerTimes::MakeRoom(Worker& worker) const {
  worker.since = time_;
  worker.reported = 0.0;
  worker.share = 0.0;
  worker.seen = clocks_;
  worker.cells.assign(kBins * columns_, 0.0);
}

void WorkerTimes::Start(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  counts_ = true;
  begin_ = now;
  time_ = 0.0;
  width_ = 1e-3;
  bin_ = 0;
  columns_ = kParties + std::min(parties_.size(), kMostParties);
  clocks_.assign(columns_, 0.0);
  at_work_.assign(columns_, 0);
  busy_parties_ = 0;
  for (Worker& worker : workers_) MakeRoom(worker);
  for (std::size_t party = 0; party < parties_.size(); ++party) {
    if (busy_[party] > 0) NoteParty(party, true);
  }
}

void WorkerTimes::Stop(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (!counts_) return;
  PassTo(now);
  for (Worker& worker : workers_) Settle(worker);
  counts_ = false;
}

void WorkerTimes::CountTo(double time) {
  const double passed = time - time_;
  time_ = time;
  if (busy_parties_ == 0) {
    clocks_[kRun] += passed;
    return;
  }
  const double part = passed / static_cast<double>(busy_parties_);
  for (std::size_t column = kOthers; column < columns_; ++column) {
    clocks_[column] += part * static_cast<double>(at_work_[column]);
  }
}

void WorkerTimes::Settle(Worker& worker) {
  double* const cells = &worker.cells[bin_ * columns_];
  if (worker.is_at_work) {
    const std::size_t own = ColumnOf(worker.party);
    cells[kComputing] += time_ - worker.since;
    worker.reported += time_ - worker.since;
    worker.share += clocks_[own] - worker.seen[own];
  } else {
    for (std::size_t column = kRun; column < columns_; ++column) {
      cells[column] += clocks_[column] - worker.seen[column];
    }
  }
  worker.since = time_;
  std::ranges::copy(clocks_, worker.seen.begin());
}

void WorkerTimes::Widen() {
  for (Worker& worker : workers_) {
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      for (std::size_t column = 0; column < columns_; ++column) {
        const double seconds = std::exchange(worker.cells[bin * columns_ + column], 0.0);
        worker.cells[bin / 2 * columns_ + column] += seconds;
      }
    }
  }
  width_ *= 2.0;
  bin_ /= 2;
}

void WorkerTimes::PassTo(Clock::time_point now) {
  const double time = std::chrono::duration<double>(now - begin_).count();
  while (time >= width_ * static_cast<double>(bin_ + 1)) {
    CountTo(width_ * static_cast<double>(bin_ + 1));
    for (Worker& worker : workers_) Settle(worker);
    if (++bin_ == kBins) Widen();
  }
  CountTo(std::max(time, time_));
}

void WorkerTimes::Note(std::size_t number, bool is_at_work, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  Worker& worker = workers_[number];
  if (worker.is_at_work == is_at_work) return;
  if (counts_) {
    PassTo(now);
    Settle(worker);
  }
  worker.is_at_work = is_at_work;
  std::size_t& busy = busy_[worker.party];
  busy = is_at_work ? busy + 1 : busy - 1;
  if (counts_ && busy == (is_at_work ? 1U : 0U)) NoteParty(worker.party, is_at_work);
}

void WorkerTimes::NoteParty(std::size_t party, bool is_at_work) {
  std::size_t& there = at_work_[ColumnOf(party)];
  there = is_at_work ? there + 1 : there - 1;
  busy_parties_ = is_at_work ? busy_parties_ + 1 : busy_parties_ - 1;
}

void WorkerTimes::Move(Worker& worker, double seconds, std::size_t from, std::size_t to) const {
  for (std::size_t bin = bin_ + 1; seconds > 0.0 && bin-- > 0;) {  // the last time is what was too much
    double* const cells = &worker.cells[bin * columns_];
    const double part = std::min(seconds, cells[from]);
    cells[from] -= part;
    cells[to] += part;
    seconds -= part;
  }
}

void WorkerTimes::Correct(std::size_t number, double computing, std::span<const Wait> waits) {
  const std::lock_guard lock(mutex_);
  Worker& worker = workers_[number];
  const double counted = std::exchange(worker.reported, 0.0);
  const double share = std::exchange(worker.share, 0.0);
  if (!counts_ || counted <= 0.0) return;
  double excess = std::max(counted - std::max(computing, 0.0), 0.0);
  for (const Wait& wait : waits) {
    const double seconds = std::clamp(wait.seconds, 0.0, excess);
    Move(worker, seconds, kComputing, ColumnOf(workers_[wait.worker].party));
    excess -= seconds;
  }
  Move(worker, excess, kComputing, kRun);
  constexpr double kLate = 1e-3;  // seconds: then the run was busy when the reply came, and not the message slow
  const std::size_t own = ColumnOf(worker.party);
  if (excess < kLate || busy_[worker.party] > 0) return;
  for (Worker& other : workers_) {
    if (other.is_at_work || other.party == worker.party) continue;
    const double late = share * excess / counted;  // so long it waited for the run
    const double now = std::clamp(clocks_[own] - other.seen[own], 0.0, late);
    other.seen[own] += now;
    other.seen[kRun] -= now;
    Move(other, late - now, own, kRun);
  }
}

double WorkerTimes::SecondsNow() const {
  const std::lock_guard lock(mutex_);
  return counts_ ? std::chrono::duration<double>(Clock::now() - begin_).count() : time_;
}

std::vector<std::string> WorkerTimes::Parties() const {
  const std::lock_guard lock(mutex_);
  return {parties_.begin(), parties_.begin() + static_cast<std::ptrdiff_t>(columns_ - kParties)};
}

std::size_t WorkerTimes::Bins() const {
  const std::lock_guard lock(mutex_);
  return time_ > 0.0 ? std::min(bin_ + 1, kBins) : 0;
}

std::vector<double> WorkerTimes::TimesOf(std::size_t number) const {
  const std::size_t bins = Bins();
  const std::lock_guard lock(mutex_);
  const std::vector<double>& cells = workers_[number].cells;
  return {cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(std::min(bins * columns_, cells.size()))};
}

}  // namespace openmi
