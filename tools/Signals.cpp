#include "tools/Signals.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <utility>

#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Sanitizers.hpp"

namespace openmi::tools {
namespace {

// Uses only what POSIX allows in a signal handler (signal-safety(7)).
class Note {
 public:
  void Add(const char* text) {
    const std::size_t length = std::strlen(text);
    for (std::size_t i = 0; i < length && length_ < sizeof text_; ++i) {
      const bool is_control = static_cast<unsigned char>(text[i]) < 0x20 && text[i] != '\n';
      text_[length_++] = is_control ? ' ' : text[i];
    }
  }
  void Write() const {
    // If standard error cannot be written, nothing can be done.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text_, length_);
  }

 private:
  char text_[512];
  std::size_t length_ = 0;
};

const char* NameOf(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "invalid memory reference";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic fault";
    case SIGILL:
      return "illegal instruction";
    default:
      return "abort";
  }
}

std::vector<std::string> isolated;  // written before the run starts

bool IsIsolated(const char* component) {
  for (const std::string& one : isolated) {
    if (component != nullptr && std::strcmp(one.c_str(), component) == 0) return true;
  }
  return false;
}

void OnCrash(int signal) {
  Note note;
  note.Add("\nopenmi: this program was ended by ");
  note.Add(NameOf(signal));
  if (const char* component = CurrentComponent::Component()) {
    note.Add(" while the component '");
    note.Add(component);
    note.Add("', or one of its providers, was computing");
  }
  note.Add("; rows written until then can be read");
  if (CurrentComponent::Component() == nullptr) {
    note.Add(". No component was computing in this process: the run itself crashed\n");
  } else if (IsIsolated(CurrentComponent::Component())) {
    note.Add(". That component runs in a process of its own: the run itself crashed, or another library in it\n");
  } else {
    note.Add(", and --isolate runs libraries in processes of their own\n");
  }
  note.Write();
  raise(signal);  // SA_RESETHAND: now fatal, with the usual core dump and exit status
}

std::atomic<void*> current = nullptr;
std::atomic<void (*)(void*)> stop_it = nullptr;

void OnSignal(int) {
  if (void* work = current.load()) stop_it.load()(work);
}

}  // namespace

void NameIsolated(std::vector<std::string> components) {
  isolated = std::move(components);
}

void InstallCrashNote() {
  if (kIsSanitized) return;
  alignas(16) static char stack[64 * 1024];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof stack;
  if (sigaltstack(&alternate, nullptr) != 0) return;
  struct sigaction action = {};
  action.sa_handler = OnCrash;
  action.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
}

Interrupt::Interrupt(void* work, void (*stop)(void*)) {
  stop_it = stop;
  current = work;
  std::signal(SIGINT, OnSignal);
  std::signal(SIGTERM, OnSignal);
}

Interrupt::~Interrupt() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  current = nullptr;
}

}  // namespace openmi::tools
