#include "fmi-bridge/osmp/values/OsiArguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IProxy.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/SharedByKey.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/optional/IHistoryProvider.hpp"

namespace openmi::osi {
namespace {

constexpr const char* kBetweenFields = " \t\r\n,;";

[[noreturn]] void RefuseArgument(const std::string& argument, const std::string& problem, const std::string& remedy) {
  throw ArgumentError({.item = argument}, problem, remedy);
}

template <class Work>
auto Named(const std::string& argument, Work work) {
  try {
    return work();
  } catch (const ArgumentError& error) {
    RefuseArgument(argument, error.Problem(), error.Remedy());
  }
}

}  // namespace

FieldArguments AddFieldArguments(ArgumentList& list, const std::string& fields, const std::string& objects,
                                 bool writes) {
  const auto text = [&list](const char* id, const std::string& description, std::optional<std::string> value = "",
                            ArgumentMeaning meaning = ArgumentMeaning::Plain) {
    return list.Add<std::string>(id, {.description = description, .value = std::move(value), .meaning = meaning});
  };
  FieldArguments all;
  all.message = text("message", "type of the messages", "GroundTruth");
  all.fields = text("fields", fields, std::nullopt);
  if (writes) {
    all.constants =
        text("constants", "fields that are always the same: `moving_object[*].type=2 host_vehicle_id.value=10`");
  }
  all.objects = text("objects", objects);
  if (writes) all.version = text("osi-version", "that the messages name", "3.8.0");
  all.table_file =
      text("osi-table-file", "of your release, made by openmi osmp schema; none: the subset that is built in", "",
           ArgumentMeaning::Path);
  return all;
}

std::vector<NamedField> ParseFields(const Schema& schema, const std::string& message, const std::string& text,
                                    const std::string& argument, FieldPath::Ends ends) {
  std::vector<NamedField> fields;
  for (const std::string& word : Split(text, kBetweenFields)) {
    const auto equals = word.find('=');
    const std::string path = equals == std::string::npos ? word : word.substr(equals + 1);
    const std::string item = word.substr(0, equals);
    if (item.empty())
      RefuseArgument(argument, fmt::format("expected a name before '=', found '{}'", word), "write name=path");
    if (std::ranges::find(fields, item, &NamedField::item) != fields.end()) {
      RefuseArgument(argument, fmt::format("expected items of different names, found '{}' again", item),
                     "write name=path");
    }
    fields.push_back({item, Named(argument, [&] { return FieldPath::Parse(schema, message, path, ends); })});
  }
  if (fields.empty()) {
    RefuseArgument(argument, "expected fields of the message, found none",
                   "write moving_object[*].base.position.x, for instance");
  }
  return fields;
}

std::vector<FieldAssembly::Constant> ParseConstants(const Schema& schema, const std::string& message,
                                                    const std::string& text, const std::string& argument) {
  std::vector<FieldAssembly::Constant> constants;
  for (const std::string& word : Split(text, kBetweenFields)) {
    const auto equals = word.find('=');
    FieldAssembly::Constant constant;
    const std::string value = equals == std::string::npos ? std::string() : word.substr(equals + 1);
    const auto number = AsNumber<decltype(constant.value)>(value);
    if (!number) {
      RefuseArgument(argument, fmt::format("expected path=number, found '{}'", word),
                     "write moving_object[*].type=2, for instance");
    }
    constant.value = *number;
    constant.whole = AsNumber<std::uint64_t>(value);
    constant.path = Named(argument, [&] { return FieldPath::Parse(schema, message, word.substr(0, equals)); });
    const FieldKind kind = constant.path.Leaf().kind;
    if (kind != FieldKind::Uint64 && kind != FieldKind::Fixed64) constant.whole.reset();
    constants.push_back(std::move(constant));
  }
  return constants;
}

std::vector<std::uint64_t> ParseIds(const std::string& text, const std::string& argument) {
  std::vector<std::uint64_t> ids;
  for (const std::string& word : Split(text, kBetweenFields)) {
    const auto id = AsNumber<std::uint64_t>(word);
    if (!id) {
      RefuseArgument(argument, fmt::format("expected ids, whole numbers from 0 on, found '{}'", word),
                     "write 10 11 12");
    }
    if (std::ranges::find(ids, *id) != ids.end()) {
      RefuseArgument(argument, fmt::format("expected each id once, found {} again", *id), "leave one of them out");
    }
    ids.push_back(*id);
  }
  return ids;
}

std::vector<NamedTopic> ParseTopics(const std::string& text, const std::string& argument) {
  std::vector<NamedTopic> topics;
  for (const std::string& word : Split(text, " \t\r\n")) {
    const auto equals = word.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == word.size()) {
      RefuseArgument(argument, fmt::format("expected an item and the topic of its channel, found '{}'", word),
                     "write truth=GroundTruth view=SensorView, for instance");
    }
    const NamedTopic topic{word.substr(0, equals), word.substr(equals + 1)};
    if (std::ranges::find(topics, topic.item, &NamedTopic::item) != topics.end() ||
        std::ranges::find(topics, topic.topic, &NamedTopic::topic) != topics.end()) {
      RefuseArgument(argument, fmt::format("expected each item and topic once, found '{}' again", word),
                     "leave one of them out");
    }
    topics.push_back(topic);
  }
  return topics;
}

InterfaceVersion ParseVersion(const std::string& text, const std::string& argument) {
  InterfaceVersion version{0, 0, 0};
  std::uint32_t* const parts[] = {&version.major, &version.minor, &version.patch};
  std::size_t at = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto point = i < 2 ? text.find('.', at) : text.size();
    const bool is_there = point != std::string::npos && at <= text.size();
    const auto part = is_there ? AsNumber<std::uint32_t>(text.substr(at, point - at)) : std::nullopt;
    if (!part) {
      RefuseArgument(argument, fmt::format("expected a version of OSI, found '{}'", text), "write 3.7.0, for instance");
    }
    *parts[i] = *part;
    at = point + 1;
  }
  return version;
}

std::shared_ptr<const Schema> SchemaOf(const std::string& file) {
  if (file.empty()) return {std::shared_ptr<const Schema>(), &Schema::Subset()};
  static SharedByKey<std::string, const Schema> loaded;
  return loaded.Get(file, [&file] { return std::make_shared<const Schema>(Schema::Load(file)); });
}

std::unique_ptr<const IValueDefinition> MessageDefinition(const std::string& message) {
  if (message.empty()) return items::PlainDefinitionOf("OSI message", ValueKind::Binary);
  return items::PlainDefinitionOf("OSI " + message, ValueKind::Binary, "osi3::" + message);
}

void RequireProvider(const IBaseInput& input) {
  if (input.Provider() != nullptr) return;
  throw LinkError({.component = input.Component()->Caption(), .item = input.Id()},
                  "expected a provider of messages, found none", "link an output of bytes to this input");
}

std::int64_t NanosOf(Days length) {
  return std::llround(length.count * kTicksPerDay);
}

std::int64_t NanosBetween(Stamp from, Stamp to) {
  return (NanosOf(to - from) + 500) / 1000 * 1000;
}

const ISteps* SourceOf(const IBaseInput& input) {
  const IBaseOutput* provider = input.Provider();
  return provider != nullptr ? dynamic_cast<const ISteps*>(provider->Component()) : nullptr;
}

Stamp NextMessage(const IBaseInput& input, const ISteps* source, Stamp now) {
  const auto* rows = dynamic_cast<const IRowTimes*>(BehindProxies(input.Provider()));
  const Stamp next = rows != nullptr ? rows->NextRow(now) : source != nullptr ? source->CurrentTime() : kFarFuture;
  if (next != kFarFuture && Before(now, next)) return next;
  return source != nullptr && Before(now, source->NextTime()) ? source->NextTime() : kFarFuture;
}

}  // namespace openmi::osi
