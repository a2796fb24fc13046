#pragma once

#include <functional>
#include <memory>

namespace openmi {

/// The thread on which all code of one family runs. For families whose code leaves thread_local objects with
/// destructors in every thread it runs on: a library can only be unloaded after such a thread has ended.
///
/// A caller waits until its work is done, so that only one thing happens at a time. A family thread that waits for
/// another one serves its own calls meanwhile: families may ask each other in any order.
class FamilyThread {
 public:
  /// \throws std::system_error  the system cannot create a thread
  FamilyThread();
  /// Ends the thread, after all work that it was given is done.
  ~FamilyThread();
  FamilyThread(const FamilyThread&) = delete;
  FamilyThread& operator=(const FamilyThread&) = delete;

  /// Does `work` on the thread and waits for it; when called on that thread, does it directly. What `work` throws is
  /// thrown here.
  void Run(const std::function<void()>& work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Does `work` on `thread`, or on the calling thread where `thread` is null.
template <class Work>
void RunOn(FamilyThread* thread, Work&& work) {
  if (thread == nullptr) {
    work();
  } else {
    thread->Run(work);
  }
}

}  // namespace openmi
