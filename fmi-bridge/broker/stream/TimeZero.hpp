#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fmi-bridge/broker/stream/WallTime.hpp"

namespace openmi::broker {

/// The time zero that streams of one process share: the first stream that starts sets it, from its first message.
class TimeZero {
 public:
  /// The time zero of that name; it is freed with its last user.
  static std::shared_ptr<TimeZero> Of(const std::string& name);

  std::optional<Nanos> Get() const;
  void Set(Nanos zero);

 private:
  mutable std::mutex mutex_;
  std::optional<Nanos> zero_;
};

}  // namespace openmi::broker
