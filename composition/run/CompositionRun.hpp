#pragma once

#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "composition/results/IResultWriter.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/Observer.hpp"
#include "composition/run/RunLoop.hpp"
#include "composition/run/RunRecord.hpp"

namespace openmi {

/// How far a run is.
struct RunProgress {
  double from_mjd = 0.0;
  double to_mjd = 0.0;
  double now_mjd = 0.0;
  double wall_seconds = 0.0;
  /// 0 to 1.
  double Fraction() const;
  /// Simulated seconds per second.
  double RealTimeFactor() const;
  double SecondsLeft() const;
};

struct RunOptions {
  std::filesystem::path folder = "results";
  bool overwrite = false;
  bool write_results = true;  ///< CSV and NetCDF
  bool write_report = true;
  std::optional<RunMode> mode;                       ///< instead of the file's
  std::string command;                               ///< for the history of the results
  std::function<void(const RunProgress&)> progress;  ///< called at most every `progress_seconds`, and at the end
  double progress_seconds = 0.2;
};

/// One run of a composition: prepares, steps, observes, weighs, writes results, and finishes whatever happens.
///
/// A component that fails ends the run; what was computed until then is written, reported and stays.
class CompositionRun {
 public:
  /// \param composition  loaded, connected and validated without errors; borrowed
  /// \param problems     what the check found, for the report
  CompositionRun(Composition& composition, Problems problems, RunOptions options);
  ~CompositionRun();

  /// \throws FileError  the results cannot be written where they should
  RunRecord Run();

 private:
  class Comparer;
  void AddObservers();
  void AddMeters();
  void OpenResults();
  void WriteRow(std::size_t series, Stamp begin, Days duration, std::span<const double> row);
  void Loop();
  void FillRecord();
  void Commit(Stamp until);
  /// The id of the component that failed, as far up as can be; empty if none did.
  std::string FailedComponent() const;

  Composition& composition_;
  RunOptions options_;
  RunRecord record_;
  RunSpec run_;
  std::vector<std::unique_ptr<Observer>> observers_;
  std::vector<std::unique_ptr<Comparer>> comparers_;
  std::vector<std::unique_ptr<LinkMeter>> link_meters_;
  std::vector<std::pair<std::size_t, ComponentMeter>> component_meters_;
  std::vector<std::pair<StandIn*, IRowListener*>> listening_;
  std::unique_ptr<class RunFiles> files_;
  std::exception_ptr files_failed_;  // thrown by the results files while a component published
  std::unique_ptr<RunLoop> loop_;
};

/// The description of an observed item as results files keep it.
/// \param elements  indices of the observed elements; empty: all
ResultSeries DescribeSeries(const ObserveSpec& spec, const ITimeSpaceOutput& output,
                            const std::vector<std::size_t>& elements);

}  // namespace openmi
