#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/omi/XmlReader.hpp"

namespace openmi::dcp {

/// Reads the types and variables of a description. The description and the report are borrowed.
class VariableReader {
 public:
  /// \pre The units of `description` have been read.
  VariableReader(SlaveDescription& description, described::Report& report);

  void ReadTypes(const XmlElement& types);
  void ReadVariables(const XmlElement& variables);

 private:
  /// A reference from one variable to another. References are resolved when all variables are known.
  struct Reference {
    std::size_t variable = 0;
    ValueReference to = 0;
    int line = 0;
    enum Kind : std::uint8_t { Size, Initialization, Run } kind = Size;
    std::size_t dimension = 0;
    bool is_linear = false;
  };

  const XmlElement* OnlyChild(const XmlElement& element, std::string_view what,
                              std::initializer_list<std::string_view> names, std::string_view item);
  void ReadVariable(const XmlElement& element);
  void ReadBody(const XmlElement& body, Variable& variable);
  void ReadAttributes(described::Attributes& attributes, std::string_view item, TypeAttributes& into);
  void ReadLimits(described::Attributes& attributes, TypeAttributes& into);
  void ReadStart(described::Attributes& attributes, Variable& variable);
  bool TakeStart(std::string_view word, Variable& variable);
  void ReadDimensions(const XmlElement& dimensions, Variable& variable);
  void ReadDependencies(const XmlElement& dependencies, Variable& variable);
  void CheckVariability(const Variable& variable, bool is_written);
  void Resolve();

  SlaveDescription& description_;
  described::Report& report_;
  std::unordered_map<std::string, Index> units_;
  std::unordered_map<std::string, Index> types_;
  std::unordered_map<std::string, Index> names_;
  std::unordered_map<ValueReference, Index> references_;
  std::vector<Reference> pending_;
};

}  // namespace openmi::dcp
