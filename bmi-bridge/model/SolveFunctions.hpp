#pragma once

#include <memory>

#include "bmi-bridge/model/Library.hpp"
#include "bmi-bridge/model/Model.hpp"

namespace openmi::bmi {

/// The functions of XMI, the extended model interface, with which a caller iterates within the solve of a time step.
///
/// Order of calls: Begin; Iterate as often as needed; End. They take no handle, so the library has one model. All
/// arguments are pointers. Parts of the model (`get_subcomponent_count`) are solved one after the other.
/// Source: the extended model interface as MODFLOW 6 offers it and xmipy calls it.
class SolveFunctions {
 public:
  /// \returns null if the library lacks one of the functions
  static std::unique_ptr<SolveFunctions> Find(const Library& library);

  /// Prepares a time step.
  /// \param step   in the time unit of the model
  /// \param model  for messages
  /// \throws ModelError  a function fails
  void Begin(const Model& model, double step);
  /// Makes one iteration.
  /// \returns whether all parts have converged
  /// \throws ModelError  a function fails
  bool Iterate(const Model& model);
  /// Completes the time step.
  /// \throws ModelError  a function fails
  void End(const Model& model);

 private:
  SolveFunctions() = default;

  int (*prepare_time_step_)(double*) = nullptr;
  int (*get_subcomponent_count_)(int*) = nullptr;  // null: one part
  int (*prepare_solve_)(int*) = nullptr;
  int (*solve_)(int*, int*) = nullptr;
  int (*finalize_solve_)(int*) = nullptr;
  int (*finalize_time_step_)() = nullptr;
  int parts_ = 1;
};

}  // namespace openmi::bmi
