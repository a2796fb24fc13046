#pragma once

#include <atomic>
#include <string>
#include <type_traits>
#include <utility>

#include "composition/threads/FloatingPointModes.hpp"

namespace openmi {

/// What a component changed in the process that it shares with others. Each change is undone and reported once.
struct Conduct {
  explicit Conduct(std::string component) : id(std::move(component)) {}

  enum Change : unsigned {
    kFloatingPoint = 1,  ///< how the thread rounds, treats denormal numbers, or traps faults
    kFolder = 2,         ///< the working folder
    kFileModes = 4,      ///< the umask
    kCopy = 8            ///< it copied the process (fork), and both copies went on
  };

  const std::string id;               ///< of the component
  std::atomic<unsigned> changes = 0;  ///< bits of Change that were not reported yet
  /// The engine left the component in the middle of a call: it called exit, or did not return (was_given_up). The
  /// engine never calls it again and does not destroy it.
  std::atomic<bool> has_left = false;
  std::atomic<bool> was_given_up = false;  ///< it did not return when the run had to end
};

/// Marks that this thread is inside the code of a component, as long as the object lives.
///
/// The destructor undoes what the component changed for all others: how numbers are rounded and, where the program
/// intercepts the calls that change them (KeepFolder, KeepFileModes), the working folder and the umask. A copy of the
/// process (fork) that returns from a component is ended there.
///
/// Objects nest: a component that is called from within the update of another has its own object, and the innermost one
/// counts. Costs some nanoseconds and allocates nothing where nothing was changed.
class CurrentComponent {
 public:
  /// \param component  borrowed until the process ends or until another object is the current one
  explicit CurrentComponent(Conduct& component) noexcept
      : before_(current_.load(std::memory_order_relaxed)),
        component_(component),
        modes_(before_ != nullptr ? before_->modes_ : FloatingPointModes::Current()),
        copies_(process_copies_.load(std::memory_order_relaxed)) {
    current_.store(this, std::memory_order_relaxed);
  }
  ~CurrentComponent() {
    SetBack(FloatingPointModes::Current());
    if (places_ != nullptr) SetPlacesBack();
    current_.store(before_, std::memory_order_relaxed);
  }
  CurrentComponent(const CurrentComponent&) = delete;
  CurrentComponent& operator=(const CurrentComponent&) = delete;

  /// The id of the component that runs on this thread; null if none does. May be called from a signal handler.
  static const char* Component() noexcept;
  /// The innermost object of this thread; null if no component runs on it.
  static CurrentComponent* Current() noexcept { return current_.load(std::memory_order_relaxed); }
  Conduct& Of() const noexcept { return component_; }

  /// Does `work`, which calls the component.
  ///
  /// If the component calls exit, the engine leaves it at that point (Leave): what it holds stays as it is, and it must
  /// not be called again.
  ///
  /// Not inlined, since __builtin_setjmp keeps that from happening anyway.
  /// \returns false if the component was left
  template <class Work>
  [[gnu::noinline]] bool Call(Work& work) {
    WayOut here;
    if (__builtin_setjmp(here) != 0) return false;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    way_out_ = &here;
    work();
    way_out_ = nullptr;
    return true;
  }
  /// Whether Leave may be called: Call is calling the component, and the component's own code is running.
  bool CanLeave() const noexcept { return way_out_ != nullptr; }
  /// Returns to Call, which returns false. To be called by a replacement of exit, on the thread of the component.
  [[noreturn]] void Leave() noexcept;

  /// Notes that the call of the component that runs on this thread takes too long. For a signal handler, when the run
  /// has to end.
  static void NoteLate() noexcept;
  /// Whether NoteLate was called during the present call and the component can be left now. It cannot while it asks for
  /// values.
  static bool IsLate() noexcept;
  /// Leaves the component if its call is late; then this function does not return.
  static void GiveUp() noexcept;

  /// Remembers the working folder. Replacements of chdir and fchdir call it before they change the folder.
  ///
  /// If a component runs on this thread, the folder is set back after its call.
  static void KeepFolder() noexcept;
  /// Remembers the umask, as KeepFolder does for the folder. A replacement of umask calls it.
  ///
  /// \param before  the umask before the change
  static void KeepFileModes(unsigned before) noexcept;
  /// Makes copies of the process (fork) detectable. May be called more than once.
  static void WatchForCopies();
  /// Whether this component made a copy of the process, and that copy was ended.
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

  // In the library, so that programs and libraries see the same one. Its address is known when the library is loaded:
  // no look-up, and no allocation by a first use within a signal handler.
  static thread_local constinit std::atomic<CurrentComponent*> current_ __attribute__((tls_model("initial-exec")));
  static std::atomic<unsigned> process_copies_;  // incremented in each copy that fork makes
  using WayOut = void* [5];                      // for __builtin_setjmp: a third of the time of setjmp
  CurrentComponent* before_;
  Conduct& component_;
  FloatingPointModes modes_;  // of the thread, before the component was called
  unsigned copies_;
  WayOut* way_out_ = nullptr;
  Places* places_ = nullptr;  // owned
  bool is_late_ = false;      // see NoteLate
};

/// Marks, as long as it lives, that the component that runs on this thread has called the engine: it asks for values,
/// or publishes some.
///
/// The engine and other components compute meanwhile as if the component had changed nothing; afterwards the component
/// finds its own settings again. What an adaptor of its link changes takes effect when control returns to the
/// component.
class HostWork {
 public:
  HostWork() noexcept : component_(CurrentComponent::Current()) {
    if (component_ == nullptr) return;
    way_out_ = component_->way_out_;
    component_->way_out_ = nullptr;
    std::atomic_signal_fence(std::memory_order_seq_cst);  // from here on GiveUp does not leave the component
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
  CurrentComponent* component_;
  CurrentComponent::WayOut* way_out_ = nullptr;
  FloatingPointModes theirs_;
};

/// \throws ModelError  always: the component called exit, or was given up
[[noreturn]] void ThrowLeft(const Conduct& component);

/// Calls a component: does `work` while an CurrentComponent object lives.
///
/// \throws ModelError  the component called exit, or was given up
template <class Work>
void CallComponent(Conduct& component, Work&& work) {
  CurrentComponent current(component);
  std::remove_reference_t<Work>& one = work;
  if (!current.Call(one)) ThrowLeft(component);
}

}  // namespace openmi
