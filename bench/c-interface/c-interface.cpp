// What the interface for components in C costs: a component that mixes one value, in C and in C++, in compositions that
// are alike, stepped in turn in one run. And where rows of a million values lie: at one address for the engine and for
// C, in both directions.

#include <fmt/format.h>

#include <memory>
#include <string>

#include "bench/support/MallocCount.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace {

constexpr double kMostOver = 100.0;  // nanoseconds a step
constexpr std::size_t kLong = 1'000'000;

const std::string kLibrary = std::string(OPENMI_BINARY_DIR) + "/lib/openmi2/libbench_c_components.so";

/// The component of Mixer.c in C++.
class Mixer final : public openmi::SteppingComponent {
 public:
  Mixer() : SteppingComponent("mixer", "PT1S") {
    in_ = AddInput("in", "1", {.default_value = 1.0});
    out_ = AddOutput("out", "1", {.initial = 1.0});
  }

 private:
  void Step(openmi::Stamp, openmi::Stamp) override { out_.Set(0.9 * out_.Get() + 0.1 * in_.Get()); }
  openmi::ScalarInput in_;
  openmi::ScalarOutput out_;
};
OPENMI_EXPORT_COMPONENT_AS("bench.Mixer", Mixer)

/// Gives and takes long rows.
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

/// Two of them, the first of which feeds the second.
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

std::string InC(const std::string& arguments = {}) {
  return fmt::format(R"(Type="Mixer" Assembly="{}">{})", kLibrary, arguments);
}

void MeasureSteps(bench::Report& report) {
  if (!report.Wants("step")) return;
  constexpr std::size_t kSteps = 20'000;
  const std::string in_cpp = R"(Type="bench.Mixer" Assembly="here">)";
  bench::ReadyRun ours(bench::CompositionOf(Pair(InC(), InC())));
  bench::ReadyRun peer(bench::CompositionOf(Pair(in_cpp, in_cpp)));
  std::uint64_t mallocs = 0;
  // Two components a step.
  const auto nanoseconds = [](bench::ReadyRun& run) {
    return bench::CpuSeconds([&] { run.Steps(kSteps); }) * 1e9 / (2.0 * kSteps);
  };
  const bench::Pairs pairs = bench::InTurn(
      31,
      [&] {
        const std::uint64_t before = bench::MallocCount();
        const double time = nanoseconds(ours);
        mallocs = bench::MallocCount() - before;
        return time;
      },
      [&] { return nanoseconds(peer); });
  report.Line("step", pairs, "ns", "C++", bench::Bound::AtMostOver(kMostOver), "one value in, one out");
  report.Count("allocations", static_cast<double>(mallocs), fmt::format("in {} steps", kSteps));
}

/// The address that a component in C gives as a number.
const double* AddressIn(const openmi::IBaseLinkableComponent& component, std::size_t output) {
  const auto& item = dynamic_cast<const openmi::NumericOutput&>(*component.Outputs()[output]);
  return reinterpret_cast<const double*>(static_cast<std::uintptr_t>(item.LastRow()[0]));
}

void CompareAddresses(bench::Report& report) {
  if (!report.Wants("rows")) return;
  const std::string count = fmt::format(R"(<Argument Key="count" Value="{}"/>)", kLong);
  const std::string shows = count + R"(<Argument Key="shows" Value="true"/>)";
  const std::string rows = R"(Type="bench.LongRows" Assembly="here">)";
  struct Case {
    const char* name;
    std::string first, second;
    bool c_gives;
  };
  for (const Case& one : {Case{"rows-to-c", rows, InC(count), false}, Case{"rows-written-by-c", InC(count), rows, true},
                          Case{"rows-shown-by-c", InC(shows), rows, true}}) {
    bench::ReadyRun run(bench::CompositionOf(Pair(one.first, one.second)));
    run.Steps(10);
    const auto& long_rows = dynamic_cast<const LongRows&>(run.Component(one.c_gives ? 1 : 0));
    const double* const in_c = AddressIn(run.Component(one.c_gives ? 0 : 1), one.c_gives ? 2 : 1);
    const double* const in_cpp = one.c_gives ? long_rows.read : long_rows.written;
    report.Fact(one.name, in_c != nullptr && in_c == in_cpp,
                fmt::format("{} doubles at {} in C and at {} in C++", kLong, static_cast<const void*>(in_c),
                            static_cast<const void*>(in_cpp)));
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("c-interface", count, words, [](bench::Report& report) {
    MeasureSteps(report);
    CompareAddresses(report);
  });
}
