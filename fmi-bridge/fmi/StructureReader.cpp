#include "fmi-bridge/fmi/StructureReader.hpp"

#include <algorithm>
#include <limits>

namespace openmi::fmi {

namespace {

constexpr std::array<described::Choice<DependencyKind>, 5> kKinds = {{{"dependent", DependencyKind::Dependent},
                                                                      {"constant", DependencyKind::Constant},
                                                                      {"fixed", DependencyKind::Fixed},
                                                                      {"tunable", DependencyKind::Tunable},
                                                                      {"discrete", DependencyKind::Discrete}}};

// Before Resolve, an Index holds the bits of a value reference or a position.
Index Unresolved(std::uint64_t reference) {
  return static_cast<Index>(static_cast<std::uint32_t>(reference));
}

}  // namespace

void StructureReader::Read(const XmlEventTag& tag, std::vector<Unknown>& list) {
  described::Attributes attributes(tag, report_);
  Unknown unknown;
  unknown.line = tag.line;
  const char* key = description_.version == FmiMajor::Fmi3 ? "valueReference" : "index";
  const auto reference = attributes.Unsigned32(key);
  if (!reference) {
    if (!attributes.Find(key)) attributes.Required(key);
    attributes.IgnoreRest();
    return;
  }
  unknown.variable = Unresolved(*reference);
  if (const auto dependencies = attributes.Find("dependencies")) {
    unknown.depends_on_all = false;
    std::string_view rest = *dependencies;
    for (std::string_view word = described::NextWord(rest); !word.empty(); word = described::NextWord(rest)) {
      const auto one = described::ParseUnsigned(word);
      if (!one || *one > std::numeric_limits<std::uint32_t>::max()) {
        attributes.Wrong("dependencies", "whole numbers", word);
        break;
      }
      unknown.dependencies.push_back(Unresolved(*one));
    }
  }
  ReadKinds(attributes, unknown);
  list.push_back(std::move(unknown));
}

void StructureReader::ReadKinds(described::Attributes& attributes, Unknown& unknown) {
  const auto kinds = attributes.Find("dependenciesKind");
  if (!kinds) return;
  std::string_view rest = *kinds;
  for (std::string_view word = described::NextWord(rest); !word.empty(); word = described::NextWord(rest)) {
    const auto* found = std::ranges::find_if(kKinds, [&](const auto& one) { return one.first == word; });
    if (found == kKinds.end()) {
      attributes.Wrong("dependenciesKind", "dependent, constant, fixed, tunable, discrete", word);
      unknown.kinds.clear();
      return;
    }
    unknown.kinds.push_back(found->second);
  }
  if (unknown.kinds.size() == unknown.dependencies.size()) return;
  report_.Warning(attributes.Line(), {},
                  fmt::format("expected as many dependenciesKind as dependencies ({}), found {}",
                              unknown.dependencies.size(), unknown.kinds.size()),
                  "write one word for each dependency, or remove dependenciesKind");
  unknown.kinds.clear();
}

void StructureReader::ResolveList(std::vector<Unknown>& list, const char* name, const VariableReader& variables) {
  const auto find = [&](Index bits) -> Index {
    const auto reference = static_cast<std::uint32_t>(bits);
    if (description_.version == FmiMajor::Fmi3) return variables.Find(reference);
    return reference == 0 || reference > description_.variables.size() ? kNowhere : static_cast<Index>(reference - 1);
  };
  const char* what = description_.version == FmiMajor::Fmi3 ? "the value reference of a variable"
                                                            : "the position of a variable in ModelVariables";
  std::vector<bool> seen(description_.variables.size());
  for (Unknown& unknown : list) {
    const auto refuse = [&](const char* attribute, Index bits) {
      report_.Error(
          unknown.line, {},
          fmt::format("expected {} in {} of {}, found {}", what, attribute, name, static_cast<std::uint32_t>(bits)),
          "correct the number");
    };
    const Index found = find(unknown.variable);
    if (found == kNowhere) {
      refuse("a line", unknown.variable);
    } else if (seen[static_cast<std::size_t>(found)]) {
      report_.Error(unknown.line, description_.variables[static_cast<std::size_t>(found)].name,
                    fmt::format("expected every variable once in {}, found it again", name), "remove one of the two");
    } else {
      seen[static_cast<std::size_t>(found)] = true;
    }
    unknown.variable = found;
    for (Index& dependency : unknown.dependencies) {
      const Index on = find(dependency);
      if (on == kNowhere) refuse("dependencies", dependency);
      dependency = on;
    }
    if (std::ranges::find(unknown.dependencies, kNowhere) != unknown.dependencies.end()) {
      unknown.dependencies.clear();
      unknown.kinds.clear();
      unknown.depends_on_all = true;
    }
  }
  std::erase_if(list, [](const Unknown& unknown) { return unknown.variable == kNowhere; });
}

void StructureReader::Resolve(const VariableReader& variables) {
  if (description_.version == FmiMajor::Fmi1) return;
  const bool is_third = description_.version == FmiMajor::Fmi3;
  ModelStructure& structure = description_.structure;
  ResolveList(structure.outputs, is_third ? "Output" : "Outputs", variables);
  ResolveList(structure.derivatives, is_third ? "ContinuousStateDerivative" : "Derivatives", variables);
  ResolveList(structure.clocked_states, "ClockedState", variables);
  ResolveList(structure.initial_unknowns, is_third ? "InitialUnknown" : "InitialUnknowns", variables);
  ResolveList(structure.event_indicators, "EventIndicator", variables);
}

}  // namespace openmi::fmi
