#include <set>

#include "fmi-bridge/osmp/schema/Schema.hpp"
#include "fmi-bridge/osmp/wire/MessageWriter.hpp"

namespace openmi::osi {
namespace {

/// Numbers of google/protobuf/descriptor.proto.
namespace descriptor {
constexpr std::uint32_t kFile = 1;  // FileDescriptorSet
constexpr std::uint32_t kName = 1, kPackage = 2, kMessage = 4, kSyntax = 12;
constexpr std::uint32_t kField = 2, kNested = 3;  // DescriptorProto
constexpr std::uint32_t kNumber = 3, kLabel = 4, kType = 5, kTypeName = 6;
constexpr std::uint64_t kOptional = 1, kRepeated = 3;
}  // namespace descriptor

std::uint64_t DescriptorType(FieldKind kind) {
  switch (kind) {
    case FieldKind::Double:
      return 1;
    case FieldKind::Float:
      return 2;
    case FieldKind::Int64:
      return 3;
    case FieldKind::Uint64:
      return 4;
    case FieldKind::Int32:
    case FieldKind::Enum:
      return 5;  // the same on the wire
    case FieldKind::Fixed64:
      return 6;
    case FieldKind::Fixed32:
      return 7;
    case FieldKind::Bool:
      return 8;
    case FieldKind::Text:
      return 9;
    case FieldKind::Nested:
      return 11;
    case FieldKind::Bytes:
      return 12;
    case FieldKind::Uint32:
      return 13;
    case FieldKind::Sfixed32:
      return 15;
    case FieldKind::Sfixed64:
      return 16;
    case FieldKind::Sint32:
      return 17;
    case FieldKind::Sint64:
      return 18;
  }
  return 0;
}

/// Writes the types in `wanted` whose names are `prefix` and one more part, with those inside them.
void WriteTypes(MessageWriter& writer, const Schema& schema, const std::set<std::string>& wanted,
                const std::string& prefix, std::uint32_t number) {
  std::set<std::string> parts;  // also of types that only hold others
  for (const std::string& name : wanted) {
    if (name.starts_with(prefix))
      parts.insert(name.substr(prefix.size(), name.find('.', prefix.size()) - prefix.size()));
  }
  for (const std::string& part : parts) {
    writer.Begin(number);
    writer.Text(descriptor::kName, part);
    const MessageInfo* info = schema.Find(prefix + part);
    if (info != nullptr && wanted.contains(prefix + part)) {
      for (const FieldInfo& field : info->fields) {
        writer.Begin(descriptor::kField);
        writer.Text(descriptor::kName, field.name);
        writer.Unsigned(descriptor::kNumber, field.number);
        writer.Unsigned(descriptor::kLabel, field.is_repeated ? descriptor::kRepeated : descriptor::kOptional);
        writer.Unsigned(descriptor::kType, DescriptorType(field.kind));
        if (field.kind == FieldKind::Nested) writer.Text(descriptor::kTypeName, ".osi3." + field.message);
        writer.End();
      }
    }
    WriteTypes(writer, schema, wanted, prefix + part + ".", descriptor::kNested);
    writer.End();
  }
}

}  // namespace

std::string Schema::Descriptors(const std::string& type) const {
  std::set<std::string> wanted;
  std::vector<std::string> open{Require(type).name};
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    const MessageInfo* info = Find(name);
    if (info == nullptr || !wanted.insert(name).second) continue;
    for (const FieldInfo& field : info->fields) {
      if (field.kind == FieldKind::Nested) open.push_back(field.message);
    }
  }
  MessageWriter writer;
  writer.Begin(descriptor::kFile);
  writer.Text(descriptor::kName, "osi3.proto");
  writer.Text(descriptor::kPackage, "osi3");
  WriteTypes(writer, *this, wanted, "", descriptor::kMessage);
  writer.Text(descriptor::kSyntax, "proto2");
  writer.End();
  const Message bytes = writer.Written();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace openmi::osi
