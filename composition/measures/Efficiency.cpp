#include "composition/measures/Efficiency.hpp"

#include <cmath>
#include <numeric>
#include <span>

#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

constexpr double kEpsilonPerMean = 0.01;

double Sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double Mean(std::span<const double> values) {
  return Sum(values) / static_cast<double>(values.size());
}

double SquaresAround(std::span<const double> values, double centre) {
  double squares = 0.0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return squares;
}

double SquaredDistance(std::span<const double> first, std::span<const double> second) {
  double squares = 0.0;
  for (std::size_t i = 0; i < first.size(); ++i) squares += (first[i] - second[i]) * (first[i] - second[i]);
  return squares;
}

double Ratio(double numerator, double denominator) {
  return denominator == 0.0 ? kNotANumber : numerator / denominator;
}

}  // namespace

double NashSutcliffe(const PairedValues& pairs) {
  if (pairs.observed.size() < 2) return kNotANumber;
  const double variation = SquaresAround(pairs.observed, Mean(pairs.observed));
  return 1.0 - Ratio(SquaredDistance(pairs.observed, pairs.simulated), variation);
}

KlingGupta KlingGuptaEfficiency(const PairedValues& pairs) {
  KlingGupta result;
  if (pairs.observed.size() < 2) return result;
  const double mean_observed = Mean(pairs.observed);
  const double mean_simulated = Mean(pairs.simulated);
  const double squares_observed = SquaresAround(pairs.observed, mean_observed);
  const double squares_simulated = SquaresAround(pairs.simulated, mean_simulated);
  double products = 0.0;
  for (std::size_t i = 0; i < pairs.observed.size(); ++i) {
    products += (pairs.observed[i] - mean_observed) * (pairs.simulated[i] - mean_simulated);
  }
  result.correlation = Ratio(products, std::sqrt(squares_observed) * std::sqrt(squares_simulated));
  result.variability = std::sqrt(Ratio(squares_simulated, squares_observed));
  result.bias = Ratio(mean_simulated, mean_observed);
  result.efficiency = 1.0 - std::hypot(result.correlation - 1.0, result.variability - 1.0, result.bias - 1.0);
  return result;
}

LogEfficiency LogNashSutcliffe(const PairedValues& pairs) {
  LogEfficiency result;
  if (pairs.observed.empty()) return result;
  result.epsilon = kEpsilonPerMean * Mean(pairs.observed);
  PairedValues logarithms;
  for (std::size_t i = 0; i < pairs.observed.size(); ++i) {
    const double observed = pairs.observed[i] + result.epsilon;
    const double simulated = pairs.simulated[i] + result.epsilon;
    if (observed > 0.0 && simulated > 0.0) {
      logarithms.observed.push_back(std::log(observed));
      logarithms.simulated.push_back(std::log(simulated));
    } else {
      ++result.left_out;
    }
  }
  result.efficiency = NashSutcliffe(logarithms);
  return result;
}

double VolumeError(const PairedValues& pairs) {
  const double observed = Sum(pairs.observed);
  return Ratio(Sum(pairs.simulated) - observed, observed);
}

double RootMeanSquareError(const PairedValues& pairs) {
  return std::sqrt(Ratio(SquaredDistance(pairs.observed, pairs.simulated), static_cast<double>(pairs.observed.size())));
}

double MeanBias(const PairedValues& pairs) {
  return Ratio(Sum(pairs.simulated) - Sum(pairs.observed), static_cast<double>(pairs.observed.size()));
}

}  // namespace openmi
