#include "composition/threads/FamilyThread.hpp"

#include <pthread.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <system_error>

#include "composition/threads/CallLine.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "composition/threads/TimeKeeper.hpp"

namespace openmi {
namespace {

constexpr std::size_t kStackBytes = std::size_t{256} << 20;  // reserved, not used at once: for pulls along chains

/// One for all family threads: a call changes threads twice, and nothing else waits meanwhile.
std::mutex& TheMutex() {
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

struct Task {
  const std::function<void()>* work;
  std::condition_variable* caller;
  CurrentComponent* caller_at_work =
      CurrentComponent::Current();  // the component that runs on the caller's thread; null: none
  bool can_leave = caller_at_work != nullptr && caller_at_work->CanLeave();
  CallLine* line = &CallLine::Current();  // what the caller's line holds, and how it runs, applies here too
  std::size_t lane = TimeKeeper::CurrentLane();
  std::exception_ptr thrown = nullptr;
  bool is_done = false;

  /// Does the work as the caller would do it.
  void Do() const {
    if (can_leave) {
      CallComponent(caller_at_work->Of(), *work);
    } else if (caller_at_work != nullptr) {
      const CurrentComponent current(caller_at_work->Of());
      (*work)();
    } else {
      (*work)();
    }
  }
};

}  // namespace

struct FamilyThread::State {
  pthread_t thread = {};
  std::condition_variable woken;
  std::deque<Task*> tasks;
  bool is_over = false;

  /// The state of this family thread; null on any other thread.
  static thread_local State* current;

  static void* Main(void* self) {
    current = static_cast<State*>(self);
    current->Serve(nullptr);
    return nullptr;
  }

  /// Serves calls until `task` is done; if `task` is null, until the thread has to end.
  void Serve(const Task* task) {
    std::unique_lock lock(TheMutex());
    while (true) {
      woken.wait(lock, [&] { return !tasks.empty() || (task != nullptr ? task->is_done : is_over); });
      if (task != nullptr && task->is_done) return;
      if (tasks.empty()) return;
      Task& next = *tasks.front();
      tasks.pop_front();
      lock.unlock();
      {
        const CallLine::Enter line(*next.line);
        const std::size_t lane = TimeKeeper::CurrentLane();
        TimeKeeper::EnterLane(next.lane);
        try {
          next.Do();
        } catch (...) {
          next.thrown = std::current_exception();
        }
        TimeKeeper::EnterLane(lane);
      }
      lock.lock();
      next.is_done = true;
      next.caller->notify_one();
    }
  }
};

thread_local FamilyThread::State* FamilyThread::State::current = nullptr;

FamilyThread::FamilyThread() : state_(std::make_unique<State>()) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  const int error = pthread_create(&state_->thread, &attributes, &State::Main, state_.get());
  pthread_attr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), "a thread for a family of components");
}

FamilyThread::~FamilyThread() {
  {
    const std::lock_guard lock(TheMutex());
    state_->is_over = true;
    state_->woken.notify_one();
  }
  pthread_join(state_->thread, nullptr);
}

void FamilyThread::Run(const std::function<void()>& work) {
  State* here = State::current;
  if (here == state_.get()) {
    work();
    return;
  }
  std::condition_variable done;  // for a caller that serves no calls
  Task task{.work = &work, .caller = here != nullptr ? &here->woken : &done};
  const HostWork waits;  // the component is left on its own thread, not here
  {
    std::unique_lock lock(TheMutex());
    state_->tasks.push_back(&task);
    state_->woken.notify_one();
    if (here == nullptr) done.wait(lock, [&task] { return task.is_done; });
  }
  if (here != nullptr) here->Serve(&task);
  if (task.thrown != nullptr) std::rethrow_exception(std::move(task.thrown));
}

}  // namespace openmi
