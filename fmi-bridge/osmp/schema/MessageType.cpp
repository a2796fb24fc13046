#include "fmi-bridge/osmp/schema/MessageType.hpp"

#include <fmt/format.h>

#include <optional>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseOutput.hpp"

namespace openmi::osi {
namespace {

/// How many bytes are fields that `info` knows; nothing where a field is encoded as another type would be.
std::optional<std::size_t> KnownBytes(Message message, const MessageInfo& info) {
  std::size_t known = 0;
  for (FieldReader in(message); in.Next();) {
    const FieldInfo* field = info.Find(in.Number());
    if (field == nullptr) continue;
    const bool may_be_packed = field->is_repeated && IsNumber(field->kind) && in.Type() == WireType::Length;
    if (in.Type() != WireTypeOf(field->kind) && !may_be_packed) return std::nullopt;
    if (field->kind != FieldKind::Nested) {
      known += in.Whole().size();
      continue;
    }
    const MessageInfo* nested = Schema::Subset().Find(field->message);
    if (nested == nullptr) continue;
    try {
      const auto inner = KnownBytes(in.Content(), *nested);
      if (!inner) return std::nullopt;
      known += *inner + (in.Whole().size() - in.Content().size());
    } catch (const WireError&) {
      return std::nullopt;  // the content is no message
    }
  }
  return known;
}

}  // namespace

WireType WireTypeOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::Double:
    case FieldKind::Fixed64:
    case FieldKind::Sfixed64:
      return WireType::Fixed64;
    case FieldKind::Float:
    case FieldKind::Fixed32:
    case FieldKind::Sfixed32:
      return WireType::Fixed32;
    case FieldKind::Text:
    case FieldKind::Bytes:
    case FieldKind::Nested:
      return WireType::Length;
    default:
      return WireType::Varint;
  }
}

std::string BetterFit(Message message, std::string_view type) {
  for (FieldReader in(message); in.Next();) {  // throws where the message is malformed
  }
  std::size_t most = KnownBytes(message, Schema::Subset().Require(type)).value_or(0);
  std::string best;
  for (const std::string& name : Schema::Subset().MessageNames()) {
    const MessageInfo& info = Schema::Subset().Require(name);
    const FieldInfo* version = info.Find("version");
    // not a top-level message
    if (name == type || version == nullptr || version->message != "InterfaceVersion") continue;
    const auto known = KnownBytes(message, info);
    if (!known || *known <= most) continue;
    most = *known;
    best = name;
  }
  return best;
}

std::string UnknownField(Message message, const std::string& type, const Schema& schema) {
  const MessageInfo* info = schema.Find(type);
  for (FieldReader in(message); info != nullptr && in.Next();) {
    const FieldInfo* field = info->Find(in.Number());
    if (field == nullptr) return fmt::format("field {}", in.Number());
    if (field->kind != FieldKind::Nested || in.Type() != WireType::Length) continue;
    const std::string inner = UnknownField(in.Content(), field->message, schema);
    if (!inner.empty()) return field->name + "." + inner;
  }
  return {};
}

std::string MessageTypeOf(const IValueDefinition& definition) {
  std::string type = definition.Caption();
  if (type.starts_with("OSI ")) type.erase(0, 4);
  return type;
}

void RequireLinkedMessage(const IBaseInput& input) {
  RequireLinkedMessage(input, MessageTypeOf(input.ValueDefinition()));
}

void RequireLinkedMessage(const IBaseInput& input, const std::string& message) {
  const IBaseOutput* provider = input.Provider();
  if (provider == nullptr || message.empty()) return;
  const std::string stated = MessageTypeOf(provider->ValueDefinition());
  if (stated == message || Schema::Subset().Find(stated) == nullptr) return;
  throw LinkError(
      {.item = input.Id()},
      fmt::format("expected messages of type {}, found '{}', which gives {}", message, provider->Id(), stated),
      fmt::format("link an output that gives {}, or put one together with openmi.osi.Message", message));
}

}  // namespace openmi::osi
