#include "composition/results/NetcdfNames.hpp"

#include <fmt/format.h>

namespace openmi {
namespace {

bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

constexpr std::size_t kLongest = 200;  // the library allows 256

}  // namespace

std::string NetcdfNames::Take(std::string_view wanted) {
  std::string name;
  for (const char c : wanted.substr(0, kLongest)) name += IsLetter(c) || IsDigit(c) ? c : '_';
  if (name.empty() || !IsLetter(name.front())) name.insert(0, "v_");
  std::string unique = name;
  for (int i = 2; !taken_.insert(unique).second; ++i) unique = fmt::format("{}_{}", name, i);
  return unique;
}

}  // namespace openmi
