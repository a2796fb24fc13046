#include <fmt/format.h>

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/sobol.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <stdexcept>

#include "openmi/sdk/Error.hpp"
#include "study/design/Design.hpp"

namespace openmi {

std::vector<double> LatinHypercube(std::uint64_t count, std::size_t dimensions, std::uint64_t seed) {
  boost::random::mt19937_64 random(seed);
  boost::random::uniform_01<double> uniform;
  std::vector<double> points(count * dimensions);
  std::vector<std::uint64_t> parts(count);
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    for (std::uint64_t i = 0; i < count; ++i) parts[i] = i;
    for (std::uint64_t i = count; i > 1; --i) {
      const std::uint64_t other = boost::random::uniform_int_distribution<std::uint64_t>(0, i - 1)(random);
      std::swap(parts[i - 1], parts[other]);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      const double part = static_cast<double>(parts[i]);
      const double place = (part + uniform(random)) / static_cast<double>(count);
      // Rounding must not move a point into the next part.
      points[i * dimensions + dimension] =
          std::floor(place * static_cast<double>(count)) == part ? place : (part + 0.5) / static_cast<double>(count);
    }
  }
  return points;
}

std::vector<double> SobolPoints(std::uint64_t count, std::size_t dimensions, std::uint64_t seed) {
  constexpr double kScale = 1.0 / 9007199254740992.0;  // 2^-53: the low bits of a number do not fit into a double
  std::vector<std::uint64_t> shift(dimensions, 0);
  if (seed != 0) {
    boost::random::mt19937_64 random(seed);
    for (std::uint64_t& one : shift) one = random();
  }
  std::vector<double> points(count * dimensions);
  try {
    boost::random::sobol sequence(dimensions);
    // The generator leaves out the point of zeros, which is the first.
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::uint64_t number = i < dimensions ? 0 : sequence();
      points[i] = static_cast<double>((number ^ shift[i % dimensions]) >> 11) * kScale;
    }
  } catch (const std::exception& error) {
    throw RangeError(
        {}, fmt::format("expected fewer dimensions for a Sobol sequence, found {} ({})", dimensions, error.what()),
        "use a Latin hypercube");
  }
  return points;
}

std::vector<double> SaltelliPoints(std::uint64_t base, std::size_t dimensions, std::uint64_t seed) {
  const std::vector<double> pairs = SobolPoints(base, 2 * dimensions, seed);
  std::vector<double> points;
  points.reserve(base * (dimensions + 2) * dimensions);
  for (std::uint64_t i = 0; i < base; ++i) {
    const double* const a = pairs.data() + i * 2 * dimensions;
    const double* const b = a + dimensions;
    points.insert(points.end(), a, a + dimensions);
    points.insert(points.end(), b, b + dimensions);
    for (std::size_t changed = 0; changed < dimensions; ++changed) {
      for (std::size_t k = 0; k < dimensions; ++k) points.push_back(k == changed ? b[k] : a[k]);
    }
  }
  return points;
}

}  // namespace openmi
