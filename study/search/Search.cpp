#include "study/search/Search.hpp"

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/seed_seq.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "study/design/Design.hpp"

namespace openmi {
namespace {

using Generator = boost::random::mt19937_64;

/// The random numbers of one point.
Generator GeneratorOf(std::uint64_t seed, std::uint64_t number) {
  const auto low = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
  boost::random::seed_seq sequence({low(seed), low(seed >> 32), low(number), low(number >> 32)});
  return Generator(sequence);
}

/// Reflects a number at the ends of [0, 1]; beyond the other end, the end itself.
double Reflected(double value) {
  if (value < 0.0) return -value > 1.0 ? 0.0 : -value;
  if (value > 1.0) return 2.0 - value < 0.0 ? 1.0 : 2.0 - value;
  return value;
}

}  // namespace

void Search::Take(double cost) {
  if (!std::isfinite(cost)) cost = std::numeric_limits<double>::infinity();
  Learn(taken_, cost);
  if (cost < best_cost_) {
    best_ = taken_;
    best_cost_ = cost;
  }
  ++taken_;
}

DdsSearch::DdsSearch(std::size_t dimensions, std::uint64_t budget, std::uint64_t seed)
    : dimensions_(dimensions),
      budget_(budget),
      seed_(seed),
      starts_(
          std::max<std::uint64_t>(5, static_cast<std::uint64_t>(std::lround(0.005 * static_cast<double>(budget))))) {}

std::optional<std::vector<double>> DdsSearch::Point(std::uint64_t number) const {
  Generator random = GeneratorOf(seed_, number);
  boost::random::uniform_01<double> uniform;
  if (number < starts_ || best_point_.empty()) {
    if (number >= starts_ && Taken() < starts_) return std::nullopt;
    std::vector<double> point(dimensions_);
    for (double& one : point) one = uniform(random);
    return point;
  }
  // The share of dimensions that are changed falls from 1 to 0 over the budget.
  const double step = static_cast<double>(number - starts_ + 1);
  const double steps = static_cast<double>(std::max<std::uint64_t>(budget_ - std::min(starts_, budget_), 2));
  const double share = 1.0 - std::log(step) / std::log(steps);
  constexpr double kRange = 0.2;
  boost::random::normal_distribution<double> normal;
  std::vector<double> point = best_point_;
  bool is_changed = false;
  const auto change = [&](std::size_t k) { point[k] = Reflected(point[k] + kRange * normal(random)); };
  for (std::size_t k = 0; k < dimensions_; ++k) {
    if (uniform(random) >= share) continue;
    change(k);
    is_changed = true;
  }
  if (!is_changed) change(boost::random::uniform_int_distribution<std::size_t>(0, dimensions_ - 1)(random));
  return point;
}

void DdsSearch::Learn(std::uint64_t number, double cost) {
  // An equal cost is taken, too ([Tolson2007], step 5), so that the search crosses plains.
  if (std::isfinite(cost) && cost <= BestCost())
    best_point_ = *Point(number);  // before the best point changes: it was made from the earlier one
}

DifferentialEvolution::DifferentialEvolution(std::size_t dimensions, std::size_t population, std::uint64_t seed)
    : dimensions_(dimensions), population_(std::max<std::size_t>(population, 4)), seed_(seed) {}

std::optional<std::vector<double>> DifferentialEvolution::Point(std::uint64_t number) const {
  const std::uint64_t generation = number / population_;
  const std::size_t index = number % population_;
  if (generation == 0) {
    const std::vector<double> all = LatinHypercube(population_, dimensions_, seed_);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(index * dimensions_);
    return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(dimensions_));
  }
  // The members of a generation follow from the one before, which has to be complete.
  if (Taken() < generation * population_ || Taken() > number) return std::nullopt;
  Generator common = GeneratorOf(seed_, generation * population_ | (std::uint64_t{1} << 63));
  const double factor = 0.5 + 0.5 * boost::random::uniform_01<double>()(common);
  constexpr double kCrossover = 0.7;
  Generator random = GeneratorOf(seed_, number);
  boost::random::uniform_01<double> uniform;
  boost::random::uniform_int_distribution<std::size_t> any(0, population_ - 1);
  const auto another = [&](std::initializer_list<std::size_t> others) {
    std::size_t one = any(random);
    while (std::ranges::find(others, one) != others.end()) one = any(random);
    return one;
  };
  const auto best = static_cast<std::size_t>(std::ranges::min_element(costs_) - costs_.begin());
  const std::size_t first = another({index});
  const std::size_t second = another({index, first});
  const std::size_t forced = boost::random::uniform_int_distribution<std::size_t>(0, dimensions_ - 1)(random);
  std::vector<double> point = points_[index];
  for (std::size_t k = 0; k < dimensions_; ++k) {
    const double draw = uniform(random);
    if (draw >= kCrossover && k != forced) continue;
    const double value = points_[best][k] + factor * (points_[first][k] - points_[second][k]);
    point[k] = value >= 0.0 && value <= 1.0 ? value : uniform(random);
  }
  return point;
}

void DifferentialEvolution::Learn(std::uint64_t number, double cost) {
  const std::size_t index = number % population_;
  std::vector<double> point = *Point(number);
  if (number >= population_ && cost > costs_[index]) {  // the earlier one stays
    next_points_.push_back(points_[index]);
    next_costs_.push_back(costs_[index]);
  } else {
    next_points_.push_back(std::move(point));
    next_costs_.push_back(cost);
  }
  if (index + 1 < population_) return;
  points_ = std::move(next_points_);
  costs_ = std::move(next_costs_);
  next_points_.clear();
  next_costs_.clear();
}

std::unique_ptr<Search> MakeSearch(const StudyFile& study) {
  const CalibrateSpec& calibrate = *study.calibrate;
  const std::size_t dimensions = study.varies.size();
  if (calibrate.method == SearchMethod::Dds) {
    return std::make_unique<DdsSearch>(dimensions, calibrate.budget, calibrate.seed);
  }
  const std::size_t population =
      calibrate.population > 0 ? static_cast<std::size_t>(calibrate.population) : 10 * dimensions;
  return std::make_unique<DifferentialEvolution>(dimensions, population, calibrate.seed);
}

}  // namespace openmi
