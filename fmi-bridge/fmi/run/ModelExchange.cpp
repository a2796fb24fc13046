#include "fmi-bridge/fmi/run/ModelExchange.hpp"

#include <cvode/cvode.h>
#include <cvode/cvode_bandpre.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fmi-bridge/fmi/run/EventMode.hpp"
#include "fmi-bridge/fmi/run/SparseJacobian.hpp"
#include "fmi-bridge/fmi/run/StepEnds.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::fmi {
namespace {

constexpr long kMostSteps = 10'000'000;

/// The tolerance of a step, if `tolerance` is meant for the result (decision 31).
///
/// Errors of steps add up, and each restart at order 1 after an event adds its own. Not below the limit of CVODE,
/// unless the user sets it lower.
double PerStep(double tolerance, ToleranceFor meant_for) {
  if (meant_for == ToleranceFor::Step) return tolerance;
  constexpr double kShare = 0.01;
  constexpr double kLeast = 1e-13;
  return std::max(kShare * tolerance, std::min(tolerance, kLeast));
}

std::span<double> Of(N_Vector vector, std::size_t count) {
  return {N_VGetArrayPointer(vector), count};
}

void Quiet(int, const char*, const char*, char*, void*) {}  // the exception contains the message

template <class T>
T* Made(T* made, const char* what, const Instance& instance) {
  if (made == nullptr) throw ModelError(instance.Place(), fmt::format("expected memory for {}, found none", what));
  return made;
}

/// The value references of the derivatives and their states, in the order of the state vector.
struct References {
  std::vector<ValueReference> derivatives, states;
};

/// A sparse Jacobian, and what its evaluation needs.
struct Sparse {
  SparseJacobian pattern;
  std::vector<ValueReference> seeded = {};
  std::vector<double> seeds, moved, moved_derivatives;  // shape [states]
};

class Cvode final : public ModelExchange {
 public:
  Cvode(Instance& fmu, const SolverOptions& solver_options, StepperHooks stepper_hooks)
      : instance_(fmu), options_(solver_options), events_(fmu, std::move(stepper_hooks)) {
    if (SUNContext_Create(nullptr, &context_) != 0)
      throw ModelError(instance_.Place(), "expected a SUNDIALS context, found none");
  }
  ~Cvode() override {
    if (memory_ != nullptr) CVodeFree(&memory_);
    if (linear_ != nullptr) SUNLinSolFree(linear_);
    if (nonlinear_ != nullptr) SUNNonlinSolFree(nonlinear_);
    if (matrix_ != nullptr) SUNMatDestroy(matrix_);
    if (x_ != nullptr) N_VDestroy(x_);
    if (tolerances_ != nullptr) N_VDestroy(tolerances_);
    SUNContext_Free(&context_);
  }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;

  void Initialize(double time) override { events_.Initialize(time); }

  bool Start(double time) override {
    time_ = time;
    CountStates();
    const bool ended = Iterate(false);
    if (!ended) {
      instance_.EnterContinuousTimeMode();
      if (memory_ == nullptr && HasSolver()) Create();
      Reload();
    }
    return ended;
  }

  Reached Advance(double, double to, double) override {
    if (!is_fresh_) Reload();
    const double tolerance = ToleranceWithin(to, to - time_);
    while (time_ < to - tolerance) {
      double target = to;
      const double next_event = events_.Next();
      if (next_event <= to + tolerance) target = std::max(next_event, time_);
      bool state_event = false;
      bool step_event = false;
      bool terminate = false;
      if (target > time_ + tolerance) {
        if (HasSolver()) {
          Integrate(target, tolerance, state_event, step_event, terminate);
        } else {
          time_ = target;
          Show();
          if (instance_.Offers().needs_completed_integrator_step) {
            instance_.CompletedStep(time_ <= earliest_state_, step_event, terminate);
          }
        }
      } else {
        time_ = target;
        Show();
      }
      if (terminate) return {time_, true};
      const bool time_event = next_event <= time_ + tolerance;
      if (!state_event && !step_event && !time_event) continue;
      figures_.state_events += state_event ? 1 : 0;
      figures_.time_events += time_event ? 1 : 0;
      figures_.step_events += step_event ? 1 : 0;
      if (HandleEvent(time_)) return {time_, true};
    }
    time_ = to;
    return {to, false};
  }

  bool HandleEvent(double) override {
    instance_.EnterEventMode();
    if (events_.Hooks().set_inputs) events_.Hooks().set_inputs(time_);
    if (Iterate(true)) return true;
    instance_.EnterContinuousTimeMode();
    Reload();
    return false;
  }

  void Save(StateWriter& writer) override {
    writer.Write(time_);
    events_.Save(writer);
    is_fresh_ = false;  // the solver restarts here, as it does when the state is read back
  }

  void Load(StateReader& reader) override {
    time_ = reader.ReadDouble();
    events_.Load(reader);
    CountStates();
    if (memory_ == nullptr && HasSolver()) Create();
    is_fresh_ = false;
  }

  void InputsJumped() override { is_fresh_ = false; }
  Clocks& ItsClocks() override { return events_.ItsClocks(); }
  const Clocks& ItsClocks() const override { return events_.ItsClocks(); }
  void SetEarliestState(double time) override { earliest_state_ = time; }
  SolverFigures Figures() const override { return figures_; }

 private:
  bool HasSolver() const { return states_ + indicators_ > 0; }

  void Reload() {
    is_fresh_ = true;
    if (!HasSolver()) return;
    if (states_ > 0) instance_.GetContinuousStates(Of(x_, states_));
    CheckCvode(CVodeReInit(memory_, time_, x_), "CVodeReInit");
  }

  void CountStates() {
    states_ = instance_.StateCount();
    indicators_ = instance_.IndicatorCount();
  }

  void Create() {
    // An FMU with event indicators and no states gets a constant state.
    const auto size = static_cast<sunindextype>(std::max<std::size_t>(states_, 1));
    x_ = Made(N_VNew_Serial(size, context_), "states", instance_);
    tolerances_ = Made(N_VNew_Serial(size, context_), "tolerances", instance_);
    N_VConst(0.0, x_);
    const bool bdf = options_.method == SolverMethod::Bdf;
    memory_ = Made(CVodeCreate(bdf ? CV_BDF : CV_ADAMS, context_), "CVODE", instance_);
    CheckCvode(CVodeInit(memory_, Derivatives, time_, x_), "CVodeInit");
    CheckCvode(CVodeSetErrHandlerFn(memory_, Quiet, nullptr), "CVodeSetErrHandlerFn");
    CheckCvode(CVodeSetUserData(memory_, this), "CVodeSetUserData");
    SetTolerances();
    const bool is_large = states_ > kMostDenseStates;
    const bool is_open = options_.linear == LinearSolver::Automatic || options_.linear == LinearSolver::Sparse;
    if (bdf && is_open && (options_.linear == LinearSolver::Sparse || states_ >= kLeastSparseStates)) FindPattern();
    figures_.is_iterative = bdf && !sparse_ && (options_.linear == LinearSolver::Iterative || (is_open && is_large));
    if (figures_.is_iterative) {
      UseGmres(size);
    } else if (sparse_) {
      UseSparse(size);
    } else if (bdf) {
      matrix_ = Made(SUNDenseMatrix(size, size, context_), "a Jacobian", instance_);
      linear_ = Made(SUNLinSol_Dense(x_, matrix_, context_), "a linear solver", instance_);
      CheckCvode(CVodeSetLinearSolver(memory_, linear_, matrix_), "CVodeSetLinearSolver");
      if (instance_.Offers().provides_directional_derivatives && KnowsStates()) {
        CheckCvode(CVodeSetJacFn(memory_, Jacobian), "CVodeSetJacFn");
      }
    } else {
      nonlinear_ = Made(SUNNonlinSol_FixedPoint(x_, 0, context_), "a nonlinear solver", instance_);
      CheckCvode(CVodeSetNonlinearSolver(memory_, nonlinear_), "CVodeSetNonlinearSolver");
    }
    if (indicators_ > 0) {
      CheckCvode(CVodeRootInit(memory_, static_cast<int>(indicators_), Indicators), "CVodeRootInit");
      CheckCvode(CVodeSetNoInactiveRootWarn(memory_), "CVodeSetNoInactiveRootWarn");
    }
    CheckCvode(CVodeSetMaxNumSteps(memory_, kMostSteps), "CVodeSetMaxNumSteps");
    if (options_.most_step > 0.0) CheckCvode(CVodeSetMaxStep(memory_, options_.most_step), "CVodeSetMaxStep");
  }

  /// Without a preconditioner, GMRES needs as many rounds as a stiff system has time scales.
  ///
  /// States that are neighbours in space are mostly neighbours in the vector, too: a narrow band of the Jacobian, from
  /// a few evaluations, holds the stiffest part.
  void UseGmres(sunindextype size) {
    constexpr int kMostVectors = 20;
    constexpr sunindextype kHalfBand = 2;
    const sunindextype half = std::min(kHalfBand, size - 1);
    linear_ = Made(SUNLinSol_SPGMR(x_, SUN_PREC_LEFT, kMostVectors, context_), "a linear solver", instance_);
    CheckCvode(CVodeSetLinearSolver(memory_, linear_, nullptr), "CVodeSetLinearSolver");
    CheckCvode(CVBandPrecInit(memory_, size, half, half), "CVBandPrecInit");
    if (instance_.Offers().provides_directional_derivatives && KnowsStates()) {
      CheckCvode(CVodeSetJacTimes(memory_, nullptr, JacobianTimes), "CVodeSetJacTimes");
    }
  }

  void FindPattern() {
    const double share = options_.linear == LinearSolver::Sparse ? 1.0 : kMostSparse;
    std::optional<SparseJacobian> pattern = SparseJacobian::Of(instance_.Description(), share);
    if (!pattern || pattern->Size() != states_ || !KnowsStates()) return;
    const std::vector<double> zeros(states_);
    sparse_.emplace(Sparse{.pattern = std::move(*pattern),
                           .seeds = std::vector<double>(states_, 1.0),
                           .moved = zeros,
                           .moved_derivatives = zeros});
  }

  /// Newton's iteration with LU of a sparse Jacobian.
  void UseSparse(sunindextype size) {
    const auto count = static_cast<sunindextype>(sparse_->pattern.Count());
    matrix_ = Made(SUNSparseMatrix(size, size, count, CSC_MAT, context_), "a sparse Jacobian", instance_);
    linear_ = Made(MakeSparseLinearSolver(context_), "a sparse linear solver", instance_);
    CheckCvode(CVodeSetLinearSolver(memory_, linear_, matrix_), "CVodeSetLinearSolver");
    CheckCvode(CVodeSetJacFn(memory_, SparseElements), "CVodeSetJacFn");
    figures_.groups = sparse_->pattern.Groups();
  }

  void SetTolerances() {
    const std::span<double> absolute = Of(tolerances_, std::max<std::size_t>(states_, 1));
    std::ranges::fill(absolute, 1.0);
    if (states_ > 0) instance_.GetNominals(absolute);
    const double factor =
        PerStep(options_.absolute_tolerance.value_or(options_.relative_tolerance), options_.tolerance_for);
    for (double& value : absolute) value = factor * (value != 0.0 ? std::abs(value) : 1.0);
    const double relative = PerStep(options_.relative_tolerance, options_.tolerance_for);
    CheckCvode(CVodeSVtolerances(memory_, relative, tolerances_), "CVodeSVtolerances");
  }

  /// Whether each state and derivative is a scalar with a value reference, as needed here for directional derivatives.
  bool KnowsStates() {
    references_.derivatives.clear();
    references_.states.clear();
    const ModelDescription& description = instance_.Description();
    for (const Unknown& unknown : description.structure.derivatives) {
      const Variable& derivative = description.At(unknown.variable);
      if (derivative.IsArray() || derivative.derivative_of == kNowhere) return false;
      references_.derivatives.push_back(derivative.value_reference);
      references_.states.push_back(description.At(derivative.derivative_of).value_reference);
    }
    return references_.derivatives.size() == states_;
  }

  void CheckCvode(int flag, const char* function) {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
    if (flag >= 0) return;
    char* name = CVodeGetReturnFlagName(flag);
    const std::string text = name != nullptr ? name : "?";
    std::free(name);
    throw ModelError(instance_.Place(),
                     fmt::format("expected {} to succeed at time {}, found {}", function, time_, text),
                     "loosen the tolerance, or take another solver");
  }

  /// \returns whether the FMU requests the end
  bool Iterate(bool inputs) {
    bool nominals = false;
    const bool ended = events_.Handle(time_, inputs, nominals);
    if (nominals && memory_ != nullptr) SetTolerances();
    return ended;
  }

  /// Sets the present time and states in the FMU.
  void Show() {
    instance_.SetTime(time_);
    if (events_.Hooks().set_inputs) events_.Hooks().set_inputs(time_);
    if (states_ > 0) instance_.SetContinuousStates(Of(x_, states_));
  }

  void Integrate(double target, double tolerance, bool& state_event, bool& step_event, bool& terminate) {
    CheckCvode(CVodeSetStopTime(memory_, target), "CVodeSetStopTime");
    const bool wants_each = instance_.Offers().needs_completed_integrator_step;
    do {
      double reached = time_;
      const int flag = CVode(memory_, target, x_, &reached, CV_ONE_STEP);
      CheckCvode(flag, "CVode");
      ++figures_.steps;
      time_ = reached >= target - tolerance ? target : reached;
      state_event = flag == CV_ROOT_RETURN;
      Show();
      if (wants_each) instance_.CompletedStep(time_ <= earliest_state_, step_event, terminate);
    } while (time_ < target && !state_event && !step_event && !terminate);
  }

  template <class Work>
  int Guarded(Work&& work) {
    try {
      return work();
    } catch (...) {
      thrown_ = std::current_exception();
      return -1;
    }
  }

  int At(double time, N_Vector x) {
    instance_.SetTime(time);
    if (events_.Hooks().set_inputs) events_.Hooks().set_inputs(time);
    if (states_ > 0) instance_.SetContinuousStates(Of(x, states_));
    return 0;
  }

  static int Derivatives(double time, N_Vector x, N_Vector derivatives, void* self) {
    auto& solver = *static_cast<Cvode*>(self);
    return solver.Guarded([&] {
      ++solver.figures_.evaluations;
      solver.At(time, x);
      if (solver.states_ == 0) {
        N_VConst(0.0, derivatives);
        return 0;
      }
      // A positive return value makes CVODE try a smaller step.
      return solver.instance_.GetDerivatives(Of(derivatives, solver.states_)) == CallStatus::Discard ? 1 : 0;
    });
  }

  static int Indicators(double time, N_Vector x, double* values, void* self) {
    auto& solver = *static_cast<Cvode*>(self);
    return solver.Guarded([&] {
      solver.At(time, x);
      return solver.instance_.GetEventIndicators({values, solver.indicators_}) == CallStatus::Discard ? 1 : 0;
    });
  }

  static int Jacobian(double time, N_Vector x, N_Vector, SUNMatrix matrix, void* self, N_Vector, N_Vector, N_Vector) {
    auto& solver = *static_cast<Cvode*>(self);
    return solver.Guarded([&] {
      ++solver.figures_.jacobians;
      solver.At(time, x);
      const double seed = 1.0;
      for (std::size_t column = 0; column < solver.states_; ++column) {
        double* out = SUNDenseMatrix_Column(matrix, static_cast<sunindextype>(column));
        solver.instance_.DirectionalDerivative(solver.references_.derivatives, {&solver.references_.states[column], 1},
                                               {&seed, 1}, {out, solver.states_});
      }
      return 0;
    });
  }

  static int SparseElements(double time, N_Vector x, N_Vector derivatives, SUNMatrix matrix, void* self, N_Vector,
                            N_Vector, N_Vector) {
    auto& solver = *static_cast<Cvode*>(self);
    return solver.Guarded([&] {
      ++solver.figures_.jacobians;
      SparseJacobian& pattern = solver.sparse_->pattern;
      std::ranges::copy(pattern.Starts(), SUNSparseMatrix_IndexPointers(matrix));
      std::ranges::copy(pattern.Rows(), SUNSparseMatrix_IndexValues(matrix));
      solver.At(time, x);
      bool is_good = true;
      const bool has_directional = solver.instance_.Offers().provides_directional_derivatives;
      pattern.Evaluate(
          [&](std::span<const std::uint32_t> columns, std::span<double> out) {
            if (has_directional) {
              solver.SumOfColumns(columns, out);
            } else {
              is_good &= solver.SumOfDifferences(columns, Of(x, solver.states_), Of(derivatives, solver.states_), out);
            }
          },
          {SUNSparseMatrix_Data(matrix), pattern.Count()});
      if (!has_directional) solver.At(time, x);
      return is_good ? 0 : 1;
    });
  }

  /// By one directional derivative.
  void SumOfColumns(std::span<const std::uint32_t> columns, std::span<double> out) {
    sparse_->seeded.clear();
    for (const std::uint32_t column : columns) sparse_->seeded.push_back(references_.states[column]);
    instance_.DirectionalDerivative(references_.derivatives, sparse_->seeded,
                                    std::span(sparse_->seeds).first(columns.size()), out);
  }

  /// By one evaluation, with the states of all columns moved; at each row, one of them has an effect.
  /// \returns false if the FMU refuses the states
  bool SumOfDifferences(std::span<const std::uint32_t> columns, std::span<const double> x,
                        std::span<const double> derivatives, std::span<double> out) {
    const double root = std::sqrt(std::numeric_limits<double>::epsilon());
    const std::span<const double> absolute = Of(tolerances_, states_);
    auto& [pattern, seeded, seeds, moved, moved_derivatives] = *sparse_;
    std::ranges::copy(x, moved.begin());
    // As CVODE does for a dense Jacobian: a step of the size of the state, or of its tolerance.
    for (const std::uint32_t column : columns) {
      moved[column] += root * std::max(std::abs(x[column]), absolute[column] / root);
    }
    instance_.SetContinuousStates(moved);
    if (instance_.GetDerivatives(moved_derivatives) == CallStatus::Discard) return false;
    ++figures_.evaluations;
    for (const std::uint32_t column : columns) {
      const double step = moved[column] - x[column];
      for (auto at = static_cast<std::size_t>(pattern.Starts()[column]);
           at < static_cast<std::size_t>(pattern.Starts()[column + 1]); ++at) {
        const auto row = static_cast<std::size_t>(pattern.Rows()[at]);
        out[row] = (moved_derivatives[row] - derivatives[row]) / step;
      }
    }
    return true;
  }

  /// The Jacobian times `seed`, in one call.
  static int JacobianTimes(N_Vector seed, N_Vector product, double time, N_Vector x, N_Vector, void* self, N_Vector) {
    auto& solver = *static_cast<Cvode*>(self);
    return solver.Guarded([&] {
      ++solver.figures_.jacobians;
      solver.At(time, x);
      solver.instance_.DirectionalDerivative(solver.references_.derivatives, solver.references_.states,
                                             Of(seed, solver.states_), Of(product, solver.states_));
      return 0;
    });
  }

  Instance& instance_;
  SolverOptions options_;
  EventMode events_;
  SUNContext context_ = nullptr;
  void* memory_ = nullptr;
  N_Vector x_ = nullptr;
  N_Vector tolerances_ = nullptr;
  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver linear_ = nullptr;
  SUNNonlinearSolver nonlinear_ = nullptr;
  References references_;
  std::optional<Sparse> sparse_;  // nothing: the Jacobian is dense, or none is made
  std::size_t states_ = 0;
  std::size_t indicators_ = 0;
  double time_ = 0.0;
  bool is_fresh_ = false;  // whether the solver has the present states
  std::exception_ptr thrown_;
  SolverFigures figures_;
  double earliest_state_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::unique_ptr<ModelExchange> ModelExchange::Make(Instance& instance, const SolverOptions& options,
                                                   StepperHooks hooks) {
  return std::make_unique<Cvode>(instance, options, std::move(hooks));
}

}  // namespace openmi::fmi
