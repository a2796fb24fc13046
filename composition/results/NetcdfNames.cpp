#include "composition/results/NetcdfNames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "openmi/sdk/Lists.hpp"

namespace openmi {
namespace {

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

std::string Cleaned(std::string_view wanted) {
  constexpr std::size_t kLongest = 200;  // the library allows 256
  std::string name;
  for (const char c : wanted.substr(0, kLongest)) name += IsLetter(c) || IsDigit(c) ? c : '_';
  if (name.empty() || !IsLetter(name.front())) name.insert(0, "v_");
  return name;
}

/// What follows the last point of an id, if it starts with a letter; else the id.
std::string LastPart(std::string_view id) {
  const std::string_view part = id.substr(id.rfind('.') + 1);
  return Cleaned(part.empty() || !IsLetter(part.front()) ? id : part);
}

}  // namespace

std::string NetcdfNames::Take(std::string_view wanted) {
  const std::string name = Cleaned(wanted);
  std::string unique = name;
  for (int i = 2; !taken_.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique;
}

std::vector<std::string> NetcdfNames::TakeForSeries(const std::vector<ResultSeries>& series) {
  std::map<std::string, int> count;
  for (const ResultSeries& one : series) ++count[LastPart(one.id)];
  std::vector<std::string> names;
  for (const ResultSeries& one : series) {
    const std::string last = LastPart(one.id);
    names.push_back(Take(count[last] == 1 && !IsTaken(last) ? last : one.id));
  }
  return names;
}

std::string NetcdfNames::TakeForElements(std::string_view caption, std::string_view kind, std::string_view variable) {
  constexpr std::size_t kLongest = 40;
  std::string name;
  for (const char c : Lower(caption)) {
    if (IsLetter(c) || IsDigit(c)) {
      name += c;
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  if (name.ends_with('_')) name.pop_back();
  const bool is_good = !name.empty() && IsLetter(name.front()) && name.size() <= kLongest && !IsTaken(name);
  if (is_good) return Take(name);
  return Take(IsTaken(kind) ? fmt::format("{}_{}", variable, kind) : std::string(kind));
}

}  // namespace openmi
