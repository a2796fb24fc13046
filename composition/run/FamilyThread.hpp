#pragma once

#include <functional>
#include <memory>

namespace openmi {

/// The thread on which all code of one family runs, for families whose code leaves something with every thread it runs
/// on (thread_local objects with destructors): a library can only be unloaded after such a thread has ended.
///
/// Whoever has something done there waits for it, so that still one thing at a time happens. A family thread that waits
/// for another serves its own calls meanwhile: families may ask each other in any order.
class FamilyThread {
 public:
  /// \throws std::system_error  the system gives no thread
  FamilyThread();
  /// Ends it; what it was given to do is done by then.
  ~FamilyThread();
  FamilyThread(const FamilyThread&) = delete;
  FamilyThread& operator=(const FamilyThread&) = delete;

  /// Does `work` on the thread and waits for it; at once where this is called on it. What `work` throws goes on to the
  /// caller.
  void Run(const std::function<void()>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Does `work` on `thread`; here where there is none.
template <class Work>
void RunOn(FamilyThread* thread, Work&& work) {
  if (thread == nullptr) {
    work();
  } else {
    thread->Run(work);
  }
}

}  // namespace openmi
