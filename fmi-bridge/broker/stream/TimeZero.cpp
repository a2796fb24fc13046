#include "fmi-bridge/broker/stream/TimeZero.hpp"

#include <map>

namespace openmi::broker {

std::shared_ptr<TimeZero> TimeZero::Of(const std::string& name) {
  static std::mutex mutex;
  static std::map<std::string, std::weak_ptr<TimeZero>> all;
  const std::lock_guard lock(mutex);
  std::erase_if(all, [](const auto& entry) { return entry.second.expired(); });
  std::shared_ptr<TimeZero> zero = all[name].lock();
  if (zero == nullptr) all[name] = zero = std::make_shared<TimeZero>();
  return zero;
}

std::optional<Nanos> TimeZero::Get() const {
  const std::lock_guard lock(mutex_);
  return zero_;
}

void TimeZero::Set(Nanos zero) {
  const std::lock_guard lock(mutex_);
  zero_ = zero;
}

}  // namespace openmi::broker
