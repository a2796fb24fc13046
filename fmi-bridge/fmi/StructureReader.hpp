#pragma once

#include <cstdint>
#include <vector>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/VariableReader.hpp"

namespace openmi::fmi {

/// Reads ModelStructure of 2.0 (positions) and 3.0 (value references).
class StructureReader {
 public:
  /// Both arguments are borrowed.
  StructureReader(ModelDescription& description, described::Report& report)
      : description_(description), report_(report) {}

  /// \param list  the list that the entry belongs to
  void Read(const XmlEventTag& tag, std::vector<Unknown>& list);
  /// Replaces positions and value references by variables.
  /// \param variables  already resolved
  void Resolve(const VariableReader& variables);

 private:
  void ReadKinds(described::Attributes& attributes, Unknown& unknown);
  void ResolveList(std::vector<Unknown>& list, const char* name, const VariableReader& variables);

  ModelDescription& description_;
  described::Report& report_;
};

}  // namespace openmi::fmi
