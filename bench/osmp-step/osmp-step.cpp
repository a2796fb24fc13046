// What a step from a source to a sensor costs in a composition over the same calls by hand, for messages of 1 kB and
// 1 MB: in one process, and with the sensor in a process of its own. Arguments: none, both; else together or isolated.
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "bench/support/Echo.hpp"
#include "bench/support/MallocCount.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "fmi-bridge/fmi/abi/Fmi2.h"
#include "tests/fmi-bridge/osmp/ModelText.hpp"

namespace {

namespace fs = std::filesystem;
using namespace openmi::osmp;

constexpr double kStep = 0.02;

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

/// Steps of both, in one process.
void MeasureTogether(bench::Report& report, bench::ReadyRun& run, ByHand& by_hand, const std::string& name) {
  constexpr int kBlock = 500;  // short, so that most rounds are not interrupted
  constexpr int kRounds = 1001;
  std::uint64_t allocations = 0;
  const auto ours = [&] {
    const std::uint64_t before = bench::MallocCount();
    const double time = bench::WallSeconds([&] { run.Steps(kBlock); }) / kBlock * 1e9;
    allocations += bench::MallocCount() - before;
    return time;
  };
  const auto plain = [&] { return bench::WallSeconds([&] { by_hand.Steps(kBlock); }) / kBlock * 1e9; };
  for (int block = 0; block < 20; ++block) ours();  // until all memory is taken
  allocations = 0;
  report.Line(name, bench::InTurn(kRounds, ours, plain), "ns a step of both", "by hand",
              bench::Bound::AtMostOver(100.0));
  report.Count(name + "-allocations", static_cast<double>(allocations),
               fmt::format("in {} steps", (kRounds + 1) * kBlock));
}

/// Steps of both, the sensor in another process: at most one copy of the message and one round trip more than by hand.
/// The copy is out of one place into one other, and the round trip goes over the product's own channel; or over a local
/// socket, where that is faster on this machine.
void MeasureApart(bench::Report& report, bench::ReadyRun& run, ByHand& by_hand, bench::SocketEcho& socket,
                  bench::ChannelEcho& channel, int size, const std::string& name) {
  constexpr int kBlock = 50;
  constexpr int kRounds = 161;
  const std::vector<char> from(static_cast<std::size_t>(size), 1);
  std::vector<char> to(static_cast<std::size_t>(size));
  const auto each = [](auto&& work) { return bench::WallSeconds(work) / kBlock * 1e9; };
  std::uint64_t allocations = 0;
  const auto ours = [&] {
    const std::uint64_t before = bench::MallocCount();
    const double time = each([&] { run.Steps(kBlock); });
    allocations += bench::MallocCount() - before;
    return time;
  };
  const auto limit_over = [&](bench::Echo& echo) {
    return each([&] {
      for (int i = 0; i < kBlock; ++i) {
        by_hand.Steps(1);
        echo.Ping();
        std::memcpy(to.data(), from.data(), from.size());
        asm volatile("" : : "r"(to.data()) : "memory");
      }
    });
  };
  for (int block = 0; block < 20; ++block) ours();  // until all memory is taken
  allocations = 0;
  std::vector<double> over_socket;
  const bench::Pairs pairs = bench::InTurn(kRounds, ours, [&] {
    over_socket.push_back(limit_over(socket));
    return limit_over(channel);
  });
  const bench::Pairs socket_pairs = {.ours = pairs.ours, .limit = {over_socket.begin() + 1, over_socket.end()}};
  const bool is_socket_faster = socket_pairs.Limit() < pairs.Limit();
  const auto bound = [](bool is_judged) { return is_judged ? bench::Bound::AtMost(1.0) : bench::Bound{}; };
  report.Line(name + "-channel", pairs, "ns a step of both", "by hand with a copy and a round trip",
              bound(!is_socket_faster));
  report.Line(name + "-socket", socket_pairs, "ns a step of both", "by hand with a copy and a round trip",
              bound(is_socket_faster));
  report.Count(name + "-allocations", static_cast<double>(allocations),
               fmt::format("in {} steps", (kRounds + 1) * kBlock));
}

void Measure(bench::Report& report, const fs::path& folder, int size, bool isolated, bench::SocketEcho& socket,
             bench::ChannelEcho& channel) {
  std::ofstream(folder / "fmu.omi")
      << R"(<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.fmi.Fmu" Assembly="openmi-fmi-bridge"/>)";
  const fs::path source = folder / "source";
  const fs::path sensor = folder / "sensor";
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
  bench::ReadyRun run(openmi::ReadCompositionFile(folder / "osmp.xml", problems));
  ByHand by_hand(source, sensor, size);
  const std::string name = fmt::format("{}-kB-{}", size / 1000, isolated ? "isolated" : "in-one-process");
  if (isolated) {
    MeasureApart(report, run, by_hand, socket, channel, size, name);
  } else {
    MeasureTogether(report, run, by_hand, name);
  }
}

void All(bench::Report& report) {
  bench::SocketEcho socket;
  bench::ChannelEcho channel;
  const fs::path folder = fs::temp_directory_path() / fmt::format("openmi-bench-osmp-{}", getpid());
  fs::create_directories(folder);
  WriteModel(folder, "source", TripleText2("OSMPSensorViewOut", "SensorView", kOutputAttributes, 3));
  WriteModel(folder, "sensor",
             TripleText2("OSMPSensorViewIn", "SensorView", kInputAttributes, 0) +
                 TripleText2("OSMPSensorDataOut", "SensorData", kOutputAttributes, 3));
  for (const bool isolated : {false, true}) {
    if (!report.Wants(isolated ? "isolated" : "together")) continue;
    for (const int size : {1'000, 1'000'000}) Measure(report, folder, size, isolated, socket, channel);
  }
  fs::remove_all(folder);
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("osmp-step", count, words, All);
}
