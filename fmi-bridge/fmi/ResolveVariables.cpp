// VariableReader: what refers to variables, once all are read.
#include <algorithm>
#include <unordered_map>

#include "fmi-bridge/fmi/VariableReader.hpp"

namespace openmi::fmi {

namespace {

std::size_t At(Index index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

std::string VariableReader::Describe(Index variable) const {
  const Variable& one = description_.variables[At(variable)];
  return fmt::format("{} on line {}", Quoted(one.name), one.line);
}

void VariableReader::IndexReferences() {
  by_reference_.reserve(description_.variables.size());
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    by_reference_.emplace_back(description_.variables[i].value_reference, static_cast<Index>(i));
  }
  if (!std::ranges::is_sorted(by_reference_)) std::ranges::sort(by_reference_);
  for (std::size_t i = 1; i < by_reference_.size(); ++i) {
    if (by_reference_[i].first != by_reference_[i - 1].first) continue;
    const Variable& again = description_.variables[At(by_reference_[i].second)];
    report_.Error(again.line, again.name,
                  fmt::format("expected every value reference once, found {} again; {} has it too",
                              again.value_reference, Describe(by_reference_[i - 1].second)),
                  "give one of the two another, or make it an Alias");
  }
}

Index VariableReader::Find(ValueReference reference) const {
  const auto found = std::ranges::lower_bound(by_reference_, reference, {}, [](const auto& one) { return one.first; });
  return found == by_reference_.end() || found->first != reference ? kNowhere : found->second;
}

void VariableReader::FindAliases() {
  // Integer and Enumeration share their value references.
  const auto space = [](VariableType type) {
    return static_cast<std::uint64_t>(type == VariableType::Enumeration ? VariableType::Int32 : type);
  };
  std::vector<std::pair<std::uint64_t, Index>> all;
  all.reserve(description_.variables.size());
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    const Variable& variable = description_.variables[i];
    all.emplace_back(space(variable.type) << 32U | variable.value_reference, static_cast<Index>(i));
  }
  if (!std::ranges::is_sorted(all)) std::ranges::sort(all);
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    Index setter = kNowhere;
    for (end = begin; end < all.size() && all[end].first == all[begin].first; ++end) {
      Variable& variable = description_.variables[At(all[end].second)];
      if (end > begin) {
        variable.alias_of = all[begin].second;
        if (variable.alias == AliasKind::None) variable.alias = AliasKind::Alias;
      }
      const bool is_settable = variable.causality == Causality::Input || variable.causality == Causality::Parameter;
      if (!is_settable || description_.version == FmiMajor::Fmi1) continue;
      if (setter != kNowhere) {
        report_.Error(variable.line, variable.name,
                      fmt::format("expected at most one of several variables with value reference {} to be set from "
                                  "outside, found this one and {}",
                                  variable.value_reference, Describe(setter)),
                      "give one of the two another value reference");
      }
      setter = all[end].second;
    }
  }
}

void VariableReader::Resolve() {
  if (description_.version == FmiMajor::Fmi3) {
    IndexReferences();
  } else {
    FindAliases();
  }
  std::vector<Pending> dimensions;
  for (const Pending& pending : pending_) {
    if (pending.kind == Pending::Dimension) {
      dimensions.push_back(pending);
    } else {
      ResolveOne(pending);
    }
  }
  ResolveDimensions(dimensions);
  ResolveDirect();
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    const Variable& variable = description_.variables[i];
    if (variable.causality != Causality::Independent) continue;
    if (description_.independent == kNowhere) {
      description_.independent = static_cast<Index>(i);
    } else {
      report_.Error(
          variable.line, variable.name,
          fmt::format("expected one independent variable, found this one and {}", Describe(description_.independent)),
          "keep one of the two");
    }
  }
}

void VariableReader::ResolveOne(const Pending& pending) {
  Variable& variable = description_.variables[At(pending.variable)];
  static constexpr std::array<const char*, 4> kNames = {"derivative", "previous", "clocks", "Dimension"};
  const char* name = kNames[static_cast<std::size_t>(pending.kind)];
  if (description_.version == FmiMajor::Fmi2) {
    // A position counted from 1; only derivatives have one.
    if (pending.reference == 0 || pending.reference > description_.variables.size()) {
      report_.Error(variable.line, variable.name,
                    fmt::format("expected in {} the position of a variable, 1 to {}, found {}", name,
                                description_.variables.size(), pending.reference),
                    "in FMI 2.0 this is no value reference but a position in ModelVariables");
      return;
    }
    variable.derivative_of = static_cast<Index>(pending.reference - 1);
  } else {
    const Index found = Find(pending.reference);
    if (found == kNowhere) {
      report_.Error(variable.line, variable.name,
                    fmt::format("expected in {} the value reference of a variable, found {}", name, pending.reference),
                    "correct the number");
      return;
    }
    switch (pending.kind) {
      case Pending::Derivative:
        variable.derivative_of = found;
        break;
      case Pending::Previous:
        variable.previous = found;
        break;
      default:
        variable.clocks.push_back(found);
        break;
    }
  }
  if (pending.kind != Pending::Derivative) return;
  const Variable& state = description_.variables[At(variable.derivative_of)];
  if (!IsFloat(state.type) || state.variability != Variability::Continuous) {
    report_.Error(variable.line, variable.name,
                  fmt::format("expected a derivative of a continuous variable, found that of {}, which is {}",
                              Describe(variable.derivative_of), Name(state.variability)),
                  "correct the reference, or the variable");
  }
}

void VariableReader::ResolveDimensions(const std::vector<Pending>& dimensions) {
  for (const Pending& pending : dimensions) {
    Variable& variable = description_.variables[At(pending.variable)];
    ArrayDimension& dimension = variable.dimensions[pending.slot];
    dimension.variable = Find(pending.reference);
    if (dimension.variable == kNowhere) {
      report_.Error(variable.line, variable.name,
                    fmt::format("expected the value reference of a variable as the size of a Dimension, found {}",
                                pending.reference),
                    "correct the number");
      continue;
    }
    const Variable& size = description_.variables[At(dimension.variable)];
    const bool is_one = size.type == VariableType::UInt64 && !size.IsArray() &&
                        (size.causality == Causality::StructuralParameter || size.variability == Variability::Constant);
    if (!is_one) {
      report_.Error(variable.line, variable.name,
                    fmt::format("expected a UInt64 that is a structuralParameter or constant as the size of a "
                                "Dimension, found {}",
                                Describe(dimension.variable)),
                    "correct the number, or that variable");
      dimension.variable = kNowhere;
      continue;
    }
    if (!size.HasStart()) continue;
    dimension.size = static_cast<std::uint64_t>(description_.Integers(size).front());
    if (dimension.size == 0) {
      report_.Error(
          variable.line, variable.name,
          fmt::format("expected a size above 0 of a Dimension, found 0 as start of {}", Describe(dimension.variable)),
          "correct that start value");
      dimension.size = 1;
    }
  }
}

void VariableReader::BeginDirectDependency() {
  direct_.push_back({static_cast<Index>(description_.variables.size() - 1), {}});
}

void VariableReader::AddDirectDependency(std::string name) {
  if (!direct_.empty()) direct_.back().names.push_back(std::move(name));
}

void VariableReader::ResolveDirect() {
  if (description_.version != FmiMajor::Fmi1) return;
  const VariableNames names(description_);
  std::vector<Index> row_of(description_.variables.size(), kNowhere);
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    const Variable& variable = description_.variables[i];
    if (variable.causality != Causality::Output) continue;
    row_of[i] = static_cast<Index>(description_.structure.outputs.size());
    description_.structure.outputs.push_back({.variable = static_cast<Index>(i), .line = variable.line});
  }
  for (const Direct& direct : direct_) {
    const Variable& variable = description_.variables[At(direct.output)];
    if (row_of[At(direct.output)] == kNowhere) {
      report_.Warning(variable.line, variable.name, "expected DirectDependency at outputs only, found it elsewhere",
                      "remove it");
      continue;
    }
    Unknown& unknown = description_.structure.outputs[At(row_of[At(direct.output)])];
    unknown.depends_on_all = false;
    for (const std::string& name : direct.names) {
      const Index input = names.Find(name);
      if (input == kNowhere || description_.variables[At(input)].causality != Causality::Input) {
        report_.Error(variable.line, variable.name,
                      fmt::format("expected the name of an input in DirectDependency, found {}", Quoted(name)),
                      "correct the name");
        continue;
      }
      unknown.dependencies.push_back(input);
    }
  }
}

}  // namespace openmi::fmi
