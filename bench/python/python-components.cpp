// What components in Python cost: a step beside the same component in C++, where long rows lie, and two components that
// compute in Python alone, in one process and in two.

#include <fmt/format.h>

#include <string>

#include "bench/support/Languages.hpp"

namespace {

constexpr double kMostOver = 1500.0;  // nanoseconds a step
constexpr double kLeastGain = 1.8;    // of two cores

const std::string kFile = OPENMI_SOURCE_DIR "/bench/python/components.py";

/// The component of components.py in C++.
class Empty final : public openmi::SteppingComponent {
 public:
  Empty() : SteppingComponent("empty", "PT1S") {
    in_ = AddInput("in", "1", {.default_value = 1.0});
    out_ = AddOutput("out", "1", {.initial = 1.0});
  }

 private:
  void Step(openmi::Stamp, openmi::Stamp) override {}
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
};
OPENMI_EXPORT_COMPONENT_AS("bench.Empty", Empty)

std::string InPython(const std::string& type, const std::string& rest = {}) {
  return fmt::format(R"(Type="{}" Assembly="{}" {})", type, kFile, rest.empty() ? ">" : rest);
}

void MeasureSteps(bench::Report& report, const std::string& name, const std::string& type, const std::string& remark) {
  if (!report.Wants(name)) return;
  constexpr std::size_t kSteps = 20'000;
  const std::string in_cpp = fmt::format(R"(Type="bench.{}" Assembly="here">)", type);
  bench::ReadyRun ours(bench::CompositionOf(bench::Pair(InPython(type), InPython(type))));
  bench::ReadyRun peer(bench::CompositionOf(bench::Pair(in_cpp, in_cpp)));
  // Two components a step.
  const auto nanoseconds = [](bench::ReadyRun& run) {
    return [&run] { return bench::CpuSeconds([&run] { run.Steps(kSteps); }) * 1e9 / (2.0 * kSteps); };
  };
  report.Line(name, bench::InTurn(21, nanoseconds(ours), nanoseconds(peer)), "ns", "C++",
              bench::Bound::AtMostOver(kMostOver), remark);
}

void CompareLongRows(bench::Report& report) {
  if (!report.Wants("rows")) return;
  const std::string count = fmt::format(R"(><Argument Key="count" Value="{}"/>)", bench::kLong);
  const std::string shows = count + R"(<Argument Key="shows" Value="true"/>)";
  bench::CompareAddresses(report, {"rows-to-numpy", InPython("LongRows", count), false}, "NumPy");
  bench::CompareAddresses(report, {"rows-written-by-numpy", InPython("LongRows", count), true}, "NumPy");
  bench::CompareAddresses(report, {"rows-shown-by-numpy", InPython("LongRows", shows), true}, "NumPy");
}

/// Asks two components for each of its steps.
class Both final : public openmi::SteppingComponent {
 public:
  Both() : SteppingComponent("both", "PT1S") {
    AddInput("first", "1");
    AddInput("second", "1");
    out_ = AddOutput("out", "1");
  }

 private:
  void Step(openmi::Stamp, openmi::Stamp to) override { out_.Set(to.mjd); }
  openmi::ScalarOutput out_;
};
OPENMI_EXPORT_COMPONENT_AS("bench.Both", Both)

/// Two components that compute side by side, each in a process of its own or both in one.
std::string SideBySide(const std::string& isolation) {
  const std::string one = InPython("Heavy", isolation + ">");
  return fmt::format(R"(<Composition xmlns="urn:openmi2:composition:1" Id="side">
  <Component Id="first" {}</Component>
  <Component Id="second" {}</Component>
  <Component Id="both" Type="bench.Both" Assembly="here"/>
  <Link From="first.out" To="both.first"/>
  <Link From="second.out" To="both.second"/>
  <Run From="2000-01-01T00:00Z" To="2020-01-01T00:00Z" Trigger="both"/>
</Composition>
)",
                     one, one);
}

void MeasureIsolation(bench::Report& report) {
  if (!report.Wants("two-processes")) return;
  constexpr std::size_t kSteps = 60;
  bench::ReadyRun ours(bench::CompositionOf(SideBySide(R"(Isolation="instance")")), 2);
  bench::ReadyRun peer(bench::CompositionOf(SideBySide("")));
  const auto rate = [](bench::ReadyRun& run) {
    return [&run] { return kSteps / bench::WallSeconds([&run] { run.Steps(kSteps); }); };
  };
  report.Line("two-processes", bench::InTurn(11, rate(ours), rate(peer)), "steps/s", "one after the other",
              bench::Bound::AtLeast(kLeastGain), "wall time, two components that compute in Python alone");
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("python-components", count, words, [](bench::Report& report) {
    MeasureSteps(report, "empty", "Empty", "two times, no values");
    MeasureSteps(report, "mixer", "Mixer", "one value in, one out");
    CompareLongRows(report);
    MeasureIsolation(report);
  });
}
