#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "fmi-bridge/broker/stream/WallTime.hpp"

namespace openmi::broker {

/// The time zero that streams of one process share: who begins first sets it, from his first message.
class TimeZero {
 public:
  /// The one of that name; goes with the last who holds it.
  static std::shared_ptr<TimeZero> Of(const std::string& name);

  std::optional<Nanos> Get() const;
  void Set(Nanos zero);

 private:
  mutable std::mutex mutex_;
  std::optional<Nanos> zero_;
};

}  // namespace openmi::broker
