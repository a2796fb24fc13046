#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "adaptors/space/Mappings.hpp"
#include "adaptors/space/Shapes.hpp"
#include "adaptors/space/WeightFile.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "timespace/files/TextTable.hpp"

namespace openmi {

MapBy::Method MapAlongMeasure(MapBy& adaptor) {
  adaptor.NeedsNoPlaces();
  adaptor.StatesEffect({.elements = EffectOnAmount::Elements::Other});  // chainages do not show what lies outside
  const auto give = adaptor.AddArgument<std::string>(
      "give",
      {.caption = "interpolated: linear between the middles of sources; mean: weighted by the stretch in common",
       .value = "interpolated",
       .possible_values = {"interpolated", "mean"}});
  return [&adaptor, give](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    const std::vector<Stretch> from = StretchesOf(adaptor.Place().item, source);
    const std::vector<Stretch> to = StretchesOf(adaptor.Place().item, target);
    return {.weights = give.Value() == "mean" ? MeanAlong(from, to) : InterpolateAlong(from, to),
            .rows_sum_to_one = true};
  };
}

MapBy::Method MapById(MapBy& adaptor) {
  adaptor.NeedsNoPlaces();
  adaptor.StatesEffect({.elements = EffectOnAmount::Elements::ById});
  return [&adaptor](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    SparseRows weights(static_cast<std::size_t>(source.ElementCount()));
    for (int element = 0; element < target.ElementCount(); ++element) {
      const IIdentifiable* id = target.GetElementId(element);
      const int found = id != nullptr ? source.GetElementIndex(*id) : -1;
      if (found < 0) {
        std::vector<std::string> ids;
        for (int i = 0; i < source.ElementCount() && i < 1000; ++i) {
          const IIdentifiable* known = source.GetElementId(i);
          if (known != nullptr) ids.push_back(known->Id());
        }
        const std::string text = id != nullptr ? id->Id() : "(no id)";
        throw LinkError(adaptor.Place(),
                        fmt::format("expected each target element among the sources, found no source '{}'", text),
                        Suggest(text, ids));
      }
      const SparseRows::Entry entry{static_cast<std::uint32_t>(found), 1.0};
      weights.AddRow(std::span(&entry, 1));
    }
    return {std::move(weights)};
  };
}

namespace {

/// The weights of a table with a line for each connection of a source to a target.
/// \param columns  source, target and weight; without the third, or if the table has no such column, the weight is 1
SparseRows WeightsOfEdges(const std::string& path, const std::vector<std::string>& columns, const IElementSet& source,
                          const IElementSet& target, const Where& place) {
  TextTable table(path);
  const std::vector<std::string> heading = table.Count() > 0 ? table.Cells(0) : std::vector<std::string>();
  std::vector<std::size_t> column;
  for (const std::string& name : columns) {
    const auto found = std::ranges::find(heading, name);
    if (found == heading.end() && column.size() == 2) break;
    if (found == heading.end()) {
      throw FormatError({.file = path, .line = 1, .component = place.component, .item = place.item},
                        fmt::format("expected a column '{}', found none", name), Suggest(name, heading));
    }
    column.push_back(static_cast<std::size_t>(found - heading.begin()));
  }
  if (column.size() < 2) {
    throw LinkError(place, fmt::format("expected two or three columns, found {}", column.size()),
                    "write the argument 'columns' as in 'from, to, weight'");
  }
  std::vector<std::vector<SparseRows::Entry>> rows(static_cast<std::size_t>(target.ElementCount()));
  std::size_t unknown = 0;
  std::string first_unknown;
  const auto index_in = [&](const IElementSet& elements, const std::string& id, int line) {
    const int index = elements.GetElementIndex(Identifier(id));
    if (index < 0 && unknown++ == 0) first_unknown = fmt::format("'{}' in line {}", id, line);
    return index;
  };
  for (std::size_t line = 1; line < table.Count(); ++line) {
    const int number = table.LineNumber(line);
    const std::vector<std::string>& cells = table.Cells(line);
    const auto cell = [&](std::size_t i) { return column[i] < cells.size() ? cells[column[i]] : std::string(); };
    const int from = index_in(source, cell(0), number);
    const int to = index_in(target, cell(1), number);
    const std::optional<double> weight = column.size() > 2 ? AsNumber<double>(cell(2)) : 1.0;
    if (!weight || !std::isfinite(*weight)) {
      throw FormatError({.file = path, .line = number, .component = place.component, .item = place.item},
                        fmt::format("expected a number as weight, found '{}'", cell(2)), "write it with a point");
    }
    if (from < 0 || to < 0) continue;
    rows[static_cast<std::size_t>(to)].push_back({static_cast<std::uint32_t>(from), *weight});
  }
  if (unknown > 0) {
    throw LinkError(place,
                    fmt::format("expected ids of the sources and the targets in '{}', found {} others, such as {}",
                                path, unknown, first_unknown),
                    "correct the ids, or name the columns in the argument 'columns'");
  }
  SparseRows weights(static_cast<std::size_t>(source.ElementCount()));
  for (auto& row : rows) {
    std::ranges::stable_sort(row, {}, &SparseRows::Entry::column);
    weights.AddSummed(row);
  }
  return weights;
}

}  // namespace

MapBy::Method MapByWeightFile(MapBy& adaptor) {
  adaptor.NeedsNoPlaces();
  const auto file = adaptor.AddArgument<std::string>(
      "file", {.caption = "needed: a NetCDF file of SCRIP, CDO or ESMF, or a table of edges",
               .value = "",
               .meaning = ArgumentMeaning::Path});
  const auto columns = adaptor.AddArgument<std::string>(
      "columns", {.caption = "of a table of edges: those with the id of the source, the id of the target and, if there "
                             "is one, the weight",
                  .value = "from, to, weight",
                  .meaning = ArgumentMeaning::Plain});
  return [&adaptor, file, columns](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    if (file.Value().empty()) {
      throw LinkError(adaptor.Place(), "expected a file of weights, found none", "set the argument 'file'");
    }
    SpatialMapping mapping;
    const std::string ending = Lower(std::filesystem::path(file.Value()).extension().string());
    if (ending == ".csv" || ending == ".tsv" || ending == ".txt") {
      mapping.weights = WeightsOfEdges(file.Value(), Split(columns.Value(), ","), source, target, adaptor.Place());
      return mapping;
    }
    mapping.weights = ReadWeightFile(file.Value()).weights;
    const auto sources = static_cast<std::size_t>(source.ElementCount());
    const auto targets = static_cast<std::size_t>(target.ElementCount());
    if (mapping.weights.Columns() != sources || mapping.weights.Rows() != targets) {
      throw LinkError(adaptor.Place(),
                      fmt::format("expected weights from {} to {} elements, found {} to {} in '{}'", sources, targets,
                                  mapping.weights.Columns(), mapping.weights.Rows(), file.Value()),
                      "make the file for these element sets, in their order, without masks");
    }
    return mapping;
  };
}

}  // namespace openmi
