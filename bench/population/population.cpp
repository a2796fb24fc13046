// A population of 100 000 catchments behind BMI: loading, checking, a step beside a plain loop in C over the same
// instances, two threads, the figures of the report, and a whole run with one NetCDF file, whose bytes do not depend on
// threads and processes.
// Arguments: none, all; else some of step, threads, run, figures; a number is that of the catchments.

#include <dlfcn.h>
#include <fmt/format.h>
#include <netcdf.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/support/Report.hpp"
#include "bmi-bridge/abi/bmi.h"
#include "composition/check/CheckComposition.hpp"
#include "composition/link/Composition.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/record/SeriesFigures.hpp"
#include "composition/run/CompositionRun.hpp"
#include "composition/run/RunLoop.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace {

constexpr int kSteps = 240;
constexpr int kRounds = 5;

std::filesystem::path Folder() {
  return std::filesystem::temp_directory_path() / fmt::format("openmi-bench-population-{}", ::getpid());
}

/// The table, the template and the composition.
std::filesystem::path Write(std::size_t count, const std::string& isolation = {}) {
  std::filesystem::create_directories(Folder());
  std::ofstream table(Folder() / "catchments.csv");
  table << "id,capacity,exponent\n";
  for (std::size_t i = 0; i < count; ++i) {
    const double capacity = 0.3 + 1e-6 * static_cast<double>(i);
    table << fmt::format("c{},{},{}\n", i, capacity, 2.0 + 0.1 * static_cast<double>(i % 10));
  }
  table.close();
  std::ofstream(Folder() / "catchment.ini") << "capacity = {{capacity}}\nexponent = {{exponent}}\nrate = 0.002\n";
  std::ofstream(Folder() / "catchment.omi") << fmt::format(
      R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.bmi.Model" Assembly="openmi-bmi-bridge">
  <Arguments>
    <Argument Key="library" Value="{}/lib/openmi2/libbench_population_catchment.so"/>
    <Argument Key="reentrant" Value="true"/>
    <Argument Key="outputs" Value="runoff"/>
    <Argument Key="spans" Value="rain;pet;runoff"/>
  </Arguments>
</LinkableComponent>
)",
      OPENMI_BINARY_DIR);
  const std::filesystem::path path = Folder() / fmt::format("population{}.xml", isolation.empty() ? "" : "-apart");
  std::ofstream(path) << fmt::format(
      R"(<Composition xmlns="urn:openmi2:composition:1" Id="population">
  <Component Id="weather" Type="CatchmentWeather" Assembly="bench_population_components"><Argument Key="count" Value="{}"/></Component>
  <Population Id="catchments" Omi="catchment.omi" Of="catchments.csv" Key="id"{}>
    <Argument Key="config-file" Value="template:catchment.ini"/>
  </Population>
  <Link From="weather.rain" To="catchments.rain"/>
  <Link From="weather.pet" To="catchments.pet"/>
  <Observe Item="catchments.runoff"/>
  <Run From="2000-01-01T00:00Z" To="2000-01-11T00:00Z"/>
</Composition>
)",
      count, isolation);
  return path;
}

struct Ready {
  std::unique_ptr<openmi::Composition> composition;
  std::unique_ptr<openmi::RunLoop> loop;
  double seconds = 0.0;
};

/// \throws std::runtime_error  the composition has errors
Ready MakeReady(const std::filesystem::path& path, std::size_t threads) {
  Ready ready;
  ready.seconds = bench::WallSeconds([&] {
    openmi::Problems problems;
    ready.composition = std::make_unique<openmi::Composition>(openmi::ReadCompositionFile(path, problems));
    ready.composition->Load(problems);
    ready.composition->Connect(problems);
    openmi::CheckComposition(*ready.composition, problems);
    for (const openmi::Problem& problem : problems) {
      if (problem.severity == openmi::Problem::Error) throw std::runtime_error(openmi::FormatProblem(problem));
    }
    ready.composition->SetThreads(threads);
    openmi::PrepareComponents(*ready.composition);
    ready.loop = std::make_unique<openmi::RunLoop>(*ready.composition, openmi::RunMode::Pull);
  });
  return ready;
}

/// The same instances without this project: a loop in C.
class PlainLoop {
 public:
  explicit PlainLoop(std::size_t count) : models_(count), runoff_(count) {
    library_ = dlopen(OPENMI_BINARY_DIR "/lib/openmi2/libbench_population_catchment.so", RTLD_NOW);
    auto* const make =
        library_ != nullptr ? reinterpret_cast<Bmi* (*)(Bmi*)>(dlsym(library_, "register_bmi_catchment")) : nullptr;
    if (make == nullptr) throw std::runtime_error("expected the library of the catchments, found none");
    const std::filesystem::path config = Folder() / "plain.ini";
    for (std::size_t i = 0; i < count; ++i) {
      std::ofstream(config) << fmt::format("capacity = {}\nexponent = {}\nrate = 0.002\n",
                                           0.3 + 1e-6 * static_cast<double>(i),
                                           2.0 + 0.1 * static_cast<double>(i % 10));
      Model& model = models_[i];
      make(&model.functions);
      void* pointers[3] = {};
      if (model.functions.initialize(&model.functions, config.c_str()) != BMI_SUCCESS) {
        throw std::runtime_error("expected a catchment, found that it does not start");
      }
      model.functions.get_value_ptr(&model.functions, "rain", &pointers[0]);
      model.functions.get_value_ptr(&model.functions, "pet", &pointers[1]);
      model.functions.get_value_ptr(&model.functions, "runoff", &pointers[2]);
      model.rain = static_cast<double*>(pointers[0]);
      model.pet = static_cast<double*>(pointers[1]);
      model.runoff = static_cast<const double*>(pointers[2]);
    }
  }
  ~PlainLoop() {
    for (Model& model : models_) model.functions.finalize(&model.functions);
    dlclose(library_);
  }
  PlainLoop(const PlainLoop&) = delete;
  PlainLoop& operator=(const PlainLoop&) = delete;

  void Step() {
    const double rain = std::fmax(0.0, 0.004 * std::sin(0.37 * step_));
    const double pet = std::fmax(0.0, 0.0002 * std::sin(0.26 * step_));
    for (std::size_t i = 0; i < models_.size(); ++i) {
      Model& model = models_[i];
      *model.rain = rain * (1.0 + 1e-6 * static_cast<double>(i));
      *model.pet = pet;
      model.functions.update(&model.functions);
      runoff_[i] = *model.runoff;
    }
    ++step_;
  }
  const std::vector<double>& Runoff() const { return runoff_; }

 private:
  struct Model {
    Bmi functions = {};
    double* rain = nullptr;
    double* pet = nullptr;
    const double* runoff = nullptr;
  };
  void* library_ = nullptr;
  std::vector<Model> models_;
  std::vector<double> runoff_;
  int step_ = 0;
};

std::size_t ResidentBytes() {
  std::ifstream status("/proc/self/statm");
  std::size_t size = 0, resident = 0;
  status >> size >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void Steps(bench::Report& report, const std::filesystem::path& path, std::size_t count) {
  const std::size_t before = ResidentBytes();
  Ready ready = MakeReady(path, 1);
  const std::size_t ours = ResidentBytes() - before;
  PlainLoop plain(count);
  const std::size_t theirs = ResidentBytes() - before - ours;
  report.Line("ready", ready.seconds, "s", "limit", 20.0 * static_cast<double>(count) / 1e5, bench::Bound::AtMost(1.0));
  report.Line("bytes-a-catchment", static_cast<double>(ours) / static_cast<double>(count), "B", "plain",
              static_cast<double>(theirs) / static_cast<double>(count), bench::Bound{});
  bench::Pairs pairs;
  const auto advance = [&] {
    if (!ready.loop->Advance()) throw std::runtime_error("expected a run that goes on, found that it stopped");
  };
  advance();
  plain.Step();
  constexpr int kEach = 20;
  const double each = 1e9 / static_cast<double>(count) / kEach;
  for (int round = 0; round < kRounds; ++round) {
    const auto ours_now = [&] {
      return each * bench::CpuSeconds([&] {
               for (int i = 0; i < kEach; ++i) advance();
             });
    };
    const auto plain_now = [&] {
      return each * bench::CpuSeconds([&] {
               for (int i = 0; i < kEach; ++i) plain.Step();
             });
    };
    const bool ours_first = round % 2 == 0;
    const double first = ours_first ? ours_now() : plain_now();
    const double second = ours_first ? plain_now() : ours_now();
    pairs.Add(ours_first ? first : second, ours_first ? second : first);
  }
  // Two links: rain and evaporation.
  report.Line("step", pairs, "ns a catchment", "plain loop", bench::Bound::AtMostOver(2.0 * 150.0), "two links");
  const auto& output =
      dynamic_cast<openmi::NumericOutput&>(*ready.composition->Instances()[1].Component().Outputs()[0]);
  report.Fact("step-values", std::ranges::equal(output.LastRow(), plain.Runoff()),
              "the runoff of all catchments is that of the plain loop, bit for bit");
}

void Threads(bench::Report& report, const std::filesystem::path& path) {
  Ready one = MakeReady(path, 1);
  Ready two = MakeReady(path, 2);
  bench::Pairs pairs;
  constexpr int kEach = 20;
  one.loop->Advance();
  two.loop->Advance();
  for (int round = 0; round < kRounds; ++round) {
    const auto time = [](Ready& ready) {
      return bench::WallSeconds([&] {
               for (int i = 0; i < kEach; ++i) ready.loop->Advance();
             }) /
             kEach * 1e3;
    };
    const double first = time(round % 2 == 0 ? one : two);
    const double second = time(round % 2 == 0 ? two : one);
    pairs.Add(round % 2 == 0 ? first : second, round % 2 == 0 ? second : first);
  }
  report.Line("two-threads", pairs, "ms a step on one", "two", bench::Bound::AtLeast(1.8));
}

/// What the report costs while rows come: statistics of each element and quantiles over them, beside sorting the row.
void Figures(bench::Report& report, std::size_t count) {
  constexpr int kRows = 24;
  std::mt19937 random(5);
  std::lognormal_distribution<double> draw(0.0, 1.0);
  std::vector<std::vector<double>> rows(kRows, std::vector<double>(count));
  for (std::vector<double>& row : rows) {
    for (double& value : row) value = draw(random);
  }
  bench::Pairs pairs;
  std::vector<double> sorted;
  double seen = 0.0;
  for (int round = 0; round < kRounds; ++round) {
    openmi::SeriesFigures figures(count);
    const auto ours_now = [&] {
      return bench::CpuSeconds([&] {
               for (int row = 0; row < kRows; ++row) figures.Add(row, row + 1, rows[static_cast<std::size_t>(row)]);
             }) /
             kRows * 1e3;
    };
    const auto sorting_now = [&] {
      return bench::CpuSeconds([&] {
               for (const std::vector<double>& row : rows) {
                 sorted = row;
                 std::ranges::sort(sorted);
                 seen += sorted[count / 2];
               }
             }) /
             kRows * 1e3;
    };
    const double first = round % 2 == 0 ? ours_now() : sorting_now();
    const double second = round % 2 == 0 ? sorting_now() : ours_now();
    pairs.Add(round % 2 == 0 ? first : second, round % 2 == 0 ? second : first);
  }
  report.Line("figures", pairs, "ms a row", "sorting", bench::Bound::AtMost(0.7), seen > 0.0 ? "" : "no values");
}

struct Ran {
  double seconds = 0.0;
  double gigabytes = 0.0;
};

/// Runs the command in a process of its own.
Ran RunCommand(const std::vector<std::string>& words) {
  Ran ran;
  ran.seconds = bench::WallSeconds([&] {
    const pid_t child = ::fork();
    if (child == 0) {
      std::vector<char*> arguments;
      for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
      arguments.push_back(nullptr);
      ::execv(arguments[0], arguments.data());
      ::_exit(127);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    if (status != 0)
      throw std::runtime_error(fmt::format("expected '{}' to succeed, found status {}", words[1], status));
    ran.gigabytes = static_cast<double>(usage.ru_maxrss) * 1024.0 / 1e9;
  });
  return ran;
}

/// A hash of the values of a variable.
std::uint64_t HashOf(const std::filesystem::path& path, std::size_t count) {
  int file = 0;
  if (nc_open(path.c_str(), NC_NOWRITE, &file) != NC_NOERR) throw std::runtime_error("expected results, found none");
  int variables = 0;
  nc_inq_nvars(file, &variables);
  std::uint64_t hash = 1469598103934665603U;
  std::size_t values = 0;
  for (int variable = 0; variable < variables; ++variable) {
    int dimensions = 0;
    nc_type type = 0;
    nc_inq_varndims(file, variable, &dimensions);
    nc_inq_vartype(file, variable, &type);
    if (dimensions != 2 || type != NC_DOUBLE) continue;
    std::vector<double> row(count);
    for (std::size_t step = 0; step < kSteps; ++step) {
      const std::size_t start[2] = {step, 0}, shape[2] = {1, count};
      if (nc_get_vara_double(file, variable, start, shape, row.data()) != NC_NOERR) continue;
      for (const double value : row) {
        std::uint64_t bits = 0;
        static_assert(sizeof bits == sizeof value);
        std::copy_n(reinterpret_cast<const char*>(&value), sizeof bits, reinterpret_cast<char*>(&bits));
        hash = (hash ^ bits) * 1099511628211U;
        ++values;
      }
    }
  }
  nc_close(file);
  return values == 0 ? 0 : hash;
}

void Runs(bench::Report& report, const std::filesystem::path& path, std::size_t count) {
  const std::string command = OPENMI_BINARY_DIR "/bin/openmi";
  const double share = static_cast<double>(count) / 1e5;
  const Ran check = RunCommand({command, "check", path.string(), "--timeout", "600"});
  report.Line("check", check.seconds, "s", "limit", 30.0 * share, bench::Bound::AtMost(1.0));
  std::vector<std::uint64_t> hashes;
  const auto run = [&](const std::string& name, const std::filesystem::path& file, const std::string& threads) {
    const std::filesystem::path results = Folder() / ("results-" + name);
    const Ran ran = RunCommand({command, "run", file.string(), "--threads", threads, "--results", results.string(),
                                "--no-report", "--quiet", "--overwrite"});
    report.Line("run-" + name, ran.seconds, "s", "limit", 120.0 * share, bench::Bound::AtMost(1.0),
                fmt::format("{} steps, with results", kSteps));
    report.Line("memory-" + name, ran.gigabytes, "GB", "limit", 4.0 * share, bench::Bound::AtMost(1.0));
    hashes.push_back(HashOf(results / "population.nc", count));
    std::filesystem::remove_all(results);
  };
  run("one-thread", path, "1");
  run("two-threads", path, "2");
  run("two-processes", Write(count, " Isolation=\"process\""), "1");
  report.Fact("same-values", hashes[0] != 0 && hashes[0] == hashes[1] && hashes[0] == hashes[2],
              "one thread, two threads and two processes write the same values");
}

}  // namespace

int main(int count, char** words) {
  ::setenv("OPENMI_PATH", OPENMI_BINARY_DIR "/lib/openmi2", 1);
  const int outcome = bench::Main("population", count, words, [&](bench::Report& report) {
    std::size_t catchments = 100'000;
    for (const std::string& word : report.Words()) {
      if (word.find_first_not_of("0123456789") == std::string::npos) catchments = std::stoul(word);
    }
    const bool all = std::ranges::none_of(report.Words(), [](const std::string& word) {
      return word == "step" || word == "threads" || word == "run" || word == "figures";
    });
    const std::filesystem::path path = Write(catchments);
    // First: what the system counts as the memory of a process includes what its parent held when it was started.
    if (all || report.Wants("run")) Runs(report, path, catchments);
    if (all || report.Wants("step")) Steps(report, path, catchments);
    if (all || report.Wants("threads")) Threads(report, path);
    if (all || report.Wants("figures")) Figures(report, catchments);
  });
  std::error_code ignored;
  std::filesystem::remove_all(Folder(), ignored);
  return outcome;
}
