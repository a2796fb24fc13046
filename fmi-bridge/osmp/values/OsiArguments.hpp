#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/items/ValueItems.hpp"
#include "fmi-bridge/osmp/fields/FieldAssembly.hpp"
#include "timespace/ISteps.hpp"
#include "timespace/Stamp.hpp"

namespace openmi::osi {

/// A field and the item it becomes.
struct NamedField {
  std::string item;
  FieldPath path;
};

// What the arguments of our OSI components mean. Each throws ArgumentError naming `argument` as the item.

/// "x=moving_object[*].base.position.x, host_vehicle_id.value": between commas or blanks.
std::vector<NamedField> ParseFields(const Schema& schema, const std::string& message, const std::string& text,
                                    const std::string& argument, FieldPath::Ends ends = FieldPath::Ends::InNumber);
/// "moving_object[*].type=2, host_vehicle_id.value=14".
std::vector<FieldAssembly::Constant> ParseConstants(const Schema& schema, const std::string& message,
                                                    const std::string& text, const std::string& argument);
/// Ids between commas or blanks; each once.
std::vector<std::uint64_t> ParseIds(const std::string& text, const std::string& argument);
/// "3.7.0". \throws ArgumentError
InterfaceVersion ParseVersion(const std::string& text, const std::string& argument);

/// The table in that file, the subset that is built in where it is empty. A file is read once in a process.
std::shared_ptr<const Schema> SchemaOf(const std::string& file);

/// An input and an output of bytes that hold one message.
/// \param message  its type; empty: any
std::unique_ptr<items::ValueInput> MessageInput(const std::string& id, const std::string& message,
                                                IBaseLinkableComponent& component);
std::unique_ptr<items::ValueOutput> MessageOutput(const std::string& id, const std::string& message,
                                                  IBaseLinkableComponent& component, const ISteps& steps);

/// A length of time in whole nanoseconds, as timestamps count it.
std::int64_t NanosOf(Days length);
/// The same of a difference of two stamps, which resolve no better than a microsecond.
std::int64_t NanosBetween(Stamp from, Stamp to);
constexpr std::int64_t NanosOf(const Timestamp& time) {
  return time.seconds * 1'000'000'000 + time.nanos;
}

/// The component behind what an input is linked to, if it tells how it steps; else null.
const ISteps* SourceOf(const IBaseInput& input);
/// Where a component that has the steps of `source` ends its next one: where the source stands already, if that is
/// later, else where it goes next. \param otherwise  where there is no source, or it goes nowhere
Stamp FollowedStep(const ISteps* source, Stamp now, Stamp otherwise);

}  // namespace openmi::osi
