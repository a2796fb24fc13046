// How many iterations loops with a known answer take, and how far they end from the solution of the whole system.
// `loops --table` prints the table of docs/loops.md.
//
// The peer is the coupling library preCICE. Debian 12 does not carry it, so its counts are those of Peer.hpp, which
// writes its documented algorithms out and is run beside ours, on the same problems with the same tolerances.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "bench/loops/Peer.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "composition/check/CheckComposition.hpp"
#include "composition/run/CompositionRun.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/LoopProblems.hpp"

OPENMI_EXPORT_COMPONENT_AS("loops.first-order", openmi::loops::FirstOrder)
OPENMI_EXPORT_COMPONENT_AS("loops.mass", openmi::loops::Mass)

namespace {

constexpr double kErrorLimit = 1e-9;
constexpr double kRelative = 1e-11;
constexpr double kAbsolute = 1e-13;
constexpr double kCountLimit = 2.0;

struct Case {
  const char* problem;
  const char* order;   ///< as the file says it
  const char* method;  ///< as the file says it
  bool diverges = false;
  /// Whether the peer has the method.
  bool HasPeer() const { return std::string_view(method) == "aitken" || std::string_view(method) == "quasi-newton"; }
};

constexpr std::array kCases{
    Case{"reservoirs", "gauss-seidel", "fixed-point"},
    Case{"reservoirs", "gauss-seidel", "aitken"},
    Case{"reservoirs", "gauss-seidel", "anderson"},
    Case{"reservoirs", "gauss-seidel", "quasi-newton"},
    Case{"reservoirs", "jacobi", "fixed-point"},
    Case{"reservoirs", "jacobi", "aitken"},
    Case{"reservoirs", "jacobi", "anderson"},
    Case{"reservoirs", "jacobi", "quasi-newton"},
    Case{"oscillator", "gauss-seidel", "fixed-point"},
    Case{"oscillator", "gauss-seidel", "aitken"},
    Case{"oscillator", "gauss-seidel", "anderson"},
    Case{"oscillator", "gauss-seidel", "quasi-newton"},
    Case{"oscillator", "jacobi", "fixed-point"},
    Case{"oscillator", "jacobi", "aitken"},
    Case{"oscillator", "jacobi", "anderson"},
    Case{"oscillator", "jacobi", "quasi-newton"},
    Case{"stiff-pair", "gauss-seidel", "fixed-point", true},
    Case{"stiff-pair", "gauss-seidel", "aitken"},
    Case{"stiff-pair", "gauss-seidel", "anderson"},
    Case{"stiff-pair", "gauss-seidel", "quasi-newton"},
    Case{"stiff-pair", "jacobi", "fixed-point", true},
    Case{"stiff-pair", "jacobi", "anderson"},
    Case{"stiff-pair", "jacobi", "quasi-newton"},
};

openmi::loops::Problem2 ProblemOf(const std::string& name) {
  return name == "reservoirs"   ? openmi::loops::Reservoirs()
         : name == "oscillator" ? openmi::loops::Oscillator()
                                : openmi::loops::StiffPair();
}

struct Outcome {
  bool is_complete = false;
  openmi::LoopFigures figures;
  double error = 0.0;  ///< largest, of both sides and all steps; m
};

/// \param iterate  attributes of Iterate; empty: staggered
Outcome Run(const openmi::loops::Problem2& problem, const std::string& iterate) {
  const std::string text = "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"loops\">\n" +
                           openmi::loops::CompositionXml(problem, iterate) + "</Composition>\n";
  openmi::Problems problems;
  openmi::Composition composition(bench::CompositionOf(text, "loops.xml"));
  composition.Load(problems);
  composition.Connect(problems);
  openmi::CheckComposition(composition, problems);
  openmi::ThrowIfErrors(problems);
  openmi::RunOptions options;
  options.write_results = false;
  const openmi::RunRecord record = openmi::CompositionRun(composition, problems, options).Run();
  Outcome outcome;
  outcome.is_complete = record.is_complete;
  if (!record.loops.empty()) outcome.figures = record.loops[0];
  const auto exact = openmi::loops::Monolithic(problem);
  for (std::size_t side = 0; side < 2 && record.is_complete; ++side) {
    for (std::size_t i = 0; i < exact.size(); ++i) {
      outcome.error = std::fmax(outcome.error, std::fabs(record.series[side].values.at(i + 1) - exact[i][side]));
    }
  }
  return outcome;
}

std::string Settings(const Case& one) {
  return fmt::format(
      "Method=\"{}\" Order=\"{}\" Relaxation=\"0.5\" Guess=\"last\" RelativeTolerance=\"{:g}\" "
      "AbsoluteTolerance=\"{:g}\" MaxIterations=\"200\"",
      one.method, one.order, kRelative, kAbsolute);
}

/// The peer's iterations of all steps.
int PeerOf(const Case& one, const openmi::loops::Problem2& problem) {
  return openmi::loops::PeerIterations(problem, std::string_view(one.order) == "gauss-seidel", one.method, kRelative,
                                       kAbsolute);
}

void Table() {
  fmt::print("| problem | order | method | iterations a step | most | largest error, m | peer |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
  std::string last;
  for (const Case& one : kCases) {
    const openmi::loops::Problem2 problem = ProblemOf(one.problem);
    if (last != problem.name) {
      const Outcome staggered = Run(problem, "");
      fmt::print("| {} | staggered | last value | 1 | 1 | {:.1e} | |\n", problem.title, staggered.error);
      last = problem.name;
    }
    const Outcome outcome = Run(problem, Settings(one));
    if (!outcome.is_complete) {
      fmt::print("| | {} | {} | diverges | | | |\n", one.order, one.method);
      continue;
    }
    fmt::print("| | {} | {} | {:.2f} | {} | {:.1e} | {} |\n", one.order, one.method,
               static_cast<double>(outcome.figures.iterations) / static_cast<double>(outcome.figures.steps),
               outcome.figures.most, outcome.error,
               one.HasPeer() ? fmt::format("{:.2f}", static_cast<double>(PeerOf(one, problem)) / problem.steps) : "");
  }
}

void Bounds(bench::Report& report) {
  for (const Case& one : kCases) {
    if (!report.Wants(one.problem)) continue;
    const openmi::loops::Problem2 problem = ProblemOf(one.problem);
    const Outcome outcome = Run(problem, Settings(one));
    const std::string name = fmt::format("{}-{}-{}", one.problem, one.order, one.method);
    if (one.diverges) {
      report.Fact(name, !outcome.is_complete, "diverges, as theory says");
      continue;
    }
    if (!report.Fact(name, outcome.is_complete, "converges")) continue;
    report.Line(name + "-error", outcome.error, "m", "limit", kErrorLimit, bench::Bound::AtMost(1.0));
    if (!one.HasPeer()) continue;
    report.Line(name + "-iterations", static_cast<double>(outcome.figures.iterations), "in all", "peer",
                PeerOf(one, problem), bench::Bound::AtMost(kCountLimit));
  }
}

}  // namespace

/// Arguments: none, all problems; `--table`; else names of problems.
int main(int count, char** words) {
  return bench::Main("loops", count, words, [](bench::Report& report) {
    if (!report.Words().empty() && report.Words()[0] == "--table") {
      Table();
    } else {
      Bounds(report);
    }
  });
}
