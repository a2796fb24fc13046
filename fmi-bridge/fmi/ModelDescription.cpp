#include "fmi-bridge/fmi/ModelDescription.hpp"

#include <bit>
#include <functional>

namespace openmi::fmi {

namespace {

template <std::size_t kCount, class Enum>
const char* At(const std::array<const char*, kCount>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

const char* Name(InterfaceKind kind) {
  static constexpr std::array kNames = {"ModelExchange", "CoSimulation", "ScheduledExecution"};
  return At(kNames, kind);
}

const char* Name(VariableType type) {
  static constexpr std::array kNames = {"Float32", "Float64", "Int8",   "UInt8",       "Int16",
                                        "UInt16",  "Int32",   "UInt32", "Int64",       "UInt64",
                                        "Boolean", "String",  "Binary", "Enumeration", "Clock"};
  static_assert(kNames.size() == kVariableTypeCount);
  return At(kNames, type);
}

const char* Name(VariableType type, FmiMajor version) {
  if (version != FmiMajor::Fmi3 && type == VariableType::Float64) return "Real";
  if (version != FmiMajor::Fmi3 && type == VariableType::Int32) return "Integer";
  return Name(type);
}

const char* Name(Causality causality) {
  static constexpr std::array kNames = {"parameter",   "calculatedParameter", "input", "output", "local",
                                        "independent", "structuralParameter"};
  return At(kNames, causality);
}

const char* Name(Variability variability) {
  static constexpr std::array kNames = {"constant", "fixed", "tunable", "discrete", "continuous"};
  return At(kNames, variability);
}

const char* Name(Initial initial) {
  static constexpr std::array kNames = {"exact", "approx", "calculated", ""};
  return At(kNames, initial);
}

const char* Name(IntervalVariability variability) {
  static constexpr std::array kNames = {"constant", "fixed", "tunable", "changing", "countdown", "triggered"};
  return At(kNames, variability);
}

const char* Name(DependencyKind kind) {
  static constexpr std::array kNames = {"dependent", "constant", "fixed", "tunable", "discrete"};
  return At(kNames, kind);
}

std::uint64_t Variable::StartSize() const {
  std::uint64_t size = 1;
  for (const ArrayDimension& dimension : dimensions) {
    // Saturates: the sizes in a description may exceed any memory.
    if (dimension.size != 0 && size > std::numeric_limits<std::uint64_t>::max() / dimension.size) {
      return std::numeric_limits<std::uint64_t>::max();
    }
    size *= dimension.size;
  }
  return size;
}

VariableNames::VariableNames(const ModelDescription& description) : description_(&description) {
  std::size_t count = description.variables.size();
  for (const Variable& variable : description.variables) count += variable.aliases.size();
  slots_.resize(std::bit_ceil(2 * count + 1));
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    Add(variable.name, {.variable = static_cast<Index>(i)});
    for (std::size_t a = 0; a < variable.aliases.size(); ++a) {
      Add(variable.aliases[a].name, {.variable = static_cast<Index>(i), .alias = static_cast<Index>(a)});
    }
  }
}

std::string_view VariableNames::NameOf(const Slot& slot) const {
  const Variable& variable = description_->variables[static_cast<std::size_t>(slot.variable)];
  return slot.alias == kNowhere ? variable.name : variable.aliases[static_cast<std::size_t>(slot.alias)].name;
}

void VariableNames::Add(std::string_view name, Slot slot) {
  const std::size_t hash = std::hash<std::string_view>()(name);
  slot.hash = static_cast<std::uint32_t>(hash >> 32U);
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].variable != kNowhere; at = (at + 1) & mask) {
    if (slots_[at].hash == slot.hash && NameOf(slots_[at]) == name) {
      duplicates_.emplace_back(slots_[at].variable, slot.variable);
      return;
    }
  }
  slots_[at] = slot;
}

Index VariableNames::Find(std::string_view name) const {
  if (slots_.empty()) return kNowhere;
  const std::size_t hash = std::hash<std::string_view>()(name);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at].variable != kNowhere; at = (at + 1) & mask) {
    if (slots_[at].hash == static_cast<std::uint32_t>(hash >> 32U) && NameOf(slots_[at]) == name) {
      return slots_[at].variable;
    }
  }
  return kNowhere;
}

}  // namespace openmi::fmi
