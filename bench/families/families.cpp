// A paced run of three components of one solver and five others. From another process (openmi control) the solver is
// taken out, its source changed, compiled, copied over, and put back; beside it, the same paced run with the same
// compilation and no exchange.
//
// Judged are, each against the run without the exchange:
//   the 99th percentile of the others' step times, at most 1.2 times;
//   the steps that every component made: all of them;
//   late steps (those that end more than 10 ms after they were due): no more than there are calls for the exchange, one
//     to take the family out and one to put it back;
//   missed steps (a pass that ends a whole step of the clock later than it should after the one before): none more;
//   how long the run stood still between two passes at most: less than a step of the clock more.
// Runs alternate, and the median of the pairs counts. Work is a count of operations, found at the start.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/support/Report.hpp"
#include "composition/check/CheckComposition.hpp"
#include "composition/control/ControlDesk.hpp"
#include "composition/control/ControlServer.hpp"
#include "composition/control/RunDesk.hpp"
#include "composition/run/CompositionRun.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLeastSteps = 400;
constexpr int kMostSteps = 3500;            // less than an hour of seconds
constexpr double kStepMilliseconds = 15.0;  // of the clock, for a step of eight components of half a millisecond
constexpr int kPairs = 5;
constexpr double kCallsOfAnExchange = 2.0;
constexpr double kBound = 1.2;

std::uint64_t operations = 100'000;  // of one update

double Work(double x) {
  for (std::uint64_t i = 0; i < operations; ++i) x = x * 0.999999 + 1e-6;
  return x;
}

class Worker final : public openmi::SteppingComponent {
 public:
  Worker() : SteppingComponent("worker", "PT1S") {
    in_ = AddInput("in", "1", {.default_value = 1.0});
    out_ = AddOutput("out", "1");
  }

 private:
  void Start(openmi::Stamp) override { out_.Set(x_ = 0.5); }
  void Step(openmi::Stamp, openmi::Stamp) override { out_.Set(x_ = Work(0.5 * (x_ + in_.Get()))); }
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
  double x_ = 0.5;
};

void Need(bool condition, const std::string& text) {
  if (!condition) throw std::runtime_error(text);
}

/// Runs a command of the system. \throws std::runtime_error  it fails
void Do(const std::string& command) {
  Need(std::system(command.c_str()) == 0, "expected '" + command + "' to do, found that it failed");
}

std::string Text(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Figures {
  std::vector<double> p99;           // of each of the others, seconds
  std::vector<std::uint64_t> steps;  // likewise
  std::vector<double> last;          // their last values
  std::uint64_t late = 0;
  std::uint64_t missed = 0;  // passes that ended a step and more after they should have
  double standstill = 0.0;   // the longest time between two passes beyond what the pace asks for, milliseconds
  double solver = 0.0;
};

class Plant {
 public:
  Plant() {
    std::string name = (std::filesystem::temp_directory_path() / "openmi-families-XXXXXX").string();
    Need(mkdtemp(name.data()) != nullptr, "cannot make " + name);
    folder_ = name;
    std::error_code ignored;
    // The run has to go on until the solver is compiled beside it and put back.
    const double seconds = bench::WallSeconds([this] { Compile(1.0); });
    steps_ = std::min(kLeastSteps + static_cast<int>(4.0 * seconds * 1e3 / kStepMilliseconds), kMostSteps);
    std::filesystem::copy_file(folder_ / "new.so", folder_ / "solver.so");
  }
  ~Plant() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  int Steps() const { return steps_; }
  Figures Run(bool exchanges) {
    Compile(1.0);
    std::filesystem::copy_file(folder_ / "new.so", folder_ / "solver.so",
                               std::filesystem::copy_options::overwrite_existing);
    openmi::Problems problems;
    openmi::CompositionFile file =
        openmi::ReadCompositionText(CompositionText(), (folder_ / "plant.xml").string(), problems);
    for (openmi::ComponentSpec& component : file.components) {
      if (component.assembly == "here") component.assembly.clear();
    }
    openmi::Composition composition(std::move(file));
    composition.Load(problems);
    composition.Connect(problems);
    openmi::CheckComposition(composition, problems);
    for (const openmi::Problem& found : problems) {
      Need(found.severity != openmi::Problem::Error, openmi::FormatProblem(found));
    }
    openmi::RunOptions options;
    options.write_results = false;
    options.step_times = true;
    openmi::CompositionRun run(composition, problems, options);
    openmi::ControlDesk desk(run);
    const openmi::ControlAddress address{.socket = folder_ / "door", .port = 0, .token = {}};
    openmi::ControlServer server(address, desk.Greeting(),
                                 [&desk](const std::string& line) { return desk.Answer(line); });
    run.Begin();
    std::exception_ptr failed;
    std::atomic<bool> is_over = false;  // nobody answers the operator any more
    std::thread operator_at_another_terminal([&] {
      try {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        if (exchanges) Control("disengage s2");
        Compile(2.0);
        Need(!is_over, "expected the compiler to be done before the run, found a machine that is too busy");
        std::filesystem::copy_file(folder_ / "new.so", folder_ / (exchanges ? "solver.so" : "other.so"),
                                   std::filesystem::copy_options::overwrite_existing);
        if (exchanges) Control("engage s1");
      } catch (...) {
        failed = std::current_exception();
      }
    });
    Figures figures;
    // Between the ends of two passes there is a step of the clock, and whatever the run stood still.
    auto last_end = Clock::now();
    std::uint64_t passes = run.Passes();
    while (run.Advance()) {
      if (run.Passes() == passes) continue;  // it waited
      passes = run.Passes();
      const auto end = Clock::now();
      const double beyond = std::chrono::duration<double, std::milli>(end - last_end).count() - kStepMilliseconds;
      last_end = end;
      figures.standstill = std::max(figures.standstill, beyond);
      if (beyond >= kStepMilliseconds) ++figures.missed;
    }
    is_over = true;
    operator_at_another_terminal.join();
    if (failed) std::rethrow_exception(failed);
    openmi::RunDesk last(run);
    figures.solver = last.Values("s3.out").values.at(0);
    for (int i = 1; i <= 5; ++i) figures.last.push_back(last.Values(fmt::format("w{}.out", i)).values.at(0));
    const openmi::RunRecord record = run.End();
    for (const openmi::RecordedTiming& timing : record.timings) {
      if (timing.component[0] != 'w') continue;
      figures.p99.push_back(timing.steps->percentile_99);
      figures.steps.push_back(timing.updates);
    }
    figures.late = record.pace.late;
    return figures;
  }

 private:
  std::string CompositionText() const {
    std::string text = "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"plant\">\n";
    for (int i = 1; i <= 3; ++i) {
      text += fmt::format(
          "<Component Id=\"s{}\" Type=\"Solver\" Assembly=\"{}\"><Argument Key=\"operations\" "
          "Value=\"{}\"/></Component>\n",
          i, (folder_ / "solver.so").string(), operations);
    }
    for (int i = 1; i <= 5; ++i)
      text += fmt::format("<Component Id=\"w{}\" Type=\"bench.Worker\" Assembly=\"here\"/>\n", i);
    for (int i = 2; i <= 5; ++i) text += fmt::format("<Link From=\"w{}.out\" To=\"w{}.in\"/>\n", i - 1, i);
    return text +
           fmt::format(
               "<Run From=\"2015-12-01T00:00:00Z\" To=\"2015-12-01T00:{:02}:{:02}Z\" Pace=\"{}\" Late=\"catch-up\"/>"
               "</Composition>\n",
               steps_ / 60, steps_ % 60, 1000.0 / kStepMilliseconds);
  }
  /// Writes the source with another factor, and compiles it into new.so.
  void Compile(double factor) const {
    std::string source = Text(OPENMI_SOURCE_DIR "/bench/families/Solver.cpp");
    const std::string place = "kFactor = 1.0";
    const std::size_t at = source.find(place);
    Need(at != std::string::npos, "expected a factor in the solver's source, found none");
    source.replace(at, place.size(), fmt::format("kFactor = {:.1f}", factor));
    std::ofstream(folder_ / "Solver.cpp") << source;
    Do(fmt::format("{} -o '{}' '{}' {}", OPENMI_COMPILE, (folder_ / "new.so").string(),
                   (folder_ / "Solver.cpp").string(), OPENMI_LINK));
  }
  void Control(const std::string& words) const {
    Do(fmt::format("'{}/bin/openmi' control --at '{}' {} > '{}'", OPENMI_BINARY_DIR, (folder_ / "door").string(), words,
                   (folder_ / "answer").string()));
  }

  std::filesystem::path folder_;
  int steps_ = kLeastSteps;
};

void Measure(bench::Report& report) {
  std::vector<double> tries;
  for (int i = 0; i < 9; ++i) {
    volatile double kept = 0.0;
    tries.push_back(bench::WallSeconds([&kept] { kept = Work(0.5); }));
  }
  operations = static_cast<std::uint64_t>(0.5e-3 / bench::Median(tries) * 100'000.0);
  Plant plant;
  bench::Pairs p99, late, missed, standstill;
  bool all_steps = true;
  for (int pair = 0; pair < kPairs; ++pair) {
    const bool is_first = pair % 2 == 0;
    Figures exchanged;
    Figures same;
    for (const bool exchanges : {is_first, !is_first}) (exchanges ? exchanged : same) = plant.Run(exchanges);
    Need(exchanged.last == same.last, "expected the others' results to be the same, found others");
    Need(exchanged.solver == 2.0 && same.solver == 1.0,
         "expected the new code's effect after the exchange, found none");
    all_steps =
        all_steps && exchanged.steps == same.steps && std::ranges::all_of(same.steps, [&plant](std::uint64_t steps) {
          return steps == static_cast<std::uint64_t>(plant.Steps());
        });
    p99.Add(bench::Median(exchanged.p99) * 1e3, bench::Median(same.p99) * 1e3);
    late.Add(static_cast<double>(exchanged.late), static_cast<double>(same.late));
    missed.Add(static_cast<double>(exchanged.missed), static_cast<double>(same.missed));
    standstill.Add(exchanged.standstill, same.standstill);
  }
  report.Line("99th-percentile-of-the-others", p99, "ms", "without", bench::Bound::AtMost(kBound));
  report.Fact("steps-made", all_steps, fmt::format("each of the others made {} steps", plant.Steps()));
  report.Line("late-steps", late, "steps", "without", bench::Bound::AtMostOver(kCallsOfAnExchange));
  report.Line("missed-steps", missed, "steps", "without", bench::Bound::AtMostOver(0.0));
  report.Line("standstill", standstill, "ms", "without", bench::Bound::AtMostOver(kStepMilliseconds));
}

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("bench.Worker", Worker)

int main(int count, char** words) {
  return bench::Main("families", count, words, Measure);
}
