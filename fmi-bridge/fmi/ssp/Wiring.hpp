#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

// Connections of systems within systems: which connector of which component they lead to.
namespace openmi::ssp {

inline constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);

/// The path of an element of a system.
inline std::string Joined(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "/" + name;
}

template <class Named>
std::vector<std::string> NamesOf(const std::vector<Named>& list) {
  std::vector<std::string> names;
  for (const Named& one : list) names.push_back(one.name);
  return names;
}

/// A connector of a component or of a system, or a signal of a dictionary.
struct Node {
  const Element* element = nullptr;  // null: an entry of a dictionary
  std::string id;                    // of the component
  std::string connector;
  std::string kind;
  std::string unit;
  std::vector<std::uint64_t> indices = {};  // of one element of an array
};

/// A connection between two nodes.
struct Wire {
  std::size_t from = 0;
  std::size_t to = 0;
  const Connection* connection = nullptr;
  const Element* system = nullptr;
};

/// A system, and the one around it.
struct Scope {
  const Element* system;
  std::string path;
  const Scope* outer;
};

/// The properties that a component inherits from the systems around it.
struct Surroundings {
  int line = 0;                         // in the description of the whole; 0: the component's own line
  std::optional<double> step;           // s
  const StateSolver* solver = nullptr;  // null: none
};

/// Whether an end of a connection provides or receives values, as far as the kind of its connector shows it.
enum class EndRole : std::uint8_t { Unknown, Gives, Takes };

/// Reports an error at a line of an element's file.
inline void Report(Problems& problems, const Element& place, int line, std::string problem, std::string remedy) {
  AddError(problems, {.file = place.file, .line = line}, std::move(problem), std::move(remedy));
}

/// What an end is, as the system that holds the connection sees it.
inline EndRole RoleAt(const Scope& scope, const End& end) {
  const Element* element = scope.system;
  const bool is_own = end.element.empty();
  if (!is_own) {
    const auto found = std::ranges::find(scope.system->elements, end.element, &Element::name);
    if (found == scope.system->elements.end()) return EndRole::Unknown;
    element = &*found;
  }

  const auto connector = std::ranges::find(element->connectors, end.connector, &Connector::name);
  if (element->kind == Element::Kind::Dictionary || connector == element->connectors.end()) return EndRole::Unknown;
  const std::string& kind = connector->kind;
  // SSP 2.0, 5.3.2.1: in connections, a clock that is not triggered is an output, whatever its kind.
  const bool gives = kind == "output" || kind == "calculatedParameter" || kind == "local" || kind == "constant" ||
                     connector->is_timed_clock;
  const bool takes = kind == "input" || kind == "parameter" || kind == "structuralParameter";
  if (!gives && !takes) return EndRole::Unknown;
  return gives != is_own ? EndRole::Gives : EndRole::Takes;  // an input of a system is an output for its parts
}

/// The description of one FMU.
struct Description {
  fmi::ModelDescription model;
  std::unique_ptr<fmi::VariableNames> names;
  std::set<std::string> arguments;  // ids of its arguments, except those of variables
};

/// The FMUs of the components, each read once.
class Descriptions {
 public:
  explicit Descriptions(Problems& problems) : problems_(problems) {}
  /// The latest stop time of all FMUs, in seconds; 0 if none has one.
  double LatestStop() const { return latest_stop_; }
  /// The description of the FMU of a component; null: it has none, or it cannot be read, which was reported.
  const Description* Of(const Element& component) {
    if (component.fmu.empty()) return nullptr;
    const auto known = descriptions_.find(component.fmu);
    if (known != descriptions_.end()) return known->second.names == nullptr ? nullptr : &known->second;
    Description& description = descriptions_[component.fmu];
    try {
      Problems ignored;  // reported when the component reads it
      description.model = fmi::ReadFmuDescription(component.fmu, ignored);
      description.names = std::make_unique<fmi::VariableNames>(description.model);
      description.arguments = ArgumentsBesideVariables(description.model);
      latest_stop_ = std::max(latest_stop_, description.model.experiment.stop.value_or(0.0));
      return &description;
    } catch (const openmi::Error& error) {
      AddError(problems_, {.file = component.file, .line = component.line},
               fmt::format("expected an FMU as source of {}, found: {}", Quoted(component.name), error.Problem()),
               error.Remedy());
      return nullptr;
    }
  }

  /// A variable of the FMU of a component; null: there is none.
  const fmi::Variable* VariableOf(const Element* component, std::string_view name) {
    const Description* description = component != nullptr ? Of(*component) : nullptr;
    const fmi::Index index = description != nullptr ? description->names->Find(name) : fmi::kNowhere;
    return index == fmi::kNowhere ? nullptr : &description->model.At(index);
  }

  /// The name under which the component shows a variable: that of the variable, where `name` is an alias (FMI 3.0).
  std::string ShownName(const Element* component, const std::string& name) {
    const fmi::Variable* variable = VariableOf(component, name);
    const bool is_alias = variable != nullptr &&
                          std::ranges::find(variable->aliases, name, &fmi::AliasName::name) != variable->aliases.end();
    return is_alias ? variable->name : name;
  }

  const fmi::Variable* VariableOf(const Node& node) { return VariableOf(node.element, node.connector); }
  /// The unit that the FMU gives; empty: none.
  std::string UnitOfVariable(const Node& node) {
    const fmi::Variable* variable = VariableOf(node);
    if (variable == nullptr) return {};
    const fmi::UnitDefinition* unit = Of(*node.element)->model.UnitOf(*variable);
    return unit == nullptr ? std::string() : unit->name;
  }

  std::string UnitOfNode(const Node& node) { return node.unit.empty() ? UnitOfVariable(node) : node.unit; }

 private:
  Problems& problems_;
  std::map<std::filesystem::path, Description> descriptions_;
  double latest_stop_ = 0.0;
};

/// The connectors of all components and systems, and the connections between them.
class Wiring {
 public:
  /// \param ids  of the components; borrowed
  Wiring(const std::map<const Element*, std::string>& ids, Problems& problems) : ids_(ids), problems_(problems) {}
  const Node& At(std::size_t node) const { return nodes_[node]; }
  std::span<const Wire> All() const { return wires_; }
  /// The wires that begin at a node.
  auto From(std::size_t node) const { return wires_from_.equal_range(node); }
  /// The connector of a system; no value: nothing is connected to it.
  std::optional<std::size_t> Find(const std::string& path, const std::string& connector) const {
    const auto node = node_of_.find("c\n" + path + "\n" + connector);
    return node == node_of_.end() ? std::nullopt : std::optional(node->second);
  }

  /// Gives each connector of a component the name under which the component shows it.
  void ReplaceAliases(Descriptions& descriptions) {
    for (Node& node : nodes_) {
      if (!node.id.empty()) node.connector = descriptions.ShownName(node.element, node.connector);
    }
    std::map<std::string, const Wire*> wire_into;
    for (const Wire& wire : wires_) {
      const Node& to = nodes_[wire.to];
      if (to.id.empty()) continue;
      const auto key = fmt::format("{}\n{}\n{}", to.id, to.connector, fmt::join(to.indices, ","));
      const auto [before, is_new] = wire_into.try_emplace(key, &wire);
      if (!is_new) ReportSecond(*wire.system, *wire.connection, to.connector, *before->second);
    }
  }

  /// Adds the connections of a system and of the systems in it.
  void Add(const Scope& scope) {
    for (const Connection& connection : scope.system->connections) {
      // Start and end of a connection are only names: the kinds of the connectors determine the direction.
      const EndRole start = RoleAt(scope, connection.start);
      const EndRole end = RoleAt(scope, connection.end);
      const bool is_turned =
          (start == EndRole::Takes && end != EndRole::Takes) || (end == EndRole::Gives && start != EndRole::Gives);
      const End& source = is_turned ? connection.end : connection.start;
      const End& target = is_turned ? connection.start : connection.end;
      const std::size_t from = NodeAt(scope, source, true, connection);
      const std::size_t to = NodeAt(scope, target, false, connection);
      if (from == kNoNode || to == kNoNode) continue;
      const auto [before, is_new] = wire_into_.try_emplace(to, wires_.size());
      if (!is_new) {
        ReportSecond(*scope.system, connection, target.connector, wires_[before->second]);
        continue;
      }
      wires_from_.emplace(from, wires_.size());
      wires_.push_back({from, to, &connection, scope.system});
    }
    for (const Element& element : scope.system->elements) {
      if (element.kind == Element::Kind::System) Add({&element, Joined(scope.path, element.name), &scope});
    }
  }

  /// The wires that lead to a node, the last one first; empty, with a problem, if they form a cycle.
  std::vector<const Wire*> ChainTo(std::size_t to) {
    std::vector<const Wire*> chain;
    std::size_t at = to;
    for (auto wire = wire_into_.find(at); wire != wire_into_.end() && chain.size() <= wires_.size();
         wire = wire_into_.find(at)) {
      chain.push_back(&wires_[wire->second]);
      at = chain.back()->from;
      if (!nodes_[at].id.empty()) break;
    }
    if (chain.size() <= wires_.size()) return chain;
    Report(problems_, *chain.front()->system, chain.front()->connection->line,
           "expected connections that begin somewhere, found a circle of them", "remove one of the connections");
    return {};
  }

 private:
  void ReportSecond(const Element& system, const Connection& connection, const std::string& target, const Wire& first) {
    Report(problems_, system, connection.line,
           fmt::format("expected one source of {}, found another; the first is on line {}", Quoted(target),
                       first.connection->line),
           "remove one of the two connections");
  }
  std::size_t NodeOf(const std::string& key, Node node) {
    const auto [found, is_new] = node_of_.try_emplace(key, nodes_.size());
    if (is_new) nodes_.push_back(std::move(node));
    return found->second;
  }

  std::size_t DictionaryNode(const Scope& scope, const Element& reference, const std::string& entry,
                             const Connection& connection) {
    for (const Scope* at = &scope; at != nullptr; at = at->outer) {
      if (std::ranges::find(at->system->dictionaries, reference.dictionary) == at->system->dictionaries.end()) continue;
      return NodeOf("d\n" + at->path + "\n" + reference.dictionary + "\n" + entry,
                    {.element = nullptr, .id = {}, .connector = entry, .kind = {}, .unit = {}});
    }
    Report(problems_, *scope.system, connection.line,
           fmt::format("expected the signal dictionary {} in this system or one around it, found none",
                       Quoted(reference.dictionary)),
           "declare it in SignalDictionaries");
    return kNoNode;
  }

  /// The node at an end; npos after a problem.
  std::size_t NodeAt(const Scope& scope, const End& end, bool is_start, const Connection& connection) {
    const Element* element = scope.system;
    std::string path = scope.path;
    if (!end.element.empty()) {
      const auto found = std::ranges::find(scope.system->elements, end.element, &Element::name);
      if (found == scope.system->elements.end()) {
        Report(problems_, *scope.system, connection.line,
               fmt::format("expected an element of the system, found {}", Quoted(end.element)),
               Suggest(end.element, NamesOf(scope.system->elements)));
        return kNoNode;
      }
      element = &*found;
      path = Joined(scope.path, found->name);
    }
    if (element->kind == Element::Kind::Dictionary) return DictionaryNode(scope, *element, end.connector, connection);
    const auto connector = std::ranges::find(element->connectors, end.connector, &Connector::name);
    if (connector == element->connectors.end()) {
      Report(problems_, *scope.system, connection.line,
             fmt::format("expected a connector of {}, found {}", Quoted(element->name), Quoted(end.connector)),
             Suggest(end.connector, NamesOf(element->connectors)));
      return kNoNode;
    }
    if (RoleAt(scope, end) == (is_start ? EndRole::Takes : EndRole::Gives)) {
      Report(
          problems_, *scope.system, connection.line,
          fmt::format("expected a connection between a connector that gives values and one that takes them, found {} "
                      "{} of kind {} where {} values",
                      end.element.empty() ? "the system's own" : "the element's", Quoted(end.connector),
                      connector->kind, is_start ? "both take" : "both give"),
          "connect others, or correct the kind");
      return kNoNode;
    }
    const auto id = ids_.find(element);
    std::string key = "c\n" + path + "\n" + end.connector;
    if (!end.indices.empty() && id == ids_.end()) {
      Report(problems_, *scope.system, connection.line,
             fmt::format("expected indices at the connector of a component, found them at {} of the system {}",
                         Quoted(end.connector), Quoted(element->name)),
             "pass single elements through connectors of their own");
      return kNoNode;
    }
    if (!end.indices.empty()) key += fmt::format("\n{}", fmt::join(end.indices, ","));
    return NodeOf(key, {.element = element,
                        .id = id == ids_.end() ? std::string() : id->second,
                        .connector = end.connector,
                        .kind = connector->kind,
                        .unit = connector->unit,
                        .indices = end.indices});
  }

  const std::map<const Element*, std::string>& ids_;
  Problems& problems_;
  std::map<std::string, std::size_t> node_of_;
  std::vector<Node> nodes_;
  std::vector<Wire> wires_;
  std::map<std::size_t, std::size_t> wire_into_;
  std::multimap<std::size_t, std::size_t> wires_from_;
};

}  // namespace openmi::ssp
