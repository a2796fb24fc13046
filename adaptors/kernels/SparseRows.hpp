#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "adaptors/kernels/Crew.hpp"
#include "adaptors/kernels/Missing.hpp"

namespace openmi {

/// What a missing source does to the targets that it has a weight in.
enum class MissingSources {
  Propagate,   ///< the target is missing
  Renormalise  ///< the sources that are there stand in for it: times (sum of all weights) / (sum of those there)
};

/// What becomes of targets that no source reaches.
enum class UntouchedTargets {
  Missing,  ///< the missing value
  Fill,     ///< a given value
  Keep      ///< whatever the output held before
};

struct ApplyOptions {
  double missing = kNotANumber;  ///< the value that means "no value", in source and target; NaN is missing, too
  MissingSources sources = MissingSources::Propagate;
  UntouchedTargets untouched = UntouchedTargets::Missing;
  double fill = 0.0;  ///< for `UntouchedTargets::Fill`
};

/// A sparse matrix of weights, target x source, kept row by row (CSR): values at targets = weights * values at sources.
///
/// Columns are not sorted unless the maker sorted them; a column stands once in a row at most. Weights of exactly 0 are
/// not kept, so that a source without a part in a target cannot spoil it. 12 bytes a weight, 4 bytes a row.
class SparseRows {
 public:
  struct Entry {
    std::uint32_t column;
    double weight;
  };

  SparseRows() = default;
  /// No rows yet.
  /// \throws RangeError  more than 2^32 - 1 columns
  explicit SparseRows(std::size_t columns);
  /// Takes finished arrays over, as read from a file.
  /// \param starts   shape [rows + 1], first 0, never falling, last the number of weights
  /// \throws RangeError  the arrays do not fit each other, or a column is not below `columns`
  SparseRows(std::size_t columns, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> column_of,
             std::vector<double> weights);

  /// Makes room, so that adding does not copy.
  void Reserve(std::size_t rows, std::size_t weights);
  /// Adds the next row.
  /// \throws RangeError  a column that is not there, or more than 2^32 - 1 weights
  void AddRow(std::span<const Entry> entries);
  /// Adds one weight to the row that `EndRow` will close.
  void Add(std::uint32_t column, double weight);
  void EndRow();
  /// The rows of several matrices with as many columns, one below the other; the parts are empty afterwards.
  static SparseRows Joined(std::span<SparseRows> parts, Crew& crew);

  std::size_t Rows() const { return starts_.size() - 1; }
  std::size_t Columns() const { return columns_; }
  std::size_t WeightCount() const { return weights_.size(); }
  std::span<const std::uint32_t> ColumnsOf(std::size_t row) const;
  std::span<const double> WeightsOf(std::size_t row) const;
  /// The arrays themselves, for files.
  std::span<const std::uint32_t> Starts() const { return starts_; }
  std::span<const std::uint32_t> AllColumns() const { return column_of_; }
  std::span<const double> AllWeights() const { return weights_; }

  /// Targets = weights * sources.
  /// \param source   shape [columns]
  /// \param target   shape [rows]; disjoint from `source`
  /// \pre   sizes as said
  /// \note  An infinite value counts as a number. No allocation; linear in weights and rows.
  void Apply(std::span<const double> source, std::span<double> target, const ApplyOptions& options = {}) const;
  /// The same, each thread of a crew making a share of the targets; bit for bit the same values.
  void Apply(std::span<const double> source, std::span<double> target, const ApplyOptions& options, Crew& crew) const;

  /// Sum of the weights of each row; shape [rows].
  std::vector<double> RowSums() const;
  /// Sum of the weights of each column; shape [columns].
  std::vector<double> ColumnSums() const;
  /// Rows without any weight, rising: targets that no source reaches.
  std::vector<std::size_t> UntouchedRows() const;
  /// Columns without any weight, rising: sources that nothing is taken from.
  std::vector<std::size_t> UntouchedColumns() const;

  /// Divides each row by its number; shape [rows]; rows without weights are left alone.
  void DivideRows(std::span<const double> by);
  /// Divides each column by its number; shape [columns]; columns without weights are left alone.
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
