#include "fmi-bridge/fmi/run/LogText.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {
namespace {

bool HasLetter(const Variable& variable, char letter) {
  switch (letter) {
    case 'r':
      return IsFloat(variable.type);
    case 'i':
      return IsInteger(variable.type) || variable.type == VariableType::Enumeration;
    case 'b':
      return variable.type == VariableType::Boolean;
    default:
      return variable.type == VariableType::String;
  }
}

}  // namespace

std::string NamesInText(const char* text, const ModelDescription& description) {
  std::string named;
  for (const char* at = text; *at != '\0'; ++at) {
    if (*at != '#') {
      named += *at;
      continue;
    }
    if (at[1] == '#') {
      named += '#';
      ++at;
      continue;
    }
    const char letter = at[1];
    const char* digit = letter == '\0' ? at + 1 : at + 2;
    std::uint64_t reference = 0;
    const char* const first = digit;
    while (*digit >= '0' && *digit <= '9' && digit < first + 10) {
      reference = reference * 10 + static_cast<unsigned>(*digit++ - '0');
    }
    const Variable* found = nullptr;
    if (std::strchr("ribs", letter) != nullptr && letter != '\0' && digit != first && *digit == '#') {
      for (const Variable& variable : description.variables) {
        if (variable.value_reference == reference && HasLetter(variable, letter)) {
          found = &variable;
          break;
        }
      }
    }
    if (found == nullptr) {
      named += '#';
      continue;
    }
    named += found->name;
    at = digit;
  }
  return named;
}

std::string UriOf(const std::filesystem::path& folder) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  static constexpr const char* kPlain = "-._~/";
  std::string uri = "file://";
  for (const char c : std::filesystem::absolute(folder).string()) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::strchr(kPlain, c) != nullptr;
    if (plain) {
      uri += c;
    } else {
      uri += '%';
      uri += kDigits[byte >> 4U];
      uri += kDigits[byte & 15U];
    }
  }
  return uri;
}

void CheckLogCategories(std::span<const std::string> categories, const ModelDescription& description) {
  std::vector<std::string> known;
  for (const LogCategory& one : description.log_categories) known.push_back(one.name);
  for (const std::string& category : categories) {
    if (std::ranges::find(known, category) != known.end()) continue;
    throw ArgumentError(
        {.file = description.file}, fmt::format("expected a log category of the FMU, found {}", Quoted(category)),
        description.version == FmiMajor::Fmi1 ? "FMI 1.0 has none: leave it out" : Suggest(category, known));
  }
}

}  // namespace openmi::fmi
