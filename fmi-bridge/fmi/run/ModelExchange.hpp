#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "fmi-bridge/fmi/run/IStepper.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "openmi/sdk/EnumNames.hpp"

namespace openmi::fmi {

/// The method that integrates a model-exchange FMU.
enum class SolverMethod : std::uint8_t { Bdf, Adams };
inline constexpr EnumNames<SolverMethod> kSolverMethods{"bdf", "adams"};

/// How BDF solves its linear systems: a dense Jacobian with LU, a sparse one with LU, or GMRES with a band of the
/// Jacobian as preconditioner.
///
/// Sparse needs an FMU that declares what its derivatives depend on; without, it is as Automatic. Automatic: sparse
/// from kLeastSparseStates on, if at most kMostSparse of the Jacobian can be other than 0; else dense up to
/// kMostDenseStates; else iterative.
enum class LinearSolver : std::uint8_t { Automatic, Dense, Sparse, Iterative };
inline constexpr EnumNames<LinearSolver> kLinearSolvers{"auto", "dense", "sparse", "iterative"};
inline constexpr std::size_t kMostDenseStates = 1000;  ///< the Jacobian and its factors then take 8 MB each
inline constexpr std::size_t kLeastSparseStates = 100;
inline constexpr double kMostSparse = 0.1;

/// What a tolerance applies to: the result, so that a step must meet a hundredth of it, or each step.
enum class ToleranceFor : std::uint8_t { Result, Step };
inline constexpr EnumNames<ToleranceFor> kTolerancesFor{"result", "step"};

struct SolverOptions {
  SolverMethod method = SolverMethod::Bdf;
  LinearSolver linear = LinearSolver::Automatic;
  ToleranceFor tolerance_for = ToleranceFor::Result;
  double relative_tolerance = 1e-6;
  std::optional<double> absolute_tolerance;  ///< times the nominal of each state; default: the relative tolerance
  double most_step = 0.0;                    ///< 0: no limit
};

/// Statistics of a solver.
struct SolverFigures {
  long steps = 0;
  long evaluations = 0;
  long jacobians = 0;
  bool is_iterative = false;  ///< GMRES was used instead of a Jacobian
  std::size_t groups = 0;     ///< of columns of a sparse Jacobian, each with one evaluation; 0: it is not sparse
  long state_events = 0;
  long time_events = 0;
  long step_events = 0;
};

/// Integrates a model-exchange FMU with CVODE of SUNDIALS: variable-order BDF with Newton iteration, or Adams with
/// fixed-point iteration.
///
/// State events are located by root finding on the event indicators. The Jacobian, or its product with a vector, is
/// computed from directional derivatives if the FMU offers them, else from differences. Of a sparse one, groups of
/// columns that share no row are computed together.
class ModelExchange : public IStepper {
 public:
  static std::unique_ptr<ModelExchange> Make(Instance& instance, const SolverOptions& options, StepperHooks hooks = {});
  /// Reports that inputs jump at the present time: the history of the solver is no longer valid.
  virtual void InputsJumped() = 0;
  virtual SolverFigures Figures() const = 0;
};

}  // namespace openmi::fmi
