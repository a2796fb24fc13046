#include "tools/Interrupt.hpp"

#include <atomic>
#include <csignal>

namespace openmi::tools {
namespace {

std::atomic<void*> current = nullptr;
std::atomic<void (*)(void*)> stop_it = nullptr;

void OnSignal(int) {
  if (void* work = current.load()) stop_it.load()(work);
}

}  // namespace

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
