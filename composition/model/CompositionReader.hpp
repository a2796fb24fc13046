#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/XmlForm.hpp"

namespace openmi {

/// Turns the XML tree of one composition into specs and reports all problems it finds. One object for each document.
class CompositionReader {
 public:
  /// \param file      borrowed; what was read is added to it
  /// \param problems  borrowed; problems are appended
  CompositionReader(CompositionFile& file, Problems& problems) : file_(file), problems_(problems), form_(problems) {}

  void Read(const XmlDocument& document);

 private:
  using Lines = std::map<std::string, int, std::less<>>;  ///< the line of the first occurrence of an id

  bool ReadRoot(const XmlElement& root);
  /// Reads a Component or a Population.
  void ReadComponent(const XmlElement& element);
  PopulationSpec ReadPopulation(const XmlElement& element);
  TableSpec ReadTable(const XmlElement& element, std::string_view file_attribute);
  NetworkSpec ReadNetwork(const XmlElement& element);
  IsolationSpec ReadIsolation(const XmlElement& element);
  std::string ReadGroup(const XmlElement& element, Isolation isolation);
  void CheckSource(const XmlElement& element, const ComponentSpec& component);
  void ReadLink(const XmlElement& element);
  AdaptorSpec ReadAdaptor(const XmlElement& element);
  void ReadIterate(const XmlElement& element);
  ToleranceSpec ReadTolerance(const XmlElement& element, Lines& items);
  void ReadObserve(const XmlElement& element);
  void ReadCompare(const XmlElement& element);
  WindowSpec ReadWindow(const XmlElement& element, Lines& labels);
  void ReadRun(const XmlElement& element);
  void ReadPace(const XmlElement& element, RunSpec& run);
  void ReadCheckpoints(const XmlElement& element);
  /// A span above 0; nothing after an error and if the attribute is missing.
  /// \param without  what a missing attribute means, for the remedy in the message
  std::optional<Days> ReadSpanAboveZero(const XmlElement& element, std::string_view attribute_name,
                                        std::string_view without = "leave it out");
  void ReadResults(const XmlElement& element);
  std::vector<ArgumentSpec> ReadArguments(const XmlElement& element);

  /// The two parts of "component.item", cut at the first dot; checks that the component exists. Both are empty after an
  /// error.
  ItemSpec ReadItem(const XmlElement& element, std::string_view attribute_name);
  /// UTC; nothing after an error.
  std::optional<Stamp> ReadTime(const XmlElement& element, std::string_view attribute_name);
  /// Reads From and To, in this order.
  void ReadPeriod(const XmlElement& element, std::optional<Stamp>& from, std::optional<Stamp>& to);
  void CheckComponent(const XmlElement& element, const XmlAttribute& attribute, std::string_view id);
  /// Reports an id that occurs a second time.
  void CheckOnce(const XmlElement& element, std::string_view attribute_name, Lines& lines);
  void Optional(const XmlElement& element, std::string_view attribute_name, std::string& value);
  /// As Optional, for the name of a file in the results folder.
  void ResultName(const XmlElement& element, std::string_view attribute_name, std::string& value);

  CompositionFile& file_;
  Problems& problems_;
  XmlForm form_;
  Lines component_ids_;
  std::vector<std::string> component_names_;
  Lines link_ids_;
  Lines link_texts_;
  Lines iterated_;  // component ids
  Lines observe_ids_;
  Lines compare_ids_;
};

}  // namespace openmi
