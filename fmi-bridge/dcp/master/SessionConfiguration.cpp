// The configuration of a slave, in CONFIGURATION and on the way to CONFIGURED.

#include <fmt/format.h>

#include <algorithm>

#include "fmi-bridge/dcp/master/SlaveSession.hpp"
#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"

namespace openmi::dcp {

template <class Request>
void SlaveSession::Configure(Request request, const std::string& what) {
  for (int round = 0; round < 4; ++round) {
    Send(request);
    const Answer answer = Await();
    if (answer.was_received) continue;  // sending it again changes nothing, and brings an answer
    if (answer.is_ack) return;
    Fail(fmt::format("to accept {}", what),
         fmt::format("{} ({:#06x})", NameOf(answer.error), static_cast<unsigned>(answer.error)),
         answer.error == ErrorCode::NOT_SUPPORTED_PDU
             ? "its description says whether it can be configured (canAcceptConfigPdus)"
             : "compare its description with the slave that runs");
  }
  Fail(fmt::format("an answer to {}", what), "that each was lost", "use TCP, or a better network");
}

void SlaveSession::Prepare() {
  const Resolution* fixed = description_.FixedResolution();
  if (fixed == nullptr) {
    Configure(CfgTimeRes{.numerator = options_.numerator, .denominator = options_.denominator},
              fmt::format("the time resolution {}/{} s", options_.numerator, options_.denominator));
  }
  std::vector<std::byte> bytes;
  // Structural parameters first: arrays take their sizes from them.
  for (const bool structural : {true, false}) {
    for (const Index index : parameters_) {
      const Variable& variable = values_.VariableAt(index);
      if ((variable.kind == VariableKind::StructuralParameter) != structural) continue;
      const TypedValue& value = values_.At(index);
      bytes.resize(value.EncodedSize());
      if (value.Encode(bytes) != bytes.size()) Fail("a value that can be sent", variable.name, {});
      Configure(CfgParameter{.parameter_vr = variable.value_reference, .source_type = value.Type(), .value = bytes},
                fmt::format("a value of the parameter '{}'", variable.name));
    }
  }
  ConfigureGroups();
  ConfigureDirect();
  ConfigureLog();
  Command(PduType::STC_prepare, State::CONFIGURATION, State::PREPARED, After(options_.change_timeout));
}

void SlaveSession::Connect() {
  for (const Group& group : inputs_) {
    Door& door = group.is_tunable ? tunable_out_ : data_out_;
    if (door < 0) door = DoorTo(PlaceOf(group).port);
  }
  Command(PduType::STC_configure, State::PREPARED, State::CONFIGURED, After(options_.change_timeout));
}

Door SlaveSession::DoorTo(std::uint16_t port) {
  // one connection keeps the order
  if (options_.data == options_.control && port == options_.slave.port) return control_socket_;
  if (data_out_ >= 0 && port == options_.slave_data_port) return data_out_;
  Transport& transport = data_transport_ ? *data_transport_ : *control_transport_;
  return Reach(transport, {options_.slave.address, port});
}

Endpoint SlaveSession::PlaceOf(const Group& group) const {
  return {options_.slave.address, group.is_tunable ? options_.slave_parameter_port : options_.slave_data_port};
}

void SlaveSession::ConfigureNetwork(PduType type, std::uint16_t id, Endpoint where) {
  Configure(
      CfgNetworkInformation{
          .type = type, .id = id, .protocol = options_.data, .port = where.port, .address = where.address},
      fmt::format("{} of data {} ({})", NameOf(type), id, ToText(where)));
}

void SlaveSession::ConfigureGroups() {
  for (Group& group : inputs_) {
    for (std::size_t i = 0; i < group.variables.size(); ++i) {
      const Variable& variable = values_.VariableAt(group.variables[i]);
      const auto position = static_cast<std::uint16_t>(i);
      const DataType type = values_.At(group.variables[i]).Type();
      if (group.is_tunable) {
        Configure(CfgTunableParameter{.param_id = group.id,
                                      .position = position,
                                      .parameter_vr = variable.value_reference,
                                      .source_type = type},
                  fmt::format("the tunable parameter '{}'", variable.name));
        continue;
      }
      Configure(
          CfgInput{
              .data_id = group.id, .position = position, .target_vr = variable.value_reference, .source_type = type},
          fmt::format("the input '{}'", variable.name));
    }
    if (!group.is_tunable) {
      Configure(CfgScope{.data_id = group.id, .scope = group.scope}, fmt::format("the scope of data {}", group.id));
    }
    ConfigureNetwork(
        group.is_tunable ? PduType::CFG_param_network_information : PduType::CFG_source_network_information, group.id,
        PlaceOf(group));
  }
  Transport& transport = data_transport_ ? *data_transport_ : *control_transport_;
  const Endpoint here{options_.local.address, transport.Local(data_in_).port};
  for (Group& group : outputs_) {
    for (std::size_t i = 0; i < group.variables.size(); ++i) {
      ConfigureOutput(group.id, i, group.variables[i]);
    }
    Configure(CfgScope{.data_id = group.id, .scope = group.scope}, fmt::format("the scope of data {}", group.id));
    ConfigureNetwork(PduType::CFG_target_network_information, group.id, here);
    ConfigureSteps(group.id, group.steps);
  }
}

void SlaveSession::ConfigureOutput(std::uint16_t id, std::size_t position, Index variable) {
  Configure(CfgOutput{.data_id = id,
                      .position = static_cast<std::uint16_t>(position),
                      .source_vr = values_.VariableAt(variable).value_reference},
            fmt::format("the output '{}'", values_.VariableAt(variable).name));
}

void SlaveSession::ConfigureSteps(std::uint16_t id, std::uint32_t steps) {
  if (options_.mode != OpMode::NRT) {
    Configure(CfgSteps{.steps = steps, .data_id = id}, fmt::format("{} steps of data {}", steps, id));
    return;
  }
  // The standard lists it for real time only; some slaves require it in every mode, others refuse it.
  Send(CfgSteps{.steps = steps, .data_id = id});
  const Answer answer = Await();
  const bool is_no_matter = answer.is_ack || answer.was_received || answer.error == ErrorCode::NOT_SUPPORTED_PDU ||
                            answer.error == ErrorCode::INVALID_STEPS;
  if (!is_no_matter) {
    Fail(fmt::format("to accept the steps of data {}", id), std::string(NameOf(answer.error)), "see its description");
  }
}

// Only in steps: at initialization all data pass through the master, which knows the order.
void SlaveSession::ConfigureDirect() {
  const auto scope = [this](std::uint16_t id) {
    Configure(CfgScope{.data_id = id, .scope = Scope::Run}, fmt::format("the scope of data {}", id));
  };
  for (const DirectGroup& group : direct_in_) {
    for (std::size_t i = 0; i < group.variables.size(); ++i) {
      const Variable& variable = values_.VariableAt(group.variables[i]);
      Configure(CfgInput{.data_id = group.id,
                         .position = static_cast<std::uint16_t>(i),
                         .target_vr = variable.value_reference,
                         .source_type = group.sent_as[i]},
                fmt::format("the input '{}' from another slave", variable.name));
    }
    scope(group.id);
    ConfigureNetwork(PduType::CFG_source_network_information, group.id, DataPlace());
  }
  for (const DirectGroup& group : direct_out_) {
    for (std::size_t i = 0; i < group.variables.size(); ++i) ConfigureOutput(group.id, i, group.variables[i]);
    scope(group.id);
    ConfigureNetwork(PduType::CFG_target_network_information, group.id, group.to);
    ConfigureSteps(group.id, options_.steps);
  }
}

bool SlaveSession::ReportsMissedData() const {
  return description_.log && description_.capabilities.can_provide_log_on_notification &&
         std::ranges::find(description_.log->templates, kMissedData, &LogTemplate::message) !=
             description_.log->templates.end();
}

void SlaveSession::ConfigureLog() {
  const CapabilityFlags& can = description_.capabilities;
  const bool is_notified = can.can_provide_log_on_notification;
  const auto ask = [&](std::uint8_t category, LogLevel level) {
    Configure(
        CfgLogging{
            .category = category, .level = level, .mode = is_notified ? LogMode::OnNotification : LogMode::OnRequest},
        "that it keeps a log");
  };
  if (options_.log_level && description_.log && (is_notified || can.can_provide_log_on_request)) {
    for (std::uint8_t level = 0; level <= static_cast<std::uint8_t>(*options_.log_level); ++level) {
      ask(0, static_cast<LogLevel>(level));
    }
  }
  if (!ReportsMissedData()) return;
  // A slave of this SDK: its log errors describe what was lost, and tolerated losses are counted.
  for (const LogTemplate& one : description_.log->templates) {
    const bool is_wanted = one.message == kMissedData || (one.level == LogLevel::Error && TakesOneText(one));
    if (is_wanted && (!options_.log_level || one.level > *options_.log_level)) ask(one.category, one.level);
  }
}

}  // namespace openmi::dcp
