// What a step of a BMI model costs in a composition: the plate of examples/bmi-heat, linked by an OMI file, its only
// output taken by a component, against calling the library directly in the same run. The two alternate step by step;
// the median of the paired ratios counts. Copies are counted by the bridge and by the library, allocations at malloc.

#include "bmi-bridge/abi/bmi.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "bench/support/MallocCount.hpp"
#include "bmi-bridge/component/BmiComponent.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/RunLoop.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/ReferenceSystems.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Micros = std::chrono::duration<double, std::micro>;

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

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
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
  std::vector<double> ours, plain, ratios, over;
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
  openmi::Composition composition(openmi::ReadCompositionFile(folder / "bmi.xml", problems));
  composition.Load(problems);
  composition.Connect(problems);
  composition.Validate(problems);
  openmi::ThrowIfErrors(problems);
  composition.Prepare();
  openmi::RunLoop loop(composition, openmi::RunMode::Pull);
  if (!direct) direct = std::make_unique<Direct>(folder / "plate.cfg");

  auto& plate = dynamic_cast<openmi::bmi::BmiComponent&>(composition.Instances()[0].Component());
  const auto& output = dynamic_cast<openmi::NumericOutput&>(*plate.Outputs()[0]);
  const double* values = nullptr;
  for (int i = 0; i < 5; ++i) {
    loop.Advance();
    values = direct->Step();
  }
  std::vector<double> ours(steps);
  std::vector<double> plain(steps);
  const std::uint64_t copied = plate.CopiedValues();
  const std::uint64_t shown = plate.ShownRows();
  const long copies = direct->Copies();
  const std::uint64_t mallocs = bench::MallocCount();
  const auto time = [](auto&& work) {
    const Clock::time_point begin = Clock::now();
    work();
    return Micros(Clock::now() - begin).count();
  };
  for (std::size_t i = 0; i < steps; ++i) {
    // In turn, so that neither always finds the caches as the other left them.
    if (i % 2 == 0) ours[i] = time([&] { loop.Advance(); });
    plain[i] = time([&] { values = direct->Step(); });
    if (i % 2 == 1) ours[i] = time([&] { loop.Advance(); });
  }
  figures.allocations += bench::MallocCount() - mallocs;
  figures.copied += plate.CopiedValues() - copied;
  figures.shown += plate.ShownRows() - shown;
  figures.copies += direct->Copies() - copies;
  figures.is_equal &= std::memcmp(values, output.LastRow().data(), output.LastRow().size_bytes()) == 0;
  for (std::size_t i = 0; i < steps; ++i) {
    figures.ours.push_back(ours[i]);
    figures.plain.push_back(plain[i]);
    figures.ratios.push_back(ours[i] / plain[i]);
    figures.over.push_back(ours[i] - plain[i]);
  }
  problems.clear();
  composition.Finish(problems);
}

/// \returns whether the bounds hold
bool Measure(int side, std::size_t rounds, std::size_t steps) {
  const std::filesystem::path folder = WriteFiles(side);
  Figures figures;
  for (std::size_t round = 0; round < rounds; ++round) MeasureRound(folder, round % 2 == 0, steps, figures);
  std::filesystem::remove_all(folder);

  const double ratio = Median(figures.ratios);
  const double over = Median(figures.over);
  const bool is_fast = ratio <= kMostRatio || over <= kMostOver;
  fmt::print("bmi/step-{}x{}: ours {:.1f} us, direct {:.1f} us, ratio {:.3f} ({:+.1f} us), bound {} or {} us more{}\n",
             side, side, Median(figures.ours), Median(figures.plain), ratio, over, kMostRatio, kMostOver,
             is_fast ? "" : "  EXCEEDED");
  const bool none = figures.copied == 0 && figures.copies == 0 && figures.allocations == 0 && figures.is_equal &&
                    figures.shown == rounds * steps;
  fmt::print(
      "bmi/copies-{}x{}: {} values copied by the bridge, {} plates by the library, {} rows shown in place, {} "
      "allocations in {} steps, bound 0, results {}{}\n",
      side, side, figures.copied, figures.copies, figures.shown, figures.allocations, rounds * steps,
      figures.is_equal ? "equal" : "DIFFER", none ? "" : "  EXCEEDED");
  return is_fast && none;
}

}  // namespace

int main() {
  bool good = true;
  good = Measure(100, 2, 2000) && good;
  good = Measure(1000, 10, 50) && good;
  return good ? 0 : 1;
}
