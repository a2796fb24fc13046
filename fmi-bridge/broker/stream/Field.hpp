#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace openmi::broker {

/// What the values of a message's member are, as FMI 2.0 names them.
enum class FieldType {
  Real,     ///< any number of JSON
  Integer,  ///< a number of JSON, what is behind its point cut off; shown as a double
  Boolean,  ///< true or false, shown as 1 and 0
  String    ///< a text of JSON
};

/// "real", "integer", "boolean", "string".
std::string_view NameOf(FieldType type);

/// Which member of a message becomes which item.
struct Field {
  std::string source;  ///< path of the member: "level", "pose.x", "axes[0]"
  std::string name;    ///< id of the item
  FieldType type = FieldType::Real;
  std::string unit = "1";
};

/// Reads a list of fields between commas: `name`, `source=name`, each with `:real`, `:integer`, `:boolean` or `:string`
/// and `[unit]` behind it where it is not a bare number. Names that hold one of `,=:[` stand in double quotes.
/// \throws FormatError  names the entry that cannot be read, or that gives the same item or member twice
std::vector<Field> ParseFields(std::string_view text);

}  // namespace openmi::broker
