#pragma once

#include <atomic>

namespace openmi {

/// Says which component of a composition is at work, for whoever has to tell when its code takes the process with it.
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

  /// The id of the component at work; null where none is. May be called from a signal handler.
  static const char* Component() noexcept;

 private:
  // In the library, so that programs and libraries see one.
  static std::atomic<const char*> current_;
  const char* before_;
};

}  // namespace openmi
