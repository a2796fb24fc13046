#pragma once

#include <atomic>
#include <string>
#include <type_traits>
#include <utility>

#include "composition/run/FloatingPointModes.hpp"

namespace openmi {

/// What a component did to the process that it shares with the others; each was set back, and is reported once.
struct Conduct {
  explicit Conduct(std::string component) : id(std::move(component)) {}

  enum Change : unsigned {
    kFloatingPoint = 1,  ///< how the thread rounds, takes tiny numbers for zero, or stops at faults
    kFolder = 2,         ///< the working folder
    kFileModes = 4,      ///< the umask
    kCopy = 8            ///< it split the process in two (fork), and both halves went on
  };

  const std::string id;               ///< of the component
  std::atomic<unsigned> changes = 0;  ///< bits of Change that were not reported yet
  /// It was left within a call: it called exit, or did not return (was_given_up). It is never called again, nor
  /// destroyed.
  std::atomic<bool> has_left = false;
  std::atomic<bool> was_given_up = false;  ///< it did not return while the run was to end
};

/// While it lives, this thread is inside the code of a component. At its end it sets back what the component changed
/// for all others: how numbers are rounded, and, where the program lets them be seen (KeepFolder, KeepFileModes), the
/// working folder and the umask. A copy of the process (fork) that comes back from a component is ended there.
///
/// Of several, the innermost counts: a component that is called from within the update of another has one of its own.
/// Costs some nanoseconds and allocates nothing, where nothing was changed.
class AtWork {
 public:
  /// \param component  borrowed until the end of the process or until another is at work
  explicit AtWork(Conduct& component) noexcept
      : before_(current_.load(std::memory_order_relaxed)),
        component_(component),
        modes_(before_ != nullptr ? before_->modes_ : FloatingPointModes::Current()),
        copies_(process_copies_.load(std::memory_order_relaxed)) {
    current_.store(this, std::memory_order_relaxed);
  }
  ~AtWork() {
    SetBack(FloatingPointModes::Current());
    if (places_ != nullptr) SetPlacesBack();
    current_.store(before_, std::memory_order_relaxed);
  }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

  /// The id of the component at work on this thread; null where none is. May be called from a signal handler.
  static const char* Component() noexcept;
  /// The innermost one of this thread; null where no component is at work.
  static AtWork* Current() noexcept { return current_.load(std::memory_order_relaxed); }
  Conduct& Of() const noexcept { return component_; }

  /// Does `work`, which calls the component. Should the component call exit, it is left there and then (Leave), what it
  /// holds stays as it is, and it must not be called again. \returns false where it was left
  template <class Work>
  bool Call(Work& work) {
    return CallAndReturn([](void* one) { (*static_cast<Work*>(one))(); },
                         const_cast<void*>(static_cast<const void*>(&work)));
  }
  /// Whether Leave may be called: the component is called by Call, and its own code is what runs.
  bool CanLeave() const noexcept { return way_out_ != nullptr; }
  /// Goes back to Call, which returns false. By a function that stands for exit, on the thread of the component.
  [[noreturn]] void Leave() noexcept;

  /// For a handler of a signal, where the run is to end: notes that the call of the component at work on this thread is
  /// late.
  static void NoteLate() noexcept;
  /// Whether that was noted of the call under way, and the component can be left now: not while it asks for values.
  static bool IsLate() noexcept;
  /// Leaves the component whose call is late, and does not return then.
  static void GiveUp() noexcept;

  /// To be called before the working folder or the umask of the process is changed, by functions that stand for chdir,
  /// fchdir and umask: where a component is at work on this thread, what there was is set back after its call.
  static void KeepFolder() noexcept;
  static void KeepFileModes(unsigned before) noexcept;
  /// Lets copies of the process be noticed; may be called often.
  static void WatchForCopies();
  /// Whether a copy of this process was ended that this component made.
  static bool WasCopied(const Conduct& component) noexcept;

 private:
  friend class HostWork;
  struct Places;

  /// \param found  the modes as the component left them
  void SetBack(FloatingPointModes found) noexcept {
    if (copies_ != process_copies_.load(std::memory_order_relaxed)) EndCopy();
    if (!(modes_ == found)) SetModesBack();
  }
  void SetModesBack() noexcept;
  void SetPlacesBack() noexcept;
  [[noreturn]] void EndCopy() noexcept;
  [[gnu::noinline]] bool CallAndReturn(void (*call)(void*), void* work);

  // In the library, so that programs and libraries see one. Its place is known when the library is loaded: neither the
  // cost of a look-up, nor memory taken by a first use within a signal handler.
  static thread_local constinit std::atomic<AtWork*> current_ __attribute__((tls_model("initial-exec")));
  static std::atomic<unsigned> process_copies_;  // how often this process came to be by fork
  using WayOut = void* [5];  // what __builtin_setjmp keeps: a third of the time of setjmp, in each call of a component
  AtWork* before_;
  Conduct& component_;
  FloatingPointModes modes_;  // of the thread, before the component was called
  unsigned copies_;
  WayOut* way_out_ = nullptr;
  Places* places_ = nullptr;  // owned
  bool is_late_ = false;      // see NoteLate
};

/// While it lives, a component that is at work on this thread has called the run: it asks for values, or publishes
/// some. What the run and others compute meanwhile is computed as if the component had changed nothing; afterwards the
/// component finds what it had set. What an adaptor of its link changes is seen where the component returns.
class HostWork {
 public:
  HostWork() noexcept : component_(AtWork::Current()) {
    if (component_ == nullptr) return;
    way_out_ = component_->way_out_;
    component_->way_out_ = nullptr;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // from here on GiveUp leaves nobody
    theirs_ = FloatingPointModes::Current();
    component_->SetBack(theirs_);
  }
  ~HostWork() {
    if (component_ == nullptr) return;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    component_->way_out_ = way_out_;
    if (!(theirs_ == component_->modes_)) theirs_.Set();
  }
  HostWork(const HostWork&) = delete;
  HostWork& operator=(const HostWork&) = delete;

 private:
  AtWork* component_;
  AtWork::WayOut* way_out_ = nullptr;
  FloatingPointModes theirs_;
};

/// \throws ModelError  says that the component called exit, or was given up
[[noreturn]] void ThrowLeft(const Conduct& component);

/// Calls a component: AtWork, and what `work` does. \throws ModelError  the component called exit, or was given up
template <class Work>
void CallComponent(Conduct& component, Work&& work) {
  AtWork at_work(component);
  std::remove_reference_t<Work>& one = work;
  if (!at_work.Call(one)) ThrowLeft(component);
}

}  // namespace openmi
