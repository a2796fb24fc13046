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
/// The name of a kind in tables and .proto files ("double", "string", ...).
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
  std::string message;  ///< its type where it is a message, without "osi3."
  std::string unit;     ///< as udunits reads it; of a message: the unit of the numbers in it. Empty: none is known
};

/// One message type; fields in the order of their numbers.
struct MessageInfo {
  std::string name;  ///< without "osi3.": "MovingObject.VehicleAttributes"
  std::vector<FieldInfo> fields;

  /// Null: there is none of that name (number).
  const FieldInfo* Find(std::string_view field) const;
  const FieldInfo* Find(std::uint32_t number) const;
};

/// The message types of one release of OSI: the subset that is built in, or a table that was made of somebody's own
/// release.
///
/// A table is a text. The first line is "openmi osi table 1", the second "version 3.8.0"; then "message <name>" and
/// below it a line for each field: number, name, type, and its unit where it has one. A type is a kind of number,
/// "string", "bytes", or the name of a message; "*" behind it says repeated. Blank lines and lines with # are left out.
class Schema {
 public:
  /// What we wrote ourselves of OSI 3.5 to 3.8: enough for objects, sensors, traffic and vehicles.
  static const Schema& Subset();
  /// The text of it.
  static std::string_view SubsetText();
  /// \param file  for messages
  /// \throws FormatError  the text is no table: names the line
  static Schema Parse(std::string_view text, const std::string& file);
  /// \throws FileError, FormatError
  static Schema Load(const std::string& file);

  const std::string& Version() const { return version_; }
  /// Null: there is none of that name.
  const MessageInfo* Find(std::string_view message) const;
  /// \throws ArgumentError  there is none of that name; proposes the nearest
  const MessageInfo& Require(std::string_view message) const;
  std::vector<std::string> MessageNames() const;

  /// The table as text, as Parse reads it.
  std::string Text() const;
  /// The same as a .proto file (proto2, package osi3), for tools that want one.
  std::string Proto() const;

  /// Adds a message type. \throws FormatError  a name or a number stands twice
  void Add(MessageInfo message);
  void SetVersion(std::string version) { version_ = std::move(version); }
  /// Gives fields that know no unit the one that `other` knows for the same field of the same message.
  void TakeUnits(const Schema& other);

 private:
  std::string version_;
  std::map<std::string, MessageInfo, std::less<>> messages_;
};

}  // namespace openmi::osi
