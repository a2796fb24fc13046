#include "adaptors/space/Uncovered.hpp"

#include <algorithm>

#include "adaptors/kernels/NearestPlaces.hpp"
#include "adaptors/space/Shapes.hpp"

namespace openmi {
namespace {

using Row = std::vector<SparseRows::Entry>;

Row RowOf(const SparseRows& weights, std::size_t row) {
  Row entries;
  const auto columns = weights.ColumnsOf(row);
  for (std::size_t k = 0; k < columns.size(); ++k) entries.push_back({columns[k], weights.WeightsOf(row)[k]});
  return entries;
}

SparseRows Matrix(const std::vector<Row>& rows, std::size_t columns) {
  SparseRows matrix(columns);
  for (const Row& row : rows) matrix.AddRow(row);
  return matrix;
}

std::vector<Row> AllRows(const SparseRows& weights) {
  std::vector<Row> rows;
  for (std::size_t row = 0; row < weights.Rows(); ++row) rows.push_back(RowOf(weights, row));
  return rows;
}

/// The mean of some rows.
Row MeanOf(const std::vector<const Row*>& rows) {
  Row all;
  for (const Row* row : rows) all.insert(all.end(), row->begin(), row->end());
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
  Row mean;
  for (const SparseRows::Entry& entry : all) {
    const double part = entry.weight / static_cast<double>(rows.size());
    if (!mean.empty() && mean.back().column == entry.column) {
      mean.back().weight += part;
    } else {
      mean.push_back({entry.column, part});
    }
  }
  return mean;
}

}  // namespace

SparseRows TakeNearest(const std::string& adaptor, const IElementSet& source, const IElementSet& target,
                       const SparseRows& weights, const std::vector<std::size_t>& uncovered,
                       const std::vector<bool>& source_in) {
  const PlacePair places = PlacesOf(adaptor, source, target);
  std::vector<Point3> sources;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t s = 0; s < places.source.size(); ++s) {
    if (!source_in[s]) continue;
    sources.push_back(places.source[s]);
    numbers.push_back(s);
  }
  std::vector<Point3> targets;
  for (const std::size_t t : uncovered) targets.push_back(places.target[t]);
  const SparseRows nearest = NearestPlaceWeights(sources, targets);
  std::vector<Row> rows = AllRows(weights);
  for (std::size_t i = 0; i < uncovered.size(); ++i) {
    rows[uncovered[i]] = RowOf(nearest, i);
    for (SparseRows::Entry& entry : rows[uncovered[i]]) entry.column = numbers[entry.column];
  }
  return Matrix(rows, weights.Columns());
}

SparseRows Creep(const std::string& adaptor, const IElementSet& target, const SparseRows& weights,
                 const std::vector<std::size_t>& uncovered, const std::vector<bool>& target_in) {
  const std::vector<std::vector<std::uint32_t>> neighbours = NeighboursOf(adaptor, target);
  std::vector<Row> rows = AllRows(weights);
  std::vector<std::size_t> left = uncovered;
  while (!left.empty()) {
    std::vector<std::pair<std::size_t, Row>> found;
    std::vector<std::size_t> still;
    for (const std::size_t t : left) {
      std::vector<const Row*> about;
      for (const std::uint32_t other : neighbours[t]) {
        if (target_in[other] && !rows[other].empty()) about.push_back(&rows[other]);
      }
      if (about.empty()) {
        still.push_back(t);
      } else {
        found.emplace_back(t, MeanOf(about));
      }
    }
    if (found.empty()) break;
    for (auto& [t, row] : found) rows[t] = std::move(row);
    left = std::move(still);
  }
  return Matrix(rows, weights.Columns());
}

}  // namespace openmi
