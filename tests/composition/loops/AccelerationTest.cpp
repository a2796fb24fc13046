// Fixed-point problems whose solutions are known, and how many iterations they take.

#include <cmath>
#include <functional>
#include <vector>

#include "composition/loops/Acceleration.hpp"
#include "composition/loops/QuasiNewton.hpp"
#include "composition/loops/Relaxation.hpp"

namespace openmi {
namespace {

using Vector = std::vector<double>;
using Map = std::function<Vector(const Vector&)>;

/// Iterates until the residual is at most `limit`. \returns the number of calls of `map`; 1000 if it does not get there
int Iterate(IAcceleration& acceleration, const Map& map, Vector& x, double limit = 1e-12) {
  const Vector weights(x.size(), 1.0);
  acceleration.BeginStep(weights);
  for (int calls = 1; calls < 1000; ++calls) {
    const Vector answer = map(x);
    double largest = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::fmax(largest, std::fabs(answer[i] - x[i]));
    if (largest <= limit) {
      acceleration.EndStep();
      return calls;
    }
    if (!std::isfinite(largest)) return 1000;
    acceleration.Next(x, answer, x);
  }
  return 1000;
}

/// H(x) = A x + b with spectral radius 4 (eigenvalues -4 and 0.5), fixed point (1, 2).
Vector Stiff(const Vector& x) {
  return {-4.0 * (x[0] - 1.0) + 0.25 * (x[1] - 2.0) + 1.0, 0.5 * (x[1] - 2.0) + 2.0};
}

TEST(FixedPointIteration, ContractsByTheSlope) {
  ConstantRelaxation plain(1.0);
  Vector x{0.0};
  const Vector weights{1.0};
  plain.BeginStep(weights);
  for (int k = 0; k < 10; ++k) plain.Next(x, Vector{0.5 * x[0] + 1.0}, x);
  EXPECT_DOUBLE_EQ(x[0], 2.0 - 2.0 * std::pow(0.5, 10));
}

TEST(FixedPointIteration, DivergesWhereTheSlopeIsSteep) {
  ConstantRelaxation plain(1.0);
  Vector x{0.0, 0.0};
  EXPECT_EQ(Iterate(plain, Stiff, x), 1000);
}

TEST(Relaxation, WithTheRightFactorIsExactAtOnce) {
  ConstantRelaxation damped(0.2);  // 1 / (1 - slope) for the slope -4
  Vector x{7.0};
  EXPECT_EQ(Iterate(
                damped, [](const Vector& v) { return Vector{-4.0 * (v[0] - 1.0) + 1.0}; }, x),
            2);
  EXPECT_NEAR(x[0], 1.0, 1e-14);
}

TEST(Aitken, IsExactAfterTwoAnswersForOneLinearValue) {
  AitkenRelaxation aitken(0.5);
  Vector x{7.0};
  EXPECT_EQ(Iterate(
                aitken, [](const Vector& v) { return Vector{-4.0 * (v[0] - 1.0) + 1.0}; }, x),
            3);
  EXPECT_NEAR(aitken.Factor(), 0.2, 1e-12);
}

TEST(Aitken, ConvergesWhereTheFixedPointDiverges) {
  AitkenRelaxation aitken(0.1);
  Vector x{0.0, 0.0};
  EXPECT_LT(Iterate(aitken, Stiff, x), 60);
  EXPECT_NEAR(x[0], 1.0, 1e-10);
  EXPECT_NEAR(x[1], 2.0, 1e-10);
}

TEST(Aitken, BeginsAStepWithAtMostTheFirstFactor) {
  AitkenRelaxation aitken(0.1);
  Vector x{7.0};
  const auto steep = [](const Vector& v) { return Vector{-4.0 * (v[0] - 1.0) + 1.0}; };
  Iterate(aitken, steep, x);
  ASSERT_NEAR(aitken.Factor(), 0.2, 1e-12);
  const Vector weights{1.0};
  aitken.BeginStep(weights);
  Vector y{7.0};
  aitken.Next(y, steep(y), y);
  EXPECT_DOUBLE_EQ(aitken.Factor(), 0.1);
}

TEST(AndersonAcceleration, SolvesALinearProblemInAsManyDifferencesAsValues) {
  // n differences and the two answers around them: n + 2 calls at most (Walker and Ni 2011: as GMRES).
  for (const double mixing : {1.0, 0.5, 0.1}) {
    QuasiNewton anderson({.first_factor = mixing, .mixing = mixing});
    Vector x{0.0, 0.0};
    EXPECT_LE(Iterate(anderson, Stiff, x, 1e-11), 5) << mixing;
    EXPECT_NEAR(x[0], 1.0, 1e-10) << mixing;
    EXPECT_NEAR(x[1], 2.0, 1e-10) << mixing;
  }
}

TEST(QuasiNewton, KnowsALinearProblemFromTheStepsBefore) {
  QuasiNewton newton({.reused_steps = 2});
  Vector x{0.0, 0.0};
  const int first = Iterate(newton, Stiff, x, 1e-11);
  double shift = 0.0;
  const auto moved = [&shift](const Vector& v) { return Vector{Stiff(v)[0] + shift, Stiff(v)[1] - 0.3 * shift}; };
  shift = 2.5;
  const int second = Iterate(newton, moved, x, 1e-11);
  EXPECT_GE(first, 4);
  EXPECT_LE(second, 3);  // one answer to see the change, one to see that it is right (and one for rounding)
  QuasiNewton forgetful({.reused_steps = 0});
  Vector y{0.0, 0.0};
  shift = 0.0;
  Iterate(forgetful, Stiff, y, 1e-11);
  EXPECT_EQ(forgetful.Count(), 0U);
}

TEST(QuasiNewton, DropsTheOldestStepFirst) {
  QuasiNewton newton({.depth = 100, .reused_steps = 1});
  const Vector weights(8, 1.0);
  Vector x(8, 0.0);
  const auto turn = [](const Vector& v) {
    Vector out(v.size());
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = 0.9 * v[(i + 1) % v.size()] + static_cast<double>(i);
    return out;
  };
  for (int step = 0; step < 4; ++step) {
    newton.BeginStep(weights);
    for (int k = 0; k < 3; ++k) newton.Next(x, turn(x), x);
    newton.EndStep();
    EXPECT_EQ(newton.Count(), 2U) << step;  // three answers have two differences; only the last step is kept
    for (double& value : x) value += 1.0 + 0.1 * step;
  }
}

TEST(QuasiNewton, NeverUsesMoreDifferencesThanDepth) {
  QuasiNewton newton({.depth = 2});
  const Vector weights(4, 1.0);
  Vector x(4, 0.0);
  newton.BeginStep(weights);
  for (int k = 0; k < 6; ++k) {
    Vector answer(4);
    for (std::size_t i = 0; i < 4; ++i) answer[i] = std::cos(x[(i + 1) % 4] + static_cast<double>(i));
    newton.Next(x, answer, x);
    EXPECT_LE(newton.Count(), 2U);
  }
}

TEST(QuasiNewton, ConvergesOnANonlinearProblem) {
  QuasiNewton newton({.first_factor = 0.5});
  Vector x{0.5, 0.5, 0.5};
  const auto map = [](const Vector& v) {  // far from a contraction
    return Vector{3.0 * std::cos(v[1]), 2.0 * std::sin(v[2]) + 0.5, 1.0 - 1.5 * std::tanh(v[0])};
  };
  EXPECT_LT(Iterate(newton, map, x, 1e-11), 60);
  const Vector answer = map(x);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(answer[i], x[i], 1e-10);
}

TEST(QuasiNewton, StandsAnAnswerThatDoesNotChange) {
  QuasiNewton newton({});
  Vector x{1.0, 1.0};
  const Vector weights{1.0, 1.0};
  newton.BeginStep(weights);
  for (int k = 0; k < 5; ++k) {
    newton.Next(x, x, x);
    EXPECT_EQ(x, (Vector{1.0, 1.0}));
  }
}

TEST(Accelerations, AreMadeByName) {
  Vector x{0.0, 0.0};
  EXPECT_EQ(Iterate(*MakeAcceleration({.method = LoopMethod::FixedPoint}), Stiff, x), 1000);
  for (const LoopMethod method :
       {LoopMethod::Relaxation, LoopMethod::Aitken, LoopMethod::Anderson, LoopMethod::QuasiNewton}) {
    Vector y{0.0, 0.0};
    EXPECT_LT(Iterate(*MakeAcceleration({.method = method, .relaxation = 0.1}), Stiff, y, 1e-10), 600);
    EXPECT_NEAR(y[0], 1.0, 1e-8);
  }
}

}  // namespace
}  // namespace openmi
