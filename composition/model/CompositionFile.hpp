#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "composition/model/IsolationSpec.hpp"
#include "composition/model/LoopMethod.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// A setting, as the file gives it.
struct ArgumentSpec {
  std::string key;
  std::string value;
  int line = 0;
};

/// "component.item": which item of which component.
struct ItemSpec {
  std::string component;
  std::string item;
  /// "component.item".
  std::string Text() const { return component + "." + item; }
};

/// A table: a file, a layer in it, and the column with the keys of its rows.
struct TableSpec {
  std::string id;     ///< before the names of its columns; empty: the table with the rows of the population
  std::string of;     ///< path relative to the composition
  std::string layer;  ///< empty: the only one
  std::string key;
  int line = 0;
};

/// A link of a population to itself: an output of each row feeds an input of the rows downstream, in the same step.
struct NetworkSpec {
  std::string from;    ///< output of the members
  std::string to;      ///< input of the members
  std::string column;  ///< of the population's table: the key downstream; empty: a table of edges
  TableSpec edges;     ///< its `key` is not used
  std::string from_column, to_column, weight_column;  ///< of the table of edges
  int line = 0;
};

/// What makes a component a population: it has a member for each row of a table.
struct PopulationSpec {
  TableSpec table;
  std::vector<TableSpec> tables;  ///< further ones, with the same keys
  std::vector<NetworkSpec> networks;
  int parts = 1;              ///< into how many groups it is divided, if one of them is placed on a host
  std::string parts_by = {};  ///< a column: rows with the same cell are in the same part; empty: any
};

/// One component: an OMI file, or a type in an assembly.
struct ComponentSpec {
  std::string id;
  std::string caption;
  std::string omi;  ///< path relative to the composition; empty if type and assembly are given
  std::string type;
  std::string assembly;
  std::string initial_state;  ///< path relative to the composition; empty: none
  IsolationSpec apart;        ///< from the others: process, limits, consequence of a failure
  bool keep_state = false;    ///< a family that is engaged again continues with its last state; else it starts anew
  bool invented = false;  ///< marked in reports: does not describe reality, but was invented by the author of the file
  std::vector<ArgumentSpec> arguments;
  std::optional<PopulationSpec> population = {};  ///< nothing: a single component; else `omi` is that of its members
  int line = 0;
};

/// An adapted output on a link.
struct AdaptorSpec {
  std::string id;
  std::string factory;  ///< empty: every known factory is tried
  std::vector<ArgumentSpec> arguments;
  int line = 0;
};

/// The answer to a request that comes back through a loop of links.
enum class LoopAnswer { Last, Extrapolate };
inline constexpr EnumNames<LoopAnswer> kLoopAnswers{"last", "extrapolate"};

/// A link: from an output to an input, through adaptors in order from the output.
struct LinkSpec {
  std::string id;
  ItemSpec from;
  ItemSpec to;
  LoopAnswer loop = LoopAnswer::Last;
  std::optional<bool> balance;  ///< whether the link is balanced; nothing: if it carries a conserved quantity
  std::vector<AdaptorSpec> adaptors;
  int line = 0;
  /// "from -> to".
  std::string Text() const { return from.Text() + " -> " + to.Text(); }
};

/// When one input of an iterated loop has converged; a missing tolerance is that of the loop.
struct ToleranceSpec {
  ItemSpec item;  ///< an input at the end of a link of the loop
  std::optional<double> absolute;
  std::optional<double> relative;
  int line = 0;
};

/// A loop of links that is iterated to convergence within each step.
struct IterateSpec {
  std::vector<std::string> components;  ///< all components of the loop, in the order in which they compute
  LoopOrder order = LoopOrder::GaussSeidel;
  LoopMethod method = LoopMethod::QuasiNewton;
  LoopGuess guess = LoopGuess::Linear;
  LoopFailure on_failure = LoopFailure::Fail;
  double relaxation = 0.5;           ///< dimensionless, above 0 and at most 2
  double absolute_tolerance = 0.0;   ///< in the unit of each input
  double relative_tolerance = 1e-6;  ///< of the largest value of each input
  int max_iterations = 50;
  int reused_steps = 4;  ///< number of earlier steps that quasi-Newton uses
  std::vector<ToleranceSpec> tolerances;
  int line = 0;
};

/// How observed values are computed from the rows of an item.
enum class ObserveAs { Instant, Mean, Sum, Minimum, Maximum };
inline constexpr EnumNames<ObserveAs> kObserveAs{"instant", "mean", "sum", "minimum", "maximum"};

/// An item whose values are recorded in the results.
struct ObserveSpec {
  std::string id;
  ItemSpec item;
  std::vector<std::string> elements;  ///< ids; empty: all
  std::optional<Days> every;          ///< nothing: each row
  ObserveAs as = ObserveAs::Instant;
  int line = 0;
};

/// A part of the run that has its own measures.
///
/// Times are UTC; nothing if the text of the file was no time, which was reported.
struct WindowSpec {
  std::string label;
  std::optional<Stamp> from;
  std::optional<Stamp> to;
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
inline constexpr EnumNames<RunMode> kRunModes{"pull", "step"};

/// What a paced run does when it is late.
enum class LatePolicy {
  CarryOn,  ///< the delay stays: the run continues at its pace from there
  CatchUp,  ///< the run does not wait until it is on time again
  Fail      ///< the run ends
};
inline constexpr EnumNames<LatePolicy> kLatePolicies{"carry-on", "catch-up", "fail"};

/// How fast simulated time passes.
struct PaceSpec {
  double factor = 1.0;  ///< simulated seconds per second of wall-clock time, above 0
  LatePolicy late = LatePolicy::CarryOn;
  double late_after_seconds = 0.01;  ///< wall-clock time; a greater delay counts as late
};

/// When the run keeps its state.
struct CheckpointSpec {
  std::optional<Days> every;            ///< simulated time
  std::optional<double> every_seconds;  ///< wall-clock time
  int keep = 2;                         ///< number of checkpoints that are kept
  bool skips = false;  ///< components without a state are omitted; else a run with such components has no checkpoints
  int line = 0;
};

/// The run; it has no begin or no end if the text of the file was no time, which was reported.
struct RunSpec {
  std::optional<Stamp> from;  ///< UTC
  std::optional<Stamp> to;    ///< UTC
  Days warm_up;
  std::vector<std::string> trigger;  ///< component ids; empty: those that no other component takes values from
  RunMode mode = RunMode::Pull;
  int threads = 1;               ///< number of threads that update components in parallel
  std::optional<PaceSpec> pace;  ///< nothing: as fast as possible
  int line = 0;
};

/// Names of the result files, in the results folder; empty: the id of the composition with .csv, .nc and .html.
struct ResultsSpec {
  std::string csv;
  std::string netcdf;
  std::string report;
  std::string geopackage;  ///< empty: none is written
  int compression = 0;     ///< of the NetCDF file; 0: classic, 1 to 9: netCDF-4
  int line = 0;
};

/// A composition as the file describes it, before anything is loaded.
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
  /// Ids that the file uses as components although it has none of that id; reported when it was read.
  std::set<std::string, std::less<>> unknown_components;

  /// The name of a file of results: `given`, else the id with `ending`.
  std::string ResultName(const std::string& given, const char* ending) const {
    return given.empty() ? id + ending : given;
  }
  /// The folder that relative paths start from.
  std::filesystem::path Folder() const { return path.parent_path(); }
  /// The component with that id; null if there is none.
  const ComponentSpec* Component(std::string_view component_id) const;
};

/// The groups of a component: its Group; of a population with Parts, one for each part: "lowland-1", "lowland-2", ...
std::vector<std::string> GroupsOf(const ComponentSpec& component);

/// `text` as the id of a component: blanks, dots and unprintable characters become '-'. "component" if nothing is left.
std::string AsComponentId(std::string_view text);

/// Sets an argument of a component in place of the one that the file gives, or in addition to those.
/// \throws ArgumentError  there is no such component
void SetArgumentOf(CompositionFile& file, const std::string& component, const std::string& key, std::string value);

/// Reads and validates a composition.
///
/// Appends ALL problems of form to `problems`, each with file and line: schema, repeated ids, links to components that
/// do not exist, loops of adaptors, times without zone, an end before its start.
/// \returns what could be read, even with problems
/// \throws FileError    the file cannot be read
/// \throws FormatError  the file is not well-formed XML, or exceeds a limit
CompositionFile ReadCompositionFile(const std::filesystem::path& path, Problems& problems);
CompositionFile ReadCompositionText(std::string_view bytes, const std::filesystem::path& path, Problems& problems);

/// The composition as XML; ReadCompositionText reads the same composition from it.
///
/// Times are written to the microsecond.
/// \throws FormatError  text that XML cannot hold
std::string CompositionText(const CompositionFile& file);

/// Writes CompositionText to `path`.
/// \throws FileError  not writable
void WriteCompositionFile(const CompositionFile& file, const std::filesystem::path& path);

}  // namespace openmi
