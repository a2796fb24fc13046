#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openmi::broker {

/// The type of a member's values, as FMI 2.0 names it.
enum class FieldType {
  Real,     ///< any number of JSON
  Integer,  ///< a number of JSON, truncated at its point; shown as a double
  Boolean,  ///< true or false, shown as 1 and 0
  String    ///< a text of JSON
};

/// "real", "integer", "boolean" or "string".
std::string_view NameOf(FieldType type);

/// The member of messages that an item holds.
struct Field {
  std::string source;  ///< path of the member: "level", "pose.x", "axes[0]"
  std::string name;    ///< id of the item
  FieldType type = FieldType::Real;
  std::string unit = "1";
};

/// Reads a list of fields, separated by commas: `name` or `source=name`.
///
/// After it may follow `:real`, `:integer`, `:boolean` or `:string`, and a unit as `[unit]`. Names that contain one of
/// `,=:[` are in double quotes.
/// \throws FormatError  an entry cannot be read, or names the same item or member twice; names the entry
std::vector<Field> ParseFields(std::string_view text);

}  // namespace openmi::broker
