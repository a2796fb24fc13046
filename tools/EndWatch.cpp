#include "tools/EndWatch.hpp"

#include <dirent.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

constexpr auto kLook = std::chrono::milliseconds(50);  // between two checks whether the run is to end
constexpr auto kMoment = std::chrono::seconds(1);      // shorter calls are not late
constexpr auto kBetweenTries = std::chrono::milliseconds(2);
constexpr int kTries = 100;
constexpr int kQuietRounds = 3;  // after these, a line states that the run does not end

int GiveUpSignal() {
  return SIGRTMAX - 5;  // other programs take the last ones first
}

/// The code of the C library and the loader. A thread left inside it may keep its locks: those of memory, files,
/// libraries.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
CodeRange c_library[4];
std::size_t c_library_count = 0;

/// What the signal handler does on each thread.
enum class Task {
  Nothing,
  NoteLate,
  GiveUp,  ///< not inside the C library
  GiveUpAnywhere
};
std::atomic<Task> task = Task::Nothing;
std::atomic<int> late_calls = 0;  // counted by the handlers

void FindCLibrary() {
  if (c_library_count > 0) return;
  const void* const functions[] = {reinterpret_cast<const void*>(&std::malloc), reinterpret_cast<const void*>(&::read),
                                   reinterpret_cast<const void*>(&std::fputs)};
  std::vector<std::string> names = {"ld-linux"};
  for (const void* function : functions) {
    Dl_info info = {};
    if (dladdr(function, &info) != 0 && info.dli_fname != nullptr) names.emplace_back(info.dli_fname);
  }
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* given) {
        const auto& wanted = *static_cast<const std::vector<std::string>*>(given);
        const std::string_view name(library->dlpi_name);
        const bool is_one = std::ranges::any_of(
            wanted, [&](const std::string& one) { return !name.empty() && name.find(one) != std::string_view::npos; });
        for (int i = 0; is_one && i < library->dlpi_phnum && c_library_count < std::size(c_library); ++i) {
          const ElfW(Phdr)& part = library->dlpi_phdr[i];
          if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
          const std::uintptr_t begin = library->dlpi_addr + part.p_vaddr;
          c_library[c_library_count++] = {begin, begin + part.p_memsz};
        }
        return 0;
      },
      &names);
}

std::uintptr_t PlaceOf(const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#else
  static_cast<void>(context);
  return 0;
#endif
}

// Runs on the thread that is to leave its component.
void OnGiveUp(int, siginfo_t*, void* context) {
  const Task wanted = task;
  if (wanted == Task::NoteLate) CurrentComponent::NoteLate();
  if (wanted < Task::GiveUp || !CurrentComponent::IsLate()) return;
  ++late_calls;
  const std::uintptr_t place = PlaceOf(context);
  const auto holds = [place](const CodeRange& code) { return code.begin <= place && place < code.end; };
  if (wanted == Task::GiveUpAnywhere || std::none_of(c_library, c_library + c_library_count, holds))
    CurrentComponent::GiveUp();
}

/// Sends the signal to each thread of this process but this one. Each thread finds out itself whether it runs a
/// component.
void SignalThreads() {
  const auto close = [](DIR* folder) { closedir(folder); };
  const std::unique_ptr<DIR, decltype(close)> tasks(opendir("/proc/self/task"), close);
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  if (tasks == nullptr) {
    kill(getpid(), GiveUpSignal());
    return;
  }
  while (const dirent* entry = readdir(tasks.get())) {
    pid_t thread = 0;
    std::from_chars(entry->d_name, entry->d_name + std::strlen(entry->d_name), thread);
    if (thread > 0 && thread != self) syscall(SYS_tgkill, getpid(), thread, GiveUpSignal());
  }
}

}  // namespace

EndWatch::EndWatch(CompositionRun& run, std::function<bool()> was_signalled, std::chrono::duration<double> patience)
    : run_(run),
      was_signalled_(std::move(was_signalled)),
      patience_(std::chrono::duration_cast<Clock::duration>(patience)) {
  FindCLibrary();
  struct sigaction action = {};
  action.sa_sigaction = OnGiveUp;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_RESTART | SA_NODEFER);  // a thread that leaves does not come back
  sigemptyset(&action.sa_mask);
  sigaction(GiveUpSignal(), &action, nullptr);
  thread_ = std::thread([this] { Watch(); });
}

EndWatch::~EndWatch() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

bool EndWatch::WaitUntil(Clock::time_point time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_until(lock, time, [this] { return is_over_; });
}

void EndWatch::Watch() {
  while (!was_signalled_() && !run_.IsEndWanted()) {
    if (WaitUntil(Clock::now() + kLook)) return;
  }
  if (was_signalled_()) {
    // Thrown between two passes, it ends the run as a failing component does: rows are kept, files are completed,
    // components are finished.
    run_.BetweenPasses().Post([run = &run_] {
      throw ModelError({},
                       fmt::format("expected the run to reach {}, found it interrupted at {}",
                                   FormatIsoTime(*run->Model().File().run->to), FormatIsoTime(run->Now())),
                       run->Model().File().checkpoints ? "results until then are kept: continue with --resume"
                                                       : "results until then are kept");
    });
  }
  const Clock::duration moment = std::min<Clock::duration>(kMoment, patience_ / 2);
  if (WaitUntil(Clock::now() + patience_ - moment)) return;
  for (int round = 0;; ++round) {
    GiveUpLateCalls();
    if (WaitUntil(Clock::now() + std::max<Clock::duration>(moment, kLook))) return;
    if (round != kQuietRounds) continue;
    PrintLine(stderr,
              "the run has not ended: a component blocks signals, or the run waits for a disk; a further Ctrl-C or "
              "SIGTERM ends it at once, and rows written until then can be read");
  }
}

void EndWatch::GiveUpLateCalls() {
  run_.Model().EndLateProcesses("was killed because it was still computing when the run had to end");
  // A thread inside the C library is tried again a moment later. One that is always found there is waiting there.
  for (int left = kTries; left-- > 0;) {
    late_calls = 0;
    task = left > 0 ? Task::GiveUp : Task::GiveUpAnywhere;
    SignalThreads();
    if (WaitUntil(Clock::now() + kBetweenTries) || late_calls == 0) break;
  }
  task = Task::NoteLate;
  SignalThreads();
  WaitUntil(Clock::now() + kBetweenTries);
  task = Task::Nothing;
}

}  // namespace openmi::tools
