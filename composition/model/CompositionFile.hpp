#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/loops/LoopMethod.hpp"
#include "composition/model/IsolationSpec.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// A setting as the file gives it.
struct ArgumentSpec {
  std::string key;
  std::string value;
  int line = 0;
};

/// "component.item": which item of which component.
struct ItemSpec {
  std::string component;
  std::string item;
  std::string Text() const { return component + "." + item; }
};

/// One component: an OMI file, or a type in an assembly.
struct ComponentSpec {
  std::string id;
  std::string caption;
  std::string omi;  ///< path relative to the composition; empty where type and assembly are given
  std::string type;
  std::string assembly;
  std::string initial_state;  ///< path relative to the composition; empty: none
  IsolationSpec apart;        ///< from the others: process, limits, what follows from a failure
  bool keep_state = false;  ///< a family that is engaged again goes on with the state it left with; else it starts anew
  bool invented = false;    ///< marked so in reports: not a thing of the world but of whoever wrote the file
  std::vector<ArgumentSpec> arguments;
  int line = 0;
};

/// An adapted output on a link.
struct AdaptorSpec {
  std::string id;
  std::string factory;  ///< empty: every factory at hand is asked
  std::vector<ArgumentSpec> arguments;
  int line = 0;
};

/// What is answered when a question comes back round a loop of links.
enum class LoopAnswer { Last, Extrapolate };

/// A link: from an output through adaptors, listed from the output onwards, to an input.
struct LinkSpec {
  std::string id;
  ItemSpec from;
  ItemSpec to;
  LoopAnswer loop = LoopAnswer::Last;
  std::optional<bool> balance;  ///< whether the link is balanced; nothing: where it carries a conserved quantity
  std::vector<AdaptorSpec> adaptors;
  int line = 0;
  /// "from -> to".
  std::string Text() const { return from.Text() + " -> " + to.Text(); }
};

/// When one input of an iterated loop has converged; what is not given is the loop's own.
struct ToleranceSpec {
  ItemSpec item;  ///< an input that a link of the loop ends at
  std::optional<double> absolute;
  std::optional<double> relative;
  int line = 0;
};

/// A loop of links that is iterated to convergence within each step.
struct IterateSpec {
  std::vector<std::string> components;  ///< all of the loop, in the order in which they compute
  LoopOrder order = LoopOrder::GaussSeidel;
  LoopMethod method = LoopMethod::QuasiNewton;
  LoopGuess guess = LoopGuess::Linear;
  LoopFailure on_failure = LoopFailure::Fail;
  double relaxation = 0.5;           ///< dimensionless, above 0 and at most 2
  double absolute_tolerance = 0.0;   ///< in the unit of each input
  double relative_tolerance = 1e-6;  ///< of the largest value of each input
  int max_iterations = 50;
  int reused_steps = 4;  ///< that quasi-Newton learns from
  std::vector<ToleranceSpec> tolerances;
  int line = 0;
};

/// How observed values are made of an item's rows.
enum class ObserveAs { Instant, Mean, Sum, Minimum, Maximum };

struct ObserveSpec {
  std::string id;
  ItemSpec item;
  std::vector<std::string> elements;  ///< ids; empty: all
  std::optional<double> every_days;   ///< nothing: each row
  ObserveAs as = ObserveAs::Instant;
  int line = 0;
};

/// A part of the run to state measures for on its own; times in Modified Julian Day, UTC, NaN where the file's text was
/// no time (which was reported).
struct WindowSpec {
  std::string label;
  double from_mjd = 0.0;
  double to_mjd = 0.0;
  int line = 0;
};

struct CompareSpec {
  std::string id;
  ItemSpec simulated;
  ItemSpec observed;
  std::vector<std::string> measures;
  std::vector<WindowSpec> windows;
  int line = 0;
};

enum class RunMode { Pull, Step };

/// What happens to a paced run that is late.
enum class LatePolicy {
  CarryOn,  ///< the delay stays: the run goes on at its pace from there
  CatchUp,  ///< it does not wait until it is on time again
  Fail      ///< it ends
};

/// How fast simulated time goes.
struct PaceSpec {
  double factor = 1.0;  ///< simulated seconds per second of the clock, above 0
  LatePolicy late = LatePolicy::CarryOn;
  double late_after_seconds = 0.01;  ///< of the clock: what is later than that is late
};

/// When the state of a run is kept.
struct CheckpointSpec {
  std::optional<double> every_days;     ///< of simulated time
  std::optional<double> every_seconds;  ///< of the clock
  int keep = 2;                         ///< how many
  bool skips = false;  ///< components that keep no state are left out; else there are no checkpoints with them
  int line = 0;
};

/// The run; a time is NaN where the file's text was none (which was reported).
struct RunSpec {
  double from_mjd = 0.0;  ///< UTC
  double to_mjd = 0.0;    ///< UTC
  double warm_up_days = 0.0;
  std::vector<std::string> trigger;  ///< component ids; empty: those that nobody takes values from
  RunMode mode = RunMode::Pull;
  int threads = 1;               ///< that components are updated by, side by side
  std::optional<PaceSpec> pace;  ///< nothing: as fast as it can
  int line = 0;
};

/// Names of the files to write, below the folder of results; empty: the composition's id with .csv, .nc and .html.
struct ResultsSpec {
  std::string csv;
  std::string netcdf;
  std::string report;
  int compression = 0;  ///< of the NetCDF file; 0: classic, 1 to 9: netCDF-4
  int line = 0;
};

/// A composition as its file says, before anything is loaded.
struct CompositionFile {
  std::filesystem::path path;
  std::string id;
  std::string caption;
  std::string description;
  std::vector<ComponentSpec> components;
  std::vector<LinkSpec> links;
  std::vector<IterateSpec> iterates;
  std::vector<ObserveSpec> observes;
  std::vector<CompareSpec> compares;
  std::optional<RunSpec> run;
  std::optional<CheckpointSpec> checkpoints;
  ResultsSpec results;

  /// The folder that relative paths start at.
  std::filesystem::path Folder() const { return path.parent_path(); }
  const ComponentSpec* Component(std::string_view component_id) const;
};

/// Reads and validates a composition; appends ALL problems of form (schema, doubled ids, links to components that are
/// not there, loops of adaptors, times without zone, an end before its begin) to `problems`, each with file and line.
/// \returns what could be read, even with problems
/// \throws FileError, FormatError  the file cannot be read at all
CompositionFile ReadCompositionFile(const std::filesystem::path& path, Problems& problems);
CompositionFile ReadCompositionText(std::string_view bytes, const std::filesystem::path& path, Problems& problems);

/// The composition as XML that ReadCompositionText reads back to the same.
/// Times are written to the microsecond. \throws FormatError  text that XML cannot hold
std::string CompositionText(const CompositionFile& file);

/// Writes CompositionText to `path`. \throws FileError  not writable
void WriteCompositionFile(const CompositionFile& file, const std::filesystem::path& path);

}  // namespace openmi
