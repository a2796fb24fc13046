#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "openmi/omi/XmlForm.hpp"

namespace openmi {

/// Turns the tree of one composition into specs and reports everything on the way. One object a document.
class CompositionReader {
 public:
  /// \param file, problems  borrowed; both are added to
  CompositionReader(CompositionFile& file, Problems& problems) : file_(file), problems_(problems), form_(problems) {}

  void Read(const XmlDocument& document);

 private:
  using Lines = std::map<std::string, int, std::less<>>;  ///< where an id was first met

  bool ReadRoot(const XmlElement& root);
  void ReadComponent(const XmlElement& element);
  IsolationSpec ReadIsolation(const XmlElement& element);
  /// Bytes of "512 MB" and the like; 0 after an error and when the attribute is absent.
  std::uint64_t ReadMemory(const XmlElement& element, std::string_view attribute_name);
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
  /// A span above 0 in days; nothing after an error and where the attribute is absent.
  /// \param without  what an absent one means, for the remedy
  std::optional<double> ReadSpanAboveZero(const XmlElement& element, std::string_view attribute_name,
                                          std::string_view without = "leave it out");
  void ReadResults(const XmlElement& element);
  std::vector<ArgumentSpec> ReadArguments(const XmlElement& element);

  /// "component.item" cut at the first dot, the component looked up; both empty after an error.
  ItemSpec ReadItem(const XmlElement& element, std::string_view attribute_name);
  /// Modified Julian Day, UTC; NaN after an error.
  double ReadTime(const XmlElement& element, std::string_view attribute_name);
  /// Days; NaN after an error and when the attribute is absent.
  double ReadSpan(const XmlElement& element, std::string_view attribute_name);
  /// A number from `least` to `most`; `otherwise` after an error and when the attribute is absent.
  double ReadNumber(const XmlElement& element, std::string_view attribute_name, double otherwise, double least,
                    double most, bool is_whole = false);
  /// From and To, in this order.
  void ReadPeriod(const XmlElement& element, double& from, double& to);
  void CheckComponent(const XmlElement& element, const XmlAttribute& attribute, std::string_view id);
  /// Reports an id that is met again.
  void CheckOnce(const XmlElement& element, std::string_view attribute_name, Lines& lines);
  void Optional(const XmlElement& element, std::string_view attribute_name, std::string& value);
  /// As Optional, of a file in the folder of results.
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
