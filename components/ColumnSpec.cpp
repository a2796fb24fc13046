#include "components/ColumnSpec.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : whole_(text), rest_(text) {}

  bool AtEnd() {
    SkipBlanks();
    return rest_.empty();
  }
  bool Take(char character) {
    SkipBlanks();
    if (rest_.empty() || rest_.front() != character) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Takes a name up to one of `ends`, or in quotes.
  std::string Name(std::string_view ends) {
    SkipBlanks();
    if (!Take('"')) {
      const std::size_t end = std::min(rest_.find_first_of(ends), rest_.size());
      const std::string name(Trimmed(rest_.substr(0, end)));
      rest_.remove_prefix(end);
      if (name.empty()) Refuse("a name");
      return name;
    }
    return UpTo('"', "a closing quote");
  }
  std::string UpTo(char end, const char* expected) {
    const std::size_t at = rest_.find(end);
    if (at == std::string_view::npos) Refuse(expected);
    const std::string text(rest_.substr(0, at));
    rest_.remove_prefix(at + 1);
    return text;
  }
  [[noreturn]] void Refuse(const char* expected) const {
    if (rest_.starts_with(',')) {
      throw FormatError({}, fmt::format("expected {}, found a comma at '{}' in '{}'", expected, rest_, whole_),
                        "remove the comma, or write what is missing before it");
    }
    throw FormatError({}, fmt::format("expected {} at '{}' in '{}'", expected, rest_, whole_),
                      "write columns as in 'rain=precipitation[mm h-1],flow=discharge[m3 s-1]'");
  }

 private:
  void SkipBlanks() {
    while (!rest_.empty() && IsBlank(rest_.front())) rest_.remove_prefix(1);
  }
  std::string_view whole_;
  std::string_view rest_;
};

}  // namespace

std::vector<ColumnSpec> ParseColumns(std::string_view text) {
  std::vector<ColumnSpec> columns;
  Scanner scan(text);
  while (!scan.AtEnd()) {
    ColumnSpec& column = columns.emplace_back();
    column.source = scan.Name("=[,");
    column.item = scan.Take('=') ? scan.Name("@[,") : column.source;
    if (scan.Take('@')) column.element = scan.Name("[,");
    if (scan.Take('[')) {
      column.unit = Trimmed(scan.UpTo(']', "a closing ']'"));
      column.has_unit = true;
    }
    if (!scan.Take(',') && !scan.AtEnd()) scan.Refuse("a comma");
  }
  return columns;
}

ColumnSpec ParseHeading(std::string_view heading) {
  ColumnSpec column;
  std::string text(Trimmed(heading));
  // "name (unit)" or "name[element] (unit)"; with brackets alone, they hold the unit.
  const auto take = [&text](char open, char close) -> std::string {
    const std::size_t begin = text.rfind(open);
    if (!text.ends_with(close) || begin == std::string::npos || begin == 0) return {};
    std::string inside(Trimmed(std::string_view(text).substr(begin + 1, text.size() - begin - 2)));
    text = Trimmed(std::string_view(text).substr(0, begin));
    return inside;
  };
  column.unit = take('(', ')');
  const bool round = !column.unit.empty();
  if (!round) column.unit = take('[', ']');
  column.has_unit = !column.unit.empty();
  column.source = text;
  if (round) column.element = take('[', ']');
  column.item = text;
  return column;
}

}  // namespace openmi
