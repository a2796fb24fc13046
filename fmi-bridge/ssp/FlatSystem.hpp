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
#include "fmi-bridge/ssp/ImportSystemStructure.hpp"
#include "fmi-bridge/ssp/SystemStructure.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::ssp {

/// Makes one level of components, links and arguments of systems inside systems.
class FlatSystem {
 public:
  /// All borrowed.
  FlatSystem(const Structure& structure, const std::map<std::string, fmi::UnitDefinition>& units,
             const SystemOptions& options, Problems& problems)
      : structure_(structure), units_(units), options_(options), problems_(problems) {}
  /// Components, links, observers and arguments; the run is left to the caller.
  CompositionFile Make();
  /// The latest stop time that an FMU names; 0 without.
  double LatestStop() const { return latest_stop_; }

 private:
  /// A connector of a component or of a system, or a signal of a dictionary.
  struct Node {
    const Element* element = nullptr;  ///< null: of a dictionary
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
    std::set<std::string> arguments;  ///< that the component has beside those of variables
  };
  struct Scope {
    const Element* system;
    std::string path;
    const Scope* outer;
  };
  /// What of a component is not its own.
  struct Surroundings {
    int line = 0;                ///< in the description of the whole; 0: its own
    std::optional<double> step;  ///< s
  };

  std::string UniqueId(std::string path);
  void Flatten(const Scope& scope, const Surroundings& around);
  void AddComponent(const Element& element, const std::string& path, const Surroundings& around);
  /// The line in the description of the whole: that of what is there, or of what brings it in.
  int ShownLine(const Element& place, int line) const;
  void Wires(const Scope& scope);
  /// Whether values come from an end of a connection or go there, as far as the kind of its connector says.
  enum class EndRole : std::uint8_t { Unknown, Gives, Takes };
  static EndRole RoleAt(const Scope& scope, const End& end);
  /// The node at an end, or npos after a problem.
  std::size_t NodeAt(const Scope& scope, const End& end, bool is_start, const Connection& connection);
  std::size_t DictionaryNode(const Scope& scope, const Element& reference, const std::string& entry,
                             const Connection& connection);
  std::size_t NodeOf(const std::string& key, Node node);
  void Links();
  /// The wires that lead to a node, the last first; empty with a problem where they go round.
  std::vector<const Wire*> ChainTo(std::size_t to);
  void AddLink(std::size_t to);
  /// Results bear the names of the outputs of the whole.
  void ObserveOutputs();
  const fmi::Variable* VariableOf(const Node& node);
  /// Between numbers, truths and enumerations, where no mapping says how.
  void AddTypeConversion(LinkSpec& link, const Node& start, const Node& end);
  void AddAdaptors(LinkSpec& link, const Wire& wire);
  /// Whether an adaptor's table can hold the name of an item; else an error.
  bool FitsTable(const std::string& name, const Element& place, int line);
  void Parameters(const Scope& scope);
  void Assign(const Scope& scope, std::string_view name, const ParameterValue& value);
  void AssignVariable(const Element& component, const std::string& id, std::string_view name,
                      const ParameterValue& value);
  void Propagate(std::size_t node, const ParameterValue& value, int depth);
  std::string Text(const ParameterValue& value, const Element& component, std::string_view name);
  const Description* DescriptionOf(const Element& component);
  /// Whether values at the end of each step of the one are there at that of each step of the other.
  bool StepsMeet(const Node& start, const Node& end);
  /// As the FMU says; empty: none.
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
