// How many iterations loops with a known answer take, and how far they end from the solution of the whole system.
// `loops --table` prints the table of docs/loops.md.
//
// The peer is the coupling library preCICE. Debian 12 does not carry it, so its counts are those of a plain program of
// its documented algorithms, written apart from this one: implicit coupling, serial and parallel; Aitken and IQN-ILS
// with the filter QR2 and four steps reused; relaxation 0.5 at first; constant guesses; the same tolerances.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "composition/run/CompositionRun.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/LoopProblems.hpp"

OPENMI_EXPORT_COMPONENT_AS("loops.first-order", openmi::loops::FirstOrder)
OPENMI_EXPORT_COMPONENT_AS("loops.mass", openmi::loops::Mass)

namespace {

constexpr double kErrorLimit = 1e-9;
constexpr double kCountLimit = 2.0;

struct Case {
  const char* problem;
  const char* order;   ///< as the file says it
  const char* method;  ///< as the file says it
  int peer = 0;        ///< iterations of all steps; 0: not compared
  bool diverges = false;
};

constexpr std::array kCases{
    Case{"reservoirs", "gauss-seidel", "fixed-point"},
    Case{"reservoirs", "gauss-seidel", "aitken", 300},
    Case{"reservoirs", "gauss-seidel", "anderson"},
    Case{"reservoirs", "gauss-seidel", "quasi-newton", 220},
    Case{"reservoirs", "jacobi", "fixed-point"},
    Case{"reservoirs", "jacobi", "aitken", 846},
    Case{"reservoirs", "jacobi", "anderson"},
    Case{"reservoirs", "jacobi", "quasi-newton", 240},
    Case{"oscillator", "gauss-seidel", "fixed-point"},
    Case{"oscillator", "gauss-seidel", "aitken", 600},
    Case{"oscillator", "gauss-seidel", "anderson"},
    Case{"oscillator", "gauss-seidel", "quasi-newton", 440},
    Case{"oscillator", "jacobi", "fixed-point"},
    Case{"oscillator", "jacobi", "aitken", 2200},
    Case{"oscillator", "jacobi", "anderson"},
    Case{"oscillator", "jacobi", "quasi-newton", 480},
    Case{"stiff-pair", "gauss-seidel", "fixed-point", 0, true},
    Case{"stiff-pair", "gauss-seidel", "aitken", 133},
    Case{"stiff-pair", "gauss-seidel", "anderson"},
    Case{"stiff-pair", "gauss-seidel", "quasi-newton", 147},
    Case{"stiff-pair", "jacobi", "fixed-point", 0, true},
    Case{"stiff-pair", "jacobi", "anderson"},
    Case{"stiff-pair", "jacobi", "quasi-newton", 157},
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
  openmi::CompositionFile file = openmi::ReadCompositionText(text, "loops.xml", problems);
  for (openmi::ComponentSpec& component : file.components) component.assembly.clear();  // types of this program
  openmi::Composition composition(std::move(file));
  composition.Load(problems);
  composition.Connect(problems);
  composition.Validate(problems);
  openmi::ThrowIfErrors(problems);
  openmi::RunOptions options;
  options.write_results = options.write_report = false;
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
      "Method=\"{}\" Order=\"{}\" Relaxation=\"0.5\" Guess=\"last\" RelativeTolerance=\"1e-11\" "
      "AbsoluteTolerance=\"1e-13\" MaxIterations=\"200\"",
      one.method, one.order);
}

bool Table() {
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
               one.peer > 0 ? fmt::format("{:.2f}", static_cast<double>(one.peer) / problem.steps) : "");
  }
  return true;
}

bool Bounds() {
  bool good = true;
  for (const Case& one : kCases) {
    const openmi::loops::Problem2 problem = ProblemOf(one.problem);
    const Outcome outcome = Run(problem, Settings(one));
    const std::string name = fmt::format("loops/{}-{}-{}", one.problem, one.order, one.method);
    if (one.diverges) {
      fmt::print("{}: {}, diverges, -, -\n", name, outcome.is_complete ? "converges" : "diverges");
      good = good && !outcome.is_complete;
      continue;
    }
    if (!outcome.is_complete) {
      fmt::print("{}: did not converge\n", name);
      good = false;
      continue;
    }
    fmt::print("{}-error: {:.2g} m, {:.2g} m, {:.2g}, 1\n", name, outcome.error, kErrorLimit,
               outcome.error / kErrorLimit);
    good = good && outcome.error <= kErrorLimit;
    if (one.peer == 0) continue;
    const double ratio = static_cast<double>(outcome.figures.iterations) / one.peer;
    fmt::print("{}-iterations: {}, {}, {:.2f}, {:g}\n", name, outcome.figures.iterations, one.peer, ratio, kCountLimit);
    good = good && ratio <= kCountLimit;
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return (argc > 1 && std::strcmp(argv[1], "--table") == 0 ? Table() : Bounds()) ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "loops: {}\n", error.what());
    return 1;
  }
}
