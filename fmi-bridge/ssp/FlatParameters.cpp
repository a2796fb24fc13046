// FlatSystem: values of parameters become arguments.
#include <fmt/format.h>

#include <algorithm>

#include "fmi-bridge/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/FmuUnits.hpp"
#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "fmi-bridge/ssp/FlatSystem.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::ssp {

// Inside first: what stands around is assigned later and wins.
void FlatSystem::Parameters(const Scope& scope) {
  for (const Element& element : scope.system->elements) {
    if (element.kind == Element::Kind::System) {
      Parameters({&element, scope.path.empty() ? element.name : scope.path + "/" + element.name, &scope});
    } else if (element.kind == Element::Kind::Component) {
      for (const ParameterValue& value : element.parameters) {
        AssignVariable(element, id_of_[&element], value.name, value);
      }
    }
  }
  for (const ParameterValue& value : scope.system->parameters) Assign(scope, value.name, value);
}

void FlatSystem::Assign(const Scope& scope, std::string_view name, const ParameterValue& value) {
  const auto own = std::ranges::find(scope.system->connectors, name, &Connector::name);
  if (own != scope.system->connectors.end()) {
    const auto node = node_of_.find("c\n" + scope.path + "\n" + own->name);
    if (node != node_of_.end()) Propagate(node->second, value, 0);
    return;
  }
  // The longest name that fits: names may hold dots.
  const Element* best = nullptr;
  for (const Element& element : scope.system->elements) {
    const bool fits =
        name.size() > element.name.size() && name.starts_with(element.name) && name[element.name.size()] == '.';
    if (fits && (best == nullptr || element.name.size() > best->name.size())) best = &element;
  }
  if (best == nullptr) {
    AddWarning(problems_, {.file = value.file, .line = value.line},
               fmt::format("expected a parameter of {} or of an element in it, found {}; it was ignored",
                           Quoted(scope.system->name), Quoted(value.name)),
               "write element.parameter, or map the name");
    return;
  }
  const std::string_view rest = name.substr(best->name.size() + 1);
  if (best->kind == Element::Kind::System) {
    Assign({best, scope.path.empty() ? best->name : scope.path + "/" + best->name, &scope}, rest, value);
  } else if (best->kind == Element::Kind::Component) {
    AssignVariable(*best, id_of_[best], rest, value);
  }
}

void FlatSystem::Propagate(std::size_t node, const ParameterValue& value, int depth) {
  if (depth > 64) return;
  const auto [begin, end] = wires_from_.equal_range(node);
  for (auto one = begin; one != end; ++one) {
    const Wire& wire = wires_[one->second];
    const Transformation& transformation = wire.connection->transformation;
    ParameterValue next = value;
    if (transformation.suppress_units) next.unit.clear();
    if (transformation.kind == Transformation::Kind::Linear) {
      next.offset = transformation.factor * next.offset + transformation.offset;
      next.factor *= transformation.factor;
      next.is_real = true;
    } else if (transformation.kind != Transformation::Kind::None) {
      const auto entry =
          std::ranges::find(transformation.entries, next.value, [](const auto& pair) { return pair.first; });
      if (entry == transformation.entries.end()) {
        Error(*wire.system, wire.connection->line,
              fmt::format("expected a MapEntry for the value {}, found none", Quoted(next.value)),
              "write an entry for each value");
        continue;
      }
      next.value = entry->second;
    }
    const Node& target = nodes_[wire.to];
    if (!target.id.empty()) {
      AssignVariable(*target.element, target.id, target.connector, next);
    } else {
      Propagate(wire.to, next, depth + 1);
    }
  }
}

std::string FlatSystem::Text(const ParameterValue& value, const Element& component, std::string_view name) {
  if (!value.is_real) return value.value;
  const std::optional<double> read = described::ParseDouble(value.value);
  if (!read) return value.value;
  double number = *read;
  const Description* description = DescriptionOf(component);
  const fmi::Index index = description == nullptr ? fmi::kNowhere : description->names->Find(name);
  if (!value.unit.empty() && index != fmi::kNowhere) {
    const fmi::Variable& variable = description->model.variables[static_cast<std::size_t>(index)];
    if (const fmi::UnitDefinition* unit = description->model.UnitOf(variable);
        unit != nullptr && unit->name != value.unit) {
      const auto defined = units_.find(value.unit);
      fmi::UnitDefinition by_name;
      by_name.name = value.unit;
      try {
        const described::DescribedUnit from = described::UnitOf(defined == units_.end() ? by_name : defined->second,
                                                                variable.attributes.relative_quantity);
        const described::DescribedUnit to = fmi::UnitOf(description->model, variable);
        if (from.is_known && to.is_known) {
          const LinearConversion conversion = ConversionBetween(from.unit, to.unit);
          number = conversion(number);
        }
      } catch (const UnitError& error) {
        AddError(problems_, {.file = value.file, .line = value.line}, error.Problem(),
                 "correct the unit of the parameter");
      }
    }
  }
  return fmt::format("{}", value.factor * number + value.offset);
}

void FlatSystem::AssignVariable(const Element& component, const std::string& id, std::string_view name,
                                const ParameterValue& value) {
  const auto found = index_of_.find(id);
  if (found == index_of_.end()) return;
  const Description* description = DescriptionOf(component);
  if (description == nullptr) return;  // its FMU is missing, which has been said
  if (description->names->Find(name) == fmi::kNowhere) {
    AddWarning(problems_, {.file = value.file, .line = value.line},
               fmt::format("expected a variable of {}, found {}; it was ignored", Quoted(component.name), Quoted(name)),
               "correct the name of the parameter");
    return;
  }
  std::vector<ArgumentSpec>& arguments = file_.components[found->second].arguments;
  const std::string variable(name);
  const std::string key = fmi::ArgumentIdOf(variable, description->arguments.contains(variable));
  const std::string text = Text(value, component, name);
  const bool is_here = value.file == structure_.system.file;
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

}  // namespace openmi::ssp
