#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  std::vector<AdaptorSpec> adaptors;
  int line = 0;
  /// "from -> to".
  std::string Text() const { return from.Text() + " -> " + to.Text(); }
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

/// The run; a time is NaN where the file's text was none (which was reported).
struct RunSpec {
  double from_mjd = 0.0;  ///< UTC
  double to_mjd = 0.0;    ///< UTC
  double warm_up_days = 0.0;
  std::vector<std::string> trigger;  ///< component ids; empty: those that nobody takes values from
  RunMode mode = RunMode::Pull;
  int line = 0;
};

/// Names of the files to write, below the folder of results; empty: the composition's id with .csv, .nc and .html.
struct ResultsSpec {
  std::string csv;
  std::string netcdf;
  std::string report;
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
  std::vector<ObserveSpec> observes;
  std::vector<CompareSpec> compares;
  std::optional<RunSpec> run;
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
