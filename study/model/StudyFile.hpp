#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

/// Members of a design, and the budget of a search, are no more.
inline constexpr std::uint64_t kMostMembers = 1'000'000'000;

/// One of the values that a Vary lists, with the arguments that go with it.
struct VaryValue {
  std::string text = {};
  std::vector<ArgumentSpec> arguments = {};  ///< of a whole component or adaptor: they replace those of the composition
  int line = 0;
};

/// What a Vary changes in the composition.
enum class VaryTarget {
  Template,         ///< nothing itself: its value is put into templates of files
  Argument,         ///< an argument of a component
  Component,        ///< the OMI file of a component
  InitialState,     ///< the initial state of a component
  Adaptor,          ///< the id of an adaptor on a link
  AdaptorArgument,  ///< an argument of an adaptor on a link
};

/// How a continuous range is divided.
enum class VaryScale { Linear, Log };
inline constexpr EnumNames<VaryScale> kVaryScales{"linear", "log"};

/// Something that differs from member to member: a range of numbers, a list of values, or a column of a table.
struct VarySpec {
  std::string id;
  VaryTarget target = VaryTarget::Template;
  std::string component;  ///< of Argument, Component and InitialState
  std::string argument;   ///< of Argument and AdaptorArgument
  std::string link;       ///< id of the link, of Adaptor and AdaptorArgument
  int adaptor = 1;        ///< number of the adaptor on its link, from the output, counted from 1
  std::string unit;       ///< of the numbers; empty: not stated
  std::optional<double> from, to;
  VaryScale scale = VaryScale::Linear;
  bool is_whole = false;  ///< numbers are rounded to whole ones
  int steps = 0;          ///< points of a range in a grid
  std::vector<VaryValue> values;
  int line = 0;

  bool IsRange() const { return from.has_value() && to.has_value(); }
  /// "pond.k", "initial state of pond": the target, for people.
  std::string TargetText() const;
  /// The value at `share` (0..1) of the range, in the scale of the range; or of the list, in equal parts.
  std::string At(double share) const;
};

/// A file in which each `@{id}` is replaced by the value of the Vary of that id; the result is passed to an argument.
struct TemplateSpec {
  std::string component;
  std::string argument;
  std::string of;  ///< path relative to the study
  int line = 0;
};

/// How the members of a study are chosen.
enum class DesignMethod {
  List,            ///< member i has the i-th value of each Vary
  Table,           ///< a row of a CSV table for each member
  Grid,            ///< all combinations
  Program,         ///< a program asks for them, one after another
  LatinHypercube,  ///< each range is divided into as many parts as there are members; each part is used once
  Sobol,           ///< a Sobol sequence
  Saltelli         ///< Saltelli's design for Sobol indices: Members * (number of Vary + 2) members
};
inline constexpr EnumNames<DesignMethod> kDesignMethods{"list",  "table",   "grid", "program", "latin-hypercube",
                                                        "sobol", "saltelli"};

struct DesignSpec {
  DesignMethod method = DesignMethod::List;
  std::uint64_t members = 0;  ///< of a Latin hypercube, a Sobol sequence; base points of Saltelli's design
  std::uint64_t seed = 0;
  std::string table;  ///< path relative to the study
  int line = 0;
};

enum class SearchMethod { Dds, DifferentialEvolution };
inline constexpr EnumNames<SearchMethod> kSearchMethods{"dds", "differential-evolution"};

/// A search for the values with the lowest cost.
struct CalibrateSpec {
  SearchMethod method = SearchMethod::Dds;
  std::uint64_t budget = 0;       ///< evaluations
  std::optional<double> seconds;  ///< wall-clock time after which no further member starts
  std::uint64_t seed = 0;
  int population = 0;  ///< of differential evolution; 0: ten for each Vary
  int line = 0;
};

/// A measure of a Compare, or what summarizes an observed item.
enum class ObjectiveMeasure { Nse, Kge, LogNse, Volume, Peak, Rmse, Mean, Sum, Minimum, Maximum, Last };
inline constexpr EnumNames<ObjectiveMeasure> kObjectiveMeasures{"nse",  "kge", "log-nse", "volume",  "peak", "rmse",
                                                                "mean", "sum", "minimum", "maximum", "last"};
/// Whether a measure compares with an observation.
inline constexpr bool IsComparing(ObjectiveMeasure measure) {
  return measure <= ObjectiveMeasure::Rmse;
}

/// Which direction of an observed item's number is better.
enum class ObjectiveGoal { Minimize, Maximize };
inline constexpr EnumNames<ObjectiveGoal> kObjectiveGoals{"minimize", "maximize"};

/// A number that is computed of each member.
struct ObjectiveSpec {
  std::string id;
  std::string compare;  ///< id of a Compare of the composition
  std::string item;     ///< id of an observed series ("pond.outflow"), in place of `compare`
  ObjectiveMeasure measure = ObjectiveMeasure::Nse;
  std::string window;   ///< label of a Window of the Compare; empty: the run without its warm-up
  std::string element;  ///< id; empty: the mean over all
  double weight = 0.0;  ///< in the cost of a calibration; 0: stated, but not part of it
  ObjectiveGoal goal = ObjectiveGoal::Minimize;
  int line = 0;

  /// The cost of a value, which a calibration makes as small as possible: 1 - efficiency, the size of an error, or the
  /// number itself (its negative for Maximize).
  double CostOf(double value) const;
};

/// The processes that compute members.
struct WorkersSpec {
  int count = 0;                    ///< 0: one for each core
  double time_limit_seconds = 0.0;  ///< wall-clock time of a member; 0: no limit
  std::uint64_t memory_limit_bytes = 0;
  std::uint64_t members = 0;  ///< after so many members a worker is replaced; 0: never
  int line = 0;
};

/// A study as its file describes it.
struct StudyFile {
  std::filesystem::path path;
  std::string id;
  std::string caption;
  std::string description;
  std::string composition;  ///< path relative to the study
  int composition_line = 0;
  std::vector<VarySpec> varies;
  std::vector<TemplateSpec> templates;
  std::optional<DesignSpec> design;
  std::optional<CalibrateSpec> calibrate;
  std::vector<ObjectiveSpec> objectives;
  WorkersSpec workers;
  std::optional<Stamp> branch;  ///< UTC: members begin here, with the states that the composition has then
  int branch_line = 0;

  std::filesystem::path Folder() const { return path.parent_path(); }
  std::filesystem::path CompositionPath() const { return (Folder() / composition).lexically_normal(); }
};

/// Reads and validates a study. Appends all problems of form to `problems`, each with file and line.
/// \returns what could be read, even with problems
/// \throws FileError    the file cannot be read
/// \throws FormatError  the file is not well-formed XML, or exceeds a limit
StudyFile ReadStudyFile(const std::filesystem::path& path, Problems& problems);
StudyFile ReadStudyText(std::string_view bytes, const std::filesystem::path& path, Problems& problems);

}  // namespace openmi
