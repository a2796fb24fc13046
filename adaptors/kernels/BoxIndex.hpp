#pragma once

#include <optional>
#include <span>
#include <utility>

#include "adaptors/kernels/BoxGrid.hpp"
#include "adaptors/kernels/BoxTree.hpp"

namespace openmi {

/// An index over rectangles or points: which ones overlap a rectangle, which ones lie near a place. A grid where they
/// are spread evenly, a tree where they are not; n log n for any arrangement. May be asked from several threads at
/// once.
class BoxIndex {
 public:
  /// \param boxes  finite, at most 2^32 - 1; copied
  /// \param crew   who builds it; the caller alone if left out
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
