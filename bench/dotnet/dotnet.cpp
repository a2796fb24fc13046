// What an exchange with a component in C# costs: one that provides, and one that consumes, against the same exchange
// with a component in C++ in a process of its own and one copy of the row, in the same run. The time in which a
// component makes or reads the values is measured where it is done and left out. The sides alternate; the median of the
// paired ratios counts. Then the same pair inside Mono, without a border and an engine; and the memory of the worker
// over many steps. Arguments: none, all cases; else some of provider, consumer, alone and memory.

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "composition/isolation/IsolatedComponent.hpp"
#include "openmi/omi/SafeProbe.hpp"

namespace {

constexpr double kBound = 1.5;
constexpr int kRounds = 31;
constexpr double kMostGrowth = 8.0;  // MB over kManySteps
constexpr std::size_t kManySteps = 1'000'000;

const std::string kInCpp = OPENMI_BINARY_DIR "/lib/openmi2/libbench_isolation_components.so";
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
         component("provider", "IsolationProvider", "Bench.Provider") +
         component("consumer", "IsolationConsumer", "Bench.Consumer") +
         R"(<Link From="provider.level" To="consumer.level"/>)"
         R"(<Run From="2000-01-01T00:00:00Z" To="2400-01-01T00:00Z" Trigger="consumer"/></Composition>)";
}

double Number(bench::ReadyRun& run, std::size_t component, std::size_t output) {
  const auto& item = dynamic_cast<const openmi::ITimeSpaceOutput&>(*run.Component(component).Outputs()[output]);
  return *item.Values().GetValue(0, 0).Number();
}

void Measure(bench::Report& report, const std::string& apart, std::size_t count) {
  bench::ReadyRun in_dotnet(bench::CompositionOf(Text(count, apart, true)));
  bench::ReadyRun in_cpp(bench::CompositionOf(Text(count, apart, false)));
  const std::size_t steps = count == 1 ? 500 : 20;
  const std::size_t component = apart == "provider" ? 0 : 1;
  // The consumer in C++ does not measure its sum, which is as short as one pass over the row.
  const auto microseconds = [=](bench::ReadyRun& run, bool has_work) {
    return [=, &run] {
      const double before = has_work ? Number(run, component, 1) : 0.0;
      const double seconds = bench::WallSeconds([&] { run.Steps(steps); });
      const double worked = has_work ? Number(run, component, 1) - before : 0.0;
      return (seconds - worked) / static_cast<double>(steps) * 1e6;
    };
  };
  const auto ours = microseconds(in_dotnet, true);
  const auto apart_cpp = microseconds(in_cpp, apart == "provider");
  std::vector<double> from(count, 1.0);
  std::vector<double> to(count, 0.0);
  const auto peer = [&] {
    const double step = apart_cpp();
    const double seconds = bench::WallSeconds([&] {
      for (std::size_t i = 0; i < steps; ++i) {
        std::memcpy(to.data(), from.data(), count * sizeof(double));
        from[i % count] += 1e-9 * to[(i + 1) % count];
      }
    });
    return step + seconds / static_cast<double>(steps) * 1e6;
  };
  ours();
  peer();
  report.Line(fmt::format("{}-{}", apart, count), bench::InTurn(kRounds, ours, peer), "us a step",
              "isolated C++ and a copy", bench::Bound::AtMost(kBound));
  const double made = Number(in_dotnet, 0, 2);
  const double wanted = static_cast<double>(count) * (made + 0.25 * static_cast<double>(count + 1));
  const double sum = Number(in_dotnet, 1, 0);
  report.Fact(fmt::format("{}-{}-all-values-were-read", apart, count), std::abs(sum - wanted) <= 1e-9 * wanted,
              fmt::format("the consumer's sum is {:.6g}, expected {:.6g}", sum, wanted));
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
