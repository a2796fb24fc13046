// What a step of a BMI model costs in a composition: the plate of examples/bmi-heat, linked by an OMI file, its only
// output taken by a component, against calling the library directly in the same run. The two alternate step by step;
// the median of the paired ratios counts. Copies are counted by the bridge and by the library, allocations at malloc.

#include "bmi-bridge/abi/bmi.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "bench/support/MallocCount.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "bmi-bridge/component/BmiComponent.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace {

constexpr double kMostRatio = 1.03;
constexpr double kMostOver = 20.0;  // microseconds; whichever is more

/// Takes the plate and looks at one node of it.
class PlateTaker final : public openmi::SteppingComponent {
 public:
  PlateTaker() : SteppingComponent("taker", "0.5 s") {
    side_ = AddArgument<std::int64_t>("side", {.value = 1000, .minimum = 1});
  }

 private:
  void Setup() override {
    std::vector<double> x;
    std::vector<double> y;
    for (std::int64_t i = 0; i < side_.Value() * side_.Value(); ++i) {
      x.push_back(static_cast<double>(i % side_.Value()));
      y.push_back(static_cast<double>(i / side_.Value()));
    }
    plate_ = AddInput(
        "plate", "K",
        std::make_shared<openmi::ElementSet>(openmi::ElementSet::Points("nodes", openmi::kLocalMetresWkt, {}, x, y)));
  }
  void Step(openmi::Stamp, openmi::Stamp) override { sum_ += plate_.Values()[plate_.Values().size() / 2]; }
  openmi::Argument<std::int64_t> side_;
  openmi::ArrayInput plate_;
  double sum_ = 0.0;
};
OPENMI_EXPORT_COMPONENT(PlateTaker)

const std::string kLibrary = std::string(OPENMI_BINARY_DIR) + "/lib/openmi2/libheat_c.so";

std::filesystem::path WriteFiles(int side) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("openmi-bench-bmi-{}", ::getpid());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "plate.cfg") << fmt::format("{} {} 0.5 1e9\n", side, side);
  std::ofstream(folder / "plate.omi") << fmt::format(
      "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"openmi.bmi.Model\" "
      "Assembly=\"openmi-bmi-bridge\">"
      "<Arguments><Argument Key=\"library\" Value=\"{}\"/><Argument Key=\"config-file\" Value=\"plate.cfg\"/>"
      "</Arguments></LinkableComponent>\n",
      kLibrary);
  std::ofstream(folder / "taker.omi")
      << "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"PlateTaker\"/>\n";
  std::ofstream(folder / "bmi.xml") << fmt::format(R"(<Composition xmlns="urn:openmi2:composition:1" Id="bmi">
  <Component Id="plate" Omi="plate.omi"/>
  <Component Id="taker" Omi="taker.omi"><Argument Key="side" Value="{}"/></Component>
  <Link From="plate.plate_surface__temperature" To="taker.plate"/>
  <Run From="2000-01-01T00:00:00Z" To="2020-01-01T00:00Z" Trigger="taker"/>
</Composition>
)",
                                                   side);
  return folder;
}

/// The library as a program without OpenMI calls it.
class Direct {
 public:
  explicit Direct(const std::filesystem::path& config) : handle_(dlopen(kLibrary.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    reinterpret_cast<Bmi* (*)(Bmi*)>(dlsym(handle_, "register_bmi_heat"))(&bmi_);
    bmi_.initialize(&bmi_, config.c_str());
  }
  ~Direct() {
    bmi_.finalize(&bmi_);
    dlclose(handle_);
  }
  const double* Step() {
    void* values = nullptr;
    bmi_.update(&bmi_);
    bmi_.get_value_ptr(&bmi_, "plate_surface__temperature", &values);
    return static_cast<const double*>(values);
  }
  long Copies() const { return reinterpret_cast<long (*)()>(dlsym(handle_, "heat_copies"))(); }

 private:
  Bmi bmi_ = {};
  void* handle_;
};

/// What was measured, of all rounds.
struct Figures {
  bench::Pairs times;  // microseconds
  std::uint64_t copied = 0;
  std::uint64_t shown = 0;
  std::uint64_t allocations = 0;
  long copies = 0;
  bool is_equal = true;
};

/// A composition and a model of their own, so that every round has other memory: which pages a plate lies in makes some
/// percent either way.
void MeasureRound(const std::filesystem::path& folder, bool direct_first, std::size_t steps, Figures& figures) {
  std::unique_ptr<Direct> direct;
  if (direct_first) direct = std::make_unique<Direct>(folder / "plate.cfg");
  openmi::Problems problems;
  bench::ReadyRun run(openmi::ReadCompositionFile(folder / "bmi.xml", problems));
  if (!direct) direct = std::make_unique<Direct>(folder / "plate.cfg");

  auto& plate = dynamic_cast<openmi::bmi::BmiComponent&>(run.Component(0));
  const auto& output = dynamic_cast<openmi::NumericOutput&>(*plate.Outputs()[0]);
  const double* values = nullptr;
  std::uint64_t mallocs = 0;
  const auto ours = [&] {
    const std::uint64_t before = bench::MallocCount();
    const double time = bench::WallSeconds([&] { run.Steps(1); }) * 1e6;
    mallocs += bench::MallocCount() - before;
    return time;
  };
  const auto plain = [&] { return bench::WallSeconds([&] { values = direct->Step(); }) * 1e6; };
  bench::InTurn(5, ours, plain);
  mallocs = 0;
  const std::uint64_t copied = plate.CopiedValues();
  const std::uint64_t shown = plate.ShownRows();
  const long copies = direct->Copies();
  const bench::Pairs pairs = bench::InTurn(static_cast<int>(steps), ours, plain, 0);
  figures.allocations += mallocs;
  figures.copied += plate.CopiedValues() - copied;
  figures.shown += plate.ShownRows() - shown;
  figures.copies += direct->Copies() - copies;
  figures.is_equal &= std::memcmp(values, output.LastRow().data(), output.LastRow().size_bytes()) == 0;
  for (std::size_t i = 0; i < steps; ++i) figures.times.Add(pairs.ours[i], pairs.limit[i]);
}

void Measure(bench::Report& report, int side, std::size_t rounds, std::size_t steps) {
  const std::string size = fmt::format("{0}x{0}", side);
  if (!report.Wants(size)) return;
  const std::filesystem::path folder = WriteFiles(side);
  Figures figures;
  for (std::size_t round = 0; round < rounds; ++round) MeasureRound(folder, round % 2 == 0, steps, figures);
  std::filesystem::remove_all(folder);

  // Whichever is more: 1.03 times, or 20 microseconds more.
  const bool is_long = figures.times.Limit() * (kMostRatio - 1.0) >= kMostOver;
  report.Line("step-" + size, figures.times, "us", "direct",
              is_long ? bench::Bound::AtMost(kMostRatio) : bench::Bound::AtMostOver(kMostOver));
  const std::string of = fmt::format("in {} steps", rounds * steps);
  report.Count("copied-by-the-bridge-" + size, static_cast<double>(figures.copied), "values " + of);
  report.Count("copied-by-the-library-" + size, static_cast<double>(figures.copies), "plates " + of);
  report.Count("allocations-" + size, static_cast<double>(figures.allocations), of);
  report.Fact("rows-" + size, figures.shown == rounds * steps,
              fmt::format("{} rows were shown in place in {} steps", figures.shown, rounds * steps));
  report.Fact("results-" + size, figures.is_equal, "the last plates are equal bit for bit");
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("bmi", count, words, [](bench::Report& report) {
    Measure(report, 100, 2, 2000);
    Measure(report, 1000, 10, 50);
  });
}
