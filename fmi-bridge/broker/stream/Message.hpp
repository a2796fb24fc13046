#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fmi-bridge/broker/stream/WallTime.hpp"

namespace openmi::broker {

/// The value of one field in a message.
struct FieldValue {
  std::size_t field = 0;  ///< position in the list of fields
  double number = 0.0;    ///< for all types except String
  std::string text;       ///< for type String
};

/// A message that was parsed.
struct Message {
  Nanos stamp = 0;                 ///< wall-clock time
  std::vector<FieldValue> values;  ///< in the order of the message
  std::uint64_t place = 0;         ///< its number among all messages of the source, from 1
};

}  // namespace openmi::broker
