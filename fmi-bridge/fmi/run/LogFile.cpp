#include "fmi-bridge/fmi/run/LogFile.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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

LogFile::LogFile(const std::string& path) : file_(path, std::ios::app) {
  if (!file_) throw FileError({.file = path}, "expected a file that can be written, found none", "choose another path");
}

std::string LogLine(const LogMessage& message) {
  std::string line =
      fmt::format("{}: {} [{}]: {}", message.instance, Name(message.status), message.category, message.text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return line;
}

void LogFile::Write(const LogMessage& message) {
  const auto now = std::chrono::time_point_cast<std::chrono::milliseconds>(std::chrono::system_clock::now());
  file_ << fmt::format("{:%FT%T}Z ", now) << LogLine(message) << '\n' << std::flush;
}

}  // namespace openmi::fmi
