#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/ssp/ImportSystemStructure.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::ssp {

/// Flattens nested systems into components, links and arguments of one level.
class FlatSystem {
 public:
  /// All arguments are borrowed.
  FlatSystem(const Structure& structure, const std::map<std::string, fmi::UnitDefinition>& units,
             const SystemOptions& options, Problems& problems)
      : structure_(structure), units_(units), options_(options), problems_(problems) {}
  /// Makes components, links, observers and arguments; the caller adds the run.
  CompositionFile Make();
  /// The latest stop time of all FMUs, in seconds; 0 if none has one.
  double LatestStop() const { return latest_stop_; }

 private:
  /// A connector of a component or of a system, or a signal of a dictionary.
  struct Node {
    const Element* element = nullptr;  ///< null: an entry of a dictionary
    std::string id;                    ///< of the component
    std::string connector;
    std::string kind;
    std::string unit;
  };
  struct Wire {
    std::size_t from = 0;
    std::size_t to = 0;
    const Connection* connection = nullptr;
    const Element* system = nullptr;
  };
  struct Description {
    fmi::ModelDescription model;
    std::unique_ptr<fmi::VariableNames> names;
    std::set<std::string> arguments;  ///< ids of its arguments, except those of variables
  };
  struct Scope {
    const Element* system;
    std::string path;
    const Scope* outer;
  };
  /// The properties that a component inherits from the systems around it.
  struct Surroundings {
    int line = 0;                ///< in the description of the whole; 0: the component's own line
    std::optional<double> step;  ///< s
  };

  std::string UniqueId(std::string path);
  void Flatten(const Scope& scope, const Surroundings& around);
  void AddComponent(const Element& element, const std::string& path, const Surroundings& around);
  /// The line in the description of the whole: that of the element, or that of the element that includes its file.
  int ShownLine(const Element& place, int line) const;
  void Wires(const Scope& scope);
  /// Whether an end of a connection provides or receives values, as far as the kind of its connector shows it.
  enum class EndRole : std::uint8_t { Unknown, Gives, Takes };
  static EndRole RoleAt(const Scope& scope, const End& end);
  /// The node at an end; npos after a problem.
  std::size_t NodeAt(const Scope& scope, const End& end, bool is_start, const Connection& connection);
  std::size_t DictionaryNode(const Scope& scope, const Element& reference, const std::string& entry,
                             const Connection& connection);
  std::size_t NodeOf(const std::string& key, Node node);
  void Links();
  /// The wires that lead to a node, the last one first; empty, with a problem, if they form a cycle.
  std::vector<const Wire*> ChainTo(std::size_t to);
  void AddLink(std::size_t to);
  /// Observes the outputs of the whole system under their own names.
  void ObserveOutputs();
  const fmi::Variable* VariableOf(const Node& node);
  /// Adds a conversion between numbers, booleans and enumerations, if no mapping specifies one.
  void AddTypeConversion(LinkSpec& link, const Node& start, const Node& end);
  void AddAdaptors(LinkSpec& link, const Wire& wire);
  /// Whether the table of an adaptor can hold the name of an item; if not, reports an error.
  bool FitsTable(const std::string& name, const Element& place, int line);
  void Parameters(const Scope& scope);
  void Assign(const Scope& scope, std::string_view name, const ParameterValue& value);
  void AssignVariable(const Element& component, const std::string& id, std::string_view name,
                      const ParameterValue& value);
  void Propagate(std::size_t node, const ParameterValue& value, int depth);
  std::string Text(const ParameterValue& value, const Element& component, std::string_view name);
  const Description* DescriptionOf(const Element& component);
  /// Whether each step of the component at `end` ends where a step of the one at `start` ends, or no interpolation is
  /// needed.
  bool StepsMeet(const Node& start, const Node& end);
  /// The unit that the FMU gives; empty: none.
  std::string UnitOfVariable(const Node& node);
  std::string UnitOfNode(const Node& node);
  void Error(const Element& place, int line, std::string problem, std::string remedy);

  const Structure& structure_;
  const std::map<std::string, fmi::UnitDefinition>& units_;
  const SystemOptions& options_;
  Problems& problems_;
  CompositionFile file_;
  std::set<std::string> ids_;
  std::map<const Element*, std::string> id_of_;
  std::map<const Element*, Surroundings> around_;
  std::map<std::string, std::size_t> index_of_;  // of component ids in file_
  std::map<std::string, std::size_t> node_of_;
  std::vector<Node> nodes_;
  std::vector<Wire> wires_;
  std::map<std::size_t, std::size_t> wire_into_;
  std::multimap<std::size_t, std::size_t> wires_from_;
  std::map<std::filesystem::path, Description> descriptions_;
  double latest_stop_ = 0.0;
};

}  // namespace openmi::ssp
