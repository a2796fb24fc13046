#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "composition/report/RunReport.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

constexpr std::size_t kMostLines = 40;  // of links, or of components
constexpr double kTolerance = 1e-9;     // relative; a balance with a larger error is coloured

// "0.0000 %", or with an exponent where that would hide a leak.
std::string Percent(double share) {
  const double percent = share * 100.0;
  if (percent != 0.0 && std::fabs(percent) < 1e-4 && std::fabs(share) > kTolerance)
    return fmt::format("{:.1e} %", percent);
  return fmt::format("{:.4f} %", percent == 0.0 || std::fabs(percent) < 5e-5 ? 0.0 : percent);
}

Colour ColourOf(double share) {
  return std::fabs(share) <= kTolerance ? Colour::Plain : Colour::Yellow;
}

void PrintLinks(std::FILE* stream, const Composition& composition, const RunRecord& record) {
  std::size_t printed = 0;
  for (const auto& [name, figures] : record.links) {
    if (++printed > kMostLines) {
      PrintLine(stream, fmt::format("balance ... and {} more links, see the report", record.links.size() - kMostLines));
      break;
    }
    if (!figures.is_weighed) {
      const std::string nothing = figures.note.empty() ? UnweighedText(*composition.File().run) : figures.note;
      PrintLine(stream, PrintableText(fmt::format("balance {} {}", name, nothing)));
      continue;
    }
    std::string text = fmt::format("balance {} {}", name, Percent(figures.relative_difference));
    text += fmt::format("  ({:.6g} {} left, {:.6g} arrived", figures.left, figures.unit, figures.arrived);
    if (figures.outside != 0.0) text += fmt::format(", {:.6g} outside", figures.outside);
    if (figures.missing > 0)
      text += fmt::format(", {} missing value{} left out", figures.missing, figures.missing == 1 ? "" : "s");
    PrintLine(stream, Painted(PrintableText(text + ")"), ColourOf(figures.relative_difference), stream));
  }
}

void PrintLinksNotBalanced(std::FILE* stream, const RunRecord& record) {
  std::size_t printed = 0;
  for (const auto& [name, reason] : record.not_balanced) {
    if (++printed > kMostLines) {
      PrintLine(stream, fmt::format("balance ... and {} more links that are not balanced, see the report",
                                    record.not_balanced.size() - kMostLines));
      break;
    }
    PrintLine(stream, PrintableText(fmt::format("balance {} not balanced: {}", name, reason)));
  }
}

void PrintComponents(std::FILE* stream, const Composition& composition, const RunRecord& record) {
  std::size_t printed = 0;
  for (const auto& [id, figures] : record.components) {
    if (++printed > kMostLines) {
      PrintLine(stream, fmt::format("balance ... and {} more components, see the report",
                                    record.components.size() - kMostLines));
      break;
    }
    if (!figures.is_weighed) {
      PrintLine(stream, PrintableText(fmt::format("balance {} {}", id, UnweighedText(*composition.File().run))));
      continue;
    }
    const auto index = composition.IndexOf(id);
    const Instance* instance = index ? &composition.Instances()[*index] : nullptr;
    const std::string unit =
        instance != nullptr && instance->balance != nullptr ? instance->balance->BalanceUnit() : "";
    if (std::isnan(figures.residual)) {
      PrintLine(stream, Painted(fmt::format("balance {} unknown: missing values passed through", PrintableText(id)),
                                Colour::Yellow, stream));
      continue;
    }
    const std::string text = fmt::format("balance {} residual {:.2g} {} ({:.1e} relative, worst step {:.2g} {})", id,
                                         figures.residual, unit, figures.relative, figures.worst_step, unit);
    PrintLine(stream, Painted(PrintableText(text), ColourOf(figures.relative), stream));
  }
}

void PrintLoops(std::FILE* stream, const RunRecord& record) {
  for (const LoopFigures& loop : record.loops) {
    const std::string text = fmt::format("loop {} {}", loop.cycle, LoopText(loop));
    const bool is_good = loop.unconverged == 0 && loop.missing == 0;
    PrintLine(stream, Painted(PrintableText(text), is_good ? Colour::Plain : Colour::Yellow, stream));
  }
}

void PrintStations(std::FILE* stream, const std::vector<ReportComparison>& stations) {
  for (const ReportComparison& station : stations) {
    for (const WindowMeasures& m : station.windows) {
      std::string text = fmt::format("station {} {}: {} pairs, {} missing", station.station,
                                     m.window.label.empty() ? "run" : m.window.label, m.pairs, m.missing);
      if (m.pairs > 0) {
        std::string persistence;  // none where no value of a day before was measured
        if (std::isfinite(m.persistence.efficiency)) {
          const std::string fewer =
              m.persistence.pairs != m.pairs ? fmt::format(" of {} pairs", m.persistence.pairs) : std::string();
          persistence = fmt::format(" (24 h persistence {:.3f}{})", m.persistence.efficiency, fewer);
        }
        text +=
            fmt::format(", NSE {:.3f}{}, KGE {:.3f}, log-NSE {:.3f}, volume {:+.1f} %", m.nash_sutcliffe, persistence,
                        m.kling_gupta.efficiency, m.log_nash_sutcliffe.efficiency, m.volume_error * 100.0);
        text += fmt::format(", peak {:+.1f} % {:+.1f} h", m.peak.size * 100.0, m.peak.hours);
      }
      PrintLine(stream, PrintableText(text));
    }
  }
}

void PrintSteps(std::FILE* stream, const RunRecord& record) {
  std::size_t printed = 0;
  for (const RecordedTiming& timing : record.timings) {
    if (!timing.steps) continue;
    if (++printed > kMostLines) {
      PrintLine(stream,
                fmt::format("steps ... and {} more components, see the report", record.timings.size() - kMostLines));
      break;
    }
    PrintLine(stream, PrintableText(fmt::format("steps {}: {} of {:.3g} ms (median), 99 % within {:.3g} ms, longest "
                                                "{:.3g} ms",
                                                timing.component, timing.updates, timing.steps->median * 1e3,
                                                timing.steps->percentile_99 * 1e3, timing.steps->longest * 1e3)));
  }
}

// "results: a.nc a.csv   report: a.html".
std::string FilesText(const RunRecord& record) {
  std::string results;
  std::string report;
  for (const std::string& file : record.files) {
    const bool is_report = std::filesystem::path(file).extension() == ".html";
    (is_report ? report : results) += " " + file;
  }
  std::string text;
  if (!results.empty()) text += "results:" + results;
  if (!report.empty()) text += (text.empty() ? "report:" : "   report:") + report;
  return text;
}

}  // namespace

void PrintRun(std::FILE* stream, const Composition& composition, const RunRecord& record) {
  if (record.pace.factor > 0.0) {
    const std::string text =
        fmt::format("pace {:g}: {} of {} steps late, worst by {:.3g} s, {:.3g} s behind at the end", record.pace.factor,
                    record.pace.late, record.pace.steps, record.pace.worst_seconds, record.pace.lost_seconds);
    PrintLine(stream, Painted(text, record.pace.late == 0 ? Colour::Plain : Colour::Yellow, stream));
  }
  PrintLinks(stream, composition, record);
  PrintLinksNotBalanced(stream, record);
  PrintComponents(stream, composition, record);
  PrintLoops(stream, record);
  PrintSteps(stream, record);
  if (!record.comparisons.empty()) PrintStations(stream, DescribeComparisons(composition.File(), record));
  if (const std::string files = FilesText(record); !files.empty()) PrintLine(stream, PrintableText(files));
}

}  // namespace openmi::tools
