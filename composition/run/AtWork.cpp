#include "composition/run/AtWork.hpp"

namespace openmi {

static_assert(std::atomic<const char*>::is_always_lock_free, "a signal handler reads it");

thread_local constinit std::atomic<const char*> AtWork::current_ __attribute__((tls_model("initial-exec"))){nullptr};

const char* AtWork::Component() noexcept {
  return current_.load(std::memory_order_relaxed);
}

}  // namespace openmi
