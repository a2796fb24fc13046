#include "fmi-bridge/osmp/schema/MessageFit.hpp"

#include <optional>

namespace openmi::osi {

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

}  // namespace openmi::osi
