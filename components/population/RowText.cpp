#include "components/population/RowText.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::population {

namespace {

/// What stands between the braces: a column, and perhaps a text for empty cells.
struct Place {
  std::string name;
  int column = -1;
  std::optional<std::string> otherwise;
};

/// A name may contain colons: the longest one that is a column counts.
Place PlaceOf(std::string_view inside, const RowText::FindColumn& find) {
  const auto at = [&](std::size_t end) {
    Place place{.name = std::string(Trimmed(inside.substr(0, end))), .otherwise = {}};
    if (end < inside.size()) place.otherwise = inside.substr(end + 1);
    place.column = find(place.name);
    return place;
  };
  Place place = at(inside.size());
  for (std::size_t colon = inside.rfind(':'); place.column < 0 && colon != std::string_view::npos;
       colon = colon > 0 ? inside.rfind(':', colon - 1) : std::string_view::npos) {
    place = at(colon);
  }
  return place;
}

}  // namespace

RowText::RowText(std::string_view text, const FindColumn& find, const std::vector<std::string>& columns) {
  std::vector<std::string> unknown;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    if (open > 0) parts_.push_back({.text = std::string(text.substr(0, open))});
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find("}}", open);
    const std::string_view inside =
        close == std::string_view::npos ? text.substr(open + 2) : text.substr(open + 2, close - open - 2);
    if (close == std::string_view::npos || inside.find('\n') != std::string_view::npos) {
      throw FormatError({}, fmt::format("expected '}}}}' after '{{{{', found {}", Quoted(inside)),
                        "write {{column}}, with the name of a column of the table");
    }
    Place place = PlaceOf(inside, find);
    if (place.column < 0 && std::ranges::find(unknown, place.name) == unknown.end()) unknown.push_back(place.name);
    Part& part = parts_.emplace_back();
    part.column = place.column;
    part.has_default = place.otherwise.has_value();
    part.text = place.otherwise.value_or("");
    text.remove_prefix(close + 2);
  }
  if (unknown.empty()) return;
  throw FormatError({},
                    unknown.size() == 1
                        ? fmt::format("expected a column of the table, found '{}'", unknown.front())
                        : fmt::format("expected columns of the table, found '{}'", fmt::join(unknown, "', '")),
                    Suggest(unknown.front(), columns));
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
