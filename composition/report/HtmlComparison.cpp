#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/measures/CumulativeVolume.hpp"
#include "composition/measures/FlowDuration.hpp"
#include "composition/report/HtmlSections.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgLinePlots.hpp"
#include "composition/report/SvgTimeAxis.hpp"
#include "composition/report/SvgWriter.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {
namespace {

constexpr std::string_view kObserved = "observed";
constexpr std::string_view kSimulated = "simulated";

bool HasPairs(const ReportComparison& comparison) {
  for (std::size_t i = 0; i < comparison.observed.size() && i < comparison.simulated.size(); ++i) {
    if (std::isfinite(comparison.observed[i]) && std::isfinite(comparison.simulated[i])) return true;
  }
  return false;
}

std::string TwoLines(const std::string& upper, const std::string& lower) {
  return lower.empty() ? upper : upper + "<small>" + lower + "</small>";
}

/// Markup of a period, "2015-12-05 – 2015-12-19"; no date is broken between lines. With the time of day if one is not
/// midnight.
std::string PeriodText(const MeasureWindow& window) {
  const bool has_from = std::isfinite(window.from);
  const bool has_to = std::isfinite(window.to);
  if (!has_from && !has_to) return "the whole run";
  const auto is_midnight = [](double time) { return !std::isfinite(time) || time == std::floor(time); };
  const bool are_days = is_midnight(window.from) && is_midnight(window.to);
  const auto text = [&](double time) { return HtmlSpan("day", are_days ? ShortIsoDate(time) : ShortIsoTime(time)); };
  return fmt::format("{} \xE2\x80\x93 {}", has_from ? text(window.from) : "begin", has_to ? text(window.to) : "end");
}

/// The efficiency, and that of persistence.
std::string EfficiencyCell(const WindowMeasures& measures) {
  const std::string number = "<b>" + FormatFixed(measures.nash_sutcliffe, 3) + "</b>";
  const double bar = measures.persistence.efficiency;
  if (!std::isfinite(bar)) return number;
  const bool is_above = measures.nash_sutcliffe > bar;
  std::string persistence = fmt::format("{} h: {}", FormatNumber(measures.persistence.hours), FormatFixed(bar, 3));
  if (measures.persistence.pairs != measures.pairs) {
    persistence += fmt::format(" ({} pairs)", measures.persistence.pairs);
  }
  return TwoLines(number,
                  HtmlSpan(is_above ? "good" : "bad", persistence + (is_above ? " \xE2\x9C\x93" : " \xE2\x9C\x97")));
}

std::string SignedHours(double hours) {
  return std::isfinite(hours) ? (hours > 0.0 ? "+" : "") + FormatFixed(hours, 1) + "\xE2\x80\x89h"
                              : FormatNumber(hours);
}

std::string Count(std::size_t number) {
  return FormatNumber(static_cast<double>(number), 9);
}

void AddWindow(HtmlTable& table, const ReportComparison& comparison, const WindowMeasures& measures, bool is_first) {
  const std::string station =
      is_first ? TwoLines(EscapeMarkup(comparison.station), EscapeMarkup(comparison.simulated_item)) : std::string();
  const std::string window = TwoLines(EscapeMarkup(measures.window.label), PeriodText(measures.window));
  const std::string pairs =
      TwoLines(Count(measures.pairs), measures.missing > 0 ? Count(measures.missing) + " missing" : std::string());
  const std::string_view css_class = is_first ? "first" : "";
  if (measures.pairs == 0) {
    table.AddRow({station, window, pairs, HtmlSpan("muted", "no observation"), "", "", "", "", ""}, css_class);
    return;
  }
  const KlingGupta& kge = measures.kling_gupta;
  const std::string parts =
      fmt::format("r {} \xC2\xB7 \xCE\xB1 {} \xC2\xB7 \xCE\xB2 {}", FormatFixed(kge.correlation, 2),
                  FormatFixed(kge.variability, 2), FormatFixed(kge.bias, 2));
  const std::size_t left_out = measures.log_nash_sutcliffe.left_out;
  table.AddRow(
      {station, window, pairs, EfficiencyCell(measures), TwoLines(FormatFixed(kge.efficiency, 3), parts),
       TwoLines(FormatFixed(measures.log_nash_sutcliffe.efficiency, 3),
                left_out > 0 ? Count(left_out) + " left out" : std::string()),
       FormatPercent(measures.volume_error),
       TwoLines(FormatPercent(measures.peak.size), SignedHours(measures.peak.hours)),
       TwoLines(FormatNumber(measures.root_mean_square_error, 3), "bias " + FormatNumber(measures.mean_bias, 3))},
      css_class);
}

std::string StationTable(const ReportModel& model) {
  HtmlTable table({{"Station", false, {}},
                   {"Window", false, {}},
                   {"Pairs", true, "times with both an observed and a simulated value"},
                   {"NSE", true, "Nash-Sutcliffe efficiency; below it that of a persistence forecast, for comparison"},
                   {"KGE", true, "Kling-Gupta efficiency of 2009: correlation r, variability ratio, bias ratio"},
                   {"log-NSE", true, "Nash-Sutcliffe efficiency of the logarithms: low flows"},
                   {"Volume", true, "error of the total"},
                   {"Peak", true, "error of the largest value in size and in time, positive where it is late"},
                   {"RMSE", true, "root mean square error, and mean error, in the unit of the series"}});
  for (const ReportComparison& comparison : model.comparisons) {
    bool is_first = true;
    for (const WindowMeasures& measures : comparison.windows) {
      AddWindow(table, comparison, measures, is_first);
      is_first = false;
    }
  }
  return table.Finish("stations");
}

PlotSeries Trace(std::string_view label, const std::vector<double>& times, const std::vector<double>& values,
                 std::string css_class) {
  return {std::string(label), times, values, PlotShape::Line, std::move(css_class)};
}

std::string ComparisonHydrograph(const ReportModel& model, const ReportComparison& comparison,
                                 const ReportDetail& detail) {
  Hydrograph hydrograph;
  hydrograph.rain = Trace(comparison.rain.label.empty() ? "rain" : comparison.rain.label, comparison.rain.times,
                          comparison.rain.values, {});
  hydrograph.rain.begins = comparison.rain.begins;
  hydrograph.rain_unit = comparison.rain.unit;
  hydrograph.observed = Trace(kObserved, comparison.times, comparison.observed, {});
  hydrograph.flows = {Trace(kSimulated, comparison.times, comparison.simulated, {})};
  hydrograph.flow_unit = comparison.unit;
  hydrograph.spans = WarmUpSpans(model);
  const PlotStyle style = StyleOf(detail, 400.0);
  return HtmlFigure(comparison.station, comparison.simulated_item + " against " + comparison.observed_item, false,
                    HydrographSvg(hydrograph, style));
}

std::string ResidualFigure(const ReportModel& model, const ReportComparison& comparison, const ReportDetail& detail) {
  std::vector<double> residuals(comparison.times.size(), kNotANumber);
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = comparison.simulated[i] - comparison.observed[i];
  const PlotStyle style = StyleOf(detail, 210.0);
  return HtmlFigure(
      "Residuals", "simulated minus observed", false,
      ResidualPlotSvg(Trace("residual", comparison.times, residuals, {}), comparison.unit, WarmUpSpans(model), style));
}

/// Both series at times after the warm-up where both have a value; elsewhere missing, so that their sums are
/// comparable.
struct ComparablePair {
  std::vector<double> observed;
  std::vector<double> simulated;
};

ComparablePair Comparable(const ReportModel& model, const ReportComparison& comparison) {
  ComparablePair pair{comparison.observed, comparison.simulated};
  for (std::size_t i = 0; i < comparison.times.size(); ++i) {
    const bool is_warming = comparison.times[i] <= model.warm_up_until + kTimeTolerance.count;
    if (is_warming || !std::isfinite(pair.observed[i]) || !std::isfinite(pair.simulated[i])) {
      pair.observed[i] = kNotANumber;
      pair.simulated[i] = kNotANumber;
    }
  }
  return pair;
}

std::string PairOfFigures(const ReportModel& model, const ReportComparison& comparison, const ReportDetail& detail) {
  const ComparablePair pair = Comparable(model, comparison);
  PlotStyle style = StyleOf(detail, 300.0, 430.0);
  style.columns = detail.columns / 2;
  const std::vector<FlowDurationSeries> curves{{std::string(kObserved), ComputeFlowDuration(pair.observed), "obs"},
                                               {std::string(kSimulated), ComputeFlowDuration(pair.simulated), "l s0"}};
  const auto accumulate = [&](const std::vector<double>& values) {
    return AccumulateVolume(comparison.times, values, comparison.volume_rule, kNotANumber, comparison.volume_scale)
        .volumes;
  };
  const std::vector<double> observed = accumulate(pair.observed);
  const std::vector<double> simulated = accumulate(pair.simulated);
  LinePlot volumes;
  volumes.unit = comparison.volume_unit.empty() ? comparison.unit + " s" : comparison.volume_unit;
  volumes.series = {Trace(kObserved, comparison.times, observed, "obs"),
                    Trace(kSimulated, comparison.times, simulated, "l s0")};
  volumes.spans = WarmUpSpans(model);
  return "<div class=\"pair\">" +
         HtmlFigure("Flow duration", "pairs after the warm-up", false,
                    FlowDurationSvg(curves, comparison.unit, style)) +
         HtmlFigure("Cumulative volumes", "pairs after the warm-up", false, LinePlotSvg(volumes, style)) + "</div>";
}

void CheckLengths(const ReportComparison& comparison) {
  const std::size_t times = comparison.times.size();
  if (comparison.observed.size() != times || comparison.simulated.size() != times) {
    Where where;
    where.item = comparison.simulated_item;
    throw RangeError(
        std::move(where),
        fmt::format("expected as many observed and simulated values as times, found {} times, {} observed and "
                    "{} simulated values",
                    times, comparison.observed.size(), comparison.simulated.size()),
        "pair values of equal times, with NaN where one is missing");
  }
}

}  // namespace

HtmlSection ComparisonSection(const ReportModel& model, const ReportDetail& detail) {
  HtmlSection section{"observations", "Against observations", {}};
  if (model.comparisons.empty()) return section;
  std::for_each(model.comparisons.begin(), model.comparisons.end(), CheckLengths);
  section.body += StationTable(model);
  section.body +=
      "<p class=\"fine\">Below the efficiency (NSE, 1 is perfect) is that of a persistence forecast, which repeats the "
      "value observed the stated hours earlier. Errors of volume and peak are relative; they are positive if the model "
      "gives too much or is late. Peaks are the largest values of the window. Logarithms are taken of the value plus a "
      "hundredth of the observed mean. Pairs with a missing value are omitted and counted.</p>\n";
  for (const ReportComparison& comparison : model.comparisons) {
    section.body += ComparisonHydrograph(model, comparison, detail);
    if (!HasPairs(comparison)) {
      section.body += "<p class=\"fine\">There is no observation at this place, so no efficiency is stated.</p>\n";
      continue;
    }
    section.body += ResidualFigure(model, comparison, detail);
    section.body += PairOfFigures(model, comparison, detail);
  }
  return section;
}

HtmlSection HydrographSection(const ReportModel& model, const ReportDetail& detail) {
  HtmlSection section{"hydrographs", "Hydrographs", {}};
  for (const ReportHydrograph& hydrograph : model.hydrographs) {
    Hydrograph plot;
    plot.rain = Trace(hydrograph.rain.label, hydrograph.rain.times, hydrograph.rain.values, {});
    plot.rain.begins = hydrograph.rain.begins;
    plot.rain_unit = hydrograph.rain.unit;
    for (const ReportTrace& flow : hydrograph.flows) {
      plot.flows.push_back(Trace(flow.label, flow.times, flow.values, {}));
      plot.flow_unit = flow.unit;
    }
    plot.spans = WarmUpSpans(model);
    const PlotStyle style = StyleOf(detail, 380.0);
    section.body += HtmlFigure(hydrograph.title, hydrograph.is_invented ? "no observation, so no efficiency" : "",
                               hydrograph.is_invented, HydrographSvg(plot, style));
  }
  return section;
}

}  // namespace openmi
