#include "adaptors/kernels/InterpolationMesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "adaptors/kernels/Delaunay.hpp"
#include "adaptors/kernels/MergedPoints.hpp"
#include "adaptors/kernels/PointTree.hpp"

namespace openmi {
namespace {

constexpr double kLeastHeight = 1e-9;  // of a triangle's longest edge
constexpr double kSameVertex = 1e-5;   // of the shorter edge beside it
constexpr double kSlack = 1e-8;        // of a cell's size: wider than the tolerance of its edges

/// A corner of a polygon: the indices of the vertices before and after it.
struct Corner {
  std::uint32_t cell;
  std::uint32_t before;
  std::uint32_t behind;
};

/// Numbers the vertices; vertices at the same place get the same number.
std::vector<std::uint32_t> NumberVertices(std::span<const Point3> vertices, std::span<const std::uint32_t> starts) {
  const PointTree tree(vertices);
  constexpr auto kNone = std::uint32_t{0xffffffff};
  std::vector<std::uint32_t> numbers(vertices.size(), kNone);
  for (std::size_t cell = 0; cell + 1 < starts.size(); ++cell) {
    const std::uint32_t first = starts[cell];
    const std::uint32_t count = starts[cell + 1] - first;
    double longest = 0.0;
    for (std::uint32_t i = 0; i < count; ++i) {
      longest = std::max(longest, SquaredDistance(vertices[first + i], vertices[first + (i + 1) % count]));
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (numbers[first + i] != kNone) continue;
      const Point3 here = vertices[first + i];
      double shorter = std::numeric_limits<double>::infinity();
      for (const std::uint32_t other : {(i + 1) % count, (i + count - 1) % count}) {
        const double square = SquaredDistance(here, vertices[first + other]);
        if (square > 1e-18 * longest) shorter = std::min(shorter, square);  // not the two ends of an edge at a pole
      }
      if (std::isinf(shorter)) shorter = 0.0;
      tree.Within(here, kSameVertex * std::sqrt(shorter), [&](std::uint32_t other, double) {
        if (numbers[other] == kNone) numbers[other] = first + i;
      });
      numbers[first + i] = first + i;
    }
  }
  return numbers;
}

}  // namespace

InterpolationMesh::InterpolationMesh(std::span<const Point3> places, Space space)
    : space_(space), places_(places.begin(), places.end()) {
  RequireFinite(places, "source");
}

void InterpolationMesh::AddCell(std::span<const std::uint32_t> corners) {
  corners_.insert(corners_.end(), corners.begin(), corners.end());
  starts_.push_back(static_cast<std::uint32_t>(corners_.size()));
}

void InterpolationMesh::Finish() {
  std::vector<Box> boxes(CellCount());
  if (space_ == Space::Sphere) heights_.resize(CellCount());
  for (std::uint32_t cell = 0; cell < CellCount(); ++cell) {
    Box& box = boxes[cell];
    Heights heights{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    Point3 sum;
    for (const std::uint32_t corner : Cell(cell)) {
      const Point3 p = places_[corner];
      box.Add(Point{p.x, p.y});
      heights = {std::min(heights.low, p.z), std::max(heights.high, p.z)};
      sum = sum + p;
    }
    double more = kSlack * std::max(box.Width(), box.Height());
    if (space_ == Space::Sphere) {
      // A cell rises above its corners by no more than the cap through them.
      const double radius = Norm(places_[Cell(cell).front()]);
      double least_cosine = 1.0;
      for (const std::uint32_t corner : Cell(cell)) {
        const double length = Norm(sum) * radius;
        least_cosine = std::min(least_cosine, length > 0.0 ? Dot(places_[corner], sum) / length : 0.0);
      }
      more += radius * (least_cosine > 0.0 ? 1.0 - least_cosine + kSlack : 1.0);
      heights_[cell] = {heights.low - more, heights.high + more};
    }
    box = {box.x0 - more, box.y0 - more, box.x1 + more, box.y1 + more};
  }
  if (!boxes.empty()) index_.emplace(boxes);
}

InterpolationMesh InterpolationMesh::Triangles(std::span<const Point3> places, Space space,
                                               std::span<const double> reach) {
  const MergedPoints merged(places);
  InterpolationMesh mesh(merged.Points(), space);
  if (merged.Count() < places.size()) {
    mesh.shared_.resize(merged.Count());
    for (std::size_t i = 0; i < merged.Count(); ++i) {
      mesh.shared_[i].assign(merged.Members(i).begin(), merged.Members(i).end());
    }
  }
  const auto reach_of = [&](std::uint32_t place) { return reach[merged.Members(place).front()]; };
  for (const std::array<std::uint32_t, 3>& t : DelaunayTriangles(merged.Points(), space)) {
    double longest = 0.0;
    bool too_long = false;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i];
      const std::uint32_t b = t[(i + 1) % 3];
      const double length = std::sqrt(SquaredDistance(merged.Points()[a], merged.Points()[b]));
      longest = std::max(longest, length);
      too_long = too_long || (!reach.empty() && length > 1.5 * (reach_of(a) + reach_of(b)));
    }
    const Point3 a = merged.Points()[t[0]];
    const double twice = Norm(Cross(merged.Points()[t[1]] - a, merged.Points()[t[2]] - a));
    if (too_long || !(twice > kLeastHeight * longest * longest)) continue;
    mesh.AddCell(t);
  }
  mesh.Finish();
  return mesh;
}

InterpolationMesh InterpolationMesh::Dual(std::span<const Point3> centres, std::span<const Point3> vertices,
                                          std::span<const std::uint32_t> starts, Space space) {
  InterpolationMesh mesh(centres, space);
  const std::vector<std::uint32_t> numbers = NumberVertices(vertices, starts);
  std::vector<std::vector<Corner>> corners(vertices.size());
  std::vector<std::uint32_t> ring;
  for (std::uint32_t cell = 0; cell + 1 < starts.size(); ++cell) {
    ring.clear();
    for (std::uint32_t i = starts[cell]; i < starts[cell + 1]; ++i) {
      if (ring.empty() || numbers[i] != ring.back()) ring.push_back(numbers[i]);
    }
    while (ring.size() > 1 && ring.front() == ring.back()) ring.pop_back();
    const std::size_t count = ring.size();
    if (count < 3) continue;
    for (std::size_t i = 0; i < count; ++i) {
      corners[ring[i]].push_back({cell, ring[(i + count - 1) % count], ring[(i + 1) % count]});
    }
  }
  std::vector<std::uint32_t> about;
  for (const std::vector<Corner>& here : corners) {
    if (here.size() < 3) continue;
    // From cell to cell across the edges that meet here, clockwise, until the first cell comes again.
    about.clear();
    const Corner* corner = &here.front();
    do {
      about.push_back(corner->cell);
      const auto next = std::ranges::find(here, corner->behind, &Corner::before);
      corner = next != here.end() ? &*next : nullptr;
    } while (corner != nullptr && corner != &here.front() && about.size() <= here.size());
    if (corner == nullptr || about.size() != here.size()) continue;
    std::reverse(about.begin(), about.end());
    mesh.AddCell(about);
  }
  mesh.Finish();
  return mesh;
}

std::optional<InterpolationMesh> InterpolationMesh::Rectangles(std::span<const Point3> places) {
  if (places.size() < 4) return std::nullopt;
  const auto lines = [&](double Point3::*axis) {
    std::vector<double> at;
    for (const Point3& p : places) at.push_back(p.*axis);
    std::sort(at.begin(), at.end());
    const double slack = 1e-9 * (at.back() - at.front());
    std::vector<double> different;
    for (const double value : at) {
      if (different.empty() || value - different.back() > slack) different.push_back(value);
    }
    return different;
  };
  const std::vector<double> columns = lines(&Point3::x);
  const std::vector<double> rows = lines(&Point3::y);
  if (columns.size() < 2 || rows.size() < 2 || columns.size() * rows.size() != places.size()) return std::nullopt;
  const auto nearest = [](const std::vector<double>& lines_at, double value) {
    const auto above = std::ranges::lower_bound(lines_at, value);
    if (above == lines_at.begin()) return std::size_t{0};
    const auto below = above - 1;
    const bool take_above = above != lines_at.end() && *above - value < value - *below;
    return static_cast<std::size_t>((take_above ? above : below) - lines_at.begin());
  };
  constexpr auto kNone = std::uint32_t{0xffffffff};
  std::vector<std::uint32_t> at(places.size(), kNone);
  for (std::uint32_t i = 0; i < places.size(); ++i) {
    std::uint32_t& place = at[nearest(rows, places[i].y) * columns.size() + nearest(columns, places[i].x)];
    if (place != kNone) return std::nullopt;
    place = i;
  }
  InterpolationMesh mesh(places, Space::Plane);
  for (std::size_t j = 0; j + 1 < rows.size(); ++j) {
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
      const std::size_t low = j * columns.size() + i;
      mesh.AddCell(std::array{at[low], at[low + 1], at[low + 1 + columns.size()], at[low + columns.size()]});
    }
  }
  mesh.Finish();
  return mesh;
}

bool InterpolationMesh::Find(Point3 target, Search& search, std::vector<SparseRows::Entry>& row) const {
  row.clear();
  if (!index_) return false;
  search.candidates.clear();
  index_->Overlapping({target.x, target.y, target.x, target.y}, [&](std::size_t cell) {
    if (!heights_.empty() && !(target.z >= heights_[cell].low && target.z <= heights_[cell].high)) return;
    search.candidates.push_back(static_cast<std::uint32_t>(cell));
  });
  std::sort(search.candidates.begin(), search.candidates.end());  // on an edge between two cells the first one counts
  const LocalFrame frame(target, space_);
  const double radius = Norm(target);
  const auto holds = [&](std::uint32_t cell) {
    search.corners.clear();
    for (const std::uint32_t corner : Cell(cell)) {
      const Point3 local = frame(places_[corner]);
      if (space_ != Space::Sphere) {
        search.corners.push_back({local.x, local.y});
        continue;
      }
      const double height = local.z + radius;  // above the plane through the sphere's centre
      if (!(height > 0.05 * radius)) return false;
      search.corners.push_back({local.x / height, local.y / height});
    }
    search.weights.resize(search.corners.size());
    return CellCoordinates(search.corners, search.weights);
  };
  const auto found = std::ranges::find_if(search.candidates, holds);
  if (found == search.candidates.end()) return false;
  const std::span<const std::uint32_t> cell = Cell(*found);
  const std::span<const double> weights = search.weights;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (shared_.empty()) {
      row.push_back({cell[i], weights[i]});
      continue;
    }
    const std::vector<std::uint32_t>& members = shared_[cell[i]];
    for (const std::uint32_t member : members) {
      row.push_back({member, weights[i] / static_cast<double>(members.size())});
    }
  }
  std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.column < b.column; });
  return true;
}

SparseRows InterpolationMesh::Weights(std::span<const Point3> targets, std::size_t sources,
                                      const InterpolationMesh* other) const {
  RequireFinite(targets, "target");
  SparseRows rows(sources);
  rows.Reserve(targets.size(), 4 * targets.size());
  std::vector<SparseRows::Entry> row;
  Search search;
  for (const Point3& target : targets) {
    if (!Find(target, search, row) && other != nullptr) other->Find(target, search, row);
    rows.AddRow(row);
  }
  return rows;
}

}  // namespace openmi
