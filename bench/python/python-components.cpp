// What components in Python cost: a step beside the same component in C++, where long rows lie, and two components that
// compute in Python alone, in one process and in two.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace {

constexpr double kMostOver = 1500.0;  // nanoseconds a step
constexpr std::size_t kLong = 1'000'000;
constexpr double kLeastGain = 1.8;  // of two cores

const std::string kFile = OPENMI_SOURCE_DIR "/bench/python/components.py";

/// The components of components.py in C++.
class Empty : public openmi::SteppingComponent {
 public:
  Empty() : SteppingComponent("empty", "PT1S") {
    in_ = AddInput("in", "1", {.default_value = 1.0});
    out_ = AddOutput("out", "1", {.initial = 1.0});
  }

 protected:
  void Step(openmi::Stamp, openmi::Stamp) override {}
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
};
OPENMI_EXPORT_COMPONENT_AS("bench.Empty", Empty)

class Mixer final : public Empty {
  void Step(openmi::Stamp, openmi::Stamp) override { out_.Set(0.9 * out_.Get() + 0.1 * in_.Get()); }
};
OPENMI_EXPORT_COMPONENT_AS("bench.Mixer", Mixer)

class LongRows final : public openmi::SteppingComponent {
 public:
  LongRows() : SteppingComponent("long-rows", "PT1S") {}
  const double* read = nullptr;
  const double* written = nullptr;

 private:
  void Setup() override {
    std::vector<std::string> ids;
    for (std::size_t i = 1; i <= kLong; ++i) ids.push_back(std::to_string(i));
    const auto where = std::make_shared<openmi::ElementSet>(openmi::ElementSet::IdBased("long", ids));
    in_ = AddInput("in", "1", where, {.default_value = 1.0});
    out_ = AddOutput("out", "1", where);
  }
  void Step(openmi::Stamp, openmi::Stamp to) override {
    const std::span<double> row = out_.Next();
    std::ranges::fill(row, to.mjd);
    written = row.data();
    read = in_.Values().data();
  }
  openmi::ArrayInput in_;
  openmi::ArrayOutput out_;
};
OPENMI_EXPORT_COMPONENT_AS("bench.LongRows", LongRows)

std::string InPython(const std::string& type, const std::string& rest = {}) {
  return fmt::format(R"(Type="{}" Assembly="{}" {})", type, kFile, rest.empty() ? ">" : rest);
}

/// Two components, the first of which feeds the second.
std::string Pair(const std::string& first, const std::string& second) {
  return fmt::format(R"(<Composition xmlns="urn:openmi2:composition:1" Id="pair">
  <Component Id="first" {}</Component>
  <Component Id="second" {}</Component>
  <Link From="first.out" To="second.in"/>
  <Run From="2000-01-01T00:00Z" To="2020-01-01T00:00Z" Trigger="second"/>
</Composition>
)",
                     first, second);
}

void MeasureSteps(bench::Report& report, const std::string& name, const std::string& type, const std::string& remark) {
  if (!report.Wants(name)) return;
  constexpr std::size_t kSteps = 20'000;
  const std::string in_cpp = fmt::format(R"(Type="bench.{}" Assembly="here">)", type);
  bench::ReadyRun ours(bench::CompositionOf(Pair(InPython(type), InPython(type))));
  bench::ReadyRun peer(bench::CompositionOf(Pair(in_cpp, in_cpp)));
  // Two components a step.
  const auto nanoseconds = [](bench::ReadyRun& run) {
    return [&run] { return bench::CpuSeconds([&run] { run.Steps(kSteps); }) * 1e9 / (2.0 * kSteps); };
  };
  report.Line(name, bench::InTurn(21, nanoseconds(ours), nanoseconds(peer)), "ns", "C++",
              bench::Bound::AtMostOver(kMostOver), remark);
}

/// The address that a component in Python gives as a number.
const double* AddressIn(const openmi::IBaseLinkableComponent& component, std::size_t output) {
  const auto& item = dynamic_cast<const openmi::NumericOutput&>(*component.Outputs()[output]);
  return reinterpret_cast<const double*>(static_cast<std::uintptr_t>(item.LastRow()[0]));
}

void CompareAddresses(bench::Report& report) {
  if (!report.Wants("rows")) return;
  const std::string count = fmt::format(R"(><Argument Key="count" Value="{}"/>)", kLong);
  const std::string shows = count + R"(<Argument Key="shows" Value="true"/>)";
  const std::string rows = R"(Type="bench.LongRows" Assembly="here">)";
  struct Case {
    const char* name;
    std::string first, second;
    bool python_gives;
  };
  for (const Case& one : {Case{"rows-to-numpy", rows, InPython("LongRows", count), false},
                          Case{"rows-written-by-numpy", InPython("LongRows", count), rows, true},
                          Case{"rows-shown-by-numpy", InPython("LongRows", shows), rows, true}}) {
    bench::ReadyRun run(bench::CompositionOf(Pair(one.first, one.second)));
    run.Steps(10);
    const auto& long_rows = dynamic_cast<const LongRows&>(run.Component(one.python_gives ? 1 : 0));
    const double* const in_python = AddressIn(run.Component(one.python_gives ? 0 : 1), one.python_gives ? 2 : 1);
    const double* const in_cpp = one.python_gives ? long_rows.read : long_rows.written;
    report.Fact(one.name, in_python != nullptr && in_python == in_cpp,
                fmt::format("{} doubles at {} in NumPy and at {} in C++", kLong, static_cast<const void*>(in_python),
                            static_cast<const void*>(in_cpp)));
  }
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
    CompareAddresses(report);
    MeasureIsolation(report);
  });
}
