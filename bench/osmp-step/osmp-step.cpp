// What a step from a source to a sensor costs in a composition over the same calls by hand, for messages of 1 kB and
// 1 MB: in one process, and with the sensor in a process of its own.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "bench/support/MallocCount.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/RunLoop.hpp"
#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "tests/fmi-bridge/osmp/ModelText.hpp"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using namespace openmi::osmp;

constexpr double kStep = 0.02;

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

fs::path WriteModel(const fs::path& folder, const std::string& name, const std::string& variables) {
  const fs::path root = folder / name;
  fs::create_directories(root / "binaries" / "linux64");
  std::ofstream(root / "modelDescription.xml") << ModelText2(
      variables +
      R"(<ScalarVariable name="size" valueReference="41" causality="parameter" variability="fixed"><Integer start="64"/></ScalarVariable>)");
  fs::copy_file(OPENMI_PLAIN_MODEL, root / "binaries" / "linux64" / "m.so", fs::copy_options::overwrite_existing);
  return root;
}

void Silent(void*, const char*, fmi2Status, const char*, const char*, ...) {}

/// The two FMUs by their functions alone, with the same reads and writes.
class ByHand {
 public:
  ByHand(const fs::path& source, const fs::path& sensor, int size) {
    static const fmi2CallbackFunctions kCallbacks{Silent, std::calloc, std::free, nullptr, nullptr};
    int which = 0;
    for (const fs::path& root : {source, sensor}) {
      void* library = dlopen((root / "binaries" / "linux64" / "m.so").c_str(), RTLD_NOW | RTLD_LOCAL);
      const auto find = [&]<class F>(const char* name, F*& function) {
        function = reinterpret_cast<F*>(dlsym(library, name));
      };
      fmi2InstantiateTYPE* make = nullptr;
      find("fmi2Instantiate", make);
      find("fmi2DoStep", step_[which]);
      find("fmi2GetInteger", get_[which]);
      find("fmi2SetInteger", set_[which]);
      component_[which] = make("by hand", fmi2CoSimulation, "g", nullptr, &kCallbacks, 0, 0);
      const fmi2ValueReference reference = 41;
      const fmi2Integer value = which == 0 ? size : 64;
      set_[which](component_[which], &reference, 1, &value);
      ++which;
    }
  }
  void Steps(int count) {
    constexpr fmi2ValueReference kIn[3] = {0, 1, 2};
    constexpr fmi2ValueReference kOut[3] = {3, 4, 5};
    fmi2Integer message[3];
    for (int n = 0; n < count; ++n, ++done_) {
      const double time = static_cast<double>(done_) * kStep;
      step_[0](component_[0], time, kStep, 0);
      get_[0](component_[0], kOut, 3, message);
      set_[1](component_[1], kIn, 3, message);
      step_[1](component_[1], time, kStep, 0);
      get_[1](component_[1], kOut, 3, message);
    }
  }

 private:
  fmi2DoStepTYPE* step_[2] = {};
  fmi2GetIntegerTYPE* get_[2] = {};
  fmi2SetIntegerTYPE* set_[2] = {};
  fmi2Component component_[2] = {};
  long done_ = 0;
};

/// Nanoseconds that eight bytes take to another process and back, over a local socket.
double RoundTrip() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 0.0;
  const pid_t child = fork();
  char bytes[8] = {};
  if (child == 0) {
    close(ends[0]);
    while (read(ends[1], bytes, sizeof bytes) == sizeof bytes && write(ends[1], bytes, sizeof bytes) > 0) {
    }
    _exit(0);
  }
  close(ends[1]);
  std::vector<double> all;
  for (int block = 0; block < 21; ++block) {
    const auto begin = Clock::now();
    for (int i = 0; i < 200; ++i) {
      if (write(ends[0], bytes, sizeof bytes) < 0 || read(ends[0], bytes, sizeof bytes) < 0) break;
    }
    all.push_back(SecondsSince(begin) / 200 * 1e9);
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return Median(all);
}

bool Measure(const fs::path& folder, const fs::path& source, const fs::path& sensor, int size, bool isolated) {
  std::ofstream(folder / "fmu.omi")
      << R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.fmi.Fmu" Assembly="openmi-fmi-bridge"/>)";
  std::ofstream(folder / "osmp.xml") << fmt::format(
      R"(<Composition xmlns="urn:openmi2:composition:1" Id="osmp">
  <Component Id="source" Omi="fmu.omi"><Argument Key="fmu" Value="{}"/><Argument Key="size" Value="{}"/></Component>
  <Component Id="sensor" Omi="fmu.omi"{}><Argument Key="fmu" Value="{}"/><Argument Key="size" Value="64"/></Component>
  <Link From="source.OSMPSensorViewOut" To="sensor.OSMPSensorViewIn"/>
  <Run From="2000-01-01T00:00:00Z" To="2000-02-01T00:00Z" Trigger="sensor"/>
</Composition>
)",
      source.string(), size, isolated ? " Isolation=\"process\"" : "", sensor.string());
  openmi::Problems problems;
  openmi::Composition composition(openmi::ReadCompositionFile(folder / "osmp.xml", problems));
  composition.Load(problems);
  composition.Connect(problems);
  composition.Validate(problems);
  for (const openmi::Problem& problem : problems) {
    if (problem.severity == openmi::Problem::Error) fmt::print(stderr, "{}\n", openmi::FormatProblem(problem));
  }
  if (openmi::HasErrors(problems)) return false;
  composition.Prepare();
  openmi::RunLoop loop(composition, openmi::RunMode::Pull);
  ByHand by_hand(source, sensor, size);
  const int block = isolated ? 200 : 10'000;
  const int pairs = isolated ? 21 : 51;
  const auto ours = [&] {
    for (int i = 0; i < block; ++i) loop.Advance();
  };
  ours();
  by_hand.Steps(block);
  std::vector<double> over, ours_ns, hand_ns, copy_ns, turns_ns;
  for (std::vector<double>* figures : {&over, &ours_ns, &hand_ns, &copy_ns, &turns_ns}) {
    figures->reserve(static_cast<std::size_t>(pairs));
  }
  std::vector<char> from(static_cast<std::size_t>(size), 1);
  const std::vector<char> other(from);  // a model shows its messages in two places in turn
  std::vector<char> to(static_cast<std::size_t>(size));
  const std::uint64_t allocations_before = bench::MallocCount();
  for (int pair = 0; pair < pairs; ++pair) {
    auto begin = Clock::now();
    ours();
    ours_ns.push_back(SecondsSince(begin) / block * 1e9);
    begin = Clock::now();
    by_hand.Steps(block);
    hand_ns.push_back(SecondsSince(begin) / block * 1e9);
    begin = Clock::now();
    for (int i = 0; i < 20; ++i) {
      std::memcpy(to.data(), from.data(), from.size());
      asm volatile("" : : "r"(to.data()) : "memory");
    }
    copy_ns.push_back(SecondsSince(begin) / 20 * 1e9);
    begin = Clock::now();
    for (int i = 0; i < 20; ++i) {
      std::memcpy(to.data(), i % 2 == 0 ? from.data() : other.data(), from.size());
      asm volatile("" : : "r"(to.data()) : "memory");
    }
    turns_ns.push_back(SecondsSince(begin) / 20 * 1e9);
    over.push_back(ours_ns.back() - hand_ns.back());
  }
  const std::uint64_t allocations = bench::MallocCount() - allocations_before;
  const double trip = isolated ? RoundTrip() : 0.0;
  const bool good = Median(over) <= (isolated ? Median(turns_ns) + trip : 100.0);
  const std::string name = fmt::format("osmp-step/{} kB {}", size / 1000, isolated ? "isolated" : "in one process");
  fmt::print(
      "{}: ours {:.1f} ns a step of both, by hand {:.1f} ns, ratio {:.2f} ({:+.1f} ns), bound {}; {} allocations "
      "in {} steps{}\n",
      name, Median(ours_ns), Median(hand_ns), Median(ours_ns) / Median(hand_ns), Median(over),
      isolated ? fmt::format("one copy ({:.0f} ns out of two places in turn, as the model shows it; {:.0f} ns out of "
                             "one) and one round trip ({:.0f} ns over a socket) over",
                             Median(turns_ns), Median(copy_ns), trip)
               : std::string("at most 100 ns over"),
      allocations, pairs * block, good ? "" : "  EXCEEDED");
  composition.Finish(problems);
  return good;
}

}  // namespace

int main() {
  const fs::path folder = fs::temp_directory_path() / fmt::format("openmi-bench-osmp-{}", getpid());
  fs::create_directories(folder);
  const fs::path source =
      WriteModel(folder, "source", TripleText2("OSMPSensorViewOut", "SensorView", kOutputAttributes, 3));
  const fs::path sensor = WriteModel(folder, "sensor",
                                     TripleText2("OSMPSensorViewIn", "SensorView", kInputAttributes, 0) +
                                         TripleText2("OSMPSensorDataOut", "SensorData", kOutputAttributes, 3));
  bool good = true;
  for (const bool isolated : {false, true}) {
    for (const int size : {1'000, 1'000'000}) good &= Measure(folder, source, sensor, size, isolated);
  }
  fs::remove_all(folder);
  return good ? 0 : 1;
}
