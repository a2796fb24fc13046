#include "fmi-bridge/dcp/component/StartTimes.hpp"

#include <chrono>
#include <cmath>
#include <mutex>

namespace openmi::dcp {

std::int64_t StartTimes::Agree(double delay) {
  static std::mutex mutex;
  static std::int64_t agreed = 0;
  const std::lock_guard lock(mutex);
  const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  if (static_cast<double>(agreed) < now + 0.2) agreed = static_cast<std::int64_t>(std::ceil(now + delay));
  return agreed;
}

}  // namespace openmi::dcp
