#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
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

/// The type of our own annotation of a component. It contains `Arguments` with `Argument` elements that have a `Key`
/// and a `Value`.
inline constexpr std::string_view kAnnotationType = "openmi2";
/// The arguments of an FMU that this annotation may set. None of them names a file or a program.
inline constexpr std::array<std::string_view, 13> kAnnotatedArguments = {"absolute-tolerance",
                                                                         "early-return",
                                                                         "event-mode",
                                                                         "initial-rounds",
                                                                         "initial-tolerance",
                                                                         "inputs",
                                                                         "linear-solver",
                                                                         "missing-inputs",
                                                                         "outputs",
                                                                         "retry-steps",
                                                                         "solver",
                                                                         "tolerance",
                                                                         "tolerance-for"};

/// The annotation of the Open Simulation Platform that gives the step of a component.
inline constexpr std::string_view kOspAnnotationType = "com.opensimulationplatform";

/// The ids of the arguments of the component that an FMU becomes, except those of variables.
std::set<std::string> ArgumentsBesideVariables(const fmi::ModelDescription& model);

/// Finds the file that a source in a package names.
/// \param root  folder of the package, canonical
/// \param base  the folder of the file that contains the source
/// \param uri   relative, with `%XX` for special characters
/// \param whole  for messages, what the file has to be in: "package", or "folder"
/// \param in_other_case  gets the name of the file that is taken where it differs by the case of letters only; null: none
///   is taken
/// \returns the canonical path
/// \throws FormatError  a scheme such as http: or file:, a server, an absolute path, a path that leaves the package (by
///   names or by links), or a wrong `%XX`
/// \throws FileError    there is no such file
std::filesystem::path FileInside(const std::filesystem::path& root, const std::filesystem::path& base,
                                 std::string_view uri, std::string_view whole = "package",
                                 std::string* in_other_case = nullptr);
/// The name of the file beside `path` that differs from it by the case of letters only; empty: none, or several.
std::string NameInOtherCase(const std::filesystem::path& path);

/// The file part and the fragment of a source of a component: "sub.ssp#Variant.ssd", "#system".
///
/// Source: SSP 2.0, 5.4. Only packages and the same document have fragments; other sources are returned whole.
std::pair<std::string_view, std::string_view> SplitSource(std::string_view uri);

/// The change of a value on its way through a connection.
struct Transformation {
  enum class Kind : std::uint8_t { None, Linear, Boolean, Integer, Enumeration } kind = Kind::None;
  double factor = 1.0;
  double offset = 0.0;
  std::vector<std::pair<std::string, std::string>> entries = {};  ///< source and target
  bool suppress_units = false;
  /// What a mapping makes of a value, or of each element of an array; nothing: there is no entry for it.
  /// \pre  kind is neither None nor Linear
  std::optional<std::string> Mapped(const std::string& value) const;
};

struct Connector {
  std::string name;
  std::string kind;
  std::string unit;
  int line = 0;
  bool is_timed_clock = false;  ///< a clock that is not triggered; the FMU says when it ticks
};

/// An end of a connection; without an element it is a connector of the system itself.
struct End {
  std::string element;
  std::string connector;
  std::vector<std::uint64_t> indices = {};  ///< of one element of an array, from 1; empty: the whole connector
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
  std::string value;  ///< of an array: its elements, row by row, between blanks
  std::string unit;
  double factor = 1.0;  ///< from a mapping; applied after the conversion of units
  double offset = 0.0;
  bool is_real = false;
  bool is_integer = false;  ///< of an enumeration: the number of its item
  int line = 0;
  std::string file;  ///< empty: the user gave the value
};

/// How an annotation of OMSimulator solves the FMUs for model exchange of a system, or one such FMU.
struct StateSolver {
  std::string method = {};                        ///< cvode or euler; empty: it gives a step only
  std::optional<double> tolerance = {};           ///< relative
  std::optional<double> absolute_tolerance = {};  ///< multiplied by the nominal of each state
  std::optional<double> step = {};                ///< s; the longest of the solver
  int line = 0;
};

/// A system, a component, a reference to a signal dictionary, or a function of the Open Simulation Platform.
struct Element {
  enum class Kind : std::uint8_t { System, Component, Dictionary, Function } kind = Kind::System;
  std::string name;
  std::string implementation = "any";
  std::string dictionary;     ///< name of the dictionary of a reference
  std::string source;         ///< of a component, as written
  std::filesystem::path fmu;  ///< of a component; empty if there is no usable one
  std::string file;           ///< file name for messages
  int line = 0;
  int outer_line = 0;          ///< line of the component that includes this element from another file; 0: same file
  std::optional<double> step;  ///< s; of all its parts, from an annotation
  std::optional<StateSolver> solver;   ///< of all its parts, from an annotation
  std::vector<ArgumentSpec> settings;  ///< of a component: arguments in our own annotation
  std::vector<Connector> connectors;
  std::vector<std::string> formulas;  ///< of a function: one for each output; its inputs are x1, x2, ... in order
  std::vector<Element> elements;
  std::vector<Connection> connections;
  std::vector<std::string> dictionaries;   ///< names of the dictionaries in a system
  std::vector<ParameterValue> parameters;  ///< names relative to this element, in order of rising priority
};

/// The content of a description.
struct Structure {
  std::string name;
  std::string version;  ///< of SSP
  Element system;
  std::optional<double> start;
  std::optional<double> stop;
  std::optional<double> step;  ///< s; from an annotation of another program
  int line = 0;
};

/// A description that was read, and the files that it names.
struct ReadPackage {
  Structure structure;
  std::map<std::string, fmi::UnitDefinition> units = {};  ///< that the files define
  std::filesystem::path file;                             ///< the description
  std::shared_ptr<const UnpackedArchive> package;         ///< keep it as long as the paths in `structure` are used
};

/// Reads the description of a package, a description alone, or an FMU as a system of one component.
/// \param path         .ssp, .ssd or .fmu
/// \param description  the .ssd of a package; empty: SystemStructure.ssd
/// \param within       as SystemOptions::within
/// \param problems     each names the file as the user knows it
/// \throws as ImportSystemStructure
ReadPackage ReadSystemStructure(const std::filesystem::path& path, const std::string& description,
                                const std::filesystem::path& within, Problems& problems);

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
  /// Makes a component the system that its source names: a system of the same document, by its id.
  void ReadSystemAgain(const XmlElement& xml, std::string_view id, Element& into, const std::filesystem::path& base);
  /// Whether a component may include one more system; false after a problem.
  bool MayInclude(const XmlElement& xml);
  void ReadConnectors(const XmlElement& xml, Element& into);
  void ReadConnections(const XmlElement& xml, Element& into);
  void ReadDictionaries(const XmlElement& xml, Element& into, const std::filesystem::path& base);
  void ReadBindings(const XmlElement& xml, Element& into, const std::filesystem::path& base);
  void ReadBinding(const XmlElement& xml, Element& into, const std::filesystem::path& base);
  std::vector<ParameterValue> ReadSet(const XmlElement& set);
  void Map(const XmlElement& mapping, std::vector<ParameterValue>& values);
  Transformation ReadTransformation(const XmlElement& xml);
  void ReadUnits(const XmlElement& xml);
  /// The indices of an end of a connection; empty if there are none, or after a problem.
  std::vector<std::uint64_t> ReadIndices(const XmlElement& connection, std::string_view attribute);
  /// Reads the value of a parameter.
  /// \returns false after a problem
  bool ReadValue(const XmlElement& parameter, const XmlElement& type, ParameterValue& into);
  /// The arguments of a component in our own annotation.
  std::vector<ArgumentSpec> SettingsOf(const XmlElement& xml);
  /// The step that the annotations of an element give; nothing if they give none.
  std::optional<double> StepOf(const XmlElement& xml);
  /// The solver that the annotations of an element give; nothing if they give none. Keeps those that they define.
  std::optional<StateSolver> SolverOf(const XmlElement& xml);
  /// A number above 0; nothing: there is no such attribute, or it is none, which is a warning.
  std::optional<double> PositiveNumber(const XmlElement& xml, std::string_view name);
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
  std::map<std::string, StateSolver> solvers_;  // by the names that annotations of systems give them
  const XmlElement* document_ = nullptr;        // that is being read
  int depth_ = 0;
  std::size_t included_ = 0;
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
