// What the model exchange of an FMU with 10 000 states costs over CVODE driven by hand: the same model, the same
// tolerances, a sparse Jacobian on both sides. By hand the elements are written by formulas and factored by KLU; ours
// are read from directional derivatives, in groups of columns, through the functions of FMI. Also the most memory of
// ours, and the largest difference of the results. Arguments: none.
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/support/Report.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/simulate/Simulation.hpp"
#include "openmi/system/TemporaryFolder.hpp"
#include "tests/fmi-bridge/support/Reaction.h"
#include "tests/fmi-bridge/support/ReactionFolder.hpp"

namespace {

constexpr std::size_t kCells = 5000;
constexpr std::size_t kStates = 2 * kCells;
constexpr double kEnd = 10.0;
constexpr double kTolerance = 1e-6;

int Rates(double, N_Vector x, N_Vector dx, void*) {
  ReactionRates(kCells, N_VGetArrayPointer(x), N_VGetArrayPointer(dx));
  return 0;
}

/// The elements by formulas, column by column.
int Elements(double, N_Vector state, N_Vector, SUNMatrix matrix, void*, N_Vector, N_Vector, N_Vector) {
  const double* x = N_VGetArrayPointer(state);
  sunindextype* starts = SUNSparseMatrix_IndexPointers(matrix);
  sunindextype* rows = SUNSparseMatrix_IndexValues(matrix);
  double* values = SUNSparseMatrix_Data(matrix);
  const double c = ReactionSpread(kCells);
  sunindextype at = 0;
  const auto put = [&](std::size_t row, double value) {
    rows[at] = static_cast<sunindextype>(row);
    values[at++] = value;
  };
  for (std::size_t column = 0; column < kStates; ++column) {
    starts[column] = at;
    const std::size_t cell = column / 2;
    const double u = x[2 * cell], v = x[2 * cell + 1];
    if (cell > 0) put(column - 2, c);
    if (column % 2 == 0) {
      put(column, 2.0 * u * v - 4.0 - 2.0 * c);
      put(column + 1, 3.0 - 2.0 * u * v);
    } else {
      put(column - 1, u * u);
      put(column, -u * u - 2.0 * c);
    }
    if (cell + 1 < kCells) put(column + 2, c);
  }
  starts[kStates] = at;
  return 0;
}

struct Result {
  double seconds = 0.0;
  long steps = 0;
  std::vector<double> end;
};

void Expect(int flag) {
  if (flag < 0) throw std::runtime_error(fmt::format("expected CVODE to succeed, found {}", flag));
}

Result ByHand() {
  Result result;
  SUNContext context = nullptr;
  Expect(SUNContext_Create(nullptr, &context));
  const auto size = static_cast<sunindextype>(kStates);
  N_Vector x = N_VNew_Serial(size, context), absolute = N_VNew_Serial(size, context);
  for (std::size_t i = 0; i < kStates; ++i) N_VGetArrayPointer(x)[i] = ReactionStart(kCells, i);
  N_VConst(kTolerance, absolute);
  result.seconds = bench::CpuSeconds([&] {
    void* memory = CVodeCreate(CV_BDF, context);
    Expect(CVodeInit(memory, Rates, 0.0, x));
    Expect(CVodeSVtolerances(memory, kTolerance, absolute));
    SUNMatrix matrix = SUNSparseMatrix(size, size, 4 * size, CSC_MAT, context);
    SUNLinearSolver solver = SUNLinSol_KLU(x, matrix, context);
    Expect(CVodeSetLinearSolver(memory, solver, matrix));
    Expect(CVodeSetJacFn(memory, Elements));
    Expect(CVodeSetMaxNumSteps(memory, 1'000'000));
    Expect(CVodeSetStopTime(memory, kEnd));
    double reached = 0.0;
    Expect(CVode(memory, kEnd, x, &reached, CV_NORMAL));
    CVodeGetNumSteps(memory, &result.steps);
    CVodeFree(&memory);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
  });
  result.end.assign(N_VGetArrayPointer(x), N_VGetArrayPointer(x) + kStates);
  N_VDestroy(x);
  N_VDestroy(absolute);
  SUNContext_Free(&context);
  return result;
}

Result AsFmu(const std::filesystem::path& folder, const openmi::fmi::ModelDescription& description, bool records) {
  openmi::fmi::SimulationOptions options;
  options.kind = openmi::fmi::InterfaceKind::ModelExchange;
  options.stop = kEnd;
  options.step = kEnd;
  options.tolerance = kTolerance;
  options.tolerance_for = openmi::fmi::ToleranceFor::Step;
  options.outputs.emplace_back("x[1]");
  for (std::size_t i = 2; records && i <= kStates; ++i) options.outputs.push_back(fmt::format("x[{}]", i));
  openmi::fmi::MemoryRecorder recorder;
  Result result;
  result.seconds = bench::CpuSeconds([&] {
    const auto found = openmi::fmi::Simulate(folder, description, options, recorder);
    result.steps = found.solver->steps;
    if (found.solver->groups == 0) throw std::runtime_error("expected a sparse Jacobian, found another");
  });
  for (const std::vector<double>& column : recorder.numbers) result.end.push_back(column.back());
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  bench::Report report("fmi-states", {argv + 1, argv + argc});
  const openmi::TemporaryFolder scratch;
  openmi::test::WriteReactionFmu(scratch.Path(), kCells, true, OPENMI_REACTION_LIBRARY);
  // Before anything else takes memory here.
  const bench::Measured measured = bench::InChild([&](std::array<double, 4>& numbers) {
    openmi::Problems problems;
    const auto description = openmi::fmi::ReadFmuDescription(scratch.Path(), problems);
    numbers[0] = static_cast<double>(AsFmu(scratch.Path(), description, false).steps);
  });
  openmi::Problems problems;
  const auto description = openmi::fmi::ReadFmuDescription(scratch.Path(), problems);
  const Result ours = AsFmu(scratch.Path(), description, true), hand = ByHand();
  double difference = 0.0;
  for (std::size_t i = 0; i < kStates; ++i) difference = std::max(difference, std::abs(ours.end[i] - hand.end[i]));
  const bench::Pairs pairs = bench::InTurn(
      7, [&] { return AsFmu(scratch.Path(), description, false).seconds; }, [&] { return ByHand().seconds; });
  report.Line("10000-states", pairs, "s a run", "CVODE by hand with KLU", bench::Bound::AtMost(3.0),
              fmt::format("{} and {} steps", ours.steps, hand.steps));
  report.Line("10000-states-memory", measured.peak_megabytes, "MB", "limit", 200.0, bench::Bound::AtMost(1.0));
  report.Line("10000-states-difference", difference, "at the end", "limit", kTolerance, bench::Bound::AtMost(1.0),
              "both take the same steps");
  return report.End();
}
