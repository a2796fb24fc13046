// The simulator as a DCP slave: a program of its own, here or on another machine. What it exchanges says platoon.dcpx.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "examples/platoon/Simulator.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/slave/SlaveRunner.hpp"

namespace {

using namespace openmi::dcp;
using platoon::Simulator;

class SimulatorSlave final : public SlaveModel {
 public:
  void Configure(SlaveValues& values) override {
    inputs_.clear();
    outputs_.clear();
    for (const platoon::Signal& signal : Simulator::kInputs) inputs_.push_back(&values.Named(signal.name));
    for (const platoon::Signal& signal : Simulator::kOutputs) outputs_.push_back(&values.Named(signal.name));
    simulator_ = Simulator({.speed = values.Named("initial-speed").Number(),
                            .time_gap = values.Named("initial-time-gap").Number(),
                            .to_block = values.Named("initial-distance-to-block").Number(),
                            .stand_before_block = values.Named("stand-before-block").Number(),
                            .deceleration = values.Named("leader-deceleration").Number()});
    Give();
  }

  void Step(SlaveValues&, const StepSpan& span) override {
    const auto begin = std::chrono::steady_clock::now();
    std::array<double, Simulator::kInputCount> given{};
    for (std::size_t i = 0; i < given.size(); ++i) given[i] = inputs_[i]->Number();
    simulator_.SetInputs(given);
    simulator_.Advance(span.Length());
    Give();
    busy_ += std::chrono::steady_clock::now() - begin;
    ++steps_;
  }

  void Stop(SlaveValues&) override {
    if (steps_ == 0) return;
    const double microseconds = std::chrono::duration<double, std::micro>(busy_).count();
    fmt::print("the simulator made {} steps of {:.1f} us each\n", steps_, microseconds / static_cast<double>(steps_));
    std::fflush(stdout);
    busy_ = {};
    steps_ = 0;
  }

 private:
  void Give() {
    std::array<double, Simulator::kOutputCount> row{};
    simulator_.GetOutputs(row);
    for (std::size_t i = 0; i < row.size(); ++i) outputs_[i]->SetNumber(row[i]);
  }

  Simulator simulator_;
  std::vector<TypedValue*> inputs_, outputs_;
  std::chrono::steady_clock::duration busy_{};
  std::uint64_t steps_ = 0;
};

SlaveRunner* running = nullptr;

constexpr const char* kUsage =
    "usage: platoon-slave PLATOON.dcpx [--host ADDRESS] [--port PORT] [--exchange-log FILE]\n"
    "  ADDRESS  of this machine to listen at; 0.0.0.0: all (default: the loopback)\n"
    "  PORT     0: one that is free (default: that of the description)\n"
    "  FILE     gets values and simulated time of every exchange\n";

void Serve(const char* file, SlaveOptions options) {
  options.show = [](const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
  };
  openmi::Problems problems;
  const SlaveDescription description = LoadOwnDescription(file, problems);
  openmi::ThrowIfErrors(problems);
  SimulatorSlave simulator;
  SlaveRunner runner(description, simulator, std::move(options));
  running = &runner;
  for (const int sign : {SIGINT, SIGTERM}) std::signal(sign, [](int) { running->Stop(); });
  fmt::print("listens at port {}\n", runner.ControlEndpoint(TransportProtocol::TCP_IPv4).port);
  std::fflush(stdout);
  runner.Run();
}

}  // namespace

int main(int count, char** arguments) {
  try {
    SlaveOptions options;
    if (count == 2 && (std::string_view(arguments[1]) == "--help" || std::string_view(arguments[1]) == "-h")) {
      std::fputs(kUsage, stdout);
      return 0;
    }
    bool is_good = count >= 2 && count % 2 == 0;
    for (int i = 2; i + 1 < count; i += 2) {
      const std::string_view option = arguments[i];
      const std::string value = arguments[i + 1];
      if (option == "--host") {
        options.host = value;
      } else if (option == "--port") {
        options.udp_port = options.tcp_port = static_cast<std::uint16_t>(std::stoul(value));
      } else if (option == "--exchange-log") {
        options.exchange_log = value;
      } else {
        is_good = false;
      }
    }
    if (!is_good) {
      std::fputs(kUsage, stderr);
      return 2;
    }
    Serve(arguments[1], std::move(options));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
