#include "fmi-bridge/fmi/ModelDescription.hpp"

#include <bit>
#include <cstddef>
#include <functional>

#include "openmi/sdk/Problem.hpp"

namespace openmi::fmi {

namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsNonDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Removes parts from the start of a name.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}
  bool IsAtEnd() const { return rest_.empty(); }
  bool Take(std::string_view piece) {
    if (!rest_.starts_with(piece)) return false;
    rest_.remove_prefix(piece.size());
    return true;
  }
  bool TakeNumber() {
    std::size_t size = 0;
    while (size < rest_.size() && IsDigit(rest_[size])) ++size;
    rest_.remove_prefix(size);
    return size > 0;
  }
  bool TakePart() {
    if (!(rest_.starts_with('\'') ? TakeQuoted() : TakePlain())) return false;
    if (!Take("[")) return true;
    do {
      if (!TakeNumber()) return false;
    } while (Take(","));
    return Take("]");
  }
  bool TakePath() {
    do {
      if (!TakePart()) return false;
    } while (Take("."));
    return true;
  }

 private:
  bool TakePlain() {
    std::size_t size = 0;
    while (size < rest_.size() && (IsNonDigit(rest_[size]) || (size > 0 && IsDigit(rest_[size])))) ++size;
    rest_.remove_prefix(size);
    return size > 0;
  }
  bool TakeQuoted() {
    std::size_t at = 1;
    for (; at < rest_.size() && rest_[at] != '\''; ++at) {
      if (rest_[at] == '\\') ++at;
    }
    if (at >= rest_.size() || at == 1) return false;
    rest_.remove_prefix(at + 1);
    return true;
  }
  std::string_view rest_;
};

#if defined(__x86_64__)
constexpr const char* kOldPlatform = "linux64";
constexpr const char* kTuple = "x86_64-linux";
#elif defined(__aarch64__)
constexpr const char* kOldPlatform = "aarch64-linux";
constexpr const char* kTuple = "aarch64-linux";
#elif defined(__i386__)
constexpr const char* kOldPlatform = "linux32";
constexpr const char* kTuple = "x86-linux";
#else
constexpr const char* kOldPlatform = "unknown";
constexpr const char* kTuple = "unknown";
#endif

}  // namespace

const char* Name(VariableType type, FmiMajor version) {
  if (version != FmiMajor::Fmi3 && type == VariableType::Float64) return "Real";
  if (version != FmiMajor::Fmi3 && type == VariableType::Int32) return "Integer";
  return Name(type);
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
  const Variable& variable = description_->At(slot.variable);
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

bool IsStructuredName(std::string_view name) {
  Scanner scanner(name);
  if (scanner.Take("der(")) {
    if (!scanner.TakePath()) return false;
    if (scanner.Take(",")) {
      while (scanner.Take(" ")) {
      }
      if (!scanner.TakeNumber()) return false;
    }
    return scanner.Take(")") && scanner.IsAtEnd();
  }
  return scanner.TakePath() && scanner.IsAtEnd();
}

std::array<const char*, 2> PlatformFolders(FmiMajor version) {
  if (version == FmiMajor::Fmi3) return {kTuple, kOldPlatform};
  return {kOldPlatform, kTuple};
}

std::array<const char*, 2> WindowsFolders(FmiMajor version) {
  if (version == FmiMajor::Fmi3) return {"x86_64-windows", "win64"};
  return {"win64", "x86_64-windows"};
}

std::string ToolOf(const ModelDescription& description) {
  return description.generation_tool.empty() ? "the program it was exported from"
                                             : "the program " + Quoted(description.generation_tool);
}

}  // namespace openmi::fmi
