#pragma once

#include <map>
#include <string>
#include <string_view>

#include "openmi/omi/XmlForm.hpp"
#include "study/model/StudyFile.hpp"

namespace openmi {

/// Turns the XML tree of one study into specs and reports all problems it finds. One object for each document.
class StudyReader {
 public:
  /// \param file      borrowed; what was read is added to it
  /// \param problems  borrowed; problems are appended
  StudyReader(StudyFile& file, Problems& problems) : file_(file), problems_(problems), form_(problems) {}

  void Read(const XmlDocument& document);

 private:
  using Lines = std::map<std::string, int, std::less<>>;  ///< the line of the first occurrence of an id

  bool ReadRoot(const XmlElement& root);
  void ReadVary(const XmlElement& element);
  void ReadTarget(const XmlElement& element, VarySpec& vary);
  void ReadRange(const XmlElement& element, VarySpec& vary);
  void ReadValues(const XmlElement& element, VarySpec& vary);
  void ReadTemplate(const XmlElement& element);
  void ReadDesign(const XmlElement& element);
  void ReadCalibrate(const XmlElement& element);
  void ReadObjective(const XmlElement& element);
  void ReadWorkers(const XmlElement& element);
  void ReadBranch(const XmlElement& element);
  /// What concerns several elements: values for each Vary as the design needs them, a cost for a calibration.
  void CheckWhole(const XmlElement& root);
  void CheckValues(const VarySpec& vary);
  /// The two parts of "component.name", cut at the first dot.
  void ReadPair(const XmlElement& element, const XmlAttribute& attribute, std::string& component, std::string& name);
  std::uint64_t ReadCount(const XmlElement& element, std::string_view name, std::uint64_t otherwise, double least);
  std::uint64_t ReadSeed(const XmlElement& element) { return ReadCount(element, "Seed", 1, 0.0); }
  void CheckOnce(const XmlElement& element, std::string_view attribute_name, Lines& lines);
  Where Place(int line) const { return {.file = file_.path.string(), .line = line}; }

  StudyFile& file_;
  Problems& problems_;
  XmlForm form_;
  Lines vary_ids_;
  Lines targets_;
  Lines objective_ids_;
};

}  // namespace openmi
