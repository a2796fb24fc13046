#include "components/population/RowText.hpp"

#include <fmt/format.h>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::population {

RowText::RowText(std::string_view text, const FindColumn& find, const std::vector<std::string>& columns) {
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    if (open > 0) parts_.push_back({.text = std::string(text.substr(0, open))});
    if (open == std::string_view::npos) return;
    const std::size_t close = text.find("}}", open);
    std::string_view inside =
        close == std::string_view::npos ? text.substr(open + 2) : text.substr(open + 2, close - open - 2);
    if (close == std::string_view::npos || inside.find('\n') != std::string_view::npos) {
      throw FormatError({}, fmt::format("expected '}}}}' after '{{{{', found {}", Quoted(inside)),
                        "write {{column}}, with the name of a column of the table");
    }
    Part part;
    if (const std::size_t colon = inside.find(':'); colon != std::string_view::npos) {
      part.has_default = true;
      part.text = inside.substr(colon + 1);
      inside = inside.substr(0, colon);
    }
    const std::string name(Trimmed(inside));
    part.column = find(name);
    if (part.column < 0) {
      throw FormatError({}, fmt::format("expected a column of the table, found '{}'", name), Suggest(name, columns));
    }
    parts_.push_back(std::move(part));
    text.remove_prefix(close + 2);
  }
}

std::string RowText::For(const std::function<const std::string&(int column)>& cell, std::vector<int>& missing) const {
  std::string filled;
  for (const Part& part : parts_) {
    const std::string* text = &part.text;
    if (part.column >= 0) {
      const std::string& given = cell(part.column);
      if (!given.empty()) {
        text = &given;
      } else if (!part.has_default) {
        missing.push_back(part.column);
      }
    }
    filled += *text;
  }
  return filled;
}

}  // namespace openmi::population
