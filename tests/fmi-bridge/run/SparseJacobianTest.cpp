// Sparse Jacobians: their pattern, groups of columns, and runs that agree with those of other linear solvers.
#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/run/SparseJacobian.hpp"
#include "fmi-bridge/fmi/simulate/Simulation.hpp"
#include "tests/fmi-bridge/support/Reaction.h"
#include "tests/fmi-bridge/support/ReactionFolder.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::fmi {
namespace {

using testing::ElementsAre;

/// A description of scalar states: state j is variable j, and derivative i depends on the states in `rows[i]`.
ModelDescription Described(const std::vector<std::vector<Index>>& rows) {
  ModelDescription description;
  const auto size = static_cast<Index>(rows.size());
  description.variables.resize(2 * rows.size());
  for (Index i = 0; i < size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    description.variables[rows.size() + at].derivative_of = i;
    Unknown unknown{.variable = size + i};
    unknown.depends_on_all = false;
    unknown.dependencies = rows[at];
    description.structure.derivatives.push_back(unknown);
  }
  return description;
}

TEST(SparseJacobian, HasThePatternThatIsDeclaredAndTheDiagonal) {
  auto pattern = SparseJacobian::Of(Described({{0, 1}, {}, {1, 2, 1}}), 1.0);
  ASSERT_TRUE(pattern);
  EXPECT_THAT(pattern->Starts(), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(pattern->Rows(), ElementsAre(0, 0, 1, 2, 2));
  EXPECT_EQ(pattern->Groups(), 2U) << "columns 0 and 2 share no row";
}

TEST(SparseJacobian, IsNotMadeOfWhatIsNotDeclaredOrNotSparse) {
  ModelDescription description = Described({{0, 1}, {0, 1}});
  EXPECT_TRUE(SparseJacobian::Of(description, 1.0));
  EXPECT_FALSE(SparseJacobian::Of(description, 0.1));
  description.structure.derivatives[1].depends_on_all = true;
  EXPECT_FALSE(SparseJacobian::Of(description, 1.0));
  description = Described({{0}});
  description.variables[1].dimensions.push_back({.size = 3});
  EXPECT_FALSE(SparseJacobian::Of(description, 1.0)) << "an array";
  EXPECT_FALSE(SparseJacobian::Of(ModelDescription{}, 1.0)) << "no states";
}

TEST(SparseJacobian, GroupsGiveEveryElementOfAnyMatrix) {
  std::mt19937 random(20);
  for (int round = 0; round < 200; ++round) {
    const std::size_t size = 1 + random() % 40;
    std::vector<std::vector<double>> matrix(size, std::vector<double>(size, 0.0));
    std::vector<std::vector<Index>> rows(size);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        if (i != j && random() % 5 != 0) continue;
        matrix[i][j] = 1.0 + static_cast<double>(random() % 1000);
        rows[i].push_back(static_cast<Index>(j));
      }
    }
    auto pattern = SparseJacobian::Of(Described(rows), 1.0);
    ASSERT_TRUE(pattern);
    std::vector<double> values(pattern->Count());
    pattern->Evaluate(
        [&](std::span<const std::uint32_t> columns, std::span<double> out) {
          for (std::size_t i = 0; i < size; ++i) {
            out[i] = 0.0;
            for (const std::uint32_t column : columns) out[i] += matrix[i][column];
          }
        },
        values);
    for (std::size_t column = 0; column < size; ++column) {
      for (auto at = pattern->Starts()[column]; at < pattern->Starts()[column + 1]; ++at) {
        const auto place = static_cast<std::size_t>(at);
        ASSERT_EQ(values[place], matrix[static_cast<std::size_t>(pattern->Rows()[place])][column])
            << "seed 20, round " << round;
      }
    }
  }
}

class SparseRuns : public testing::Test {
 protected:
  /// All states at the end.
  std::vector<double> Run(std::size_t cells, LinearSolver linear, bool has_directional, SolverFigures& figures) {
    const ScratchFolder scratch;
    test::WriteReactionFmu(scratch.Path(), cells, has_directional, OPENMI_REACTION_LIBRARY);
    Problems problems;
    const ModelDescription description = ReadFmuDescription(scratch.Path(), problems);
    EXPECT_FALSE(HasErrors(problems)) << FormatProblem(problems.at(0));
    SimulationOptions options;
    options.kind = InterfaceKind::ModelExchange;
    options.stop = 2.0;
    options.step = 1.0;
    options.tolerance = 1e-6;
    options.linear = linear;
    for (std::size_t i = 0; i < 2 * cells; ++i) options.outputs.push_back("x[" + std::to_string(i + 1) + "]");
    MemoryRecorder recorder;
    figures = *Simulate(scratch.Path(), description, options, recorder).solver;
    std::vector<double> end;
    for (const auto& column : recorder.numbers) end.push_back(column.back());
    return end;
  }
};

TEST_F(SparseRuns, AgreeWithADenseJacobianAndTakeFewEvaluations) {
  SolverFigures dense, sparse, differences;
  const std::vector<double> expected = Run(60, LinearSolver::Dense, true, dense);
  const std::vector<double> found = Run(60, LinearSolver::Automatic, true, sparse);
  const std::vector<double> by_differences = Run(60, LinearSolver::Automatic, false, differences);
  ASSERT_EQ(expected.size(), 120U);
  EXPECT_EQ(dense.groups, 0U);
  EXPECT_EQ(sparse.groups, 4U) << "of each cell and its neighbours";
  EXPECT_FALSE(sparse.is_iterative);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-6) << i;
    EXPECT_NEAR(by_differences[i], expected[i], 1e-5) << i;
  }
  EXPECT_LT(differences.evaluations, 2 * sparse.evaluations + 5 * 4 * differences.jacobians);
  EXPECT_GT(differences.jacobians, 0);
}

TEST_F(SparseRuns, AreChosenByTheNumberOfStates) {
  SolverFigures small, small_but_wanted, large;
  Run(20, LinearSolver::Automatic, true, small);
  Run(20, LinearSolver::Sparse, true, small_but_wanted);
  Run(1000, LinearSolver::Automatic, true, large);
  EXPECT_EQ(small.groups, 0U) << "40 states";
  EXPECT_EQ(small_but_wanted.groups, 4U);
  EXPECT_EQ(large.groups, 4U) << "2000 states";
}

}  // namespace
}  // namespace openmi::fmi
