#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fmi-bridge/broker/stream/WallTime.hpp"

namespace openmi::broker {

/// The value of one field in a message.
struct FieldValue {
  std::size_t field = 0;  ///< its place in the list of fields
  double number = 0.0;    ///< of all types but String
  std::string text;       ///< of type String
};

/// A message that was read.
struct Message {
  Nanos stamp = 0;                 ///< wall-clock time
  std::vector<FieldValue> values;  ///< in the order of the message
  std::uint64_t place = 0;         ///< its number among all that the source gave, from 1
};

}  // namespace openmi::broker
