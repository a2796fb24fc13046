#pragma once

#include <atomic>

namespace openmi {

/// Says which component of a composition this thread is at work for, for whoever has to tell when its code takes the
/// process with it: a signal handler runs on the thread that met the signal.
///
/// An object marks the time from its making to its end; inside others the innermost counts. What a component draws on
/// from within its own update is not told apart from it. Costs two stores.
class AtWork {
 public:
  /// \param component  id; borrowed, must outlive the process or be followed by another
  explicit AtWork(const char* component) noexcept : before_(current_.load(std::memory_order_relaxed)) {
    current_.store(component, std::memory_order_relaxed);
  }
  ~AtWork() { current_.store(before_, std::memory_order_relaxed); }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

  /// The id of the component at work on this thread; null where none is. May be called from a signal handler.
  static const char* Component() noexcept;

 private:
  // In the library, so that programs and libraries see one. Its place is known when the library is loaded: neither the
  // cost of a look-up, nor memory taken by a first use within a signal handler.
  static thread_local constinit std::atomic<const char*> current_ __attribute__((tls_model("initial-exec")));
  const char* before_;
};

}  // namespace openmi
