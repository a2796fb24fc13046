#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgElementPlots.hpp"
#include "composition/report/SvgLinePlots.hpp"
#include "composition/report/SvgWriter.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/OutputFile.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

struct PlotArguments {
  std::string file;
  std::string output;
  std::vector<std::string> items;
  std::vector<std::string> elements;
};

// The rows of the wanted elements.
ResultRows Chosen(const ResultRows& rows, const std::vector<std::string>& elements) {
  if (elements.empty()) return rows;
  ResultRows chosen = rows;
  chosen.series.elements.clear();
  chosen.values.clear();
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < rows.series.elements.size(); ++i) {
    if (std::ranges::find(elements, rows.series.elements[i]) == elements.end()) continue;
    columns.push_back(i);
    chosen.series.elements.push_back(rows.series.elements[i]);
  }
  for (std::size_t row = 0; row < rows.ends.size(); ++row) {
    for (const std::size_t column : columns) chosen.values.push_back(rows.Row(row)[column]);
  }
  return chosen;
}

/// A series over seconds, a line for each element.
std::string DrawnInSeconds(const ResultRows& rows, const std::string& title) {
  std::vector<double> seconds;
  for (const double end : rows.ends) seconds.push_back(SecondsOf(end));
  std::vector<std::vector<double>> columns(rows.series.Width());
  for (std::size_t i = 0; i < rows.values.size(); ++i) columns[i % columns.size()].push_back(rows.values[i]);
  LinePlot plot{.unit = rows.series.unit, .series = {}, .spans = {}};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const bool is_one = rows.series.elements.empty();
    plot.series.push_back(
        {.label = is_one ? rows.series.id : rows.series.elements[i], .times = seconds, .values = columns[i]});
  }
  return LinePlotSvg(plot, {.use = SvgUse::Standalone, .title = title, .in_seconds = true});
}

std::string Drawn(const ResultRows& rows, bool in_seconds, ElementColours& colours) {
  std::string title = rows.series.id;
  if (!rows.series.unit.empty()) title += " [" + PrettyUnit(rows.series.unit) + "]";
  if (in_seconds) return DrawnInSeconds(rows, title);
  ElementPlot plot;
  plot.unit = rows.series.unit;
  plot.elements = rows.series.elements;
  if (plot.elements.empty()) {
    plot.elements.push_back(rows.series.id);
  } else if (plot.elements.size() <= kMostLines) {
    plot.colours = colours.Of(plot.elements);
  }
  plot.times = rows.ends;
  plot.values = rows.values;
  plot.highlighted = ChooseHighlights(plot.elements.size(), rows.values);
  plot.shape = rows.series.kind == ResultKind::Instant ? PlotShape::Line : PlotShape::Step;
  // A table does not state where its first span starts: as a rule, it is as long as the next one.
  std::vector<double> begins = rows.begins;
  if (begins.size() > 1 && begins[0] == rows.ends[0]) begins[0] -= rows.ends[1] - begins[1];
  if (plot.shape == PlotShape::Step && begins.size() == rows.ends.size()) plot.begins = begins;
  return ElementPlotSvg(plot, {.use = SvgUse::Standalone, .title = title});
}

// The observed item of a series: the id of the series, unless the Observe element gave another one.
std::string ItemOf(const ResultSeries& series) {
  for (const auto& [name, text] : series.attributes) {
    if (name == "item") return text;
  }
  return series.id;
}

bool IsWanted(const std::vector<std::string>& items, const ResultSeries& series) {
  return items.empty() || std::ranges::find(items, series.id) != items.end() ||
         std::ranges::find(items, ItemOf(series)) != items.end();
}

void CheckNames(const std::vector<std::string>& wanted, const std::vector<std::string>& there, const char* kind) {
  for (const std::string& name : wanted) {
    if (std::ranges::find(there, name) == there.end())
      throw UsageFault{fmt::format("expected {} of the results, found '{}'; {}", kind, name, Suggest(name, there))};
  }
}

int Execute(const PlotArguments& arguments) {
  ExpectResults(arguments.file);
  ExpectSvg(arguments.output, "-o");
  const ResultTable table = ReadResults(arguments.file);
  std::vector<std::string> items;
  std::vector<std::string> elements;
  for (const ResultRows& rows : table.series) {
    items.push_back(rows.series.id);
    if (const std::string item = ItemOf(rows.series); item != rows.series.id) items.push_back(item);
    if (IsWanted(arguments.items, rows.series))
      elements.insert(elements.end(), rows.series.elements.begin(), rows.series.elements.end());
  }
  CheckNames(arguments.items, items, "an item");
  CheckNames(arguments.elements, elements, "an element");
  std::vector<std::string> pictures;
  ElementColours colours;
  for (const ResultRows& rows : table.series) {
    if (!IsWanted(arguments.items, rows.series)) continue;
    const ResultRows chosen = Chosen(rows, arguments.elements);
    if (!arguments.elements.empty() && chosen.series.elements.empty()) continue;
    pictures.push_back(Drawn(chosen, table.in_seconds, colours));
  }
  if (pictures.empty()) {
    PrintLine(stderr, PrintableText(arguments.file + ": expected at least one series to plot, found none"));
    return kBadInput;
  }
  WriteOutput(arguments.output.empty() ? NamedAfter(arguments.file, ".plot.svg") : arguments.output, Stacked(pictures));
  return kSuccess;
}

}  // namespace

void AddPlot(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<PlotArguments>();
  CLI::App* plot = app.add_subcommand("plot", "Draw results over time");
  plot->add_option("RESULTS", arguments->file,
                   "Results: CSV or NetCDF; also a table with seconds below the heading 'time'")
      ->required();
  AddValue(*plot, "-o,--output,--output-file", arguments->output, "OUT",
           "SVG file; '-' is standard output (default: the name of RESULTS with .plot.svg)");
  AddRepeated(*plot, "--item", arguments->items, "ID",
              "Item to draw: component.item, or the id of its Observe element; may be repeated (default: all, one "
              "below the other)");
  AddRepeated(*plot, "--element", arguments->elements, "ID", "Element to draw; may be repeated (default: all)");
  plot->footer(
      "Examples:\n"
      "  openmi plot results/upper-creek.nc\n"
      "  openmi plot results/upper-creek.csv --item creek.discharge --element fp-27 -o outlet.svg");
  plot->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
