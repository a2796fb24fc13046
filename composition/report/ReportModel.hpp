#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "composition/link/Groups.hpp"
#include "composition/measures/CumulativeVolume.hpp"
#include "composition/measures/WindowMeasures.hpp"
#include "composition/record/ComponentMeter.hpp"
#include "composition/record/SeriesFigures.hpp"
#include "composition/report/GraphModel.hpp"
#include "composition/report/SvgMap.hpp"
#include "composition/report/SvgPlotFrame.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

/// A number that is unknown.
inline constexpr double kUnknown = kNotANumber;

/// How serious a statement of the report is.
enum class ReportTone { Neutral, Good, Warning, Bad };

/// A figure in the summary.
struct ReportKeyFigure {
  std::string label;
  std::string value;  ///< as it is printed
  std::string unit;
  std::string note;  ///< a short line below; may be empty
  ReportTone tone = ReportTone::Neutral;
};

/// A message to the reader.
struct ReportMessage {
  ReportTone tone = ReportTone::Neutral;
  std::string place;  ///< component, item, or file and line; may be empty
  std::string text;
};

/// An element of an observed item.
struct ReportElement {
  std::string id;
  bool is_invented = false;
};

/// An observed item and its values over time.
struct ReportSeries {
  std::string item;     ///< "creek.discharge"
  std::string caption;  ///< of the item; may be empty
  std::string unit;
  std::string as;                        ///< "instant", "mean over 1 h", ...
  std::vector<ReportElement> elements;   ///< shape [m]; one without an id if the item has no elements
  std::vector<double> times;             ///< Modified Julian Days, UTC, ascending; shape [n]
  std::vector<double> values;            ///< row by row, NaN where missing; shape [n * m]
  std::vector<std::size_t> highlighted;  ///< elements that are drawn by name; empty: chosen by size
  PlotShape shape = PlotShape::Line;     ///< `Step` for means and sums over spans
  std::vector<double> begins = {};       ///< starts of the spans that end at `times`; shape [n]; empty for instants
  bool is_whole = true;                  ///< false: `values` are those of the first rows only
  std::optional<SeriesFigures> figures = {};  ///< of all rows; none: those of `values`
  std::vector<double> balance_errors = {};    ///< relative ones, of the elements; NaN: unknown; shape [m], or empty
};

/// A series that belongs to a plot of another one, such as the rain of a hydrograph; empty if there is none.
struct ReportTrace {
  std::string label;
  std::string unit;
  std::vector<double> times;        ///< Modified Julian Days, UTC, ascending; shape [n]
  std::vector<double> values;       ///< NaN where missing; shape [n]
  std::vector<double> begins = {};  ///< starts of the spans that end at `times`; shape [n]; empty: unknown
};

/// Flow below the rain that caused it, without an observation to compare it with.
struct ReportHydrograph {
  std::string title;
  ReportTrace rain;
  std::vector<ReportTrace> flows;  ///< all in one unit
  bool is_invented = false;        ///< the place is invented; the report states it beside the title
};

/// A simulated and an observed series.
struct ReportComparison {
  std::string station;  ///< name of the place
  std::string simulated_item;
  std::string observed_item;
  std::string unit;
  std::vector<double> times;      ///< Modified Julian Days, UTC, ascending; shape [n]
  std::vector<double> observed;   ///< NaN where missing; shape [n]
  std::vector<double> simulated;  ///< NaN where missing; shape [n]
  std::vector<WindowMeasures> windows;
  ReportTrace rain;           ///< for the hydrograph
  std::string volume_unit;    ///< unit of the cumulative volumes, such as "m3"; empty: unit times seconds
  double volume_scale = 1.0;  ///< volume in `volume_unit` per (unit times second)
  VolumeRule volume_rule = VolumeRule::Span;
};

/// What left the provider of a link, and what its consumer received.
struct LinkBalance {
  std::string from;  ///< "rain.precipitation"
  std::string to;
  std::string adaptors;  ///< "area-weighted, mean over spans"; may be empty
  std::string unit;      ///< of both amounts
  double left = kUnknown;
  double arrived = kUnknown;
  double relative_difference = kUnknown;  ///< (arrived + outside - left) / (left - outside)
  std::string note;
  double outside = 0.0;  ///< the part of `left` that lies outside the target elements
};

/// The balance of one of many parts of a component.
struct PartBalance {
  std::string id;
  ElementBalanceFigures figures;
};

/// What a component held, received and gave.
struct ComponentBalance {
  std::string component;
  double area_m2 = kUnknown;  ///< to state amounts as depths, too; unknown: no depths
  double start_m3 = kUnknown;
  double in_m3 = kUnknown;
  double out_m3 = kUnknown;
  double losses_m3 = kUnknown;
  double end_m3 = kUnknown;
  double residual_m3 = kUnknown;             ///< start + in - out - losses - end
  double worst_step_residual_m3 = kUnknown;  ///< of one step, largest by size
  double worst_step_time = kUnknown;         ///< Modified Julian Day
  double relative_residual = kUnknown;       ///< residual divided by the largest of the five amounts
  std::string note;
  std::string unit = "m3";                    ///< of all amounts
  std::size_t parts = 0;                      ///< number of its parts with a balance of their own
  std::size_t open_parts = 0;                 ///< of these: beyond the tolerance
  std::size_t unknown_parts = 0;              ///< of these: missing values passed through
  std::vector<PartBalance> worst_parts = {};  ///< those with the largest relative residual, the largest first
};

/// A file that took part in the run.
struct ReportFile {
  std::string path;
  std::string role;  ///< "composition", "OMI file", "library", "input", ...
  std::string hash;  ///< with its algorithm, "sha256:..."
  double bytes = kUnknown;
};

/// An argument as it was used. The value of a secret one is masked already.
struct ReportArgument {
  std::string component;
  std::string key;
  std::string value;
  std::string unit;
  std::string origin;  ///< "default", "OMI file", "composition", "Run" or "operator"
};

/// The computing time of a component.
struct ReportTiming {
  std::string component;
  double seconds = 0.0;  ///< in the component, without its providers
  std::size_t updates = 0;
  double median = kUnknown;  ///< of single updates, seconds; unknown: not measured
  double percentile_99 = kUnknown;
  double longest = kUnknown;
};

/// Everything a report shows. Empty parts are omitted.
struct ReportModel {
  std::string title;
  std::string subtitle;  ///< one line: what was run
  std::string description;
  bool is_complete = true;  ///< the run reached its end
  std::string created;      ///< when the report was written, as text
  std::vector<std::pair<std::string, std::string>>
      results;             ///< files with all values: what they are, path from the report
  double from = kUnknown;  ///< Modified Julian Day, UTC
  double to = kUnknown;
  double warm_up_until = kUnknown;  ///< unknown: no warm-up

  std::vector<ReportKeyFigure> key_figures;
  std::vector<ReportMessage> messages;  ///< warnings and notes
  GraphModel graph;
  std::vector<ReportComparison> comparisons;
  std::vector<ReportHydrograph> hydrographs;
  std::vector<ReportSeries> series;
  double balance_tolerance = 1e-9;  ///< relative; a balance that exceeds it is marked
  std::vector<LinkBalance> link_balances;
  std::vector<std::pair<std::string, std::string>> not_balanced;  ///< links, and why they have no balance
  std::vector<ComponentBalance> component_balances;
  std::vector<ElementMap> maps;
  std::vector<std::pair<std::string, std::string>> settings;  ///< of the run: name and value
  std::vector<ReportTiming> timings;
  bool is_timing_estimated = false;
  RecordedWorkers workers;  ///< the processes of components
  double wall_seconds = kUnknown;
  std::vector<std::pair<std::string, std::string>> versions;  ///< name and version
  std::vector<ReportFile> files;
  std::vector<ReportArgument> arguments;
};

}  // namespace openmi
