#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace openmi {

/// The information about one exchange item in a compliancy information file.
struct CompliancyItem {
  /// The places of the item; absent for an item without places.
  struct Elements {
    std::string id;
    std::string type;  ///< "IdBased", "Point", "PolyLine", "Polygon" or "Polyhedron"
    std::optional<std::size_t> count;
    std::string description = {};
  };

  std::string id;
  std::string quantity;          ///< caption or id of the value definition
  std::string description = {};  ///< of the quantity
  std::string unit = {};         ///< as text, such as "m3 s-1"
  std::string dimension = {};    ///< as text, such as "L3 T-1"
  std::optional<Elements> elements = {};
  std::vector<std::string> adaptors = {};  ///< outputs only: ids of the available adapted outputs
};

/// The content of a compliancy information file. Empty texts are omitted where the schema allows it.
///
/// Source: the files published with OpenMI 1.4; the schema of 2.0 was never published with OGC 11-014r3.
struct CompliancyInfo {
  std::string component_name;
  std::string component_version;
  std::string component_description = {};
  std::string component_url = {};
  std::string supplier_name;
  std::string contact_person = {};
  std::string supplier_email = {};
  bool component_free = true;    ///< "free", else "restricted"
  bool source_available = true;  ///< "available", else "private"
  std::string availability_comment = {};
  std::string technology = "C++";
  std::string standard_version = "2.0 (OGC 11-014r3)";
  std::vector<CompliancyItem> inputs = {};
  std::vector<CompliancyItem> outputs = {};
};

/// The compliancy information file as text, valid against schemas/CompliancyInfo.xsd.
/// \throws FormatError  a required name, version or id is empty, or XML cannot represent a text
std::string CompliancyText(const CompliancyInfo& info);

}  // namespace openmi
