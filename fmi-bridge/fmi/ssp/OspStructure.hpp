#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::ssp {

/// Reads an OspSystemStructure.xml of the Open Simulation Platform.
///
/// Simulators are components, functions are elements that compute. Numbers go through connections as they are: OSP
/// converts no units. Groups of variables are those of `<modelName>_OspModelDescription.xml` beside the FMU, else
/// beside the file.
///
/// Source: OspSystemStructure.xsd 0.1.1 and OspModelDescription 1.0.1 of libcosim; its documentation of functions.
class OspReader {
 public:
  /// \param root      canonical; sources must be inside
  /// \param problems  borrowed
  OspReader(std::filesystem::path root, Problems& problems) : root_(std::move(root)), problems_(problems) {}
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  it is no system structure of version 0.1
  Structure Read(const std::filesystem::path& file);

 private:
  /// A group of variables, or of groups.
  struct Group {
    std::vector<std::string> variables;
    std::vector<Group> groups;
    std::string name;
  };
  struct Simulator {
    fmi::ModelDescription model;
    std::unique_ptr<fmi::VariableNames> names;
    std::vector<Group> groups;
  };

  void ReadSimulator(const XmlElement& xml, const std::filesystem::path& folder, Structure& into);
  void ReadInitialValues(const XmlElement& xml, Element& into);
  void ReadFunction(const XmlElement& xml, Element& into);
  void ReadConnection(const XmlElement& xml, Element& into);
  void ReadGroups(const std::filesystem::path& folder, const std::filesystem::path& beside, Simulator& into);
  static Group ReadGroup(const XmlElement& xml, int depth);
  /// An end of a connection: one variable or signal, or those of a group, in order. Empty after a problem.
  std::vector<End> EndsOf(const XmlElement& xml, Element& system);
  const Group* FindGroup(const std::vector<Group>& groups, std::string_view name) const;
  static void Collect(const Group& group, const std::string& element, std::vector<End>& into);
  std::optional<double> Number(const XmlElement* xml, std::string_view what);
  void Report(const XmlElement& place, std::string problem, std::string remedy);

  std::filesystem::path root_;
  Problems& problems_;
  std::map<std::string, Simulator> simulators_;  // by name
};

}  // namespace openmi::ssp
