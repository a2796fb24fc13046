#include <algorithm>
#include <cmath>
#include <utility>

#include "composition/report/SvgMap.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

/// Sums and counts of the values in cells.
class Cells {
 public:
  Cells(std::size_t columns, std::size_t rows)
      : columns_(static_cast<long>(columns)),
        rows_(static_cast<long>(rows)),
        sums_(columns * rows),
        counts_(columns * rows) {}

  long Columns() const { return columns_; }
  long Rows() const { return rows_; }
  void Add(long column, long row, double value) {
    if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return;
    const auto cell = static_cast<std::size_t>(row * columns_ + column);
    sums_[cell] += value;
    ++counts_[cell];
  }
  std::vector<double> Means() const {
    std::vector<double> means(sums_.size(), kNotANumber);
    for (std::size_t i = 0; i < means.size(); ++i) {
      if (counts_[i] > 0) means[i] = sums_[i] / counts_[i];
    }
    return means;
  }

 private:
  long columns_, rows_;
  std::vector<double> sums_;
  std::vector<unsigned> counts_;
};

/// The cell of a coordinate, as far as cells of a picture can be.
long CellAt(double coordinate) {
  return static_cast<long>(std::floor(std::clamp(coordinate, -1e6, 1e6)));
}

/// A line from cell to cell, each once.
void AddLine(Cells& cells, std::span<const MapPoint> line, double value) {
  std::pair<long, long> last{-1, -1};
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const MapPoint& from = line[i];
    const MapPoint& to = line[i + 1];
    const double length = std::fmin(std::fmax(std::fabs(to.x - from.x), std::fabs(to.y - from.y)), 1e5);
    const auto steps = static_cast<long>(std::ceil(length)) + 1;
    for (long step = 0; step <= steps; ++step) {
      const double share = static_cast<double>(step) / static_cast<double>(steps);
      const std::pair<long, long> at{CellAt(from.x + share * (to.x - from.x)),
                                     CellAt(from.y + share * (to.y - from.y))};
      if (at != last) cells.Add(at.first, at.second, value);
      last = at;
    }
  }
}

/// The cells whose middles are within an odd number of rings.
/// \param crossings  space for the work
void AddPolygon(Cells& cells, const std::vector<std::vector<MapPoint>>& rings, double value,
                std::vector<std::pair<long, double>>& crossings) {
  crossings.clear();
  for (const auto& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      MapPoint upper = ring[i];
      MapPoint lower = ring[(i + 1) % ring.size()];
      if (upper.y > lower.y) std::swap(upper, lower);
      const long first = std::max(CellAt(std::ceil(upper.y - 0.5)), 0L);
      for (long row = first; row < cells.Rows() && static_cast<double>(row) + 0.5 < lower.y; ++row) {
        const double share = (static_cast<double>(row) + 0.5 - upper.y) / (lower.y - upper.y);
        crossings.emplace_back(row, upper.x + share * (lower.x - upper.x));
      }
    }
  }
  std::ranges::sort(crossings);
  bool is_seen = false;
  for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
    const long row = crossings[i].first;
    const long begin = std::max(CellAt(std::ceil(crossings[i].second - 0.5)), 0L);
    for (long column = begin; column < cells.Columns() && static_cast<double>(column) + 0.5 < crossings[i + 1].second;
         ++column) {
      cells.Add(column, row, value);
      is_seen = true;
    }
  }
  if (!is_seen && !rings.empty() && !rings.front().empty()) {
    MapPoint middle;
    const auto count = static_cast<double>(rings.front().size());
    for (const MapPoint& point : rings.front()) {
      middle.x += point.x / count;
      middle.y += point.y / count;
    }
    cells.Add(CellAt(middle.x), CellAt(middle.y), value);
  }
}

}  // namespace

std::vector<double> MapCells(const ElementSet& places, std::span<const double> values,
                             const std::function<MapPoint(const MapPoint&)>& place, std::size_t columns,
                             std::size_t rows) {
  Cells cells(columns, rows);
  std::vector<std::pair<long, double>> crossings;
  // So many points that their squares would just touch; a smaller one is hard to see.
  const double share = static_cast<double>(columns * rows) / std::fmax(1.0, static_cast<double>(values.size()));
  const long radius = std::clamp(static_cast<long>(0.25 * std::sqrt(share)), 0L, 3L);
  for (int element = 0; element < places.ElementCount(); ++element) {
    const double value = values[static_cast<std::size_t>(element)];
    if (!std::isfinite(value)) continue;
    MapElement drawn = DescribeElement(places, element);
    for (auto& part : drawn.parts) {
      for (MapPoint& point : part) point = place(point);
    }
    if (drawn.shape == MapShape::Polygon) {
      AddPolygon(cells, drawn.parts, value, crossings);
    } else if (drawn.shape == MapShape::Line) {
      for (const auto& part : drawn.parts) AddLine(cells, part, value);
    } else {
      for (const auto& part : drawn.parts) {
        for (const MapPoint& point : part) {
          for (long row = -radius; row <= radius; ++row) {
            for (long column = -radius; column <= radius; ++column) {
              cells.Add(CellAt(point.x) + column, CellAt(point.y) + row, value);
            }
          }
        }
      }
    }
  }
  return cells.Means();
}

}  // namespace openmi
