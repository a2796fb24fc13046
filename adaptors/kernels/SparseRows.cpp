#include "adaptors/kernels/SparseRows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();

void CheckCount(std::size_t count, const char* what) {
  if (count > kMost) {
    throw RangeError({}, fmt::format("expected at most {} {} in a matrix of weights, found {}", kMost, what, count),
                     "split the element set");
  }
}

void SetUntouched(double& target, const ApplyOptions& options) {
  if (options.untouched == UntouchedTargets::Missing) target = options.missing;
  if (options.untouched == UntouchedTargets::Fill) target = options.fill;
}

bool IsPlain(const ApplyOptions& options) {
  return std::isnan(options.missing) && options.sources == MissingSources::Propagate;
}

}  // namespace

SparseRows::SparseRows(std::size_t columns) : columns_(columns) {
  CheckCount(columns, "sources");
}

SparseRows::SparseRows(std::size_t columns, std::vector<std::uint32_t> starts, std::vector<std::uint32_t> column_of,
                       std::vector<double> weights)
    : columns_(columns), starts_(std::move(starts)), column_of_(std::move(column_of)), weights_(std::move(weights)) {
  CheckCount(columns, "sources");
  if (starts_.empty() || starts_.front() != 0 || !std::is_sorted(starts_.begin(), starts_.end()) ||
      starts_.back() != weights_.size() || column_of_.size() != weights_.size()) {
    throw RangeError(
        {},
        fmt::format("expected row starts from 0 to {} weights, found {} starts up to {} for {} columns and {} weights",
                    weights_.size(), starts_.size(), starts_.empty() ? 0 : starts_.back(), column_of_.size(),
                    weights_.size()));
  }
  for (std::uint32_t column : column_of_) {
    if (column >= columns_) {
      throw RangeError({}, fmt::format("expected sources below {}, found a weight of source {}", columns_, column));
    }
  }
}

void SparseRows::Reserve(std::size_t rows, std::size_t weights) {
  starts_.reserve(rows + 1);
  column_of_.reserve(weights);
  weights_.reserve(weights);
}

void SparseRows::AddRow(std::span<const Entry> entries) {
  bool sound = true;
  for (const Entry& entry : entries) sound = sound && entry.column < columns_ && entry.weight != 0.0;
  if (!sound) {
    for (const Entry& entry : entries) Add(entry.column, entry.weight);
  } else {
    const std::size_t before = weights_.size();
    column_of_.resize(before + entries.size());
    weights_.resize(before + entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      column_of_[before + i] = entries[i].column;
      weights_[before + i] = entries[i].weight;
    }
  }
  EndRow();
}

void SparseRows::Add(std::uint32_t column, double weight) {
  if (column >= columns_) {
    throw RangeError({}, fmt::format("expected a source below {}, found {}", columns_, column));
  }
  if (weight == 0.0) return;
  column_of_.push_back(column);
  weights_.push_back(weight);
}

void SparseRows::AddSummed(std::span<const Entry> entries) {
  for (std::size_t i = 0; i < entries.size();) {
    double sum = 0.0;
    const std::uint32_t column = entries[i].column;
    for (; i < entries.size() && entries[i].column == column; ++i) sum += entries[i].weight;
    Add(column, sum);
  }
  EndRow();
}

void SparseRows::EndRow() {
  CheckCount(weights_.size(), "weights");
  starts_.push_back(static_cast<std::uint32_t>(weights_.size()));
}

SparseRows SparseRows::Joined(std::span<SparseRows> parts, Crew& crew) {
  if (parts.empty()) return {};
  SparseRows joined = std::move(parts.front());
  std::size_t weights = joined.weights_.size();
  for (const SparseRows& part : parts.subspan(1)) {
    if (part.columns_ != joined.columns_) {
      throw RangeError({}, fmt::format("expected rows over {} sources, found {}", joined.columns_, part.columns_));
    }
    weights += part.weights_.size();
  }
  CheckCount(weights, "weights");
  // One array after the other: if the first part has the capacity for all, only the copied rows are touched.
  const auto append = [&](auto member) {
    auto& all = joined.*member;
    for (SparseRows& part : parts.subspan(1)) {
      auto own = std::move(part.*member);
      all.insert(all.end(), own.begin(), own.end());
    }
  };
  crew.Run([&](std::size_t helper) {
    if (helper + 1 == crew.Size()) append(&SparseRows::weights_);
    if (helper != 0) return;
    append(&SparseRows::column_of_);
    for (SparseRows& part : parts.subspan(1)) {
      const std::uint32_t before = joined.starts_.back();
      for (std::size_t row = 1; row < part.starts_.size(); ++row) joined.starts_.push_back(before + part.starts_[row]);
      part.starts_.assign(1, 0);
    }
  });
  return joined;
}

std::span<const std::uint32_t> SparseRows::ColumnsOf(std::size_t row) const {
  return std::span(column_of_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
}

std::span<const double> SparseRows::WeightsOf(std::size_t row) const {
  return std::span(weights_).subspan(starts_[row], starts_[row + 1] - starts_[row]);
}

void SparseRows::Apply(std::span<const double> source, std::span<double> target, const ApplyOptions& options) const {
  ApplyShare({0, Rows()}, source, target, options);
}

void SparseRows::Apply(std::span<const double> source, std::span<double> target, const ApplyOptions& options,
                       Crew& crew) const {
  crew.Run([&](std::size_t part) { ApplyShare(crew.ShareOf(part, Rows()), source, target, options); });
}

void SparseRows::ApplyShare(Crew::Share share, std::span<const double> source, std::span<double> target,
                            const ApplyOptions& options) const {
  assert(source.size() == columns_ && target.size() == Rows());
  if (IsPlain(options)) {
    ApplyPlain(share.first, share.last, source, target, options);
  } else {
    ApplyMasked(share.first, share.last, source, target, options);
  }
}

// NaN is missing and must propagate; the sum does that without a test.
void SparseRows::ApplyPlain(std::size_t first, std::size_t last, std::span<const double> source,
                            std::span<double> target, const ApplyOptions& options) const {
  constexpr std::size_t kAhead = 128;
  const double* __restrict__ x = source.data();
  const double* __restrict__ weights = weights_.data();
  const std::uint32_t* __restrict__ columns = column_of_.data();
  double* __restrict__ y = target.data();
  std::uint32_t k = starts_[first];
  for (std::size_t row = first; row < last; ++row) {
    const std::uint32_t end = starts_[row + 1];
    if (k == end) {
      SetUntouched(y[row], options);
      continue;
    }
    // Prefetched some cache lines ahead: the loads of short rows are too few at a time to use the whole memory
    // bandwidth.
    __builtin_prefetch(weights + k + kAhead);
    __builtin_prefetch(columns + k + kAhead);
    double sum = 0.0;
    for (; k < end; ++k) sum += weights[k] * x[columns[k]];
    y[row] = sum;
  }
}

void SparseRows::ApplyMasked(std::size_t first, std::size_t last, std::span<const double> source,
                             std::span<double> target, const ApplyOptions& options) const {
  const bool renormalise = options.sources == MissingSources::Renormalise;
  for (std::size_t row = first; row < last; ++row) {
    const std::uint32_t begin = starts_[row];
    const std::uint32_t end = starts_[row + 1];
    if (begin == end) {
      SetUntouched(target[row], options);
      continue;
    }
    double sum = 0.0;
    double present = 0.0;
    double all = 0.0;
    bool gap = false;
    for (std::uint32_t k = begin; k < end; ++k) {
      const double value = source[column_of_[k]];
      all += weights_[k];
      if (IsMissing(value, options.missing)) {
        gap = true;
      } else {
        sum += weights_[k] * value;
        present += weights_[k];
      }
    }
    if (gap) sum = renormalise && present != 0.0 ? sum * (all / present) : options.missing;
    target[row] = sum == sum ? sum : options.missing;
  }
}

std::vector<double> SparseRows::RowSums() const {
  std::vector<double> sums(Rows(), 0.0);
  for (std::size_t row = 0; row < Rows(); ++row) {
    for (double weight : WeightsOf(row)) sums[row] += weight;
  }
  return sums;
}

std::vector<double> SparseRows::ColumnSums() const {
  std::vector<double> sums(columns_, 0.0);
  for (std::size_t k = 0; k < weights_.size(); ++k) sums[column_of_[k]] += weights_[k];
  return sums;
}

std::vector<std::size_t> SparseRows::UntouchedRows() const {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < Rows(); ++row) {
    if (starts_[row] == starts_[row + 1]) rows.push_back(row);
  }
  return rows;
}

void SparseRows::DivideRows(std::span<const double> by) {
  assert(by.size() == Rows());
  for (std::size_t row = 0; row < Rows(); ++row) {
    for (std::uint32_t k = starts_[row]; k < starts_[row + 1]; ++k) weights_[k] /= by[row];
  }
}

void SparseRows::DivideColumns(std::span<const double> by) {
  assert(by.size() == columns_);
  for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] /= by[column_of_[k]];
}

}  // namespace openmi
