#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <span>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/ssp/LinkTransformation.hpp"
#include "fmi-bridge/fmi/ssp/SystemStructure.hpp"
#include "fmi-bridge/fmi/ssp/Wiring.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi::ssp {

std::set<std::string> ArgumentsBesideVariables(const fmi::ModelDescription& model) {
  std::set<std::string> ids;
  const auto add = [&ids](std::span<IArgument* const> arguments) {
    for (const IArgument* argument : arguments) ids.insert(argument->Id());
  };
  fmi::Fmu component;
  add(component.Arguments());
  if (const std::unique_ptr<fmi::IFmuLayer> layer = fmi::MakeFmuLayer(model)) {
    ArgumentList of_layer;
    layer->AddArguments(of_layer);
    add(of_layer.Items());
  }
  return ids;
}

namespace {

AdaptorSpec Adaptor(const char* id, std::vector<ArgumentSpec> arguments, int line) {
  return {.id = id, .factory = {}, .arguments = std::move(arguments), .line = line};
}

ObserveSpec Observed(const std::string& id, const ItemSpec& item, int line) {
  return {.id = id, .item = item, .elements = {}, .every = {}, .line = line};
}

/// Makes components, links, observers and arguments of one level.
class Flattener {
 public:
  /// All arguments are borrowed.
  Flattener(const Structure& structure, const std::map<std::string, fmi::UnitDefinition>& units,
            const SystemOptions& options, Problems& problems)
      : structure_(structure), units_(units), options_(options), problems_(problems) {}

  FlatSystem Make() {
    const Scope whole{&structure_.system, "", nullptr};
    Surroundings around;
    around.step = options_.step ? options_.step : structure_.step;
    around = Within(around, structure_.system);
    if (around.step && !options_.step) {
      AddNote(problems_, {.file = structure_.system.file, .line = structure_.system.line},
              fmt::format("FMUs without a step of their own make steps of {} s, as an annotation says", *around.step));
    }
    Flatten(whole, around);
    wiring_.Add(whole);
    wiring_.ReplaceAliases(descriptions_);
    Parameters(whole);  // before the links: they may set the sizes of arrays
    for (const auto& [name, text] : options_.start_values) {
      Assign(whole, name, {.name = name, .value = text, .unit = {}, .is_integer = true, .file = {}});
    }
    for (const Wire& wire : wiring_.All()) {
      if (!wiring_.At(wire.to).id.empty()) AddLink(wire.to);
    }
    for (auto& [input, gathered] : gathered_) Gather(input, gathered);
    for (const LinkSpec& link : file_.links) WarnIfGiven(link);
    ObserveOutputs();
    return {std::move(file_), descriptions_.LatestStop()};
  }

 private:
  std::string UniqueId(std::string path) {
    for (char& c : path) {
      if (c == '.' || c == ' ' || c == '\t' || c == '\n' || c == '\r') c = '_';
    }
    std::string id = path;
    for (int i = 2; !ids_.insert(id).second; ++i) id = fmt::format("{}_{}", path, i);
    return id;
  }

  /// The line in the description of the whole: that of the element, or that of the element that includes its file.
  int ShownLine(const Element& place, int line) const {
    const auto found = around_.find(&place);
    return found != around_.end() && found->second.line > 0 ? found->second.line : line;
  }

  /// A component with an id of its own.
  ComponentSpec Named(const std::string& path, const std::string& caption, const char* type, const char* assembly,
                      int line) {
    ComponentSpec component;
    component.id = UniqueId(path);
    component.caption = caption;
    component.type = type;
    component.assembly = assembly;
    component.line = line;
    return component;
  }

  /// The properties that the parts of an element inherit from it and from what is around it.
  Surroundings Within(Surroundings around, const Element& element) {
    if (!options_.step && element.step) around.step = element.step;
    if (!element.solver) return around;
    around.solver = &*element.solver;
    // FMUs are coupled at the ends of their steps; OMSimulator solves those of one solver together.
    const std::optional<double>& longest = element.solver->step;
    if (!options_.step && longest && (!around.step || *longest < *around.step)) around.step = longest;
    return around;
  }

  /// Adds what the annotation of OMSimulator around a component says, unless it is given in another way.
  void AddSolver(const Element& element, const StateSolver& solver, ComponentSpec& component) {
    const Description* description = descriptions_.Of(element);
    if (solver.method.empty() || description == nullptr) return;
    const auto add = [&](const char* key, std::string value) {
      const bool is_given =
          std::ranges::find(component.arguments, key, &ArgumentSpec::key) != component.arguments.end();
      if (!is_given) component.arguments.push_back({key, std::move(value), component.line});
    };
    const std::string exchange = fmi::kWaysToRun.NameOf(fmi::InterfaceKind::ModelExchange);
    if (description->model.Of(fmi::InterfaceKind::ModelExchange)) add("kind", exchange);
    const auto kind = std::ranges::find(component.arguments, "kind", &ArgumentSpec::key);
    if (kind == component.arguments.end() || kind->value != exchange) return;
    add("solver", "bdf");
    if (solver.tolerance) add("tolerance", fmt::format("{}", *solver.tolerance));
    if (solver.absolute_tolerance) add("absolute-tolerance", fmt::format("{}", *solver.absolute_tolerance));
    AddNote(problems_, {.file = element.file, .line = solver.line},
            fmt::format("the FMU {} runs for model exchange and CVODE (bdf) solves it{}, as an annotation says{}",
                        element.name, solver.tolerance ? fmt::format(" with tolerance {}", *solver.tolerance) : "",
                        solver.method == "euler" ? ", which names euler: that solver is not here" : ""));
  }

  void AddComponent(const Element& element, const std::string& path, const Surroundings& around) {
    ComponentSpec component =
        Named(path, element.name, "openmi.fmi.Fmu", "openmi-fmi-bridge", ShownLine(element, element.line));
    const auto add = [&](const char* key, std::string value) {
      component.arguments.push_back({key, std::move(value), component.line});
    };
    add("fmu", element.fmu.string());
    if (!options_.kind.empty()) {
      add("kind", options_.kind);
    } else if (const auto kind = fmi::kInterfaceKinds.Find(element.implementation)) {
      add("kind", fmi::kWaysToRun.NameOf(*kind));
    } else if (element.implementation != "any") {
      Report(problems_, element, element.line,
             fmt::format("expected the implementation any, CoSimulation, ModelExchange or ScheduledExecution, found {}",
                         Quoted(element.implementation)),
             "write the way in which the FMU is to run");
    }
    if (around.step) add("time-step", fmt::format("PT{}S", *around.step));
    if (options_.tolerance) add("tolerance", fmt::format("{}", *options_.tolerance));
    if (!options_.inputs.empty()) add("inputs", options_.inputs);
    if (!options_.solver.empty()) add("solver", options_.solver);
    if (options_.compile) add("compile", "true");
    for (const ArgumentSpec& setting : element.settings) {
      const bool is_given =
          std::ranges::find(component.arguments, setting.key, &ArgumentSpec::key) != component.arguments.end();
      if (!is_given) add(setting.key.c_str(), setting.value);
    }
    if (around.solver != nullptr) AddSolver(element, *around.solver, component);
    id_of_[&element] = component.id;
    index_of_[component.id] = file_.components.size();
    const Description* description = descriptions_.Of(element);
    for (const Connector& connector : element.connectors) {
      if (description != nullptr && description->names->Find(connector.name) == fmi::kNowhere) {
        Report(problems_, element, connector.line,
               fmt::format("expected connector {} among the variables of {}, found none", Quoted(connector.name),
                           element.fmu.filename().string()),
               "correct the name of the connector");
      }
      if (connector.kind == "output") {
        const int line = ShownLine(element, connector.line);
        const std::string name = descriptions_.ShownName(&element, connector.name);
        const std::string id = name == connector.name ? "" : component.id + "." + connector.name;
        file_.observes.push_back(Observed(id, {component.id, name}, line));
      }
    }
    file_.components.push_back(std::move(component));
  }

  /// The id of the item that a connector of a component or a function becomes.
  static std::string ItemOf(const Node& node) {
    if (node.element->kind != Element::Kind::Function) return node.connector;
    std::size_t inputs = 0, outputs = 0;
    for (const Connector& one : node.element->connectors) {
      const std::size_t number = ++(one.kind == "input" ? inputs : outputs);
      if (one.name == node.connector) return fmt::format("{}{}", one.kind == "input" ? "x" : "y", number);
    }
    return node.connector;
  }

  void AddFunction(const Element& element, const std::string& path, const Surroundings& around) {
    ComponentSpec component =
        Named(path, element.name, "openmi.Expression", "openmi-components", ShownLine(element, element.line));
    const auto inputs = std::ranges::count(element.connectors, "input", &Connector::kind);
    std::string names, results;
    for (std::ptrdiff_t i = 1; i <= inputs; ++i) names += fmt::format("{}x{}", i == 1 ? "" : ", ", i);
    for (std::size_t i = 0; i < element.formulas.size(); ++i) {
      results += fmt::format("{}y{} = {}", i == 0 ? "" : "; ", i + 1, element.formulas[i]);
    }
    component.arguments = {{"inputs", names, component.line},
                           {"outputs", results, component.line},
                           {"asks", "instant", component.line},
                           {"time-step", fmt::format("PT{}S", around.step.value_or(1.0)), component.line}};
    id_of_[&element] = component.id;
    index_of_[component.id] = file_.components.size();
    file_.components.push_back(std::move(component));
  }

  void Flatten(const Scope& scope, const Surroundings& around) {
    around_[scope.system] = around;
    for (const Element& element : scope.system->elements) {
      const std::string path = Joined(scope.path, element.name);
      Surroundings inner = Within(around, element);
      if (inner.line == 0) inner.line = element.outer_line;
      around_[&element] = inner;
      if (element.kind == Element::Kind::Component) AddComponent(element, path, inner);
      if (element.kind == Element::Kind::Function) AddFunction(element, path, inner);
      if (element.kind == Element::Kind::System) Flatten({&element, path, &scope}, inner);
    }
  }

  /// The step of the component of a node, in s.
  double StepOf(const Node& node) {
    if (node.element->kind == Element::Kind::Function) return around_[node.element].step.value_or(1.0);
    const fmi::ModelDescription& model = descriptions_.Of(*node.element)->model;
    // The kind that AddComponent set, else the choice of the component.
    const std::vector<ArgumentSpec>& arguments = file_.components[index_of_.at(node.id)].arguments;
    const auto kind = std::ranges::find(arguments, "kind", &ArgumentSpec::key);
    const auto given_kind = kind != arguments.end() ? fmi::kWaysToRun.Find(kind->value) : std::nullopt;
    const fmi::InterfaceKind used = given_kind.value_or(fmi::DefaultKind(model));
    const std::optional<double>& given = around_[node.element].step;
    const double step = given ? *given : fmi::DefaultStepSeconds(model, used);
    return step > 0.0 ? step : 1.0;  // the default of the component
  }

  /// Whether each step of the component at `end` ends where a step of the one at `start` ends, or no interpolation is
  /// needed.
  bool StepsMeet(const Node& start, const Node& end) {
    for (const Node* node : {&start, &end}) {
      if (node->element->kind != Element::Kind::Function && descriptions_.VariableOf(*node) == nullptr) return true;
    }
    const double ratio = StepOf(end) / StepOf(start);
    return ratio >= 0.5 && std::abs(ratio - std::round(ratio)) <= 1e-9;
  }

  /// Whether the table of an adaptor can hold the name of an item; if not, reports an error.
  bool FitsTable(const std::string& name, const Element& place, int line) {
    const bool has_end = name.find(';') != std::string::npos;
    if (!has_end && !name.empty() && Trimmed(name) == name) return true;
    Report(problems_, place, line,
           fmt::format("expected items of an enumeration {}, found {}: this enumeration cannot be converted",
                       has_end        ? "without ';' in their names"
                       : name.empty() ? "with names"
                                      : "without blanks around them",
                       Quoted(name)),
           "rename the item in the FMU, or connect variables of one type without a mapping");
    return false;
  }

  /// Adds a conversion between numbers, booleans and enumerations, if no mapping specifies one.
  void AddTypeConversion(LinkSpec& link, const Node& start, const Node& end) {
    using fmi::VariableType;
    const fmi::Variable* from = descriptions_.VariableOf(start);
    const fmi::Variable* to = descriptions_.VariableOf(end);
    if (from == nullptr || to == nullptr || from->type == to->type) return;
    const auto add = [&](const char* id, std::string table) {
      link.adaptors.push_back(Adaptor(id, {{"table", std::move(table), link.line}}, link.line));
    };
    const auto items_of = [&](const Node& node, const fmi::Variable& variable) {
      std::vector<fmi::EnumerationItem> items;
      if (const fmi::TypeDefinition* type = descriptions_.Of(*node.element)->model.TypeOf(variable))
        items = type->items;
      std::ranges::sort(items, {}, &fmi::EnumerationItem::value);
      std::string table;
      for (const fmi::EnumerationItem& item : items) {
        if (!FitsTable(item.name, structure_.system, link.line)) break;
        table += fmt::format("{}{}={}", table.empty() ? "" : "; ", item.name, item.value);
      }
      return table;
    };
    if (from->type == VariableType::Boolean && IsNumeric(to->type)) {
      add("categories-to-numbers", "false=0; true=1");
    } else if (from->type == VariableType::Enumeration && IsNumeric(to->type)) {
      add("categories-to-numbers", items_of(start, *from));
    } else if (IsNumeric(from->type) && !fmi::IsFloat(from->type) && to->type == VariableType::Enumeration) {
      add("numbers-to-categories", items_of(end, *to));
    } else {
      return;
    }
    AddNote(problems_, {.file = structure_.system.file, .line = link.line},
            fmt::format("{} of {} becomes {} of {}; SSP does not define this conversion: here true counts as 1, and an "
                        "enumeration item counts as its number",
                        Name(from->type), Quoted(start.connector), Name(to->type), Quoted(end.connector)));
  }

  void AddAdaptors(LinkSpec& link, const Wire& wire) {
    using Kind = Transformation::Kind;
    const Transformation& transformation = wire.connection->transformation;
    const int line = ShownLine(*wire.system, wire.connection->line);
    const auto add = [&](const char* id, std::vector<ArgumentSpec> arguments) {
      link.adaptors.push_back(Adaptor(id, std::move(arguments), line));
    };
    const std::string from = descriptions_.UnitOfNode(wiring_.At(wire.from));
    const std::string to = descriptions_.UnitOfNode(wiring_.At(wire.to));
    const bool differs = !from.empty() && !to.empty() && from != to;
    if (differs && transformation.suppress_units) {
      // The number is unchanged, and has the other unit from here on.
      add("expression", {{"formula", "x", line}, {"unit", to, line}});
    } else if (differs && transformation.kind == Kind::Linear) {
      add("unit-conversion", {{"unit", to, line}});  // before the transformation
    }
    switch (transformation.kind) {
      case Kind::None:
        break;
      case Kind::Linear:
        add("linear-operation", {{"a", fmt::format("{}", transformation.factor), line},
                                 {"b", fmt::format("{}", transformation.offset), line}});
        break;
      case Kind::Integer: {
        std::string formula = "x";
        for (const auto& [source, target] : transformation.entries) {
          formula = fmt::format("x == {} ? {} : ({})", source, target, formula);
        }
        add("expression", {{"formula", formula, line}});
        break;
      }
      case Kind::Boolean:
      case Kind::Enumeration: {
        for (const auto& [source, target] : transformation.entries) {
          if (!FitsTable(source, *wire.system, wire.connection->line)) return;
          if (!FitsTable(target, *wire.system, wire.connection->line)) return;
        }
        // The conversion goes through numbers: each target has one, and the table for the way back ascends.
        std::vector<std::string> targets;
        std::string there, back;
        if (transformation.kind == Kind::Boolean) targets = {"false", "true"};
        for (const auto& [source, target] : transformation.entries) {
          auto found = std::ranges::find(targets, target);
          if (found == targets.end()) found = targets.insert(targets.end(), target);
          there += fmt::format("{}{}={}", there.empty() ? "" : "; ", source, found - targets.begin());
        }
        for (std::size_t i = 0; i < targets.size(); ++i) {
          back += fmt::format("{}{}={}", back.empty() ? "" : "; ", targets[i], i);
        }
        add("categories-to-numbers", {{"table", there, line}});
        add("numbers-to-categories", {{"table", back, line}});
        break;
      }
    }
  }

  /// Observes the outputs of the whole system under their own names.
  void ObserveOutputs() {
    for (const Connector& connector : structure_.system.connectors) {
      const std::optional<std::size_t> node = wiring_.Find("", connector.name);
      if (connector.kind != "output" || !node) continue;
      const std::vector<const Wire*> chain = wiring_.ChainTo(*node);
      if (chain.empty() || wiring_.At(chain.back()->from).id.empty()) continue;
      const Node& source = wiring_.At(chain.back()->from);
      const bool is_as_it_is = std::ranges::all_of(chain, [](const Wire* wire) {
        const Transformation& transformation = wire->connection->transformation;
        return transformation.kind == Transformation::Kind::None && !transformation.suppress_units;
      });
      if (!is_as_it_is) {
        AddNote(
            problems_, {.file = structure_.system.file, .line = connector.line},
            fmt::format("expected an output of the system that passes the output of one element on unchanged, found "
                        "that {} is transformed: the results contain {}.{} instead",
                        Quoted(connector.name), source.id, source.connector));
        continue;
      }
      const auto same = std::ranges::find(file_.observes, connector.name, [](const ObserveSpec& one) {
        return one.id.empty() ? one.item.Text() : one.id;
      });
      if (same != file_.observes.end()) {
        if (same->item.component == source.id && same->item.item == source.connector) continue;
        AddNote(problems_, {.file = structure_.system.file, .line = connector.line},
                fmt::format("expected an output of the system with a name of its own, found {}, which names the series "
                            "of another output: the results contain {}.{} instead",
                            Quoted(connector.name), source.id, source.connector));
        continue;
      }
      file_.observes.push_back(Observed(connector.name, {source.id, source.connector}, connector.line));
    }
  }

  void CompareUnits(const Node& node, int line) {
    const fmi::Variable* variable = descriptions_.VariableOf(node);
    const auto* own = variable == nullptr ? nullptr : descriptions_.Of(*node.element)->model.UnitOf(*variable);
    if (own == nullptr || !compared_.insert(node.id + "." + node.connector).second) return;
    const Where where{.file = structure_.system.file, .line = line};
    WarnOfUnit(node.connector + " of " + node.id, node.unit, *own, units_, where, problems_);
  }

  void AddLink(std::size_t to) {
    const Node& end = wiring_.At(to);
    const std::vector<const Wire*> chain = wiring_.ChainTo(to);
    if (chain.empty()) return;
    const Wire& last = *chain.front();
    const std::size_t at = chain.back()->from;
    const Node& start = wiring_.At(at);
    if (start.id.empty()) return;  // an unconnected connector of the whole: its value comes from a parameter, if at all
    if (end.kind == "parameter" || end.kind == "structuralParameter") {
      Report(problems_, *last.system, last.connection->line,
             fmt::format("expected a parameter to get its value from a parameter of the system, found {} of {}",
                         Quoted(start.connector), Quoted(start.id)),
             "parameters cannot follow what another component computes; bind a value");
      return;
    }
    ShowAsOutput(start);
    if (start.element->kind == Element::Kind::Function && end.element->kind == Element::Kind::Component) {
      // A function has no value before its first step: until then the input holds its start value.
      std::vector<ArgumentSpec>& arguments = file_.components[index_of_.at(end.id)].arguments;
      const auto known = std::ranges::find(arguments, "missing-inputs", &ArgumentSpec::key);
      if (known == arguments.end()) arguments.push_back({"missing-inputs", "hold", arguments.front().line});
    }
    LinkSpec link;
    link.from = {start.id, ItemOf(start)};
    link.to = {end.id, ItemOf(end)};
    link.line = ShownLine(*last.system, last.connection->line);
    if (!start.indices.empty()) {
      const std::optional<std::size_t> element = ElementAt(start, *last.system, last.connection->line);
      if (!element) return;
      link.adaptors.push_back(Adaptor(
          "one-value", {{"of", "element", link.line}, {"element", ElementsOf(start)[*element], link.line}}, link.line));
    }
    const auto keep_number = [&](const std::string& unit) {  // no unit to convert with
      link.adaptors.push_back(
          Adaptor("expression", {{"formula", "x", link.line}, {"unit", unit, link.line}}, link.line));
    };
    const auto kind_of = [](const Wire* wire) { return wire->connection->transformation.kind; };
    const bool are_numbers = std::ranges::all_of(chain, [&](const Wire* wire) {
      return kind_of(wire) == Transformation::Kind::None || kind_of(wire) == Transformation::Kind::Linear;
    });
    const bool is_mapped =
        std::ranges::any_of(chain, [&](const Wire* wire) { return kind_of(wire) != Transformation::Kind::None; });
    const bool is_between = are_numbers && !StepsMeet(start, end);
    const auto type_at = [&](const Node& node) {
      const fmi::Variable* variable = descriptions_.VariableOf(node);
      if (node.element->kind == Element::Kind::Function) return fmi::VariableType::Float64;
      return variable == nullptr ? fmi::VariableType::String : variable->type;
    };
    const bool is_whole = fmi::IsInteger(type_at(start));
    if (is_between && is_whole) link.adaptors.push_back(Adaptor("previous", {}, link.line));  // it holds its value
    if (!is_mapped) AddTypeConversion(link, start, end);
    if (is_between && fmi::IsFloat(type_at(start)) && fmi::IsFloat(type_at(end))) {
      link.adaptors.push_back(Adaptor("linear", {}, link.line));
    }
    const std::string given = descriptions_.UnitOfVariable(start), taken = descriptions_.UnitOfVariable(end);
    for (const Node* node : {&start, &end}) CompareUnits(*node, link.line);
    const bool has_no_unit = are_numbers && given.empty() != taken.empty();
    if (has_no_unit) {
      AddNote(problems_, {.file = structure_.system.file, .line = link.line},
              fmt::format("found {} with the unit {} and {} without any: the number is taken as it is{}",
                          given.empty() ? link.to.Text() : link.from.Text(), Quoted(given.empty() ? taken : given),
                          given.empty() ? link.from.Text() : link.to.Text(),
                          (given.empty() ? start : end).unit.empty() ? "" : ", in the unit of its connector"));
    }
    if (has_no_unit && given.empty()) keep_number(start.unit.empty() ? taken : start.unit);
    std::for_each(chain.rbegin(), chain.rend(), [&](const auto& wire) { AddAdaptors(link, *wire); });
    if (has_no_unit && taken.empty()) {
      if (!end.unit.empty() && end.unit != given && link.adaptors.empty()) {
        link.adaptors.push_back(Adaptor("unit-conversion", {{"unit", end.unit, link.line}}, link.line));
      }
      keep_number("1");
    }
    if (!end.indices.empty()) {
      const std::optional<std::size_t> element = ElementAt(end, *last.system, last.connection->line);
      if (!element) return;
      Gathered& gathered = gathered_[{end.id, end.connector}];
      gathered.end = &end;
      gathered.system = last.system;
      gathered.line = last.connection->line;
      gathered.links.emplace_back(*element, std::move(link));
      return;
    }
    file_.links.push_back(std::move(link));
  }

  /// Lets the component show a variable that is no output of its FMU.
  void ShowAsOutput(const Node& node) {
    const fmi::Variable* variable = descriptions_.VariableOf(node);
    if (variable == nullptr || variable->causality == fmi::Causality::Output) return;
    ComponentSpec& component = file_.components[index_of_.at(node.id)];
    const auto shown = std::ranges::find(component.arguments, "outputs", &ArgumentSpec::key);
    if (shown == component.arguments.end()) {
      component.arguments.push_back({"outputs", node.connector, component.line});
    } else if (const auto names = Split(shown->value, ";"); std::ranges::find(names, node.connector) == names.end()) {
      shown->value += "; " + node.connector;
    }
  }

  /// The names of the elements of an array, row by row; empty: it is a scalar, or has sizes that cannot be used.
  std::vector<std::string> ElementsOf(const Node& node) {
    const fmi::Variable* variable = descriptions_.VariableOf(node);
    if (variable == nullptr || !variable->IsArray()) return {};
    return items::ElementNames(variable->name, SizesOf(node));
  }

  /// The sizes of an array with the structural parameters that the system sets.
  std::vector<std::size_t> SizesOf(const Node& node) {
    const Description& description = *descriptions_.Of(*node.element);
    std::vector<fmi::StartValue> values;
    for (const ArgumentSpec& argument : file_.components[index_of_.at(node.id)].arguments) {
      const fmi::Index index = description.names->Find(argument.key);
      if (index == fmi::kNowhere) continue;
      if (description.model.At(index).causality != fmi::Causality::StructuralParameter) continue;
      values.push_back(fmi::ReadStartValue(description.model, index, argument.value, 1));
    }
    const auto variable = static_cast<std::size_t>(description.names->Find(node.connector));
    return fmi::ArraySizes(description.model, values)[variable];
  }

  /// The position of the element that the indices of a node name; nothing after a problem.
  std::optional<std::size_t> ElementAt(const Node& node, const Element& system, int line) {
    const fmi::Variable* variable = descriptions_.VariableOf(node);
    if (variable == nullptr) return std::nullopt;  // which was reported
    std::vector<std::size_t> sizes;
    try {
      if (variable->IsArray()) sizes = SizesOf(node);
    } catch (const openmi::Error& error) {
      Report(problems_, system, line, error.Problem(), error.Remedy());
      return std::nullopt;
    }
    std::size_t position = 0;
    bool fits = node.indices.size() == sizes.size();
    for (std::size_t i = 0; fits && i < sizes.size(); ++i) {
      fits = node.indices[i] <= sizes[i];
      position = position * sizes[i] + static_cast<std::size_t>(node.indices[i] - 1);
    }
    if (fits) return position;
    Report(problems_, system, line,
           sizes.empty()
               ? fmt::format("expected an array to take an element of, found the scalar {}", Quoted(node.connector))
               : fmt::format("expected an index for each dimension of {}, at most {}, found {}", Quoted(node.connector),
                             fmt::join(sizes, " "), fmt::join(node.indices, " ")),
           sizes.empty() ? "leave the indices out" : "correct the indices; they count from 1");
    return std::nullopt;
  }

  /// The connections to single elements of an input that is an array.
  struct Gathered {
    const Node* end = nullptr;
    const Element* system = nullptr;  // of the last connection
    int line = 0;
    std::vector<std::pair<std::size_t, LinkSpec>> links;  // by the position of their element
  };

  /// Puts the component openmi.Gather before an input whose elements have sources of their own. An element without a
  /// connection keeps its start value.
  void Gather(const std::pair<std::string, std::string>& input, Gathered& gathered) {
    const Node& end = *gathered.end;
    const fmi::Variable& variable = *descriptions_.VariableOf(end);
    const auto whole = [&](const LinkSpec& link) {
      return link.to.component == input.first && link.to.item == input.second;
    };
    if (std::ranges::any_of(file_.links, whole) || !IsNumeric(variable.type)) {
      Report(problems_, *gathered.system, gathered.line,
             fmt::format("expected one connection to the whole of {}, or connections to its elements that are numbers, "
                         "found {}",
                         Quoted(end.connector),
                         IsNumeric(variable.type) ? "both" : fmt::format("elements of type {}", Name(variable.type))),
             "remove one of the connections");
      return;
    }
    const std::vector<std::string> names = ElementsOf(end);
    const ComponentSpec& taker = file_.components[index_of_.at(end.id)];
    const auto given = std::ranges::find(taker.arguments, end.connector, &ArgumentSpec::key);
    const fmi::ModelDescription& model = descriptions_.Of(*end.element)->model;
    std::vector<std::string> starts =
        Split(given != taker.arguments.end() ? given->value : fmi::StartText(model, variable));
    if (starts.empty()) starts = {"0"};
    starts.resize(names.size(), starts.front());
    const std::string unit = descriptions_.UnitOfVariable(end).empty() ? "1" : descriptions_.UnitOfVariable(end);
    std::vector<const LinkSpec*> by_element(names.size(), nullptr);
    for (const auto& [element, link] : gathered.links) by_element[element] = &link;
    const LinkSpec& any = **std::ranges::find_if(by_element, [](const LinkSpec* link) { return link != nullptr; });
    const int line = gathered.links.front().second.line;
    ComponentSpec gather =
        Named(end.id + "/" + end.connector, end.connector, "openmi.Gather", "openmi-components", line);
    gather.arguments = {{"item", end.connector, line},
                        {"unit", unit, line},
                        {"asks", "instant", line},
                        {"elements", fmt::format("{}", fmt::join(names, ", ")), line},
                        {"time-step", fmt::format("PT{}S", StepOf(end)), line}};
    for (std::size_t i = 0; i < names.size(); ++i) {
      LinkSpec link = by_element[i] != nullptr ? *by_element[i] : any;  // which then does not count
      if (by_element[i] == nullptr) {
        const bool has_element = !link.adaptors.empty() && link.adaptors.front().id == "one-value";
        link.adaptors.resize(has_element ? 1 : 0);
        link.adaptors.push_back(Adaptor("expression", {{"formula", starts[i], line}, {"unit", unit, line}}, line));
      }
      link.to = {gather.id, names[i]};
      file_.links.push_back(std::move(link));
    }
    LinkSpec all;
    all.from = {gather.id, end.connector};
    all.to = {end.id, end.connector};
    all.line = line;
    file_.components.push_back(std::move(gather));
    file_.links.push_back(std::move(all));
  }

  // Inner systems first: values of outer systems are assigned later and have priority.
  void Parameters(const Scope& scope) {
    for (const Element& element : scope.system->elements) {
      if (element.kind == Element::Kind::System) {
        Parameters({&element, Joined(scope.path, element.name), &scope});
      } else if (element.kind == Element::Kind::Component) {
        for (const ParameterValue& value : element.parameters) {
          AssignVariable(element, id_of_[&element], value.name, value);
        }
      }
    }
    for (const ParameterValue& value : scope.system->parameters) Assign(scope, value.name, value);
  }

  static bool TakesValues(const Connector& connector) {
    return connector.kind != "output" && connector.kind != "calculatedParameter";
  }

  static std::vector<std::string> NamesOfSettable(const Description& description) {
    std::vector<std::string> names;
    for (const fmi::Variable& variable : description.model.variables) {
      if (fmi::IsSettable(description.model, variable)) names.push_back(variable.name);
    }
    return names;
  }

  /// The names under which a user can give values in a system.
  std::vector<std::string> NamesIn(const Scope& scope) {
    std::vector<std::string> names;
    for (const Connector& connector : scope.system->connectors) {
      if (TakesValues(connector) && wiring_.Find(scope.path, connector.name)) names.push_back(connector.name);
    }
    for (const Element& element : scope.system->elements) {
      const Description* description = element.kind == Element::Kind::Component ? descriptions_.Of(element) : nullptr;
      std::vector<std::string> inner;
      if (description != nullptr) inner = NamesOfSettable(*description);
      if (element.kind == Element::Kind::System) inner = NamesIn({&element, Joined(scope.path, element.name), &scope});
      for (const std::string& name : inner) names.push_back(element.name + "." + name);
    }
    return names;
  }

  /// Reports that nothing takes a value; of one that the user gave it is an error. `names` returns those that exist.
  template <class Names>
  void ReportUnknown(const ParameterValue& value, const std::string& expected, std::string_view found,
                     const char* remedy, Names names) {
    const std::string problem = fmt::format("expected {}, found {}", expected, Quoted(found));
    if (!value.file.empty()) {
      return AddWarning(problems_, {.file = value.file, .line = value.line}, problem + "; it was ignored", remedy);
    }
    AddError(problems_, {.file = structure_.system.file, .item = value.name}, problem, Suggest(found, names()));
  }

  void Assign(const Scope& scope, std::string_view name, const ParameterValue& value) {
    const bool is_users = value.file.empty();
    const auto own = std::ranges::find(scope.system->connectors, name, &Connector::name);
    if (own != scope.system->connectors.end() && (!is_users || TakesValues(*own))) {
      if (const auto node = wiring_.Find(scope.path, own->name)) return Propagate(*node, value, 0);
      if (!is_users) return;
    }
    // The longest element name that matches, because names may contain dots.
    const Element* best = nullptr;
    for (const Element& element : scope.system->elements) {
      const bool fits = name.starts_with(element.name + ".");
      if (fits && (best == nullptr || element.name.size() > best->name.size())) best = &element;
    }
    std::string_view rest = best == nullptr ? name : name.substr(best->name.size() + 1);
    if (best == nullptr && is_users && scope.outer == nullptr) {  // then by the id of a component
      for (const auto& [element, id] : id_of_) {
        if (!name.starts_with(id + ".")) continue;
        best = element;
        rest = name.substr(id.size() + 1);
      }
    }
    if (best != nullptr && best->kind == Element::Kind::System) {
      return Assign({best, Joined(scope.path, best->name), &scope}, rest, value);
    }
    if (best != nullptr && best->kind == Element::Kind::Component) {
      return AssignVariable(*best, id_of_[best], rest, value);
    }
    ReportUnknown(value, fmt::format("a parameter of {} or of an element in it", Quoted(scope.system->name)),
                  is_users ? name : value.name, "write element.parameter, or map the name",
                  [&] { return NamesIn(scope); });
  }

  /// Warns of a user's start value for an input that another FMU gives its values from the first step on.
  void WarnIfGiven(const LinkSpec& link) {
    const auto given = given_.find({link.to.component, link.to.item});
    const auto source = index_of_.find(link.from.component);
    if (given == given_.end() || source == index_of_.end()) return;
    if (file_.components[source->second].type != "openmi.fmi.Fmu") return;  // until a function has a value, it holds
    AddWarning(
        problems_, {.file = structure_.system.file, .item = given->second},
        fmt::format("expected an input without a connection, found one that '{}' gives its values", link.from.Text()),
        "leave the start value out: it has no effect");
  }

  void Propagate(std::size_t node, const ParameterValue& value, int depth) {
    if (depth > 64) return;
    const auto [begin, end] = wiring_.From(node);
    for (auto one = begin; one != end; ++one) {
      const Wire& wire = wiring_.All()[one->second];
      const Transformation& transformation = wire.connection->transformation;
      ParameterValue next = value;
      if (transformation.suppress_units) next.unit.clear();
      if (transformation.kind == Transformation::Kind::Linear) {
        next.offset = transformation.factor * next.offset + transformation.offset;
        next.factor *= transformation.factor;
        next.is_real = true;
      } else if (transformation.kind != Transformation::Kind::None) {
        const std::optional<std::string> mapped = transformation.Mapped(next.value);
        if (!mapped) {
          Report(problems_, *wire.system, wire.connection->line,
                 fmt::format("expected a MapEntry for the value {}, found none", Quoted(next.value)),
                 "write an entry for each value");
          continue;
        }
        next.value = *mapped;
      }
      const Node& target = wiring_.At(wire.to);
      if (!target.id.empty()) {
        AssignVariable(*target.element, target.id, target.connector, next);
      } else {
        Propagate(wire.to, next, depth + 1);
      }
    }
  }

  std::string Text(const ParameterValue& value, const Element& component, std::string_view name) {
    const fmi::Variable* variable = descriptions_.VariableOf(&component, name);
    if (value.is_integer && !value.is_real && variable != nullptr && variable->type == fmi::VariableType::Enumeration) {
      const fmi::ModelDescription& model = descriptions_.Of(component)->model;
      const std::optional<std::int64_t> number = described::ParseSigned(value.value);
      const fmi::TypeDefinition* type = value.file.empty() ? model.TypeOf(*variable) : nullptr;
      const bool is_name =
          type != nullptr && std::ranges::count(type->items, value.value, &fmi::EnumerationItem::name) > 0;
      return number && !is_name ? fmi::ItemName(model, *variable, *number) : value.value;
    }
    if (!value.is_real) return value.value;
    std::optional<LinearConversion> conversion;
    const fmi::UnitDefinition* unit =
        variable != nullptr && !value.unit.empty() ? descriptions_.Of(component)->model.UnitOf(*variable) : nullptr;
    if (unit != nullptr && unit->name != value.unit) {
      const auto defined = units_.find(value.unit);
      fmi::UnitDefinition by_name;
      by_name.name = value.unit;
      try {
        const described::DescribedUnit from = described::UnitOf(defined == units_.end() ? by_name : defined->second,
                                                                variable->attributes.relative_quantity);
        const described::DescribedUnit to = fmi::UnitOf(descriptions_.Of(component)->model, *variable);
        if (from.is_known && to.is_known) conversion = ConversionBetween(from.unit, to.unit);
      } catch (const UnitError& error) {
        AddError(problems_, {.file = value.file, .line = value.line}, error.Problem(),
                 "correct the unit of the parameter");
      }
    }
    std::vector<std::string> numbers;
    for (const std::string& part : Split(value.value)) {
      const std::optional<double> number = described::ParseDouble(part);
      if (!number) return value.value;
      numbers.push_back(
          fmt::format("{}", value.factor * (conversion ? (*conversion)(*number) : *number) + value.offset));
    }
    return fmt::format("{}", fmt::join(numbers, " "));
  }

  void AssignVariable(const Element& component, const std::string& id, std::string_view name,
                      const ParameterValue& value) {
    const auto found = index_of_.find(id);
    if (found == index_of_.end()) return;
    const Description* description = descriptions_.Of(component);
    if (description == nullptr) return;  // its FMU is missing, which was reported
    if (description->names->Find(name) == fmi::kNowhere) {
      return ReportUnknown(value, "a variable of " + Quoted(component.name), name, "correct the name of the parameter",
                           [&] { return NamesOfSettable(*description); });
    }
    const fmi::Variable* given = value.file.empty() ? descriptions_.VariableOf(&component, name) : nullptr;
    try {
      if (given != nullptr) {
        fmi::ExpectSettable(description->model, *given, {.file = structure_.system.file, .item = value.name});
      }
    } catch (const ArgumentError& error) {
      return AddError(problems_, error.Place(), error.Problem(), error.Remedy());
    }
    if (given != nullptr && value.value.empty() && given->type != fmi::VariableType::String) {
      return AddError(problems_, {.file = structure_.system.file, .item = value.name},
                      "expected a value after '=', found none", "write it, or leave the setting out");
    }
    std::vector<ArgumentSpec>& arguments = file_.components[found->second].arguments;
    const std::string variable = descriptions_.ShownName(&component, std::string(name));
    const std::string key = (description->arguments.contains(variable) ? fmi::kArgumentPrefix : "") + variable;
    if (given != nullptr) given_[{id, variable}] = value.name;
    const std::string text = Text(value, component, name);
    const bool is_here = given != nullptr || value.file == structure_.system.file;  // the user's is on no line
    const int line = is_here ? value.line : file_.components[found->second].line;
    const auto before = std::ranges::find_if(arguments.begin() + 1, arguments.end(),
                                             [&](const ArgumentSpec& one) { return one.key == key; });
    if (before != arguments.end()) {
      before->value = text;
      before->line = line;
    } else {
      arguments.push_back({key, text, line});
    }
  }

  const Structure& structure_;
  const std::map<std::string, fmi::UnitDefinition>& units_;
  const SystemOptions& options_;
  Problems& problems_;
  CompositionFile file_;
  std::set<std::string> ids_;
  std::map<const Element*, std::string> id_of_;
  std::map<const Element*, Surroundings> around_;
  std::map<std::string, std::size_t> index_of_;                       // of component ids in file_
  std::map<std::pair<std::string, std::string>, Gathered> gathered_;  // by component and input
  std::map<std::pair<std::string, std::string>, std::string> given_;  // by component and variable: names of the user's
  std::set<std::string> compared_;                                    // connectors whose units were compared
  Wiring wiring_{id_of_, problems_};
  Descriptions descriptions_{problems_};
};

}  // namespace

FlatSystem Flatten(const Structure& structure, const std::map<std::string, fmi::UnitDefinition>& units,
                   const SystemOptions& options, Problems& problems) {
  return Flattener(structure, units, options, problems).Make();
}

}  // namespace openmi::ssp
