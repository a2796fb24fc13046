#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// What a missing source does to the targets in which it has a weight.
enum class MissingSources {
  Propagate,   ///< the target is missing
  Renormalise  ///< weights of sources with values are multiplied by (sum of all weights) / (sum of weights of sources
               ///< with values)
};

/// What the targets get that no source reaches.
enum class UntouchedTargets {
  Missing,  ///< the missing value
  Fill,     ///< a given value
  Keep      ///< the value that the output held before
};

/// How `SparseRows::Apply` treats missing values and targets without a source.
struct ApplyOptions {
  double missing = kNotANumber;  ///< the value that means "no value", in source and target; NaN is missing, too
  MissingSources sources = MissingSources::Propagate;
  UntouchedTargets untouched = UntouchedTargets::Missing;
  double fill = 0.0;  ///< for `UntouchedTargets::Fill`
};

/// A sparse matrix of weights, target x source, stored row by row (CSR): values at targets = weights * values at
/// sources.
///
/// Columns are sorted only if they were added in that order; a column occurs at most once in a row. Weights of exactly
/// 0 are not stored, so that a source without a part in a target cannot spoil it. 12 bytes a weight, 4 bytes a row.
///
/// Source: [Saad2003], sec. 3.4, compressed sparse row.
class SparseRows {
 public:
  /// One weight of a row.
  struct Entry {
    std::uint32_t column;
    double weight;
  };

  SparseRows() = default;
  /// Makes a matrix without rows.
  /// \throws RangeError  more than 2^32 - 1 columns
  explicit SparseRows(std::size_t columns);
  /// Takes over complete arrays, as read from a file.
  /// \param columns  the number of columns
  /// \param starts  shape [rows + 1], first 0, never falling, last the number of weights
  /// \param column_of  the column of each weight
  /// \param weights  same shape as `column_of`
  /// \throws RangeError  the arrays do not fit each other, or a column is not below `columns`
  SparseRows(std::size_t columns, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> column_of,
             std::vector<double> weights);

  /// Reserves memory, so that adding rows does not copy.
  void Reserve(std::size_t rows, std::size_t weights);
  /// Adds the next row.
  /// \throws RangeError  a column is not below `Columns()`, or more than 2^32 - 1 weights
  void AddRow(std::span<const Entry> entries);
  /// Adds the next row from entries sorted by column; those of one column are added up.
  void AddSummed(std::span<const Entry> entries);
  /// Adds one weight to the row that the next `EndRow` closes.
  void Add(std::uint32_t column, double weight);
  /// Closes the row, which may be empty.
  /// \throws RangeError  more than 2^32 - 1 weights
  void EndRow();
  /// Joins the rows of several matrices with the same number of columns, in their order; the parts are empty
  /// afterwards.
  static SparseRows Joined(std::span<SparseRows> parts, Crew& crew);

  std::size_t Rows() const { return starts_.size() - 1; }
  std::size_t Columns() const { return columns_; }
  /// The number of weights in all rows.
  std::size_t WeightCount() const { return weights_.size(); }
  /// The columns of a row's weights.
  std::span<const std::uint32_t> ColumnsOf(std::size_t row) const;
  /// The weights of a row; same shape as `ColumnsOf`.
  std::span<const double> WeightsOf(std::size_t row) const;
  /// The arrays themselves, for files.
  std::span<const std::uint32_t> Starts() const { return starts_; }
  std::span<const std::uint32_t> AllColumns() const { return column_of_; }
  std::span<const double> AllWeights() const { return weights_; }

  /// Computes targets = weights * sources.
  /// \param source  shape [columns]
  /// \param target  shape [rows]; disjoint from `source`
  /// \param options  what happens to missing values and to targets without a source
  /// \note  An infinite value counts as a number. No allocation; linear in weights and rows.
  void Apply(std::span<const double> source, std::span<double> target, const ApplyOptions& options = {}) const;
  /// Computes the same values, bit for bit, with the threads of a crew.
  void Apply(std::span<const double> source, std::span<double> target, const ApplyOptions& options, Crew& crew) const;

  /// Sum of the weights of each row; shape [rows].
  std::vector<double> RowSums() const;
  /// Sum of the weights of each column; shape [columns].
  std::vector<double> ColumnSums() const;
  /// The rows without any weight, rising: targets that no source reaches.
  std::vector<std::size_t> UntouchedRows() const;

  /// Divides each row by its number; shape [rows]. Rows without weights stay unchanged.
  void DivideRows(std::span<const double> by);
  /// Divides each column by its number; shape [columns]. Columns without weights stay unchanged.
  void DivideColumns(std::span<const double> by);

 private:
  void ApplyPlain(std::size_t first, std::size_t last, std::span<const double> source, std::span<double> target,
                  const ApplyOptions& options) const;
  void ApplyMasked(std::size_t first, std::size_t last, std::span<const double> source, std::span<double> target,
                   const ApplyOptions& options) const;
  void ApplyShare(Crew::Share share, std::span<const double> source, std::span<double> target,
                  const ApplyOptions& options) const;

  std::size_t columns_ = 0;
  std::vector<std::uint32_t> starts_{0};
  std::vector<std::uint32_t> column_of_;
  std::vector<double> weights_;
};

}  // namespace openmi
