#include <fmt/format.h>

#include <cmath>

#include "adaptors/space/Mappings.hpp"
#include "adaptors/space/Shapes.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

void RequireTypes(const Where& place, const IElementSet& source, ElementType from, const IElementSet& target,
                  ElementType to) {
  if (source.ElementType() == from && target.ElementType() == to) return;
  const auto name = [](ElementType type) { return type == ElementType::Polygon ? "polygons" : "polylines"; };
  throw LinkError(place,
                  fmt::format("expected {} as sources and {} as targets, found '{}' and '{}' which are others",
                              name(from), name(to), source.Caption(), target.Caption()),
                  "use 'nearest' for other elements");
}

/// Weights from common lengths [target x source].
SparseRows Weigh(SparseRows lengths, LengthWeights kind, const std::vector<double>& source_lengths,
                 const std::vector<double>& target_lengths) {
  if (kind == LengthWeights::Distribute) {
    lengths.DivideColumns(source_lengths);
  } else if (kind == LengthWeights::PerTarget) {
    lengths.DivideRows(target_lengths);
  } else {
    std::vector<double> sums(lengths.Rows(), 0.0);
    for (std::size_t row = 0; row < lengths.Rows(); ++row) {
      for (const double length : lengths.WeightsOf(row)) sums[row] += std::abs(length);
    }
    lengths.DivideRows(sums);
  }
  return lengths;
}

/// The matrix with rows and columns exchanged.
SparseRows Transposed(const SparseRows& rows) {
  std::vector<std::vector<SparseRows::Entry>> columns(rows.Columns());
  for (std::size_t row = 0; row < rows.Rows(); ++row) {
    const auto found = rows.ColumnsOf(row);
    for (std::size_t k = 0; k < found.size(); ++k) {
      columns[found[k]].push_back({static_cast<std::uint32_t>(row), rows.WeightsOf(row)[k]});
    }
  }
  SparseRows result(rows.Rows());
  for (const auto& column : columns) result.AddRow(column);
  return result;
}

}  // namespace

MapBy::Method MapLinesToPolygons(MapBy& adaptor, LengthWeights kind) {
  return [&adaptor, kind](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    RequireTypes(adaptor.Place(), source, ElementType::PolyLine, target, ElementType::Polygon);
    const CommonPlane plane(adaptor.Place().item, source, target);
    const CommonPlane::Lines lines = plane.LinesOf(source);
    const Polygons polygons = plane.PolygonsOf(target);
    return {.weights = Weigh(LengthsInPolygons(lines.View(), polygons.View()), kind, LineLengths(lines.View()), {}),
            .rows_sum_to_one = kind == LengthWeights::Mean};
  };
}

MapBy::Method MapPolygonsToLines(MapBy& adaptor, LengthWeights kind) {
  return [&adaptor, kind](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    RequireTypes(adaptor.Place(), source, ElementType::Polygon, target, ElementType::PolyLine);
    const CommonPlane plane(adaptor.Place().item, source, target);
    const CommonPlane::Lines lines = plane.LinesOf(target);
    const Polygons polygons = plane.PolygonsOf(source);
    return {.weights = Weigh(Transposed(LengthsInPolygons(lines.View(), polygons.View())), kind, {},
                             LineLengths(lines.View())),
            .rows_sum_to_one = kind == LengthWeights::Mean};
  };
}

MapBy::Method MapLinesToLines(MapBy& adaptor, LengthWeights kind) {
  const auto direction = adaptor.AddArgument<std::string>(
      "direction", {.caption = "signed: a source in the opposite direction counts negative",
                    .value = kind == LengthWeights::Distribute ? "signed" : "ignore",
                    .possible_values = {"ignore", "signed"}});
  return [&adaptor, kind, direction](const IElementSet& source, const IElementSet& target) -> SpatialMapping {
    RequireTypes(adaptor.Place(), source, ElementType::PolyLine, target, ElementType::PolyLine);
    const CommonPlane plane(adaptor.Place().item, source, target);
    const CommonPlane::Lines from = plane.LinesOf(source);
    const CommonPlane::Lines to = plane.LinesOf(target);
    SparseRows lengths = LengthsAlongLines(from.View(), to.View());
    const bool with_sign = direction.Value() == "signed";
    if (!with_sign) {
      SparseRows plain(lengths.Columns());
      for (std::size_t row = 0; row < lengths.Rows(); ++row) {
        const auto columns = lengths.ColumnsOf(row);
        for (std::size_t k = 0; k < columns.size(); ++k) plain.Add(columns[k], std::abs(lengths.WeightsOf(row)[k]));
        plain.EndRow();
      }
      lengths = std::move(plain);
    }
    return {.weights = Weigh(std::move(lengths), kind, LineLengths(from.View()), LineLengths(to.View())),
            .rows_sum_to_one = kind == LengthWeights::Mean && !with_sign};
  };
}

}  // namespace openmi
