#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/import/OldComposition.hpp"
#include "openmi/omi/XmlForm.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// Reads the elements of a project of the configuration editor into structs.
class OldProjectReader {
 public:
  /// \param old       receives the content; both are borrowed
  /// \param problems  receives what cannot be read, or is left out
  OldProjectReader(OldComposition& old, Problems& problems) : old_(old), problems_(problems), form_(problems) {}

  /// Reads `guiComposition`, the root of 1.4.
  void ReadVersion1(const XmlElement& root);
  /// Reads `opr`, the root of 2.0.
  void ReadVersion2(const XmlElement& root);

 private:
  using Names = std::initializer_list<std::string_view>;

  void ReadModel(const XmlElement& element);
  void ReadUiLink(const XmlElement& element);
  void ReadLink(const XmlElement& element, const XmlElement& pair);
  void ReadChain(const XmlElement& element, const XmlElement& pair);
  void Add(OldLink link);
  void ReadRunProperties(const XmlElement& element);
  AdaptorSpec ReadOperation(const XmlElement& element, std::string_view id_name, std::string_view key_name);

  void ReadConnection(const XmlElement& element);
  void ReadExchange(const XmlElement& element, const OldLink& ends);
  void ReadItemLink(const XmlElement& element, const OldLink& ends, const std::vector<AdaptorSpec>& adaptors);
  void ReadDecorated(const XmlElement& element, const std::vector<AdaptorSpec>& adaptors, OldLink& link);
  void ReadSource(const XmlElement& element, const std::vector<AdaptorSpec>& adaptors, OldLink& link);
  std::optional<std::size_t> Index(const XmlElement& element, std::string_view attribute, std::size_t count,
                                   std::string_view what);

  /// Warns of each attribute and child that is not listed, and of text: it is left out.
  void LeaveOut(const XmlElement& element, Names attributes, Names children);

  OldComposition& old_;
  Problems& problems_;
  XmlForm form_;
  std::string trigger_;  // the name of the trigger of 1.4
};

}  // namespace openmi
