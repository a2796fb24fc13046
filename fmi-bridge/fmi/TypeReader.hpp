#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// Allows look-ups with string views in a map of strings.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using IndexByName = std::unordered_map<std::string, Index, TextHash, std::equal_to<>>;

described::IntegerRange RangeOf(VariableType type);
/// Parses an integer of the type; a UInt64 is returned with its bits. Not for Boolean.
std::optional<std::int64_t> ParseInteger(std::string_view text, VariableType type);
/// "a whole number from -128 to 127".
std::string RangeText(VariableType type);

/// Reads units and types, and the attributes that types and variables have in common.
class TypeReader {
 public:
  /// Both arguments are borrowed.
  TypeReader(ModelDescription& description, described::Report& report) : description_(description), report_(report) {}

  // Units; those of 1.0 differ from those of 2.0 and 3.0.
  void ReadUnit(const XmlEventTag& tag);
  void ReadBaseUnit(const XmlEventTag& tag);
  void ReadDisplayUnit(const XmlEventTag& tag);

  // Types.
  void BeginType(const XmlEventTag& tag);                        ///< name and description
  void ReadTypeBody(const XmlEventTag& tag, VariableType type);  ///< the element with the attributes
  void ReadItem(const XmlEventTag& tag);
  void EndType(int line);

  Index FindType(std::string_view name) const;
  /// Reads the attributes that are present, and overwrites those in `into`.
  void ReadAttributes(described::Attributes& attributes, VariableType type, TypeAttributes& into);
  /// \param into  the attributes of the declared type, or nothing
  void ReadClock(described::Attributes& attributes, std::optional<ClockAttributes>& into);

 private:
  void ReadUnitNames(described::Attributes& attributes, TypeAttributes& into);
  Index UnitNamed(std::string_view name, int line);

  ModelDescription& description_;
  described::Report& report_;
  IndexByName units_;
  IndexByName types_;
};

}  // namespace openmi::fmi
