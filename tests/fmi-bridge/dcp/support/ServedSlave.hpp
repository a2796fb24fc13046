#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "fmi-bridge/dcp/master/component/Slave.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "tests/fmi-bridge/dcp/support/RunningSlave.hpp"
#include "tests/fmi-bridge/dcp/support/SmallSlave.hpp"
#include "tests/support/ScratchFolder.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/testing/TableComponent.hpp"

namespace openmi::dcp::test {

/// SmallDescription with what a master needs to know of it: units, start values, a second output that is constant.
inline SlaveDescription ServedDescription() {
  SlaveDescription slave = SmallDescription();
  slave.units.push_back({.name = "m", .has_base = true, .exponents = {0, 1}, .display_units = {}});
  slave.units.push_back({.name = "mm", .has_base = true, .exponents = {0, 1}, .factor = 1e-3, .display_units = {}});
  slave.variables[0].attributes.unit = 0;
  slave.variables[1].attributes.unit = 1;
  slave.variables[0].start.floats = {0.5};
  slave.variables[5].start.floats = {1.0, 2.0, 3.0};
  slave.variables[8].start.text = "none";
  for (Variable& variable : slave.variables) {
    if (variable.kind == VariableKind::Output) variable.steps = slave.variables[1].steps;
    variable.start.is_given =
        !variable.start.floats.empty() || !variable.start.integers.empty() || !variable.start.text.empty();
  }
  return slave;
}

/// A slave on a thread of its own, with its description in a file.
class ServedSlave {
 public:
  explicit ServedSlave(SlaveOptions options = {}, SlaveDescription with = ServedDescription())
      : description(std::move(with)) {
    path = folder / "small.dcpx";
    WriteSlaveDescription(description, path);
    Begin(std::move(options));
  }
  ~ServedSlave() { Kill(); }

  void Begin(SlaveOptions options) {
    if (description.transports.udp) options.udp_port = options.udp_port.value_or(0);
    if (description.transports.tcp) options.tcp_port = options.tcp_port.value_or(0);
    runner = std::make_unique<SlaveRunner>(description, model, std::move(options));
    thread = std::thread([this] { runner->Run(); });
  }
  /// As if its process had ended.
  void Kill() {
    if (!thread.joinable()) return;
    StopSoon(*runner);
    thread.join();
    runner.reset();
  }
  std::string Port(TransportProtocol protocol) const { return std::to_string(runner->ControlEndpoint(protocol).port); }

  ScratchFolder folder;
  SlaveDescription description;
  SmallModel model;
  std::string path;
  std::unique_ptr<SlaveRunner> runner;
  std::thread thread;
};

/// A component that drives a slave from 2020-01-01 on.
struct SlaveRun {
  static constexpr const char* kEnd = "2020-01-01T00:00:00.2Z";
  SlaveRun(const ServedSlave& served, TransportProtocol protocol, const std::string& end = kEnd)
      : SlaveRun(served.path, served.runner ? served.Port(protocol) : "", protocol, end) {}
  SlaveRun(const std::string& description, const std::string& port, TransportProtocol protocol,
           const std::string& end = kEnd)
      : driver(slave) {
    slave.SetCaption("x");
    driver.Set("description", description).Set("transport", protocol == TransportProtocol::TCP_IPv4 ? "tcp" : "udp");
    if (!port.empty()) driver.Set("port", port);
    driver.Set("start-time", "2020-01-01T00:00Z").Set("end-time", end).Set("time-step", "PT0.01S");
  }
  NumericInput& Input(const std::string& id) {
    for (IBaseInput* input : slave.Inputs()) {
      if (input->Id() == id) return dynamic_cast<NumericInput&>(*input);
    }
    throw RangeError({.item = id}, "expected an input, found none");
  }
  NumericOutput& Output(const std::string& id) {
    for (IBaseOutput* output : slave.Outputs()) {
      if (output->Id() == id) return dynamic_cast<NumericOutput&>(*output);
    }
    throw RangeError({.item = id}, "expected an output, found none");
  }
  /// Links u to `table` and gets ready.
  void Prepare(TableComponent* table = nullptr) {
    driver.Initialize();
    if (table != nullptr) table->Output().AddConsumer(Input("u"));
    if (!driver.Validate()) throw RangeError({}, driver.Messages().empty() ? "invalid" : driver.Messages()[0]);
    driver.Prepare();
  }
  /// What happened, when something failed.
  std::string LastEvent() const { return driver.Events().empty() ? std::string() : driver.Events().back(); }

  Slave slave;
  Driver driver;
};

/// u of the n-th step of 10 ms is n.
inline std::unique_ptr<TableComponent> Ramp(int steps) {
  std::vector<TableRow> rows;
  for (int i = 0; i <= steps; ++i) rows.push_back({Stamp{58849.0} + Days{i * 0.01 / 86400.0}, {double(i)}});
  auto table = std::make_unique<TableComponent>(std::move(rows), "m");
  return table;
}

/// A slave whose input u, or another one, is fed by a ramp, prepared.
class FedSlave {
 public:
  FedSlave(SlaveRun& run, int steps, const std::string& input = "u") : ramp_(Ramp(steps)), driver_(*ramp_) {
    run.driver.Initialize();
    ramp_->Output().AddConsumer(run.Input(input));
    driver_.Initialize();
    driver_.Validate();
    driver_.Prepare();
    EXPECT_TRUE(run.driver.Validate());
    run.driver.Prepare();
  }

 private:
  decltype(Ramp(0)) ramp_;
  Driver driver_;
};

}  // namespace openmi::dcp::test
