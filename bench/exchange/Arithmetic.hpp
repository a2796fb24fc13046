#pragma once

#include <span>

/// The arithmetic of the exchange benchmark, compiled once into each side with the same flags.
namespace exchange {

/// What the provider computes in a step: a straight ramp that moves with the step.
inline void Produce(double level, std::span<double> row) {
  double* __restrict out = row.data();
  const std::size_t count = row.size();
  for (std::size_t i = 0; i < count; ++i) out[i] = level + 1e-3 * static_cast<double>(i);
}

/// What the consumer does with the values it was given.
inline double Consume(std::span<const double> row) {
  double sums[8] = {};
  const double* in = row.data();
  const std::size_t whole = row.size() / 8 * 8;
  for (std::size_t i = 0; i < whole; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += in[i + k];
  }
  double sum = 0.0;
  for (std::size_t i = whole; i < row.size(); ++i) sum += in[i];
  for (double part : sums) sum += part;
  return sum;
}

}  // namespace exchange
