#pragma once

#include <optional>
#include <span>
#include <utility>

#include "adaptors/kernels/BoxGrid.hpp"
#include "adaptors/kernels/BoxTree.hpp"

namespace openmi {

/// An index over rectangles or points that finds those that overlap a rectangle and those near a place.
///
/// It is a grid where the items are spread evenly, else a tree: n log n for any arrangement. Several threads may use it
/// at once.
///
/// Source: [BentleyFriedman1979], cells, for the grid (`BoxGrid`); [Guttman1984] for the tree (`BoxTree`).
class BoxIndex {
 public:
  /// \param boxes  finite, at most 2^32 - 1; copied
  /// \param crew  the threads that build the index; without it, the calling thread alone
  explicit BoxIndex(std::span<const Box> boxes, Crew& crew) : grid_(BoxGrid::TryMake(boxes, crew)) {
    if (!grid_) tree_.emplace(boxes);
  }
  explicit BoxIndex(std::span<const Box> boxes) {
    Crew alone;
    *this = BoxIndex(boxes, alone);
  }

  /// As `BoxTree::Overlapping`.
  template <typename Visit>
  void Overlapping(const Box& box, Visit&& visit) const {
    grid_ ? grid_->Overlapping(box, std::forward<Visit>(visit)) : tree_->Overlapping(box, std::forward<Visit>(visit));
  }

  /// As `BoxTree::Near`.
  template <typename Limit, typename Visit>
  void Near(Point p, Limit&& limit, Visit&& visit) const {
    grid_ ? grid_->Near(p, std::forward<Limit>(limit), std::forward<Visit>(visit))
          : tree_->Near(p, std::forward<Limit>(limit), std::forward<Visit>(visit));
  }

 private:
  std::optional<BoxGrid> grid_;
  std::optional<BoxTree> tree_;
};

}  // namespace openmi
