#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

namespace riverbasin {

/// The legacy runoff solver behind a C++ face. The library keeps everything in globals, so it can serve one user at a
/// time. Faces take turns: when another one needs the library, the states of the last are put aside, and its own input
/// file and states are read back. Turns cost a reading of the file, so one face for many catchments is quicker than
/// many faces. Calls from several threads wait for each other.
class TmSolver {
 public:
  struct Catchment {
    std::string name;
    double area = 0.0;  ///< [km2]; 0: unknown
  };
  struct Totals {  ///< since Open, depths over the catchment [m]
    double rain = 0.0;
    double evaporation = 0.0;
    double discharge = 0.0;
  };

  TmSolver() = default;
  ~TmSolver() { Close(); }
  TmSolver(const TmSolver&) = delete;
  TmSolver& operator=(const TmSolver&) = delete;

  /// Reads the input file and sets the initial states.
  /// \param classes  file with classes of the topographic index; empty: the input file holds them
  /// \throws openmi::FileError    a file cannot be opened
  /// \throws openmi::FormatError  a file is not what it should be; holds the solver's own sentence
  void Open(const std::string& file, const std::string& classes);
  /// Forgets everything; nothing happens if it was not open.
  void Close();
  bool IsOpen() const { return open_; }

  double StepHours() const { return step_hours_; }
  const std::vector<Catchment>& Catchments() const { return catchments_; }

  /// One step.
  /// \param rain         [m in the step], shape [catchments]
  /// \param evaporation  potential, the same
  /// \param discharge    [m in the step], shape [catchments]
  void Step(std::span<const double> rain, std::span<const double> evaporation, std::span<double> discharge);

  /// Water held by a catchment [m over it].
  double Storage(std::size_t catchment) const;
  Totals TotalsOf(std::size_t catchment) const;

  /// All states and totals, for SetStates of a solver that read the same files.
  std::vector<double> States() const;
  /// \pre  states.size() == States().size()
  void SetStates(std::span<const double> states);

 private:
  /// Makes the globals those of this face. With the lock held.
  void TakeTurn() const;
  /// Reads the input file into the globals. With the lock held.
  void ReadFiles() const;

  bool open_ = false;
  std::string file_;
  std::string classes_;
  double step_hours_ = 0.0;
  std::vector<Catchment> catchments_;
  mutable std::vector<double> aside_;  // states while another face has its turn
};

}  // namespace riverbasin
