#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Problem.hpp"

/// \file
/// The content of the files of a package, before it becomes a composition.

namespace openmi::ssp {

/// The change of a value on its way through a connection.
struct Transformation {
  enum class Kind : std::uint8_t { None, Linear, Boolean, Integer, Enumeration } kind = Kind::None;
  double factor = 1.0;
  double offset = 0.0;
  std::vector<std::pair<std::string, std::string>> entries = {};  ///< source and target
  bool suppress_units = false;
};

struct Connector {
  std::string name;
  std::string kind;
  std::string unit;
  int line = 0;
};

/// An end of a connection; without an element it is a connector of the system itself.
struct End {
  std::string element;
  std::string connector;
};

struct Connection {
  End start;
  End end;
  Transformation transformation;
  int line = 0;
};

/// A value of a parameter set.
struct ParameterValue {
  std::string name;
  std::string value;
  std::string unit;
  double factor = 1.0;  ///< from a mapping; applied after the conversion of units
  double offset = 0.0;
  bool is_real = false;
  int line = 0;
  std::string file;
};

/// A system, a component or a reference to a signal dictionary.
struct Element {
  enum class Kind : std::uint8_t { System, Component, Dictionary } kind = Kind::System;
  std::string name;
  std::string implementation = "any";
  std::string dictionary;     ///< name of the dictionary of a reference
  std::filesystem::path fmu;  ///< of a component; empty if there is no usable one
  std::string file;           ///< file name for messages
  int line = 0;
  int outer_line = 0;          ///< line of the component that includes this element from another file; 0: same file
  std::optional<double> step;  ///< s; of all its parts, from an annotation of another program
  std::vector<Connector> connectors;
  std::vector<Element> elements;
  std::vector<Connection> connections;
  std::vector<std::string> dictionaries;   ///< names of the dictionaries in a system
  std::vector<ParameterValue> parameters;  ///< names relative to this element, in order of rising priority
};

/// The content of a description.
struct Structure {
  std::string name;
  Element system;
  std::optional<double> start;
  std::optional<double> stop;
  std::optional<double> step;  ///< s; from an annotation of another program
  int line = 0;
};

/// Reads a description and every file that it names.
class StructureReader {
 public:
  /// \param root      canonical; all sources must be inside
  /// \param problems  borrowed
  StructureReader(std::filesystem::path root, Problems& problems) : root_(std::move(root)), problems_(problems) {}
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  the file is not a system structure description of version 1.0 or 2.0
  Structure Read(const std::filesystem::path& ssd);
  /// The units that the files define.
  const std::map<std::string, fmi::UnitDefinition>& Units() const { return units_; }
  /// The unpacked packages inside the package.
  std::vector<std::shared_ptr<const UnpackedArchive>> TakePackages() { return std::move(packages_); }

 private:
  void ReadSystem(const XmlElement& xml, Element& into, const std::filesystem::path& base);
  void ReadComponent(const XmlElement& xml, Element& into, const std::filesystem::path& base);
  void ReadNested(const std::filesystem::path& ssd, Element& into);
  void ReadConnectors(const XmlElement& xml, Element& into);
  void ReadConnections(const XmlElement& xml, Element& into);
  void ReadDictionaries(const XmlElement& xml, Element& into, const std::filesystem::path& base);
  void ReadBindings(const XmlElement& xml, Element& into, const std::filesystem::path& base);
  void ReadBinding(const XmlElement& xml, Element& into, const std::filesystem::path& base);
  std::vector<ParameterValue> ReadSet(const XmlElement& set);
  void Map(const XmlElement& mapping, std::vector<ParameterValue>& values);
  Transformation ReadTransformation(const XmlElement& xml);
  void ReadUnits(const XmlElement& xml);
  /// The step that the annotations of an element give; nothing if they give none.
  std::optional<double> StepOf(const XmlElement& xml);
  /// The file that a source names; empty after a problem.
  std::filesystem::path FileOf(const XmlElement& xml, const std::filesystem::path& base);
  /// The same for a binding or a mapping, whose source may be inside the FMU of its component (sourceBase).
  std::filesystem::path FileOf(const XmlElement& xml, const std::filesystem::path& base, const Element& of);
  /// The root of a document; null after a problem.
  std::unique_ptr<XmlElement> ReadFile(const std::filesystem::path& path, std::string_view root_name,
                                       const XmlElement& place);
  double Number(const XmlElement& xml, std::string_view name, double otherwise);
  std::string Name(const XmlElement& xml, std::string_view attribute);

  std::filesystem::path root_;
  Problems& problems_;
  std::vector<std::shared_ptr<const UnpackedArchive>> packages_;
  std::map<std::string, fmi::UnitDefinition> units_;
  int depth_ = 0;
};

/// A system without systems in it.
struct FlatSystem {
  CompositionFile file;      ///< components, links, observers and arguments, but no run
  double latest_stop = 0.0;  ///< of all FMUs, in s; 0: none has a stop time
};

/// Flattens nested systems into components, links and arguments of one level.
FlatSystem Flatten(const Structure& structure, const std::map<std::string, fmi::UnitDefinition>& units,
                   const SystemOptions& options, Problems& problems);

}  // namespace openmi::ssp
