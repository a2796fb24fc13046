#include "composition/threads/CurrentComponent.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

/// The last component whose copy of the process was ended. Shared by this process and its copies.
std::atomic<const Conduct*>* ended_copy = nullptr;

void Add(const char* text) {
  // Nothing can be done if the text is not written.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

}  // namespace

static_assert(std::atomic<CurrentComponent*>::is_always_lock_free, "a signal handler reads it");

thread_local constinit std::atomic<CurrentComponent*> CurrentComponent::current_
    __attribute__((tls_model("initial-exec"))){nullptr};
std::atomic<unsigned> CurrentComponent::process_copies_ = 0;

/// What the settings were before a component changed them.
struct CurrentComponent::Places {
  std::optional<std::filesystem::path> folder;
  std::optional<unsigned> file_modes;
};

const char* CurrentComponent::Component() noexcept {
  const CurrentComponent* current = Current();
  return current != nullptr ? current->component_.id.c_str() : nullptr;
}

void CurrentComponent::WatchForCopies() {
  static std::once_flag once;
  std::call_once(once, [] {
    void* shared = mmap(nullptr, sizeof *ended_copy, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared != MAP_FAILED) ended_copy = new (shared) std::atomic<const Conduct*>(nullptr);
    pthread_atfork(nullptr, nullptr, [] { process_copies_.fetch_add(1, std::memory_order_relaxed); });
  });
}

bool CurrentComponent::WasCopied(const Conduct& component) noexcept {
  return ended_copy != nullptr && ended_copy->load() == &component;
}

void CurrentComponent::EndCopy() noexcept {
  if (ended_copy != nullptr) ended_copy->store(&component_);
  Add("\nopenmi: the component '");
  Add(component_.id.c_str());
  Add("' split the process in two (fork), and both continued the run; the second one ends here\n");
  _exit(1);  // without exit handlers: files and locks belong to the first process
}

void CurrentComponent::SetModesBack() noexcept {
  component_.changes.fetch_or(Conduct::kFloatingPoint, std::memory_order_relaxed);
  modes_.Set();
}

void CurrentComponent::KeepFolder() noexcept {
  CurrentComponent* const current = Current();
  if (current == nullptr) return;
  try {
    if (current->places_ == nullptr) current->places_ = new Places;
    if (!current->places_->folder) current->places_->folder = std::filesystem::current_path();
  } catch (const std::exception&) {  // the folder is gone, or no memory is left: nothing can be set back
  }
}

void CurrentComponent::KeepFileModes(unsigned before) noexcept {
  CurrentComponent* const current = Current();
  if (current == nullptr) return;
  try {
    if (current->places_ == nullptr) current->places_ = new Places;
    if (!current->places_->file_modes) current->places_->file_modes = before;
  } catch (const std::exception&) {
  }
}

void CurrentComponent::SetPlacesBack() noexcept {
  const std::unique_ptr<Places> kept(std::exchange(places_, nullptr));
  current_.store(nullptr, std::memory_order_relaxed);  // what follows does not belong to the component
  if (kept->file_modes && umask(static_cast<mode_t>(*kept->file_modes)) != *kept->file_modes) {
    component_.changes.fetch_or(Conduct::kFileModes, std::memory_order_relaxed);
  }
  if (!kept->folder) return;
  std::error_code problem;
  const std::filesystem::path now = std::filesystem::current_path(problem);
  if (!problem && now == *kept->folder) return;
  component_.changes.fetch_or(Conduct::kFolder, std::memory_order_relaxed);
  std::filesystem::current_path(*kept->folder, problem);
}

void CurrentComponent::Leave() noexcept {
  component_.has_left = true;
  WayOut* const back = way_out_;
  way_out_ = nullptr;
  __builtin_longjmp(*back, 1);
}

void CurrentComponent::NoteLate() noexcept {
  if (CurrentComponent* const current = Current()) current->is_late_ = true;
}

bool CurrentComponent::IsLate() noexcept {
  const CurrentComponent* const current = Current();
  return current != nullptr && current->is_late_ && current->CanLeave();
}

void CurrentComponent::GiveUp() noexcept {
  if (!IsLate()) return;
  CurrentComponent* const current = Current();
  current->component_.was_given_up = true;
  current->Leave();
}

void ThrowLeft(const Conduct& component) {
  if (component.was_given_up) {
    throw ModelError({.component = component.id},
                     "expected the component to return from its step, found it still computing when the run had to end",
                     "results until then are kept; if a component is slow, give it more time (--end-wait); if a "
                     "component hangs, run it in its own process with a TimeLimit (Isolation=\"process\")");
  }
  throw ModelError({.component = component.id},
                   "expected the component to return, found that its code ended the program (exit, or STOP in Fortran)",
                   "results until then are kept; see the component's own log, or run it in a process of its own "
                   "(Isolation=\"process\")");
}

}  // namespace openmi
