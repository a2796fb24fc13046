#pragma once

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

namespace openmi::dcp::fuzz {

inline Variable Make(ValueReference reference, VariableKind kind, DataType type) {
  Variable variable;
  variable.value_reference = reference;
  variable.kind = kind;
  variable.variability = kind == VariableKind::Parameter ? Variability::Tunable : Variability::Continuous;
  variable.attributes.type = type;
  return variable;
}

/// A slave with something of everything.
inline const SlaveDescription& Description() {
  static const SlaveDescription description = [] {
    SlaveDescription slave;
    slave.hard_real_time = slave.soft_real_time = true;
    slave.non_real_time = StepRange{};
    slave.resolutions.push_back({});
    slave.transports.udp = slave.transports.tcp = Ipv4{};
    slave.transports.udp->max_pdu_size = slave.transports.tcp->max_pdu_size = kMaxUdpPdu;
    slave.capabilities = {true, true, true, false, true, true};
    slave.variables = {Make(0, VariableKind::Input, DataType::float64),
                       Make(1, VariableKind::Output, DataType::float64),
                       Make(2, VariableKind::Parameter, DataType::float64),
                       Make(3, VariableKind::Input, DataType::string),
                       Make(4, VariableKind::StructuralParameter, DataType::uint8),
                       Make(5, VariableKind::Input, DataType::int16)};
    slave.variables[4].start.integers = {2};
    slave.variables[5].dimensions = {{.size = 2, .variable = 4, .linked = 4}};
    slave.log = Log{.categories = {{.id = 1, .name = "all"}}, .templates = {}};
    return slave;
  }();
  return description;
}

}  // namespace openmi::dcp::fuzz
