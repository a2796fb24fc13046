#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"

// Of SUNDIALS.
struct _generic_SUNLinearSolver;  // NOLINT(bugprone-reserved-identifier)
struct _SUNContext;               // NOLINT(bugprone-reserved-identifier)

namespace openmi::fmi {

/// A linear solver of SUNDIALS for matrices of SUNSparseMatrix in compressed columns: LU of Eigen, with columns that
/// were ordered once (COLAMD).
///
/// The pattern may change between factorizations; then the columns are ordered again. Free it with SUNLinSolFree.
/// \returns null: no memory
_generic_SUNLinearSolver* MakeSparseLinearSolver(_SUNContext* context);

/// The non-zero elements of the Jacobian of an FMU, df_i / dx_j, and groups of columns that are computed together.
///
/// The pattern is what the model structure declares: derivative i depends on state j. The diagonal always belongs to
/// it. Columns of one group share no row, so that one evaluation with all their states changed gives all of them.
///
/// Source: FMI 2.0.4, 2.2.8, and FMI 3.0.2, 2.4.8 (dependencies); [Curtis1974] (groups of columns).
class SparseJacobian {
 public:
  /// The pattern of an FMU.
  /// \param most_share  largest number of elements, as a share of all states by all states
  /// \returns nothing if a derivative declares no dependencies, if a state is an array, or if there are more elements
  static std::optional<SparseJacobian> Of(const ModelDescription& description, double most_share);

  std::size_t Size() const { return starts_.size() - 1; }
  std::size_t Count() const { return rows_.size(); }
  std::size_t Groups() const { return group_starts_.size() - 1; }
  /// Where each column starts in Rows, and the end; shape [states + 1].
  std::span<const std::int64_t> Starts() const { return starts_; }
  /// The rows of all columns, ascending within each; shape [elements].
  std::span<const std::int64_t> Rows() const { return rows_; }

  /// Computes all elements.
  /// \param column_sum  receives columns of a group, and gives the sum of these columns of the Jacobian at the rows that
  ///   they have, in `out`; shape [states]
  /// \param values      receives the elements, as Rows; shape [elements]
  void Evaluate(const std::function<void(std::span<const std::uint32_t> columns, std::span<double> out)>& column_sum,
                std::span<double> values);

 private:
  void MakeGroups();

  std::vector<std::int64_t> starts_ = {0};
  std::vector<std::int64_t> rows_;
  std::vector<std::uint32_t> grouped_;  // columns, by group
  std::vector<std::size_t> group_starts_ = {0};
  std::vector<double> sum_;
};

}  // namespace openmi::fmi
