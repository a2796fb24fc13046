#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "fmi-bridge/description/DescriptionText.hpp"
#include "fmi-bridge/description/WholeNumbers.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// Lets a map of strings be asked with views.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};
using IndexByName = std::unordered_map<std::string, Index, TextHash, std::equal_to<>>;

described::IntegerRange RangeOf(VariableType type);
/// An integer of the type: a UInt64 by its bits, a Boolean not.
std::optional<std::int64_t> ParseInteger(std::string_view text, VariableType type);
/// "a whole number from -128 to 127".
std::string RangeText(VariableType type);

/// Reads units and types, and the attributes that types and variables share.
class TypeReader {
 public:
  /// Both borrowed.
  TypeReader(ModelDescription& description, described::Report& report) : description_(description), report_(report) {}

  // Units; 1.0 has others than 2.0 and 3.0.
  void ReadUnit(const XmlEventTag& tag);
  void ReadBaseUnit(const XmlEventTag& tag);
  void ReadDisplayUnit(const XmlEventTag& tag);

  // Types.
  void BeginType(const XmlEventTag& tag);                        ///< name and description
  void ReadTypeBody(const XmlEventTag& tag, VariableType type);  ///< the element with the attributes
  void ReadItem(const XmlEventTag& tag);
  void EndType(int line);

  Index FindType(std::string_view name) const;
  /// Reads what is given, on top of what stands in `into`.
  void ReadAttributes(described::Attributes& attributes, VariableType type, TypeAttributes& into);
  /// \param into  the declared type's attributes, or none
  void ReadClock(described::Attributes& attributes, std::optional<ClockAttributes>& into);

 private:
  void ReadUnitNames(described::Attributes& attributes, TypeAttributes& into);
  void ReadLimits(described::Attributes& attributes, VariableType type, Limits& into);
  Index UnitNamed(std::string_view name, int line);

  ModelDescription& description_;
  described::Report& report_;
  IndexByName units_;
  IndexByName types_;
};

}  // namespace openmi::fmi
