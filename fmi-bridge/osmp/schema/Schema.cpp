#include "fmi-bridge/osmp/schema/Schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {
std::string_view EmbeddedOsiTable(std::string_view name);  // a file of files/, made by the build
}  // namespace openmi

namespace openmi::osi {
namespace {

constexpr std::array kFieldKinds = {"double",   "float",    "bool",   "enum",   "int32",   "int64",
                                    "uint32",   "uint64",   "sint32", "sint64", "fixed32", "fixed64",
                                    "sfixed32", "sfixed64", "string", "bytes"};
constexpr std::string_view kHead = "openmi osi table 1";

std::optional<FieldKind> KindOf(std::string_view name) {
  const auto found = std::ranges::find(kFieldKinds, name);
  if (found == kFieldKinds.end()) return std::nullopt;
  return static_cast<FieldKind>(found - kFieldKinds.begin());
}

/// Removes the first word from `line` and returns it.
std::string_view TakeWord(std::string_view& line) {
  const auto end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line = Trimmed(line.substr(end));
  return word;
}

FieldInfo FieldOf(std::string_view line, const Where& where) {
  const std::string whole(line);
  FieldInfo field;
  const std::string_view number = TakeWord(line);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), field.number);
  field.name = TakeWord(line);
  std::string_view type = TakeWord(line);
  field.unit = line;
  if (error != std::errc() || end != number.data() + number.size() || field.number == 0 || field.number >= 1U << 29 ||
      field.name.empty() || type.empty() || type == "*") {
    throw FormatError(where, fmt::format("expected 'number name type unit', found '{}'", whole),
                      "numbers of fields are 1 to 536870911");
  }
  if (type.ends_with('*')) {
    field.is_repeated = true;
    type.remove_suffix(1);
  }
  if (const auto kind = KindOf(type)) {
    field.kind = *kind;
  } else {
    field.kind = FieldKind::Nested;
    field.message = type;
  }
  return field;
}

std::string TypeOf(const FieldInfo& field) {
  return field.kind == FieldKind::Nested ? field.message : NameOf(field.kind);
}

}  // namespace

const char* NameOf(FieldKind kind) {
  return kind == FieldKind::Nested ? "message" : kFieldKinds[static_cast<std::size_t>(kind)];
}

const FieldInfo* MessageInfo::Find(std::string_view field) const {
  const auto found = std::ranges::find(fields, field, &FieldInfo::name);
  return found == fields.end() ? nullptr : &*found;
}

const FieldInfo* MessageInfo::Find(std::uint32_t number) const {
  const auto found = std::ranges::find(fields, number, &FieldInfo::number);
  return found == fields.end() ? nullptr : &*found;
}

const Schema& Schema::Subset() {
  static const Schema subset = Parse(SubsetText(), "the subset of OSI that is built in");
  return subset;
}

std::string_view Schema::SubsetText() {
  return EmbeddedOsiTable("subset.txt");
}

Schema Schema::Parse(std::string_view text, const std::string& file) {
  Schema schema;
  std::optional<MessageInfo> open;
  Where where{.file = file, .line = 0};
  bool has_head = false;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    std::string_view line = Trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++where.line;
    if (line.empty() || line.starts_with('#')) continue;
    if (!has_head) {
      if (line != kHead) {
        throw FormatError(where, fmt::format("expected '{}', found '{}'", kHead, line.substr(0, 60)),
                          "make a table of your release with 'openmi osmp schema'");
      }
      has_head = true;
    } else if (line.starts_with("version ")) {
      schema.version_ = Trimmed(line.substr(8));
    } else if (line.starts_with("message ")) {
      if (open) schema.Add(std::move(*open));
      open = MessageInfo{.name = std::string(Trimmed(line.substr(8))), .fields = {}};
    } else if (!open) {
      throw FormatError(where, fmt::format("expected 'message <name>' before the first field, found '{}'", line));
    } else {
      FieldInfo field = FieldOf(line, where);
      if (open->Find(field.name) != nullptr || open->Find(field.number) != nullptr) {
        throw FormatError(where, fmt::format("expected each field of {} once, found '{}' again", open->name, line));
      }
      open->fields.push_back(std::move(field));
    }
  }
  if (!has_head) throw FormatError(where, fmt::format("expected '{}', found an empty text", kHead));
  if (open) schema.Add(std::move(*open));
  for (const auto& [name, message] : schema.messages_) {
    for (const FieldInfo& field : message.fields) {
      if (field.kind == FieldKind::Nested && schema.Find(field.message) == nullptr) {
        throw FormatError({.file = file},
                          fmt::format("expected the message '{}', the type of {}.{}, found none of that name",
                                      field.message, name, field.name));
      }
    }
  }
  return schema;
}

Schema Schema::Load(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FileError({.file = file}, "expected a table of an OSI release, found no file that can be read");
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return Parse(text, file);
}

const MessageInfo* Schema::Find(std::string_view message) const {
  const auto found = messages_.find(message);
  return found == messages_.end() ? nullptr : &found->second;
}

const MessageInfo& Schema::Require(std::string_view message) const {
  if (const MessageInfo* found = Find(message)) return *found;
  throw ArgumentError({}, fmt::format("expected a message of OSI {}, found '{}'", version_, message),
                      Suggest(std::string(message), MessageNames()));
}

std::vector<std::string> Schema::MessageNames() const {
  std::vector<std::string> names;
  for (const auto& [name, message] : messages_) names.push_back(name);
  return names;
}

void Schema::Add(MessageInfo message) {
  std::ranges::sort(message.fields, {}, &FieldInfo::number);
  const std::string name = message.name;
  if (!messages_.emplace(name, std::move(message)).second) {
    throw FormatError({}, fmt::format("expected each message once, found '{}' again", name));
  }
}

void Schema::TakeUnits(const Schema& other) {
  for (auto& [name, message] : messages_) {
    const MessageInfo* known = other.Find(name);
    if (known == nullptr) continue;
    for (FieldInfo& field : message.fields) {
      const FieldInfo* same = known->Find(field.name);
      if (field.unit.empty() && same != nullptr) field.unit = same->unit;
    }
  }
}

std::string Schema::Text() const {
  std::string text = fmt::format("{}\nversion {}\n", kHead, version_);
  for (const auto& [name, message] : messages_) {
    text += fmt::format("message {}\n", name);
    for (const FieldInfo& field : message.fields) {
      text += fmt::format("  {} {} {}{}{}{}\n", field.number, field.name, TypeOf(field), field.is_repeated ? "*" : "",
                          field.unit.empty() ? "" : " ", field.unit);
    }
  }
  return text;
}

// Enumerations become int32, which has the same encoding. Names with points become nested messages.
std::string Schema::Proto() const {
  std::string text = "syntax = \"proto2\";\npackage osi3;\n";
  std::vector<std::string_view> open;
  const auto indent = [&open] { return std::string(2 * open.size(), ' '); };
  const auto close = [&] {
    open.pop_back();
    text += indent() + "}\n";
  };
  for (const auto& [name, message] : messages_) {  // sorted: nested messages follow their message
    while (!open.empty() && !(name.starts_with(open.back()) && name[open.back().size()] == '.')) close();
    const std::size_t outer = open.empty() ? 0 : open.back().size() + 1;
    text += fmt::format("{}message {} {{\n", indent(), name.substr(outer));
    open.push_back(name);
    for (const FieldInfo& field : message.fields) {
      const std::string type = field.kind == FieldKind::Nested ? ".osi3." + field.message
                               : field.kind == FieldKind::Enum ? "int32"
                                                               : NameOf(field.kind);
      text += fmt::format("{}{} {} {} = {};", indent(), field.is_repeated ? "repeated" : "optional", type, field.name,
                          field.number);
      text += field.unit.empty() ? "\n" : fmt::format("  // Unit: {}\n", field.unit);
    }
  }
  while (!open.empty()) close();
  return text;
}

}  // namespace openmi::osi
