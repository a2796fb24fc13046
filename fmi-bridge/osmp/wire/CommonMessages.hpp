#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "fmi-bridge/osmp/wire/MessageWriter.hpp"
#include "fmi-bridge/osmp/wire/OsiFields.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi::osi {

/// The value of a double that a message does not set. A writer omits it.
inline constexpr double kUnset = kNotANumber;

/// A time in whole nanoseconds, split as in a message.
struct Timestamp {
  std::int64_t seconds = 0;
  std::uint32_t nanos = 0;  ///< 0 to 999 999 999

  double Seconds() const { return static_cast<double>(seconds) + 1e-9 * nanos; }
  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
};
/// The nearest whole nanosecond of a time in s.
///
/// The time is rounded before it is split, so that 0.02 s is 20 000 000 ns.
/// \pre |seconds| is below 9e9.
Timestamp TimestampOf(double seconds);

/// Version of OSI. Every top-level message should contain it.
struct InterfaceVersion {
  std::uint32_t major = 3, minor = 8, patch = 0;
  friend auto operator<=>(const InterfaceVersion&, const InterfaceVersion&) = default;
};

/// Three numbers in the fields 1 to 3.
///
/// Vector3d (x, y, z), Orientation3d (roll, pitch, yaw; rad) or Dimension3d (length, width, height; m). A number that
/// is not set is NaN.
struct Triple {
  double a = kUnset, b = kUnset, c = kUnset;
  bool IsSet() const { return a == a || b == b || c == c; }
};

/// Position and motion of an object: BaseMoving, and the fields that BaseStationary shares with it.
///
/// Units are m, rad and s. The position is the centre of the bounding box. Polygons and sections of the box are not
/// read.
struct Base {
  // Initialised, so that designated initialisers may omit members without a warning.
  Triple dimension = {}, position = {}, orientation = {}, velocity = {}, acceleration = {}, orientation_rate = {};
};

/// One object of a ground truth, with the fields that the components of this project use.
struct MovingObject {
  std::optional<std::uint64_t> id;
  Base base;
  int type = 0;  ///< 0 not set or unknown, 1 other, 2 vehicle, 3 pedestrian, 4 animal
};

/// Sets the fields of `value` that the message contains and keeps the others, as protobuf merges.
/// \throws WireError  the message is malformed
void Merge(Message message, Timestamp& value);
void Merge(Message message, InterfaceVersion& value);
void Merge(Message message, Triple& value);
void Merge(Message message, Base& value);
void Merge(Message message, MovingObject& value);
/// The number in a message Identifier; nothing where it has none.
/// \throws WireError  the message is malformed
std::optional<std::uint64_t> ReadIdentifier(Message message);
template <class T>
T ReadAs(Message message) {
  T value;
  Merge(message, value);
  return value;
}

/// Writes one field that holds `value`. Members that are not set are omitted; a triple without any is omitted
/// completely.
void Write(MessageWriter& writer, std::uint32_t number, const Timestamp& value);
void Write(MessageWriter& writer, std::uint32_t number, const InterfaceVersion& value);
void Write(MessageWriter& writer, std::uint32_t number, const Triple& value);
void Write(MessageWriter& writer, std::uint32_t number, const Base& value);
void Write(MessageWriter& writer, std::uint32_t number, const MovingObject& value);
void WriteIdentifier(MessageWriter& writer, std::uint32_t number, std::uint64_t id);
/// Writes version and time stamp, the first fields of every top-level message except HostVehicleData.
void WriteHead(MessageWriter& writer, const InterfaceVersion& version, const Timestamp& time);

/// Version and time stamp of a top-level message.
struct MessageHead {
  std::optional<InterfaceVersion> version;
  std::optional<Timestamp> time;
};
/// Reads version and time stamp of a top-level message.
/// \param version_field  1; in HostVehicleData 9
/// \param time_field  2; in HostVehicleData 10
/// \throws WireError  the message is malformed
MessageHead ReadHead(Message message, std::uint32_t version_field = field::kVersion,
                     std::uint32_t time_field = field::kTimestamp);

}  // namespace openmi::osi
