// The section on the processes of components: who computed, who waited for whom, and what was sent.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>

#include "composition/report/HtmlSections.hpp"
#include "composition/report/PlotData.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/report/SvgWriter.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostListed = 200;
constexpr std::size_t kFirstWait = WorkerTimes::kRun;

using ProcessTimes = RecordedWorkers::Worker;

double WaitOf(const RecordedWorkers& workers, const ProcessTimes& worker) {
  double sum = 0.0;
  for (std::size_t column = kFirstWait; column < workers.columns.size(); ++column) {
    sum += workers.SecondsOf(worker, column);
  }
  return sum;
}

/// "the run 1.2 s, lowland 0.4 s": the longest waits, at most three; markup.
std::string LongestWaits(const RecordedWorkers& workers, const ProcessTimes& worker) {
  std::vector<std::size_t> columns(workers.columns.size() - kFirstWait);
  std::iota(columns.begin(), columns.end(), kFirstWait);
  const auto seconds = [&](std::size_t column) { return workers.SecondsOf(worker, column); };
  std::ranges::stable_sort(columns, [&](std::size_t a, std::size_t b) { return seconds(a) > seconds(b); });
  const double all = WaitOf(workers, worker);
  std::string text;
  for (std::size_t i = 0; i < columns.size() && i < 3; ++i) {
    if (!(seconds(columns[i]) > 0.01 * all)) break;
    text += (text.empty() ? "" : ", ") +
            HtmlSpan("day", fmt::format("{} {}", workers.columns[columns[i]], FormatSeconds(seconds(columns[i]))));
  }
  return text;
}

std::string PercentOf(double share) {
  return FormatFixed(100.0 * share, 1) + "\xE2\x80\x89%";
}

std::string SizeText(std::uint64_t bytes) {
  return bytes > 0 ? FormatBytes(static_cast<double>(bytes)) : std::string("0");
}

std::string ProcessHost(const WorkerFigures& figures) {
  const bool is_elsewhere = !figures.placed.empty() && figures.placed != "localhost";
  if (!is_elsewhere) return EscapeMarkup(figures.host);
  if (figures.placed == figures.host || figures.host.empty()) return EscapeMarkup(figures.placed);
  return EscapeMarkup(figures.placed) + " " + HtmlSpan("muted", figures.host);
}

/// "lost after 3.2 s, at 2015-12-05T03:00:00Z"; markup, empty for a process that was not lost.
std::string LossOf(const WorkerFigures& figures) {
  if (!figures.lost_after) return {};
  const std::string time = figures.lost_at ? ", at " + FormatIsoTime(*figures.lost_at) : std::string();
  return "<br>" + HtmlSpan("bad", fmt::format("lost after {}{}", FormatSeconds(*figures.lost_after), time));
}

std::string ProcessTable(const RecordedWorkers& workers) {
  HtmlTable table({{"Process", false, {}},
                   {"Host", false, "and the name by which that host calls itself, if that is another"},
                   {"PID", true, "number of the process, on its host"},
                   {"Computing", true, "as the process measured it"},
                   {"Share", true, "of the time of the run"},
                   {"Waiting", true, "it had nothing to compute"},
                   {"for", false, "the three for which it waited longest"},
                   {"From the run", true, "messages and rows since the process was started"},
                   {"To the run", true, "messages and rows since the process was started"},
                   {"To others", true, "rows that went to other processes without the run"},
                   {"From others", true, "rows that came from other processes without the run"}});
  for (std::size_t number = 0; number < workers.workers.size() && number < kMostListed; ++number) {
    const ProcessTimes& worker = workers.workers[number];
    const WorkerFigures& figures = worker.figures;
    std::uint64_t to_others = 0;
    for (const RowPathFigures& path : figures.paths) to_others += path.to != number ? path.bytes : 0;
    std::uint64_t from_others = 0;
    for (const ProcessTimes& other : workers.workers) {
      if (&other == &worker) continue;
      for (const RowPathFigures& path : other.figures.paths) from_others += path.to == number ? path.bytes : 0;
    }
    const double computing = workers.SecondsOf(worker, WorkerTimes::kComputing);
    const double waiting = WaitOf(workers, worker);
    const std::string components =
        figures.components == figures.name ? "" : " " + HtmlSpan("muted", "(" + figures.components + ")");
    table.AddRow({EscapeMarkup(figures.name) + components + LossOf(figures), ProcessHost(figures),
                  figures.process > 0 ? fmt::format("{}", figures.process) : "", FormatSeconds(computing),
                  computing + waiting > 0.0 ? PercentOf(computing / (computing + waiting)) : "", FormatSeconds(waiting),
                  LongestWaits(workers, worker), SizeText(figures.messages_to + figures.rows_to),
                  SizeText(figures.messages_from + figures.rows_from), SizeText(to_others), SizeText(from_others)});
  }
  return table.Finish("processes");
}

std::string PathTable(const RecordedWorkers& workers) {
  HtmlTable table({{"Rows from", false, {}},
                   {"to", false, {}},
                   {"over", false, "the network, or memory that both see"},
                   {"Bytes", true, {}}});
  std::size_t listed = 0;
  for (const ProcessTimes& worker : workers.workers) {
    for (const RowPathFigures& path : worker.figures.paths) {
      if (path.to >= workers.workers.size() || path.bytes == 0 || ++listed > kMostListed) continue;
      const WorkerFigures& to = workers.workers[path.to].figures;
      table.AddRow({EscapeMarkup(worker.figures.name), EscapeMarkup(to.name),
                    path.is_network          ? "the network"
                    : &to == &worker.figures ? "its own memory"
                                             : "memory of the host",
                    SizeText(path.bytes)});
    }
  }
  return table.Finish();
}

/// The seconds of a bin that have passed: the last one is not full.
double BinLength(const RecordedWorkers& workers, std::size_t bin) {
  const std::size_t width = workers.columns.size();
  double most = 0.0;
  for (const ProcessTimes& worker : workers.workers) {
    if ((bin + 1) * width > worker.times.size()) continue;
    const auto begin = worker.times.begin() + static_cast<std::ptrdiff_t>(bin * width);
    most = std::max(most, std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(width), 0.0));
  }
  return std::min(most, workers.bin_seconds);
}

std::string WaitColour(std::size_t column, bool waits) {
  if (column == WorkerTimes::kRun) return "nodata";
  if (column == WorkerTimes::kOthers) return "faint";
  return fmt::format("f{}{}", (column - WorkerTimes::kParties) % kSeriesColours, waits ? " wait" : "");
}

/// The column of those who wait for a worker.
std::size_t ColumnForOthers(const RecordedWorkers& workers, const ProcessTimes& worker) {
  const auto found = std::ranges::find_if(
      workers.columns.begin() + WorkerTimes::kParties, workers.columns.end(),
      [&worker](const std::string& name) { return name == worker.figures.name || name == worker.figures.components; });
  return found == workers.columns.end() ? std::size_t{WorkerTimes::kOthers}
                                        : static_cast<std::size_t>(found - workers.columns.begin());
}

/// The bars of a worker: from below what it computed, and for whom it waited, as shares of each bin.
void DrawProcess(SvgWriter& svg, const PlotPanel& panel, const RecordedWorkers& workers, const ProcessTimes& worker) {
  const std::size_t width = workers.columns.size();
  std::vector<SvgPath> paths(width);
  for (std::size_t bin = 0; bin < workers.bins && (bin + 1) * width <= worker.times.size(); ++bin) {
    const double length = BinLength(workers, bin);
    const double begin = static_cast<double>(bin) * workers.bin_seconds;
    const double left = panel.X(begin);
    const double right = panel.X(begin + length);
    if (!(length > 0.0)) continue;
    double bottom = panel.top + panel.height;
    for (std::size_t column = 0; column < width; ++column) {
      const double top = bottom - worker.times[bin * width + column] / length * panel.height;
      if (bottom - top < 0.05) continue;
      paths[column].MoveTo(left, bottom);
      paths[column].LineTo(left, std::max(top, panel.top));
      paths[column].LineTo(right, std::max(top, panel.top));
      paths[column].LineTo(right, bottom);
      paths[column].ClosePath();
      bottom = top;
    }
  }
  for (std::size_t column = 0; column < width; ++column) {
    if (paths[column].IsEmpty()) continue;
    const bool computes = column == WorkerTimes::kComputing;
    svg.Path(paths[column].Data(), WaitColour(computes ? ColumnForOthers(workers, worker) : column, !computes));
  }
}

/// What the script of the page shows where the pointer is.
std::string TimelineData(const RecordedWorkers& workers, const PlotPanel& panel, double row, double height,
                         std::size_t drawn) {
  std::string names;
  std::string values;
  for (std::size_t i = 0; i < drawn; ++i) {
    names += fmt::format("{}\"{}\"", i > 0 ? "," : "", EscapeJson(workers.workers[i].figures.name));
    values += fmt::format("{}\"{}\"", i > 0 ? "," : "", EncodeFloats(workers.workers[i].times));
  }
  std::string columns;
  for (const std::string& column : workers.columns) {
    columns += fmt::format("{}\"{}\"", columns.empty() ? "" : ",", EscapeJson(column));
  }
  return fmt::format(
      R"({{"left":{:.1f},"width":{:.1f},"top":{:.1f},"row":{:.1f},"height":{:.1f},"to":{:.9g},"bin":{:.9g},"names":[{}],"columns":[{}],"v":[{}]}})",
      panel.left, panel.width, panel.top, row, height, panel.to, workers.bin_seconds, names, columns, values);
}

std::string TimelineSvg(const RecordedWorkers& workers, double seconds) {
  constexpr double kRow = 34.0;
  constexpr double kBar = 26.0;
  constexpr double kWidth = 860.0;
  const std::size_t drawn = std::min(kMostTimelines, workers.workers.size());
  std::vector<LegendEntry> legend;
  for (std::size_t column = WorkerTimes::kParties; column < workers.columns.size(); ++column) {
    legend.push_back({workers.columns[column], WaitColour(column, false), true});
  }
  legend.push_back({"the run and messages", WaitColour(WorkerTimes::kRun, true), true});
  const auto is_waited_for = [&](const ProcessTimes& worker) {
    return workers.SecondsOf(worker, WorkerTimes::kOthers) > 0.0;
  };
  if (std::ranges::any_of(workers.workers, is_waited_for)) {
    legend.push_back({"others", WaitColour(WorkerTimes::kOthers, true), true});
  }
  PlotPanel panel;
  panel.left = 66.0;
  for (std::size_t i = 0; i < drawn; ++i) {
    panel.left = std::clamp(TextWidth(workers.workers[i].figures.name, 11.0) + 16.0, panel.left, 170.0);
  }
  panel.width = kWidth - panel.left - 16.0;
  panel.to = seconds;
  panel.in_seconds = true;
  SvgWriter measure(kWidth, 100.0, SvgUse::Inline, "");
  const double head = DrawLegend(measure, panel.left, 0.0, kWidth - 16.0, legend);
  panel.top = 4.0 + head + 8.0;
  panel.height = static_cast<double>(drawn) * kRow;
  SvgWriter svg(kWidth, panel.top + panel.height + 40.0, SvgUse::Inline,
                "How much of the time each process computed, and for whom it waited; the table below has the sums");
  svg.RootAttribute("data-waits", TimelineData(workers, panel, kRow, kBar, drawn));
  DrawLegend(svg, panel.left, 4.0, kWidth - 16.0, legend);
  DrawTimeAxis(svg, panel);
  for (std::size_t i = 0; i < drawn; ++i) {
    PlotPanel bar = panel;
    bar.top = panel.top + static_cast<double>(i) * kRow + (kRow - kBar) / 2.0;
    bar.height = kBar;
    svg.TextAt(panel.left - 8.0, bar.top + kBar / 2.0 + 3.8,
               FitText(workers.workers[i].figures.name, 11.0, panel.left - 14.0), "", "end");
    DrawProcess(svg, bar, workers, workers.workers[i]);
    if (const std::optional<double>& lost = workers.workers[i].figures.lost_after) {
      SvgPath mark;
      mark.MoveTo(panel.X(std::min(*lost, seconds)), bar.top - 3.0);
      mark.LineTo(panel.X(std::min(*lost, seconds)), bar.top + kBar + 3.0);
      svg.Path(mark.Data(), "lost");
    }
  }
  return svg.Finish();
}

/// The timeline in words, in a few parts of the time.
std::string TimelineTable(const RecordedWorkers& workers) {
  constexpr std::size_t kParts = 8;
  constexpr std::size_t kMostColumns = 8;
  const std::size_t drawn = std::min(kMostColumns, workers.workers.size());
  const std::size_t width = workers.columns.size();
  const std::size_t every = (workers.bins + kParts - 1) / kParts;
  std::vector<HtmlColumn> columns = {{"From", true, "since the start of the run"}};
  for (std::size_t i = 0; i < drawn; ++i) columns.push_back({workers.workers[i].figures.name, false, {}});
  HtmlTable table(std::move(columns));
  for (std::size_t begin = 0; begin < workers.bins; begin += every) {
    std::vector<std::string> cells = {FormatSeconds(static_cast<double>(begin) * workers.bin_seconds)};
    for (std::size_t i = 0; i < drawn; ++i) {
      std::vector<double> sums(width, 0.0);
      const std::vector<double>& times = workers.workers[i].times;
      for (std::size_t at = begin * width; at < std::min((begin + every) * width, times.size()); ++at) {
        sums[at % width] += times[at];
      }
      const double all = std::accumulate(sums.begin(), sums.end(), 0.0);
      const auto longest = std::max_element(sums.begin() + kFirstWait, sums.end());
      std::string text = all > 0.0 ? "computing " + PercentOf(sums[0] / all) : std::string();
      if (all > 0.0 && *longest > 0.01 * all) {
        text += fmt::format(", waiting for {} {}", workers.columns[static_cast<std::size_t>(longest - sums.begin())],
                            PercentOf(*longest / all));
      }
      cells.push_back(EscapeMarkup(text));
    }
    table.AddRow(cells);
  }
  return "<details><summary>The same as a table</summary>\n" + table.Finish() + "</details>\n";
}

}  // namespace

HtmlSection ProcessSection(const ReportModel& model) {
  HtmlSection section{"processes", "Processes", {}};
  const RecordedWorkers& workers = model.workers;
  if (workers.workers.empty() || workers.columns.size() < WorkerTimes::kParties) return section;
  double seconds = 0.0;
  for (std::size_t bin = 0; bin < workers.bins; ++bin) seconds += BinLength(workers, bin);
  if (seconds > 0.0) {
    std::string foot = TimelineTable(workers);
    if (workers.workers.size() > kMostTimelines) {
      foot += fmt::format("<p class=\"fine\">The first {} of {} processes are drawn.</p>", kMostTimelines,
                          workers.workers.size());
    }
    section.body += HtmlFigure("Who computed, and who waited for whom",
                               fmt::format("parts of {}; full colour: computing; pale: waiting for that process",
                                           FormatSeconds(workers.bin_seconds)),
                               false, TimelineSvg(workers, seconds), foot);
  }
  section.body += ProcessTable(workers);
  if (workers.workers.size() > kMostListed) {
    section.body += fmt::format("<p class=\"fine\">The first {} of {} processes are listed.</p>", kMostListed,
                                workers.workers.size());
  }
  section.body +=
      "<p class=\"fine\">A process that has nothing to compute waits for those that compute at that moment, in equal "
      "parts, or for the run if none does. The run's part includes the time of messages.</p>\n";
  if (const std::string paths = PathTable(workers); !paths.empty()) {
    section.body += "<h3>Rows that went from process to process</h3>\n" + paths;
  }
  return section;
}

}  // namespace openmi
