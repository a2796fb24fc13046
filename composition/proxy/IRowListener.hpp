#pragma once

#include <span>

#include "timespace/Stamp.hpp"

namespace openmi {

/// Is notified of each row that an output publishes, once, in order. Rows of outputs of different components may arrive
/// on several threads at once: listeners guard what they share.
class IRowListener {
 public:
  virtual ~IRowListener() = default;
  /// \param begin     start of the row, UTC
  /// \param duration  0 for an instant
  /// \param row       shape [elements], in the output's unit; valid during the call only
  virtual void OnRow(Stamp begin, Days duration, std::span<const double> row) = 0;
};

}  // namespace openmi
