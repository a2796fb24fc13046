#include "study/run/StudyRun.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {

StudyRun::StudyRun(StudyQueue& queue, StudyPlaces places)
    : queue_(queue), launcher_(std::move(places.placement)), slots_(std::max(places.hosts.size(), std::size_t{1})) {
  if (places.hosts.empty()) slots_.resize(queue.Width());
  for (std::size_t i = 0; i < places.hosts.size(); ++i) slots_[i].host = std::move(places.hosts[i]);
}

bool StudyRun::Run(const StudyWatch& watch) {
  const auto is_interrupted = [&] { return watch.is_interrupted && watch.is_interrupted(); };
  while (!queue_.IsComplete() && !is_interrupted()) {
    Fill();
    std::vector<StudyWorker*> busy;
    std::vector<Slot*> slots;
    for (Slot& slot : slots_) {
      if (!slot.is_busy) continue;
      busy.push_back(slot.worker.get());
      slots.push_back(&slot);
    }
    for (const std::string& reason : std::exchange(lost_, {})) {
      if (watch.lost) watch.lost(reason);
    }
    if (busy.empty() && !waits_for_start_) break;  // nothing may start any more
    const std::chrono::milliseconds longest(waits_for_start_ ? 20 : 200);
    if (!busy.empty()) {
      if (const auto ready = StudyWorker::WaitForAny(busy, longest)) Collect(*slots[*ready]);
    }
    Report(watch, false);
  }
  for (Slot& slot : slots_) {
    if (!slot.is_busy) continue;  // others were interrupted, or are guesses that did not come
    queue_.Drop(slot.worker->Task());
    slot = {};
  }
  Report(watch, true);
  return queue_.IsComplete();
}

void StudyRun::Fill() {
  waits_for_start_ = false;
  for (Slot& slot : slots_) {
    if (slot.is_busy || slot.is_lost) continue;
    if (!queue_.MayHaveNext()) return;
    if (!HasWorker(slot)) continue;
    std::optional<StudyTask> task = queue_.Next();
    if (!task) return;
    slot.worker->Post(std::move(*task));
    slot.is_busy = true;
  }
}

bool StudyRun::HasWorker(Slot& slot) {
  if (slot.worker) return true;
  if (slot.host == kThisHost) {
    slot.worker = StudyWorker::Start(queue_.Setup());
    return true;
  }
  const std::string who = fmt::format("study '{}' on {}", queue_.Id(), slot.host);
  try {
    if (!slot.starting) {
      slot.starting = launcher_.Launch({.id = queue_.Id(), .host = slot.host}, who,
                                       queue_.Setup().limits.memory_limit_bytes, {"--study"});
    }
    auto there = launcher_.TakeIfThere(*slot.starting, !waits_for_start_);
    waits_for_start_ = waits_for_start_ || there.empty();
    if (there.empty()) return false;
    slot.starting.reset();
    slot.worker = std::make_unique<StudyWorker>(queue_.Setup(), std::move(there.front()));
    slot.failed_starts = 0;
    return true;
  } catch (const FileError& error) {
    Lose(slot, error);
  } catch (const StudyWorker::Gone& gone) {
    constexpr int kMostFailedStarts = 3;  // in a row
    if (++slot.failed_starts == kMostFailedStarts) {
      Lose(slot, FileError({.file = slot.host},
                           fmt::format("expected a worker for {} to start, found that it {}", who, gone.how)));
    } else {
      waits_for_start_ = true;
    }
  }
  return false;
}

void StudyRun::Lose(Slot& slot, const FileError& reason) {
  slot.starting.reset();
  slot.is_lost = true;
  if (std::ranges::all_of(slots_, &Slot::is_lost)) throw reason;
  lost_.push_back(reason.what());
}

void StudyRun::Collect(Slot& slot) {
  StudyReply reply = slot.worker->Take();
  const StudyTask task = slot.worker->Task();
  slot.is_busy = false;
  if (slot.worker->IsSpent()) slot.worker.reset();
  if (!queue_.IsSearch()) Fill();  // the worker goes on while this process writes
  queue_.Take(task, std::move(reply));
}

void StudyRun::Report(const StudyWatch& watch, bool is_last) {
  constexpr std::chrono::milliseconds kEvery{200};
  const auto now = std::chrono::steady_clock::now();
  if (!watch.progress || (!is_last && now - reported_ < kEvery)) return;
  reported_ = now;
  watch.progress(queue_.Progress());
}

}  // namespace openmi
