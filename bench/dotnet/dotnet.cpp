// What an exchange with a component in C# costs: one that provides, and one that consumes, against the same exchange
// with a component in C++ in a process of its own. All have an array of their own, from or to which a row is copied
// once; one value of it is new in each step. The sides alternate, each in a run of its own; the median of the paired
// ratios counts. On a machine with other work, give it a priority: chrt -f 5 build/release/bench/dotnet.
// Then the same pair inside Mono, without a border and an engine; and the memory of the worker over many steps.
// Arguments: none, all cases; else some of provider, consumer, alone and memory.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/omi/SafeProbe.hpp"

namespace {

constexpr double kBound = 1.5;
constexpr int kRounds = 11;
constexpr double kMostGrowth = 8.0;  // MB over kManySteps
constexpr std::size_t kManySteps = 1'000'000;

const std::string kInCpp = OPENMI_BINARY_DIR "/lib/openmi2/libbench_dotnet_rows.so";
const std::string kInDotnet = OPENMI_BINARY_DIR "/bench/assemblies/components.dll";

std::string Text(std::size_t count, const std::string& apart, bool in_dotnet) {
  const auto component = [&](const std::string& id, const std::string& cpp, const std::string& dotnet) {
    const bool is_apart = id == apart;
    const bool is_dotnet = is_apart && in_dotnet;
    return fmt::format(R"(<Component Id="{}" Type="{}" Assembly="{}"{}><Argument Key="count" Value="{}"/></Component>)",
                       id, is_dotnet ? dotnet : cpp, is_dotnet ? kInDotnet : kInCpp,
                       is_apart ? R"( Isolation="process")" : "", count);
  };
  return R"(<Composition xmlns="urn:openmi2:composition:1" Id="dotnet">)" +
         component("provider", "RowProvider", "Bench.Provider") +
         component("consumer", "RowConsumer", "Bench.Consumer") +
         R"(<Link From="provider.level" To="consumer.level"/>)"
         R"(<Run From="2000-01-01T00:00:00Z" To="2400-01-01T00:00Z" Trigger="consumer"/></Composition>)";
}

/// Microseconds a step of a run of its own: with workers of both sides at once, only those polls that have a core.
double StepOf(bench::Report& report, const std::string& name, const std::string& text, std::size_t steps) {
  bench::ReadyRun run(bench::CompositionOf(text));
  run.Steps(steps);  // Mono compiles, and both processes learn to poll
  const double seconds = bench::WallSeconds([&] { run.Steps(steps); });
  // The consumer adds the new value of each step: in step n, the value at n is n.
  const auto& item = dynamic_cast<const openmi::ITimeSpaceOutput&>(*run.Component(1).Outputs()[0]);
  const double sum = *item.Values().GetValue(0, 0).Number();
  const double wanted = static_cast<double>(steps) * static_cast<double>(2 * steps + 1);
  if (sum != wanted) report.Fact(name, false, fmt::format("the consumer's sum is {}, expected {}", sum, wanted));
  return seconds / static_cast<double>(steps) * 1e6;
}

void Measure(bench::Report& report, const std::string& apart, std::size_t count) {
  const std::size_t steps = count == 1 ? 10'000 : 400;
  const std::string name = fmt::format("{}-{}", apart, count);
  const auto side = [&](bool in_dotnet) { return StepOf(report, name, Text(count, apart, in_dotnet), steps); };
  const auto figures = bench::InTurn(
      kRounds, [&] { return side(true); }, [&] { return side(false); });
  report.Line(name, figures, "us a step", "isolated C++", bench::Bound::AtMost(kBound));
}

void MeasureAlone(bench::Report& report, std::size_t count, const char* steps) {
  const openmi::ChildResult result = openmi::RunInChild(
      {OPENMI_MONO, OPENMI_BINARY_DIR "/bench/assemblies/alone.exe", std::to_string(count), steps}, {});
  constexpr double kMostAlone = 20'000.0;  // a figure to compare with: any machine keeps it
  report.Count(fmt::format("alone-{}", count), std::atof(result.out.c_str()), "us a step of the pair inside Mono",
               kMostAlone);
}

/// The resident memory of a process, MB.
double Resident(int process) {
  std::ifstream file(fmt::format("/proc/{}/statm", process));
  double total = 0.0, resident = 0.0;
  file >> total >> resident;
  return resident * 4096.0 / 1e6;
}

void MeasureMemory(bench::Report& report) {
  bench::ReadyRun run(bench::CompositionOf(Text(1, "provider", true)));
  const int worker = dynamic_cast<openmi::IsolatedComponent&>(run.Component(0)).Process().Id();
  run.Steps(kManySteps / 10);
  const double there = Resident(worker);
  const double here = Resident(getpid());
  run.Steps(kManySteps);
  report.Fact("memory-of-the-worker", Resident(worker) - there < kMostGrowth,
              fmt::format("{:.1f} MB, then {:.1f} MB after {} steps", there, Resident(worker), kManySteps));
  report.Fact("memory-of-the-run", Resident(getpid()) - here < kMostGrowth,
              fmt::format("{:.1f} MB, then {:.1f} MB", here, Resident(getpid())));
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("dotnet", count, words, [](bench::Report& report) {
    for (const char* apart : {"provider", "consumer"}) {
      if (!report.Wants(apart)) continue;
      for (const std::size_t elements : {std::size_t{1}, std::size_t{100'000}}) Measure(report, apart, elements);
    }
    if (report.Wants("alone")) {
      MeasureAlone(report, 1, "20000");
      MeasureAlone(report, 100'000, "200");
    }
    if (report.Wants("memory")) MeasureMemory(report);
  });
}
