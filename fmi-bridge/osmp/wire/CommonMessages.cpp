#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

#include <cmath>

namespace openmi::osi {

Timestamp TimestampOf(double seconds) {
  constexpr std::int64_t kNanos = 1'000'000'000;
  const auto all = static_cast<std::int64_t>(std::llround(seconds * 1e9));
  std::int64_t whole = all / kNanos;
  std::int64_t rest = all % kNanos;
  if (rest < 0) {
    rest += kNanos;
    --whole;
  }
  return {whole, static_cast<std::uint32_t>(rest)};
}

void Merge(Message message, Timestamp& value) {
  for (FieldReader at(message); at.Next();) {
    if (at.Number() == field::timestamp::kSeconds) at.Read(value.seconds);
    if (at.Number() == field::timestamp::kNanos) at.Read(value.nanos);
  }
}

void Merge(Message message, InterfaceVersion& value) {
  for (FieldReader at(message); at.Next();) {
    if (at.Number() == field::interface_version::kMajor) at.Read(value.major);
    if (at.Number() == field::interface_version::kMinor) at.Read(value.minor);
    if (at.Number() == field::interface_version::kPatch) at.Read(value.patch);
  }
}

void Merge(Message message, Triple& value) {
  for (FieldReader at(message); at.Next();) {
    if (at.Number() == 1) at.Read(value.a);
    if (at.Number() == 2) at.Read(value.b);
    if (at.Number() == 3) at.Read(value.c);
  }
}

void Merge(Message message, Base& value) {
  Triple* const parts[] = {&value.dimension, &value.position,     &value.orientation,
                           &value.velocity,  &value.acceleration, &value.orientation_rate};
  for (FieldReader at(message); at.Next();) {
    if (at.Number() <= std::size(parts)) Merge(at.Content(), *parts[at.Number() - 1]);
  }
}

void Merge(Message message, MovingObject& value) {
  for (FieldReader at(message); at.Next();) {
    switch (at.Number()) {
      case field::moving_object::kId:
        if (const auto id = ReadIdentifier(at.Content())) value.id = id;
        break;
      case field::moving_object::kBase:
        Merge(at.Content(), value.base);
        break;
      case field::moving_object::kType:
        at.Read(value.type);
        break;
      default:
        break;
    }
  }
}

std::optional<std::uint64_t> ReadIdentifier(Message message) {
  std::optional<std::uint64_t> id;
  for (FieldReader at(message); at.Next();) {
    std::uint64_t value = 0;
    if (at.Number() == field::identifier::kValue && at.Read(value)) id = value;
  }
  return id;
}

void Write(MessageWriter& writer, std::uint32_t number, const Timestamp& value) {
  writer.Begin(number);
  writer.Integer(field::timestamp::kSeconds, value.seconds);
  writer.Unsigned(field::timestamp::kNanos, value.nanos);
  writer.End();
}

void Write(MessageWriter& writer, std::uint32_t number, const InterfaceVersion& value) {
  writer.Begin(number);
  writer.Unsigned(field::interface_version::kMajor, value.major);
  writer.Unsigned(field::interface_version::kMinor, value.minor);
  writer.Unsigned(field::interface_version::kPatch, value.patch);
  writer.End();
}

void Write(MessageWriter& writer, std::uint32_t number, const Triple& value) {
  if (!value.IsSet()) return;
  writer.Begin(number);
  if (value.a == value.a) writer.Double(1, value.a);
  if (value.b == value.b) writer.Double(2, value.b);
  if (value.c == value.c) writer.Double(3, value.c);
  writer.End();
}

void Write(MessageWriter& writer, std::uint32_t number, const Base& value) {
  writer.Begin(number);
  Write(writer, field::base::kDimension, value.dimension);
  Write(writer, field::base::kPosition, value.position);
  Write(writer, field::base::kOrientation, value.orientation);
  Write(writer, field::base::kVelocity, value.velocity);
  Write(writer, field::base::kAcceleration, value.acceleration);
  Write(writer, field::base::kOrientationRate, value.orientation_rate);
  writer.End();
}

void Write(MessageWriter& writer, std::uint32_t number, const MovingObject& value) {
  writer.Begin(number);
  if (value.id) WriteIdentifier(writer, field::moving_object::kId, *value.id);
  Write(writer, field::moving_object::kBase, value.base);
  if (value.type != 0) writer.Integer(field::moving_object::kType, value.type);
  writer.End();
}

void WriteIdentifier(MessageWriter& writer, std::uint32_t number, std::uint64_t id) {
  writer.Begin(number);
  writer.Unsigned(field::identifier::kValue, id);
  writer.End();
}

void WriteHead(MessageWriter& writer, const InterfaceVersion& version, const Timestamp& time) {
  Write(writer, field::kVersion, version);
  Write(writer, field::kTimestamp, time);
}

MessageHead ReadHead(Message message, std::uint32_t version_field, std::uint32_t time_field) {
  MessageHead head;
  for (FieldReader at(message); at.Next();) {
    if (at.Is(version_field, WireType::Length)) {
      if (!head.version) head.version = InterfaceVersion{0, 0, 0};
      Merge(at.Content(), *head.version);
    } else if (at.Is(time_field, WireType::Length)) {
      if (!head.time) head.time.emplace();
      Merge(at.Content(), *head.time);
    }
  }
  return head;
}

}  // namespace openmi::osi
