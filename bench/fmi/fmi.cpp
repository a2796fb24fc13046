// What a step of a small FMU costs in a composition over the same calls in a bare loop, for FMI 2.0 and 3.0, with all
// outputs observed in memory, and the one version against the other; how often each typed getter is called; how long a
// family of one FMU takes to leave and come back with its state, and whether it changes a bit; what a row of a
// composition's CSV costs; and what 10^4 instances of one FMU in a composition cost in time and memory. Arguments:
// none, all; else some of steps, getters, family, csv and instances.
#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/fmi/GetterCount.hpp"
#include "bench/support/MallocCount.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "composition/check/CheckComposition.hpp"
#include "composition/families/Families.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "composition/results/CsvResults.hpp"
#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/common/archive/UnpackedArchive.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "fmi-bridge/fmi/abi/Fmi3.h"
#include "fmi-bridge/fmi/run/FmuLibrary.hpp"
#include "timespace/optional/ISteps.hpp"

namespace {

namespace fs = std::filesystem;
using openmi::fmi::ModelDescription;

constexpr double kStep = 0.01;
constexpr int kBlock = 500;  // short, so that most rounds are not interrupted

fs::path Example(int version, const std::string& name) {
  return fs::path(OPENMI_BINARY_DIR) / "examples" / "fmus" / std::to_string(version) / (name + ".fmu");
}

/// An element of a composition: an FMU of the examples, a step of a hundredth of a second.
std::string FmuElement(const std::string& id, int version, const std::string& fmu, const std::string& more = {},
                       const std::string& attributes = {}) {
  return fmt::format(
      "<Component Id=\"{}\" Type=\"openmi.fmi.Fmu\" Assembly=\"openmi-fmi-bridge\"{}><Argument Key=\"fmu\" "
      "Value=\"{}\"/><Argument Key=\"time-step\" Value=\"PT0.01S\"/>{}</Component>\n",
      id, attributes, Example(version, fmu).string(), more);
}

std::string Whole(const std::string& body, const std::string& until = "2000-02-01T00:00Z",
                  const std::string& trigger = {}) {
  return fmt::format(
      "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"fmi\">\n{}<Run From=\"2000-01-01T00:00:00Z\" "
      "To=\"{}\"{}/>\n</Composition>\n",
      body, until, trigger);
}

/// Two FMUs, of which one feeds the other.
std::string Pair(int version) {
  return Whole(FmuElement("oscillator", version, "VanDerPol") +
                   FmuElement("linear", version, "Linear", "<Argument Key=\"k\" Value=\"0\"/>", " KeepState=\"true\"") +
                   "<Link From=\"oscillator.x0\" To=\"linear.u\"/>\n",
               "2000-02-01T00:00Z", " Trigger=\"linear\"");
}

/// Gives every output with times an output proxy that listeners can be added to.
void ObserveAll(openmi::Composition& composition) {
  for (openmi::Instance& instance : composition.Instances()) {
    for (openmi::IBaseOutput* output : instance.Component().Outputs()) {
      if (auto* item = dynamic_cast<openmi::ITimeSpaceOutput*>(output)) instance.ProxyFor(*item);
    }
  }
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

/// Keeps every row of all outputs of a composition as long as it lives.
class Listening {
 public:
  Listening(openmi::Composition& composition, openmi::IRowListener& listener)
      : composition_(composition), listener_(listener) {
    for (auto& instance : composition_.Instances()) {
      for (auto& [id, proxy] : instance.proxies) {
        proxy->AddListener(listener_);
        ++count;
      }
    }
  }
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;
  ~Listening() {
    for (auto& instance : composition_.Instances()) {
      for (auto& [id, proxy] : instance.proxies) proxy->RemoveListener(listener_);
    }
  }
  std::size_t count = 0;

 private:
  openmi::Composition& composition_;
  openmi::IRowListener& listener_;
};

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

/// A run of the two, observed, beside the bare loop.
struct Steps {
  explicit Steps(int version) : run(bench::CompositionOf(Pair(version)), 1, ObserveAll), bare(version) {}
  double Ours() {
    const std::uint64_t before = bench::MallocCount();
    const double time = bench::WallSeconds([&] { run.Steps(kBlock); }) / (2 * kBlock) * 1e9;
    allocations += bench::MallocCount() - before;
    return time;
  }
  double Bare() {
    return bench::WallSeconds([&] { bare.Steps(kBlock); }) / (2 * kBlock) * 1e9;
  }

  bench::ReadyRun run;
  Kept kept;
  Listening listening{run.Whole(), kept};
  class Bare bare;
  std::uint64_t allocations = 0;
};

/// Both versions, and the one against the other. Judged is what the composition adds to a step of one FMU.
void MeasureSteps(bench::Report& report) {
  constexpr int kRounds = 1001;  // 10^6 steps of two FMUs each way
  Steps second(2), third(3);
  for (const auto& [version, of_version] : {std::pair{2, &second}, std::pair{3, &third}}) {
    Steps* const steps = of_version;
    for (int block = 0; block < 20; ++block) steps->Ours();
    steps->allocations = 0;
    const bench::Pairs pairs = bench::InTurn(
        kRounds, [&] { return steps->Ours(); }, [&] { return steps->Bare(); });
    report.Line(fmt::format("{}.0", version), pairs, "ns a step", "bare loop", bench::Bound::AtMostOver(60.0),
                fmt::format("{} of 3 outputs observed", steps->listening.count));
    report.Fact(fmt::format("{}.0-observed", version), steps->listening.count == 3,
                fmt::format("all outputs are observed: {} of 3", steps->listening.count));
    report.Count(fmt::format("{}.0-allocations", version), static_cast<double>(steps->allocations),
                 fmt::format("in {} steps", (kRounds + 1) * 2 * kBlock));
  }
  const bench::Pairs versions = bench::InTurn(
      kRounds, [&] { return third.Ours() - third.Bare(); }, [&] { return second.Ours() - second.Bare(); });
  report.Line("3.0-against-2.0", versions, "ns a step over bare", "FMI 2.0", bench::Bound::AtMost(1.05));
}

/// How often each function that reads values of one type is called in a step, for an FMU with one type and one with
/// many.
void CountGetters(bench::Report& report, int version) {
  constexpr std::uint64_t kSteps = 1000;
  for (const char* const fmu : {"VanDerPol", "Feedthrough"}) {
    bench::GetterCount count;
    bench::ReadyRun run(bench::CompositionOf(Whole(FmuElement("one", version, fmu))), 1, ObserveAll);
    Kept kept;
    const Listening listening(run.Whole(), kept);
    run.Steps(10);
    count.Reset();
    run.Steps(kSteps);
    const auto calls = count.Calls();
    std::string text;
    for (const auto& [name, made] : calls) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, made);
    report.Fact(fmt::format("{}.0-getters-{}", version, fmu),
                !calls.empty() && std::ranges::all_of(calls, [](const auto& one) { return one.second == kSteps; }),
                fmt::format("each typed getter is called once a step, in {} steps: {}", kSteps, text));
  }
}

/// A family of one FMU leaves and comes back with its state: the time, and the rows of all outputs bit for bit.
void MeasureFamily(bench::Report& report, int version) {
  constexpr int kSwaps = 21;
  constexpr int kBetween = 25;  // steps
  const auto go = [version](bool swaps, std::vector<double>& milliseconds) {
    bench::ReadyRun run(bench::CompositionOf(Pair(version)), 1, ObserveAll);
    Kept kept;
    const Listening listening(run.Whole(), kept);
    openmi::Families families(run.Whole());
    for (int swap = 0; swap < kSwaps; ++swap) {
      run.Steps(kBetween);
      if (!swaps) continue;
      milliseconds.push_back(1e3 * bench::WallSeconds([&] {
                               families.Disengage("linear");
                               families.Engage("linear", dynamic_cast<openmi::ISteps&>(run.Component(0)).CurrentTime());
                             }));
    }
    run.Steps(kBetween);
    return kept.values_;
  };
  std::vector<double> swaps, none;
  const std::vector<double> stayed = go(false, none);
  const std::vector<double> came_back = go(true, swaps);
  report.Line(fmt::format("{}.0-family", version), bench::Median(swaps), "ms to leave and come back", "limit", 1.0,
              bench::Bound::AtMost(1.0));
  report.Fact(
      fmt::format("{}.0-family-results", version),
      stayed.size() == came_back.size() && !stayed.empty() &&
          std::memcmp(stayed.data(), came_back.data(), stayed.size() * sizeof(double)) == 0,
      fmt::format("{} values after {} exchanges are those of a run without, bit for bit", came_back.size(), kSwaps));
}

/// What is taken of the heap, whether or not it was given back by somebody before.
std::size_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// 10^4 components of one FMU: from their elements in a composition file until they are ready to step, and away again.
void MeasureInstances(bench::Report& report, int version) {
  constexpr int kInstances = 10'000;
  std::string body;
  for (int i = 0; i < kInstances; ++i) body += FmuElement(fmt::format("n{}", i), version, "Dahlquist");
  const std::size_t memory_before = BytesInUse();
  std::size_t memory = 0;
  std::unique_ptr<bench::ReadyRun> run;
  const double ready = bench::WallSeconds([&] {
    run = std::make_unique<bench::ReadyRun>(bench::CompositionOf(Whole(body)));
    memory = BytesInUse() - memory_before;
  });
  for (auto& instance : run->Whole().Instances()) instance.Component().Update({});
  const double gone = bench::WallSeconds([&] { run.reset(); });
  // No acceptance line gives a bound.
  const auto each = [](double all) { return all / kInstances; };
  const std::string of = fmt::format("{}.0-instances", version);
  report.Line(of + "-ready", each(ready) * 1e6, "us each", "none", 1.0, {}, fmt::format("{:.2f} s in all", ready));
  report.Line(of + "-memory", each(static_cast<double>(memory)) / 1e3, "kB each", "none", 1.0, {});
  report.Line(of + "-gone", each(gone) * 1e6, "us each", "none", 1.0, {});
}

/// Writes rows as a run does: a line a step.
class Written final : public openmi::IRowListener {
 public:
  explicit Written(openmi::CsvResults& csv) : csv_(csv) {}
  void OnRow(openmi::Stamp begin, openmi::Days duration, std::span<const double> row) override {
    const double end = (begin + duration).mjd;
    csv_.Append(0, begin.mjd, end, row);
    csv_.Commit(end);
  }

 private:
  openmi::CsvResults& csv_;
};

/// What the results of a composition cost over none: the lines of its CSV, of the state of an FMU; and all that a run
/// writes, the journal of the NetCDF file included.
void MeasureCsv(bench::Report& report, int version) {
  constexpr int kRows = 50'000;
  const fs::path folder = fs::temp_directory_path() / fmt::format("openmi-bench-fmi-{}", getpid());
  fs::create_directories(folder);
  const std::string text =
      Whole(FmuElement("one", version, "VanDerPol") + "<Observe Item=\"one.x0\"/>\n", "2000-01-01T00:08:20Z");
  const auto with_csv = [&](bool write) {
    bench::ReadyRun run(bench::CompositionOf(text), 1, ObserveAll);
    openmi::ResultSeries series;
    series.id = "one.x0";
    openmi::CsvResults csv(folder / "one.csv", {}, {series}, openmi::AppendFile::Existing::Overwrite);
    Kept kept;
    Written written(csv);
    openmi::OutputProxy& x0 = *run.Whole().Instances()[0].proxies.at("x0");
    openmi::IRowListener& listener = write ? static_cast<openmi::IRowListener&>(written) : kept;
    x0.AddListener(listener);
    const double seconds = bench::WallSeconds([&] { run.Steps(kRows - 1); });
    x0.RemoveListener(listener);
    csv.Close();
    return seconds / kRows * 1e9;
  };
  const auto run = [&](bool write) {
    openmi::Problems problems;
    openmi::Composition composition(bench::CompositionOf(text));
    composition.Load(problems);
    composition.Connect(problems);
    openmi::CheckComposition(composition, problems);
    openmi::ThrowIfErrors(problems);
    openmi::RunOptions options;
    options.folder = folder / "results";
    options.overwrite = true;
    options.write_results = write;
    bool is_complete = false;
    const double seconds = bench::WallSeconds(
        [&] { is_complete = openmi::CompositionRun(composition, problems, options).Run().is_complete; });
    if (!is_complete) throw std::runtime_error("expected a run to its end, found that it stopped");
    return seconds / kRows * 1e9;
  };
  constexpr const char* kUnit = "ns a row of one value";
  report.Line(fmt::format("{}.0-csv", version),
              bench::InTurn(
                  11, [&] { return with_csv(true); }, [&] { return with_csv(false); }),
              kUnit, "in memory", bench::Bound::AtMostOver(300.0));
  report.Line(fmt::format("{}.0-results-in-all", version),
              bench::InTurn(
                  5, [&] { return run(true); }, [&] { return run(false); }),
              kUnit, "without results", {});
  fs::remove_all(folder);
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("fmi", count, words, [](bench::Report& report) {
    if (report.Wants("steps")) MeasureSteps(report);
    for (const int version : {2, 3}) {
      if (report.Wants("getters")) CountGetters(report, version);
      if (report.Wants("family")) MeasureFamily(report, version);
      if (report.Wants("csv")) MeasureCsv(report, version);
      if (report.Wants("instances")) MeasureInstances(report, version);
    }
  });
}
