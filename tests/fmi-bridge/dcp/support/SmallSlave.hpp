#pragma once

#include <chrono>
#include <thread>

#include "fmi-bridge/dcp/slave/SlaveModel.hpp"

namespace openmi::dcp::test {

inline Variable MakeVariable(const char* name, ValueReference reference, VariableKind kind, DataType type) {
  Variable variable;
  variable.name = name;
  variable.value_reference = reference;
  variable.kind = kind;
  const bool is_item = kind == VariableKind::Input || kind == VariableKind::Output;
  variable.variability = is_item ? Variability::Continuous : Variability::Tunable;
  variable.attributes.type = type;
  variable.start.is_given = kind != VariableKind::Output;
  if (variable.start.is_given && type == DataType::float64) variable.start.floats = {0.0};
  return variable;
}

/// A slave with an input u (1), an output y (2), a gain (3), a text in (4) and out (5), an array in (6) and out (7) as
/// long as a structural parameter n (8) says, and a fixed parameter (9). All modes; 1/1000 s.
inline SlaveDescription SmallDescription() {
  SlaveDescription slave;
  slave.file = "small.dcpx";
  slave.name = "small";
  slave.uuid = UuidFromText("b5279485-720d-4542-9f29-bee4d9a75ef9");
  slave.hard_real_time = slave.soft_real_time = true;
  slave.non_real_time = StepRange{.standard = 1, .is_fixed = false, .fewest = 1, .most = 1000};
  slave.resolutions.push_back({.numerator = 1, .denominator = 1000, .is_fixed = true, .is_recommended = {}});
  slave.transports.udp = Ipv4{.max_pdu_size = kMaxUdpPdu,
                              .control_host = {},
                              .control_port = {},
                              .has_control = true,
                              .data = {},
                              .parameters = {}};
  slave.transports.tcp = slave.transports.udp;
  slave.transports.tcp->max_pdu_size = 16 << 20;
  slave.capabilities.can_accept_config_pdus = slave.capabilities.can_handle_reset = true;
  slave.capabilities.can_provide_log_on_request = slave.capabilities.can_provide_log_on_notification = true;
  slave.capabilities.can_handle_variable_steps = true;
  slave.variables.push_back(MakeVariable("u", 1, VariableKind::Input, DataType::float64));
  slave.variables.push_back(MakeVariable("y", 2, VariableKind::Output, DataType::float64));
  slave.variables.back().steps = {.standard = 1, .is_fixed = false, .fewest = 1, .most = 100};
  slave.variables.push_back(MakeVariable("gain", 3, VariableKind::Parameter, DataType::float64));
  slave.variables.back().start.floats = {2.0};
  slave.variables.back().attributes.limits.minimum = 0.0;
  slave.variables.push_back(MakeVariable("text in", 4, VariableKind::Input, DataType::string));
  slave.variables.back().attributes.max_size = 60'000;
  slave.variables.push_back(MakeVariable("text out", 5, VariableKind::Output, DataType::string));
  slave.variables.back().attributes.max_size = 60'000;
  slave.variables.push_back(MakeVariable("array in", 6, VariableKind::Input, DataType::float64));
  slave.variables.back().start.floats = {0.0, 0.0, 0.0};
  slave.variables.back().dimensions = {{.size = 3, .variable = 7, .linked = 8}};
  slave.variables.push_back(MakeVariable("array out", 7, VariableKind::Output, DataType::float64));
  slave.variables.back().dimensions = {{.size = 3, .variable = 7, .linked = 8}};
  slave.variables.push_back(MakeVariable("n", 8, VariableKind::StructuralParameter, DataType::uint32));
  slave.variables.back().variability = Variability::Fixed;
  slave.variables.back().start.integers = {3};
  slave.variables.push_back(MakeVariable("label", 9, VariableKind::Parameter, DataType::string));
  slave.variables.back().variability = Variability::Fixed;
  slave.variables.back().attributes.max_size = 8;
  slave.log = Log{.categories = {{.id = 1, .name = "all"}},
                  .templates = {{.id = 1, .category = 1, .level = LogLevel::Information, .message = "step %Float64"}}};
  return slave;
}

/// y = gain u + offset + end of the step; texts and arrays come back. Counts its calls.
class SmallModel final : public SlaveModel {
 public:
  void Configure(SlaveValues&) override {
    ++configured;
    if (takes.count() > 0) std::this_thread::sleep_for(takes);
  }
  void Initialize(SlaveValues& values) override {
    ++initialized;
    if (takes.count() > 0) std::this_thread::sleep_for(takes);
    Answer(values, 0.0);
  }
  void Step(SlaveValues& values, const StepSpan& span) override {
    ++steps;
    last = span;
    if (!says.empty()) Report(LogLevel::Warning, says);
    if (takes.count() > 0) std::this_thread::sleep_for(takes);
    if (fails) throw std::runtime_error("the spring broke");
    Answer(values, span.end);
  }
  void Stop(SlaveValues&) override { ++stopped; }
  void Reset(SlaveValues&) override { ++resets; }

  int configured = 0;
  int initialized = 0;
  int steps = 0;
  int stopped = 0;
  int resets = 0;
  bool fails = false;
  std::chrono::milliseconds takes{0};  // to configure, to initialize, and a step
  double offset = 0.0;
  std::string says = {};  // to its log, at each step
  StepSpan last;

 private:
  void Answer(SlaveValues& values, double time) const {
    values.At(1).SetNumber(values.At(2).Number() * values.At(0).Number() + offset + time);
    values.At(4).SetText(values.At(3).Text());
    for (std::size_t i = 0; i < values.At(6).Elements(); ++i) values.At(6).SetNumber(2.0 * values.At(5).Number(i), i);
  }
};

}  // namespace openmi::dcp::test
