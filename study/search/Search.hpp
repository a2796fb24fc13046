#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "study/model/StudyFile.hpp"

namespace openmi {

/// A search for the point of a unit cube with the lowest cost.
///
/// Points are numbered. Each is a function of the seed, its number and the costs of the points before it, so that the
/// search is the same however many points are computed at a time.
class Search {
 public:
  virtual ~Search() = default;

  /// A point, as the costs so far give it; a guess if costs of earlier points are still to come.
  /// \returns numbers from 0 to 1; nothing if there is no guess yet
  virtual std::optional<std::vector<double>> Point(std::uint64_t number) const = 0;
  /// Takes the cost of the next point in order; NaN: it could not be computed.
  void Take(double cost);
  /// How many costs were taken: the number of the first point that is not known yet.
  std::uint64_t Taken() const { return taken_; }
  /// The number of the best point so far; nothing before the first finite cost.
  std::optional<std::uint64_t> Best() const { return best_; }
  double BestCost() const { return best_cost_; }

 protected:
  /// Takes the cost of point `number`, infinite if it could not be computed; called before `Taken` counts it.
  virtual void Learn(std::uint64_t number, double cost) = 0;

 private:
  std::uint64_t taken_ = 0;
  std::optional<std::uint64_t> best_;
  double best_cost_ = std::numeric_limits<double>::infinity();
};

/// Dynamically dimensioned search: changes the best point in ever fewer dimensions, by steps of a normal distribution
/// of 0.2 of the range.
///
/// Starts with the larger of 5 points and 0.5 % of the budget, drawn at random.
///
/// Source: [Tolson2007].
class DdsSearch final : public Search {
 public:
  DdsSearch(std::size_t dimensions, std::uint64_t budget, std::uint64_t seed);
  std::optional<std::vector<double>> Point(std::uint64_t number) const override;

 private:
  void Learn(std::uint64_t number, double cost) override;

  std::size_t dimensions_;
  std::uint64_t budget_;
  std::uint64_t seed_;
  std::uint64_t starts_;
  std::vector<double> best_point_;
};

/// Differential evolution, "best/1/bin" with a factor drawn from 0.5 to 1 in each generation and a crossover of 0.7;
/// the first generation is a Latin hypercube. A generation is chosen from as a whole, so that its points can be
/// computed side by side.
///
/// Source: [StornPrice1997].
class DifferentialEvolution final : public Search {
 public:
  DifferentialEvolution(std::size_t dimensions, std::size_t population, std::uint64_t seed);
  std::optional<std::vector<double>> Point(std::uint64_t number) const override;

 private:
  void Learn(std::uint64_t number, double cost) override;

  std::size_t dimensions_;
  std::size_t population_;
  std::uint64_t seed_;
  std::vector<std::vector<double>> points_;  // of the present generation
  std::vector<double> costs_;
  std::vector<std::vector<double>> next_points_;
  std::vector<double> next_costs_;
};

/// The search of a study with a Calibrate.
/// \pre  study.calibrate
std::unique_ptr<Search> MakeSearch(const StudyFile& study);

}  // namespace openmi
