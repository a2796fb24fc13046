#include "study/design/SobolIndices.hpp"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

constexpr std::size_t kResamples = 200;
constexpr double kNormal95 = 1.959963984540054;

/// The indices of the base points in `chosen`.
void Estimate(std::span<const double* const> chosen, std::size_t dimensions, std::span<double> first,
              std::span<double> total) {
  const double count = static_cast<double>(chosen.size());
  double mean = 0.0;
  for (const double* row : chosen) mean += row[0] + row[1];
  mean /= 2.0 * count;
  double variance = 0.0;
  for (const double* row : chosen) variance += (row[0] - mean) * (row[0] - mean) + (row[1] - mean) * (row[1] - mean);
  variance /= 2.0 * count - 1.0;
  for (std::size_t k = 0; k < dimensions; ++k) {
    double product = 0.0;
    double square = 0.0;
    for (const double* row : chosen) {
      const double changed = row[2 + k];
      product += (row[1] - mean) * (changed - row[0]);
      square += (row[0] - changed) * (row[0] - changed);
    }
    first[k] = variance > 0.0 ? product / count / variance : kNotANumber;
    total[k] = variance > 0.0 ? square / (2.0 * count) / variance : kNotANumber;
  }
}

/// Running mean and variance.
struct Spread {
  double sum = 0.0;
  double squares = 0.0;
  void Add(double value) {
    sum += value;
    squares += value * value;
  }
  double Deviation(double count) const {
    const double mean = sum / count;
    return std::sqrt(std::max(0.0, squares / count - mean * mean) * count / (count - 1.0));
  }
};

}  // namespace

std::vector<SobolPair> ComputeSobolIndices(std::span<const double> results, std::size_t dimensions,
                                           std::uint64_t seed) {
  const std::size_t width = dimensions + 2;
  std::vector<const double*> rows;
  for (std::size_t begin = 0; begin + width <= results.size(); begin += width) {
    const auto row = results.subspan(begin, width);
    if (std::ranges::all_of(row, [](double value) { return std::isfinite(value); })) rows.push_back(row.data());
  }
  std::vector<SobolPair> pairs(dimensions);
  std::vector<double> first(dimensions, kNotANumber);
  std::vector<double> total(dimensions, kNotANumber);
  if (rows.size() >= 2) Estimate(rows, dimensions, first, total);
  for (std::size_t k = 0; k < dimensions; ++k) pairs[k] = {{first[k], kNotANumber}, {total[k], kNotANumber}};
  if (rows.size() < 2) return pairs;
  boost::random::mt19937_64 random(seed);
  boost::random::uniform_int_distribution<std::size_t> any(0, rows.size() - 1);
  std::vector<Spread> firsts(dimensions);
  std::vector<Spread> totals(dimensions);
  std::vector<const double*> sample(rows.size());
  for (std::size_t resample = 0; resample < kResamples; ++resample) {
    for (const double*& row : sample) row = rows[any(random)];
    Estimate(sample, dimensions, first, total);
    for (std::size_t k = 0; k < dimensions; ++k) {
      firsts[k].Add(first[k]);
      totals[k].Add(total[k]);
    }
  }
  const double count = static_cast<double>(kResamples);
  for (std::size_t k = 0; k < dimensions; ++k) {
    pairs[k].first.error = kNormal95 * firsts[k].Deviation(count);
    pairs[k].total.error = kNormal95 * totals[k].Deviation(count);
  }
  return pairs;
}

}  // namespace openmi
