#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

#include "fmi-bridge/osmp/wire/MessageWriter.hpp"
#include "fmi-bridge/osmp/wire/OsiFields.hpp"

namespace openmi::osi {

/// What a double is that a message does not set; a writer leaves it out.
inline constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

/// A time in whole nanoseconds, as a message splits it.
struct Timestamp {
  std::int64_t seconds = 0;
  std::uint32_t nanos = 0;  ///< 0 to 999 999 999

  double Seconds() const { return static_cast<double>(seconds) + 1e-9 * nanos; }
  friend auto operator<=>(const Timestamp&, const Timestamp&) = default;
};
/// The nearest whole nanosecond of a time in s; rounded before it is split, so that 0.02 s is 20 000 000 ns.
/// \pre  |seconds| below 9e9
Timestamp TimestampOf(double seconds);

/// Version of the interface; every top-level message should say it.
struct InterfaceVersion {
  std::uint32_t major = 3, minor = 8, patch = 0;
  friend auto operator<=>(const InterfaceVersion&, const InterfaceVersion&) = default;
};

/// Three numbers in the fields 1 to 3: Vector3d (x, y, z), Orientation3d (roll, pitch, yaw; rad), Dimension3d (length,
/// width, height; m). A number that is not set is NaN.
struct Triple {
  double a = kUnset, b = kUnset, c = kUnset;
  bool IsSet() const { return a == a || b == b || c == c; }
};

/// Where a thing is and how it moves: BaseMoving, and BaseStationary as far as it goes. Units m, rad, s; position: the
/// centre of the bounding box. Polygons and sections of the box are left to whoever needs them.
struct Base {
  // Initialised, so that designated initialisers may leave some out without a warning.
  Triple dimension = {}, position = {}, orientation = {}, velocity = {}, acceleration = {}, orientation_rate = {};
};

/// One object of a ground truth, as far as models of ours use it.
struct MovingObject {
  std::optional<std::uint64_t> id;
  Base base;
  int type = 0;  ///< 0 not set or unknown, 1 other, 2 vehicle, 3 pedestrian, 4 animal
};

// Readers: what stands in the message is put over what `value` holds, as protobuf merges. Each throws WireError.
void Merge(Message message, Timestamp& value);
void Merge(Message message, InterfaceVersion& value);
void Merge(Message message, Triple& value);
void Merge(Message message, Base& value);
void Merge(Message message, MovingObject& value);
/// The number in a message Identifier.
std::optional<std::uint64_t> ReadIdentifier(Message message);
template <class T>
T ReadAs(Message message) {
  T value;
  Merge(message, value);
  return value;
}

// Writers of one field of a message type; what is not set is left out, an empty triple altogether.
void Write(MessageWriter& writer, std::uint32_t number, const Timestamp& value);
void Write(MessageWriter& writer, std::uint32_t number, const InterfaceVersion& value);
void Write(MessageWriter& writer, std::uint32_t number, const Triple& value);
void Write(MessageWriter& writer, std::uint32_t number, const Base& value);
void Write(MessageWriter& writer, std::uint32_t number, const MovingObject& value);
void WriteIdentifier(MessageWriter& writer, std::uint32_t number, std::uint64_t id);
/// Version and time stamp, with which every top-level message but HostVehicleData begins.
void WriteHead(MessageWriter& writer, const InterfaceVersion& version, const Timestamp& time);

/// Version and time stamp of a top-level message.
struct MessageHead {
  std::optional<InterfaceVersion> version;
  std::optional<Timestamp> time;
};
/// \param version_field, time_field  1 and 2, except in HostVehicleData (9 and 10)
MessageHead ReadHead(Message message, std::uint32_t version_field = field::kVersion,
                     std::uint32_t time_field = field::kTimestamp);

}  // namespace openmi::osi
