#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace openmi::osi {

/// What a field holds.
enum class FieldKind : std::uint8_t {
  Double,
  Float,
  Bool,
  Enum,
  Int32,
  Int64,
  Uint32,
  Uint64,
  Sint32,
  Sint64,
  Fixed32,
  Fixed64,
  Sfixed32,
  Sfixed64,
  Text,
  Bytes,
  Nested  ///< a message
};
/// The name of a kind in tables and .proto files, such as "double" or "string".
const char* NameOf(FieldKind kind);
/// Whether it is a number, a boolean or an enumeration.
constexpr bool IsNumber(FieldKind kind) {
  return kind < FieldKind::Text;
}

/// One field of a message type.
struct FieldInfo {
  std::uint32_t number = 0;
  std::string name;
  FieldKind kind = FieldKind::Double;
  bool is_repeated = false;
  std::string message;  ///< type of the message, without "osi3."; empty for other kinds
  std::string unit;     ///< as UDUNITS reads it; for a message, the unit of its numbers; empty where none is known
};

/// One message type, with its fields in the order of their numbers.
struct MessageInfo {
  std::string name;  ///< without "osi3.": "MovingObject.VehicleAttributes"
  std::vector<FieldInfo> fields;

  /// The field of that name or number, or null.
  const FieldInfo* Find(std::string_view field) const;
  const FieldInfo* Find(std::uint32_t number) const;
};

/// The message types of one release of OSI: the built-in subset, or a table made of another release.
///
/// A table is a text. The first line is "openmi osi table 1", the second "version 3.8.0". Then come lines `message
/// NAME`, each followed by one line for each field: number, name, type, and its unit where it has one. A type is a kind
/// of number, "string", "bytes", or the name of a message; a "*" after it marks a repeated field. Blank lines and lines
/// that start with `#` are skipped.
class Schema {
 public:
  /// The part of OSI 3.5 to 3.8 that this project wrote itself: objects, sensors, traffic and vehicles.
  static const Schema& Subset();
  /// The text of that table: numbers, names and types of OSI 3.5.0 to 3.8.0.
  ///
  /// A message of an older release lacks some fields. Nested enumerations are numbers.
  static std::string_view SubsetText();
  /// Reads a table.
  /// \param file  name for messages
  /// \throws FormatError  the text is no table; names the line
  static Schema Parse(std::string_view text, const std::string& file);
  /// Reads a table from a file.
  /// \throws FileError  the file cannot be read
  /// \throws FormatError  as Parse
  static Schema Load(const std::string& file);

  const std::string& Version() const { return version_; }
  /// The message type of that name, or null.
  const MessageInfo* Find(std::string_view message) const;
  /// The message type of that name.
  /// \throws ArgumentError  the release has no such type; proposes the nearest name
  const MessageInfo& Require(std::string_view message) const;
  std::vector<std::string> MessageNames() const;

  /// The table as a text that Parse reads.
  std::string Text() const;
  /// The table as a .proto file (proto2, package osi3), for other tools.
  std::string Proto() const;
  /// A type and all that it contains as a FileDescriptorSet of protobuf (google/protobuf/descriptor.proto), for other
  /// tools. Enumerations are whole numbers.
  /// \throws ArgumentError  the release has no such type
  std::string Descriptors(const std::string& type) const;

  /// Adds a message type.
  /// \throws FormatError  there is already a type of that name
  void Add(MessageInfo message);
  void SetVersion(std::string version) { version_ = std::move(version); }
  /// Gives each field without a unit the unit of the same field in `other`.
  void TakeUnits(const Schema& other);

 private:
  std::string version_;
  std::map<std::string, MessageInfo, std::less<>> messages_;
};

}  // namespace openmi::osi
