#include "components/population/PopulationPart.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::population {

PopulationPart PopulationPart::Of(std::string_view count, std::string by, std::string_view number) {
  PopulationPart part{.by = std::move(by)};
  const auto read = [](std::string_view text, std::size_t most, const char* item) {
    const auto found = AsNumber<std::size_t>(text);
    if (found && *found >= 1 && *found <= most) return *found;
    throw ArgumentError({.item = item}, fmt::format("expected a number from 1 to {}, found {}", most, Quoted(text)),
                        "correct the attribute Parts of the Population");
  };
  constexpr std::size_t kMost = 10'000;
  if (!count.empty()) part.count = read(count, kMost, "member-parts");
  if (!number.empty()) part.number = read(number, part.count, "member-part") - 1;
  return part;
}

std::vector<std::size_t> PopulationPart::PartOfRows(const RowTable& table) const {
  const std::size_t rows = table.RowCount();
  // Rows that stay together are one lump.
  std::vector<std::size_t> lump_of(rows);
  std::vector<std::size_t> sizes;
  if (by.empty()) {
    for (std::size_t row = 0; row < rows; ++row) lump_of[row] = row;
    sizes.assign(rows, 1);
  } else {
    const int column = table.ColumnOf(by);
    if (column < 0) {
      throw ArgumentError({.file = table.Source().file},
                          fmt::format("expected the column {} of PartsBy, found no column of that name", Quoted(by)),
                          Suggest(by, table.Columns()));
    }
    std::unordered_map<std::string_view, std::size_t> lumps;
    for (std::size_t row = 0; row < rows; ++row) {
      const auto [lump, is_new] = lumps.emplace(table.Cell(row, column), sizes.size());
      if (is_new) sizes.push_back(0);
      ++sizes[lump_of[row] = lump->second];
    }
  }
  if (sizes.size() < count) {
    throw ArgumentError(
        {.file = table.Source().file},
        fmt::format("expected at least {} {} for {} parts, found {}", count,
                    by.empty() ? "rows" : fmt::format("different cells in '{}'", by), count, sizes.size()),
        fmt::format("write Parts=\"{}\" at most{}", sizes.size(), by.empty() ? "" : ", or another column in PartsBy"));
  }
  // A part ends where it has its share of the rows that were left, and leaves a lump for each part after it.
  std::vector<std::size_t> part_of(sizes.size());
  std::size_t part = 0;
  std::size_t taken = 0;
  std::size_t left = rows;
  for (std::size_t lump = 0; lump < sizes.size(); ++lump) {
    const std::size_t share = left / (count - part);
    const bool is_full = taken > 0 && 2 * taken + sizes[lump] > 2 * share;
    const bool must_leave = sizes.size() - lump <= count - part - 1;
    if (part + 1 < count && taken > 0 && (is_full || must_leave)) {
      left -= taken;
      taken = 0;
      ++part;
    }
    part_of[lump] = part;
    taken += sizes[lump];
  }
  for (std::size_t& lump : lump_of) lump = part_of[lump];
  return lump_of;
}

std::string RangesOf(std::span<const std::size_t> rows) {
  std::string text;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t last = i;
    while (last + 1 < rows.size() && rows[last + 1] == rows[last] + 1) ++last;
    if (!text.empty()) text += ' ';
    text += i == last ? std::to_string(rows[i]) : fmt::format("{}-{}", rows[i], rows[last]);
    i = last + 1;
  }
  return text;
}

}  // namespace openmi::population
