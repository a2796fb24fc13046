// Small problems solved by hand, and columns that say nothing new.

#include <cmath>
#include <vector>

#include "composition/loops/LeastSquares.hpp"

namespace openmi {
namespace {

using Columns = std::vector<std::vector<double>>;
using Vector = std::vector<double>;

const Vector kOnes(4, 1.0);

TEST(LeastSquares, FitsALine) {
  // The line through (0, 1), (1, 3), (2, 5), (3, 9): normal equations give 1.3 + ... b = 2.6 x + 0.6.
  LeastSquares solver(1e-12);
  const Columns columns{{1.0, 1.0, 1.0, 1.0}, {0.0, 1.0, 2.0, 3.0}};
  const Vector minus{-1.0, -3.0, -5.0, -9.0};
  const auto c = solver.Solve(columns, kOnes, minus);
  EXPECT_NEAR(c[0], 0.6, 1e-14);
  EXPECT_NEAR(c[1], 2.6, 1e-14);
}

TEST(LeastSquares, LeavesOutWhatDependsOnEarlierColumns) {
  LeastSquares solver(1e-8);
  const Columns columns{{1.0, 0.0, 0.0, 0.0}, {2.0, 1e-10, 0.0, 0.0}, {1.0, 1.0, 0.0, 0.0}};
  const Vector right{3.0, 4.0, 5.0, 0.0};
  const auto c = solver.Solve(columns, kOnes, right);
  EXPECT_EQ(solver.LeftOut(), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(c[1], 0.0);
  EXPECT_NEAR(c[2], -4.0, 1e-14);
  EXPECT_NEAR(c[0], 1.0, 1e-14);
}

TEST(LeastSquares, LeavesOutZeroColumnsAndSurplusOnes) {
  LeastSquares solver(1e-8);
  const Vector ones(2, 1.0);
  const Columns columns{{0.0, 0.0}, {1.0, 1.0}, {1.0, -1.0}, {0.3, 0.7}};
  const auto c = solver.Solve(columns, ones, Vector{-3.0, -1.0});
  EXPECT_EQ(solver.LeftOut(), (std::vector<bool>{true, false, false, true}));
  EXPECT_NEAR(c[1], 2.0, 1e-15);
  EXPECT_NEAR(c[2], 1.0, 1e-15);
}

TEST(LeastSquares, StaysAccurateForNearlyParallelColumns) {
  // Laeuchli's matrix: plain normal equations lose everything here.
  const double tiny = 1e-7;
  LeastSquares solver(1e-12);
  const Columns columns{{1.0, tiny, 0.0, 0.0}, {1.0, 0.0, tiny, 0.0}, {1.0, 0.0, 0.0, tiny}};
  const Vector right{-6.0, -1.0 * tiny, -2.0 * tiny, -3.0 * tiny};
  const auto c = solver.Solve(columns, kOnes, right);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(c[i], 1.0 + static_cast<double>(i), 1e-7);
}

TEST(LeastSquares, WeighsRows) {
  LeastSquares solver(1e-12);
  const Columns columns{{1.0, 1.0}};
  const auto c = solver.Solve(columns, Vector{1.0, 3.0}, Vector{-1.0, -2.0});
  EXPECT_NEAR(c[0], (1.0 * 1.0 + 9.0 * 2.0) / 10.0, 1e-15);
}

}  // namespace
}  // namespace openmi
