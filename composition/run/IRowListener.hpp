#pragma once

#include <span>

#include "timespace/Stamp.hpp"

namespace openmi {

/// Hears each row that an output publishes, once, in order. Rows of outputs of different components may be heard on
/// several threads at once: what several listeners share is theirs to guard.
class IRowListener {
 public:
  virtual ~IRowListener() = default;
  /// \param begin     UTC
  /// \param duration  0 for an instant
  /// \param row       shape [elements], the output's unit; good during the call only
  virtual void OnRow(Stamp begin, Days duration, std::span<const double> row) = 0;
};

}  // namespace openmi
