#include "fmi-bridge/osmp/packaging/MimeType.hpp"

#include <algorithm>
#include <cctype>

namespace openmi::osmp {
namespace {

bool IsTokenCharacter(char c) {
  return c > ' ' && c < 0x7f && std::string_view("()<>@,;:\\\"/[]?=").find(c) == std::string_view::npos;
}

void SkipBlanks(std::string_view& rest) {
  while (!rest.empty() && (rest[0] == ' ' || rest[0] == '\t')) rest.remove_prefix(1);
}

/// Removes the token at the start of `rest` and returns it; empty where there is none.
std::string_view TakeToken(std::string_view& rest) {
  const auto end = std::ranges::find_if_not(rest, IsTokenCharacter);
  const std::string_view token = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(token.size());
  return token;
}

/// Removes the quoted text at the start of `rest` and returns its content.
std::optional<std::string> TakeQuoted(std::string_view& rest) {
  std::string text;
  for (std::size_t at = 1; at < rest.size(); ++at) {
    if (rest[at] == '"') {
      rest.remove_prefix(at + 1);
      return text;
    }
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    text += rest[at];
  }
  return std::nullopt;
}

std::string Small(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(),
                         [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return small;
}

}  // namespace

std::string MimeType::Parameter(std::string_view name) const {
  const auto found = std::ranges::find(parameters, name, [](const auto& one) { return std::string_view(one.first); });
  return found == parameters.end() ? std::string() : found->second;
}

std::optional<MimeType> ParseMimeType(std::string_view rest) {
  SkipBlanks(rest);
  MimeType mime;
  const std::string_view type = TakeToken(rest);
  if (type.empty() || rest.empty() || rest[0] != '/') return std::nullopt;
  rest.remove_prefix(1);
  const std::string_view subtype = TakeToken(rest);
  if (subtype.empty()) return std::nullopt;
  mime.type = Small(type) + '/' + Small(subtype);
  for (SkipBlanks(rest); !rest.empty(); SkipBlanks(rest)) {
    if (rest[0] != ';') return std::nullopt;
    rest.remove_prefix(1);
    SkipBlanks(rest);
    if (rest.empty()) break;  // a semicolon at the end
    const std::string_view name = TakeToken(rest);
    SkipBlanks(rest);
    if (name.empty() || rest.empty() || rest[0] != '=') return std::nullopt;
    rest.remove_prefix(1);
    SkipBlanks(rest);
    std::optional<std::string> value;
    if (!rest.empty() && rest[0] == '"') {
      value = TakeQuoted(rest);
    } else if (const std::string_view token = TakeToken(rest); !token.empty() || rest.empty() || rest[0] == ';') {
      value = std::string(token);
    }
    if (!value) return std::nullopt;
    mime.parameters.emplace_back(Small(name), std::move(*value));
  }
  return mime;
}

bool IsOsiVersion(std::string_view text) {
  int points = 0;
  char before = '.';
  for (const char c : text) {
    if (c == '.' ? before == '.' : (c < '0' || c > '9')) return false;
    points += c == '.' ? 1 : 0;
    before = c;
  }
  return points == 2 && before != '.';
}

}  // namespace openmi::osmp
