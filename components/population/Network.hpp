#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace openmi::population {

/// A connection of one row to another: the output of `from` feeds the input of `to`, times `weight`.
struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
  double weight = 1.0;
};

/// The order in which the members of a population compute, so that each one follows those that feed it.
///
/// The order is cut into pieces of neighbours. A piece can start when those that it waits for are done; so threads take
/// pieces in their order and wait as little as the network allows, without a barrier for each level.
class StepOrder {
 public:
  /// \param edges   of all networks of the population
  /// \param pieces  the number of pieces wanted; at least 1
  /// \returns the order, and the rows of a cycle if there is one (the order is then empty)
  static std::pair<StepOrder, std::vector<std::size_t>> Of(std::size_t members, std::span<const Edge> edges,
                                                           std::size_t pieces);

  struct Piece {
    std::size_t begin = 0;  // in Members()
    std::size_t end = 0;
    std::vector<std::size_t> waits_for;  // earlier pieces
  };
  /// The members in their order; shape [members].
  std::span<const std::size_t> Members() const { return members_; }
  std::span<const Piece> Pieces() const { return pieces_; }

 private:
  std::vector<std::size_t> members_;
  std::vector<Piece> pieces_;
};

/// The edges that end at each row, in the order in which they were given.
class Upstream {
 public:
  Upstream() = default;
  Upstream(std::size_t rows, std::span<const Edge> edges);
  /// \returns pairs of row and weight
  std::span<const std::pair<std::size_t, double>> Of(std::size_t row) const {
    return std::span(sources_).subspan(begin_[row], begin_[row + 1] - begin_[row]);
  }
  /// The same for rows in another order, which lie one after the other in it.
  /// \returns what answers for a place in `rows`
  Upstream InOrder(std::span<const std::size_t> rows) const;

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::pair<std::size_t, double>> sources_;
};

}  // namespace openmi::population
