#include "tools/ProcessGuard.hpp"

#include <dlfcn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Sanitizers.hpp"
#include "tools/Commands.hpp"

namespace openmi::tools {
namespace {

std::atomic<pid_t> guarded = 0;  // the process with a guard; 0: none

void Print(const char* text) {
  // If it cannot be written, nothing can be done.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

[[noreturn]] void EndNow(int status) {
  syscall(SYS_exit_group, status);
  __builtin_trap();
}

/// Handles a call of exit from the code of a component. Returns for any other call: there is no guard, or this is a
/// child process that could not start its program.
[[maybe_unused]] void OnExit(const char* function, const void* caller) {
  if (guarded.load() == 0 || guarded.load() != getpid()) return;
  CurrentComponent* const current = CurrentComponent::Current();
  if (current != nullptr && current->CanLeave()) current->Leave();
  Print("\nopenmi: ");
  if (current != nullptr) {
    Print("the component '");
    Print(CurrentComponent::Component());
  } else {
    Dl_info info = {};
    const bool is_known = dladdr(caller, &info) != 0 && info.dli_fname != nullptr;
    Print("a thread of the library '");
    Print(is_known ? info.dli_fname : "unknown");
  }
  Print("' ended the program (");
  Print(function);
  Print("); rows written until then can be read, and --isolate runs libraries in processes of their own\n");
  EndNow(kModelFailed);
}

template <class Function>
Function* Real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

ProcessGuard::ProcessGuard() {
  guarded = getpid();
}

ProcessGuard::~ProcessGuard() {
  guarded = 0;
}

void ProcessGuard::End(int code) {
  std::fflush(nullptr);
  EndNow(code);
}

}  // namespace openmi::tools

#if !OPENMI_ADDRESS_SANITIZER && !OPENMI_THREAD_SANITIZER  // they define these functions themselves

// Libraries find these instead of the C library's functions: see ProcessGuard. NOLINTBEGIN
extern "C" {

__attribute__((visibility("default"))) void exit(int status) noexcept {
  openmi::tools::OnExit("exit", __builtin_return_address(0));
  static auto* const real = openmi::tools::Real<void(int)>("exit");
  real(status);
  __builtin_trap();
}

__attribute__((visibility("default"))) void quick_exit(int status) noexcept {
  openmi::tools::OnExit("quick_exit", __builtin_return_address(0));
  static auto* const real = openmi::tools::Real<void(int)>("quick_exit");
  real(status);
  __builtin_trap();
}

__attribute__((visibility("default"))) void _exit(int status) {
  openmi::tools::OnExit("_exit", __builtin_return_address(0));
  openmi::tools::EndNow(status);
}

__attribute__((visibility("default"))) void _Exit(int status) noexcept {
  openmi::tools::OnExit("_Exit", __builtin_return_address(0));
  openmi::tools::EndNow(status);
}

__attribute__((visibility("default"))) int chdir(const char* path) noexcept {
  static auto* const real = openmi::tools::Real<int(const char*)>("chdir");
  openmi::CurrentComponent::KeepFolder();
  return real(path);
}

__attribute__((visibility("default"))) int fchdir(int folder) noexcept {
  static auto* const real = openmi::tools::Real<int(int)>("fchdir");
  openmi::CurrentComponent::KeepFolder();
  return real(folder);
}

__attribute__((visibility("default"))) mode_t umask(mode_t mode) noexcept {
  static auto* const real = openmi::tools::Real<mode_t(mode_t)>("umask");
  const mode_t before = real(mode);
  openmi::CurrentComponent::KeepFileModes(before);
  return before;
}
}
// NOLINTEND

#endif
