// What a step of a small FMU costs in a composition over the same calls in a bare loop, for FMI 2.0 and 3.0; what a row
// of CSV costs; how long a family of one FMU takes to leave and come back with its state; and what 10^4 instances of
// one FMU in a composition cost in time and memory.
#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "bench/support/MallocCount.hpp"
#include "composition/families/Families.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/RunLoop.hpp"
#include "composition/run/StandIn.hpp"
#include "fmi-bridge/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "fmi-bridge/fmi/abi/Fmi3.h"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "fmi-bridge/fmi/simulate/Simulation.hpp"
#include "timespace/ISteps.hpp"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using openmi::fmi::ModelDescription;

constexpr double kStep = 0.01;
constexpr int kBlock = 10'000;

fs::path Example(int version, const std::string& name) {
  return fs::path(OPENMI_BINARY_DIR) / "examples" / "fmus" / std::to_string(version) / (name + ".fmu");
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

fs::path WriteComposition(int version) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("openmi-bench-fmi-{}-{}", getpid(), version);
  fs::create_directories(folder);
  std::ofstream(folder / "fmu.omi")
      << R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.fmi.Fmu" Assembly="openmi-fmi-bridge"/>)";
  std::ofstream(folder / "fmi.xml") << fmt::format(
      R"(<Composition xmlns="urn:openmi2:composition:1" Id="fmi">
  <Component Id="oscillator" Omi="fmu.omi"><Argument Key="fmu" Value="{}"/><Argument Key="time-step" Value="PT0.01S"/></Component>
  <Component Id="linear" Omi="fmu.omi" KeepState="true"><Argument Key="fmu" Value="{}"/><Argument Key="time-step" Value="PT0.01S"/><Argument Key="k" Value="0"/></Component>
  <Link From="oscillator.x0" To="linear.u"/>
  <Run From="2000-01-01T00:00:00Z" To="2000-02-01T00:00Z" Trigger="linear"/>
</Composition>
)",
      Example(version, "VanDerPol").string(), Example(version, "Linear").string());
  return folder / "fmi.xml";
}

// Linear's state stands still here and there: what decays for a million steps ends in subnormal numbers, which are
// slow.
constexpr unsigned kDecay = 5;
constexpr double kNone = 0.0;

/// Rows in memory.
class Kept final : public openmi::IRowListener {
 public:
  Kept() { values_.reserve(8'000'000); }
  void OnRow(openmi::Stamp, openmi::Days, std::span<const double> row) override {
    if (values_.size() + row.size() > values_.capacity()) values_.clear();
    for (const double value : row) values_.push_back(value);
  }
  std::vector<double> values_;
};

void Silent(void*, const char*, fmi2Status, const char*, const char*, ...) {}

/// The two FMUs by their functions alone, with the same reads and writes.
class Bare {
 public:
  explicit Bare(int version) : version_(version) {
    values_.reserve(8'000'000);
    for (int i = 0; i < 2; ++i) {
      const auto files = openmi::UnpackedArchive::Open(Example(version, i == 0 ? "VanDerPol" : "Linear"));
      files_.push_back(files);
      openmi::Problems problems;
      const ModelDescription description = openmi::fmi::ReadFmuDescription(files->Folder(), problems);
      const auto kind = openmi::fmi::InterfaceKind::CoSimulation;
      void* library = dlopen(LibraryFileOf(files->Folder(), description, kind).c_str(), RTLD_NOW | RTLD_LOCAL);
      if (version == 2) {
        static const fmi2CallbackFunctions kCallbacks{Silent, std::calloc, std::free, nullptr, nullptr};
        Find(library, "fmi2DoStep", step2_[i]);
        Find(library, "fmi2GetReal", get2_[i]);
        Find(library, "fmi2SetReal", set2_[i]);
        fmi2InstantiateTYPE* make = nullptr;
        fmi2SetupExperimentTYPE* setup = nullptr;
        fmi2EnterInitializationModeTYPE* enter = nullptr;
        fmi2ExitInitializationModeTYPE* exit = nullptr;
        Find(library, "fmi2Instantiate", make);
        Find(library, "fmi2SetupExperiment", setup);
        Find(library, "fmi2EnterInitializationMode", enter);
        Find(library, "fmi2ExitInitializationMode", exit);
        component_[i] = make("bare", fmi2CoSimulation, description.token.c_str(), nullptr, &kCallbacks, 0, 0);
        setup(component_[i], 0, 0.0, 0.0, 0, 0.0);
        if (i == 1) set2_[i](component_[i], &kDecay, 1, &kNone);
        enter(component_[i]);
        exit(component_[i]);
      } else {
        Find(library, "fmi3DoStep", step3_[i]);
        Find(library, "fmi3GetFloat64", get3_[i]);
        Find(library, "fmi3SetFloat64", set3_[i]);
        fmi3InstantiateCoSimulationTYPE* make = nullptr;
        fmi3EnterInitializationModeTYPE* enter = nullptr;
        fmi3ExitInitializationModeTYPE* exit = nullptr;
        Find(library, "fmi3InstantiateCoSimulation", make);
        Find(library, "fmi3EnterInitializationMode", enter);
        Find(library, "fmi3ExitInitializationMode", exit);
        component_[i] = make("bare", description.token.c_str(), nullptr, false, false, false, false, nullptr, 0,
                             nullptr, nullptr, nullptr);
        if (i == 1) set3_[i](component_[i], &kDecay, 1, &kNone, 1);
        enter(component_[i], false, 0.0, 0.0, false, 0.0);
        exit(component_[i]);
      }
    }
  }

  void Steps(int count) {
    const unsigned x[2] = {1, 3};
    const unsigned u = 1;
    const unsigned y = 2;
    double states[2];
    double out = 0.0;
    for (int n = 0; n < count; ++n, ++done_) {
      const double t = static_cast<double>(done_) * kStep;
      if (version_ == 2) {
        step2_[0](component_[0], t, kStep, 0);
        get2_[0](component_[0], x, 2, states);
        set2_[1](component_[1], &u, 1, states);
        step2_[1](component_[1], t, kStep, 0);
        get2_[1](component_[1], &y, 1, &out);
      } else {
        bool event = false;
        bool terminate = false;
        bool early = false;
        double last = 0.0;
        step3_[0](component_[0], t, kStep, false, &event, &terminate, &early, &last);
        get3_[0](component_[0], x, 2, states, 2);
        set3_[1](component_[1], &u, 1, states, 1);
        step3_[1](component_[1], t, kStep, false, &event, &terminate, &early, &last);
        get3_[1](component_[1], &y, 1, &out, 1);
      }
      if (values_.size() + 3 > values_.capacity()) values_.clear();
      values_.push_back(states[0]);
      values_.push_back(states[1]);
      values_.push_back(out);
    }
  }

 private:
  template <class F>
  static void Find(void* library, const char* name, F*& function) {
    function = reinterpret_cast<F*>(dlsym(library, name));
  }
  int version_;
  std::vector<std::shared_ptr<const openmi::UnpackedArchive>> files_;
  fmi2DoStepTYPE* step2_[2] = {};
  fmi2GetRealTYPE* get2_[2] = {};
  fmi2SetRealTYPE* set2_[2] = {};
  fmi3DoStepTYPE* step3_[2] = {};
  fmi3GetFloat64TYPE* get3_[2] = {};
  fmi3SetFloat64TYPE* set3_[2] = {};
  void* component_[2] = {};
  long done_ = 0;
  std::vector<double> values_;
};

bool MeasureSteps(int version) {
  const fs::path path = WriteComposition(version);
  openmi::Problems problems;
  openmi::Composition composition(openmi::ReadCompositionFile(path, problems));
  composition.Load(problems);
  composition.Connect(problems);
  composition.Validate(problems);
  openmi::ThrowIfErrors(problems);
  Kept kept;
  composition.Prepare();
  for (auto& instance : composition.Instances()) {
    for (auto& [id, stand_in] : instance.stand_ins) stand_in->AddListener(kept);
  }
  openmi::RunLoop loop(composition, openmi::RunMode::Pull);
  Bare bare(version);
  const auto ours = [&] {
    for (int i = 0; i < kBlock; ++i) loop.Advance();
  };
  ours();
  bare.Steps(kBlock);
  std::vector<double> over;
  std::vector<double> ours_ns;
  std::vector<double> bare_ns;
  constexpr int kPairs = 51;  // 10^6 steps of two FMUs each way
  for (std::vector<double>* figures : {&over, &ours_ns, &bare_ns}) figures->reserve(kPairs);
  const std::uint64_t allocations_before = bench::MallocCount();
  for (int pair = 0; pair < kPairs; ++pair) {
    auto begin = Clock::now();
    ours();
    const double a = SecondsSince(begin);
    begin = Clock::now();
    bare.Steps(kBlock);
    const double b = SecondsSince(begin);
    ours_ns.push_back(a / (2 * kBlock) * 1e9);
    bare_ns.push_back(b / (2 * kBlock) * 1e9);
    over.push_back(ours_ns.back() - bare_ns.back());
  }
  const std::uint64_t allocations = bench::MallocCount() - allocations_before;
  bool good = Median(over) <= 60.0;
  fmt::print(
      "fmi/{}.0: ours {:.1f} ns a step, bare loop {:.1f} ns, ratio {:.2f} ({:+.1f} ns), bound at most 60 ns over; {} "
      "allocations in {} steps{}\n",
      version, Median(ours_ns), Median(bare_ns), Median(ours_ns) / Median(bare_ns), Median(over), allocations,
      kPairs * 2 * kBlock, good ? "" : "  EXCEEDED");

  // The family of `linear` leaves and comes back with its state.
  openmi::Families families(composition);
  std::vector<double> swaps;
  for (int i = 0; i < 21; ++i) {
    const auto begin = Clock::now();
    families.Disengage("linear");
    families.Engage("linear", dynamic_cast<openmi::ISteps&>(composition.Instances()[0].Component()).CurrentTime());
    swaps.push_back(SecondsSince(begin) * 1e3);
    loop.Advance();
  }
  const bool quick = Median(swaps) < 1.0;
  fmt::print("fmi/{}.0 family: ours {:.3f} ms to leave and come back, limit 1 ms, ratio {:.2f}, bound 1.00{}\n",
             version, Median(swaps), Median(swaps), quick ? "" : "  EXCEEDED");
  for (auto& instance : composition.Instances()) {
    for (auto& [id, stand_in] : instance.stand_ins) stand_in->RemoveListener(kept);
  }
  problems.clear();
  composition.Finish(problems);
  fs::remove_all(path.parent_path());
  return good && quick;
}

/// Counts rows only.
class Nothing final : public openmi::fmi::IRecorder {
 public:
  void Begin(std::span<const openmi::fmi::RecordedColumn>) override {}
  void Row(double, std::span<const double>, std::span<const std::string>) override {}
};

/// What is taken of the heap, whether or not it was given back by somebody before.
std::size_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// 10^4 components of one FMU: from their elements in a composition file until they are ready to step, and away again.
bool MeasureInstances(int version) {
  constexpr int kInstances = 10'000;
  const fs::path path = WriteComposition(version);
  std::ofstream file(path);
  file << R"(<Composition xmlns="urn:openmi2:composition:1" Id="many">)" << '\n';
  for (int i = 0; i < kInstances; ++i) {
    file << fmt::format(R"(<Component Id="n{}" Omi="fmu.omi"><Argument Key="fmu" Value="{}"/></Component>)", i,
                        Example(version, "Dahlquist").string())
         << '\n';
  }
  file << R"(<Run From="2000-01-01T00:00:00Z" To="2000-02-01T00:00Z"/></Composition>)";
  file.close();
  const std::size_t memory_before = BytesInUse();
  const auto begin = Clock::now();
  openmi::Problems problems;
  auto composition = std::make_unique<openmi::Composition>(openmi::ReadCompositionFile(path, problems));
  composition->Load(problems);
  composition->Connect(problems);
  composition->Validate(problems);
  composition->Prepare();
  const double ready = SecondsSince(begin);
  const std::size_t memory = BytesInUse() - memory_before;
  for (auto& instance : composition->Instances()) instance.Component().Update({});
  const auto end = Clock::now();
  composition->Finish(problems);
  composition.reset();
  const double gone = SecondsSince(end);
  for (const openmi::Problem& problem : problems) {
    if (problem.severity == openmi::Problem::Error) fmt::print(stderr, "{}\n", openmi::FormatProblem(problem));
  }
  fs::remove_all(path.parent_path());
  fmt::print(
      "fmi/{}.0 instances: ours {:.1f} us and {:.1f} kB each until {} of one FMU are ready ({:.2f} s in all), {:.1f} "
      "us "
      "each to go; bound none\n",
      version, ready / kInstances * 1e6, static_cast<double>(memory) / 1e3 / kInstances, kInstances, ready,
      gone / kInstances * 1e6);
  return !openmi::HasErrors(problems);
}

bool MeasureCsv(int version) {
  const auto files = openmi::UnpackedArchive::Open(Example(version, "VanDerPol"));
  openmi::Problems problems;
  const ModelDescription description = openmi::fmi::ReadFmuDescription(files->Folder(), problems);
  openmi::fmi::SimulationOptions options;
  options.stop = 1000.0;
  options.step = kStep;
  std::vector<double> plain;
  std::vector<double> csv;
  constexpr double kValues = 100'001.0 * 2.0;
  const fs::path path = fs::temp_directory_path() / fmt::format("openmi-bench-fmi-{}.csv", getpid());
  for (int i = 0; i < 5; ++i) {
    auto begin = Clock::now();
    Nothing nothing;
    Simulate(files->Folder(), description, options, nothing);
    plain.push_back(SecondsSince(begin));
    begin = Clock::now();
    std::FILE* file = std::fopen(path.c_str(), "wb");
    openmi::fmi::CsvRecorder recorder(
        [file](std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); });
    Simulate(files->Folder(), description, options, recorder);
    recorder.End();
    std::fclose(file);
    csv.push_back(SecondsSince(begin));
  }
  fs::remove(path);
  const double more = (Median(csv) - Median(plain)) / kValues * 1e9;
  const bool good = more <= 300.0;
  fmt::print("fmi/{}.0 csv: ours {:.1f} ns a row and value more, limit 300 ns, ratio {:.2f}, bound 1.00{}\n", version,
             more, more / 300.0, good ? "" : "  EXCEEDED");
  return good;
}

}  // namespace

int main() {
  bool good = true;
  for (const int version : {2, 3}) good = MeasureSteps(version) && good;
  for (const int version : {2, 3}) good = MeasureCsv(version) && good;
  for (const int version : {2, 3}) good = MeasureInstances(version) && good;
  return good ? 0 : 1;
}
