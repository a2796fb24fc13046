#include "study/run/StudyRun.hpp"

namespace openmi {

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
    if (busy.empty()) break;  // nothing may start any more
    if (const auto ready = StudyWorker::WaitForAny(busy, std::chrono::milliseconds(200))) Collect(*slots[*ready]);
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
  for (Slot& slot : slots_) {
    if (slot.is_busy) continue;
    std::optional<StudyTask> task = queue_.Next();
    if (!task) return;
    if (!slot.worker) slot.worker = StudyWorker::Start(queue_.Setup());
    slot.worker->Post(std::move(*task));
    slot.is_busy = true;
  }
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
