#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldAssembly.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "timespace/items/ValueItems.hpp"
#include "timespace/optional/ISteps.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::osi {

/// A field and the id of the item that it becomes.
struct NamedField {
  std::string item;
  FieldPath path;
};

/// The arguments of the components between fields and numbers. Fields has neither constants nor a version.
struct FieldArguments {
  Argument<std::string> message, fields, constants, objects, version, table_file;
};
/// Declares the arguments.
/// \param fields   description of that argument
/// \param objects  description of that argument
/// \param writes   whether messages are written: with constants and a version
FieldArguments AddFieldArguments(ArgumentList& list, const std::string& fields, const std::string& objects,
                                 bool writes);

/// \file
/// What the arguments of the OSI components mean. Each Parse function throws ArgumentError with `argument` as the item.

/// Reads "x=moving_object[*].base.position.x, host_vehicle_id.value", separated by commas or blanks.
/// \throws ArgumentError  a field cannot be read
std::vector<NamedField> ParseFields(const Schema& schema, const std::string& message, const std::string& text,
                                    const std::string& argument, FieldPath::Ends ends = FieldPath::Ends::InNumber);
/// Reads "moving_object[*].type=2, host_vehicle_id.value=14".
/// \throws ArgumentError  a field or value cannot be read
std::vector<FieldAssembly::Constant> ParseConstants(const Schema& schema, const std::string& message,
                                                    const std::string& text, const std::string& argument);
/// Reads ids separated by commas or blanks.
/// \throws ArgumentError  no id, or an id that occurs twice
std::vector<std::uint64_t> ParseIds(const std::string& text, const std::string& argument);
/// Reads a version such as "3.7.0".
/// \throws ArgumentError  no version
InterfaceVersion ParseVersion(const std::string& text, const std::string& argument);

/// An item and the topic of its channel.
struct NamedTopic {
  std::string item;
  std::string topic;
};
/// Reads "truth=GroundTruth view=SensorView", separated by blanks.
/// \throws ArgumentError  a part without a name or topic, or a name or topic that occurs twice
std::vector<NamedTopic> ParseTopics(const std::string& text, const std::string& argument);

/// The table in a file; the built-in subset for an empty name. A file is not read again while its table is in use.
/// \throws FileError  the file cannot be read
/// \throws FormatError  the file is no table
std::shared_ptr<const Schema> SchemaOf(const std::string& file);

/// The definition of bytes that hold one message.
/// \param message  its type; empty: any
std::unique_ptr<const IValueDefinition> MessageDefinition(const std::string& message);

/// Checks that an input of messages is linked.
/// \throws LinkError  it has no provider
void RequireProvider(const IBaseInput& input);

/// A duration in whole nanoseconds, as time stamps count it.
std::int64_t NanosOf(Days length);
/// The time between two stamps in nanoseconds, rounded to a microsecond, which is the resolution of stamps.
std::int64_t NanosBetween(Stamp from, Stamp to);
/// A time stamp in whole nanoseconds.
constexpr std::int64_t NanosOf(const Timestamp& time) {
  return time.seconds * 1'000'000'000 + time.nanos;
}

/// The component that an input is linked to, if it has ISteps; else null.
const ISteps* SourceOf(const IBaseInput& input);
/// When the provider of an input gives its first message after `now`: the time of the next one that it already has
/// (IRowTimes), else the end of the next step of its component.
/// \param source  what SourceOf gives for the input
/// \returns the far future if that is not known
Stamp NextMessage(const IBaseInput& input, const ISteps* source, Stamp now);

}  // namespace openmi::osi
