#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "fmi-bridge/broker/stream/Field.hpp"
#include "fmi-bridge/outward/VariableKind.hpp"

namespace openmi::broker {

/// What becomes of a parameter.
enum class ParameterUse : std::uint8_t {
  Set,     ///< it is used
  Nothing  ///< it is there for others' descriptions and does nothing: whoever sets it is refused
};

/// A parameter of the RabbitMQ FMU, by the name and value reference that integrators know.
struct FmuParameter {
  std::uint32_t reference;
  std::string_view name;
  outward::VariableType type;
  std::string_view argument;  ///< of the stream; empty: none, see `use`
  double factor = 1.0;        ///< value of the argument = factor * value
  std::string_view start;     ///< where the argument has no value
  std::string_view description;
  ParameterUse use = ParameterUse::Set;
};

/// The routing key of what the FMU publishes, where nothing else is set.
inline constexpr std::string_view kDefaultPublishKey = "data.from_cosim";

/// All of them. References up to 20 are theirs; 14 and 15 are the output `seqno`, which is a member of messages as any
/// other, and the input `enable send`.
/// Source: the INTO-CPS RabbitMQ FMU, its model description and manual.
inline constexpr std::array<FmuParameter, 18> kFmuParameters = {{
    {0, "config.hostname", outward::VariableType::String, "host", 1.0, "localhost", "Host of the broker"},
    {1, "config.port", outward::VariableType::Int64, "port", 1.0, "5672", "0: 5672, with TLS 5671"},
    {2, "config.username", outward::VariableType::String, "username", 1.0, "guest", "User of the broker"},
    {3, "config.password", outward::VariableType::String, "password", 1.0, "",
     "Empty: the environment variable OPENMI_BROKER_PASSWORD, else guest"},
    {4, "config.routingkey", outward::VariableType::String, "routing-key", 1.0, "data.to_cosim",
     "Binding of the queue that is consumed"},
    {5, "config.communicationtimeout", outward::VariableType::Int64, "timeout", 1.0, "60",
     "Seconds to wait for a message, at the begin and in a step"},
    {6, "config.precision", outward::VariableType::Int64, "", 1.0, "10",
     "Decimals of the seconds of a communication point; at most 6 count"},
    {7, "config.maxage", outward::VariableType::Int64, "maximum-age", 1e-3, "0",
     "Milliseconds that a value is shown for; 0: any time"},
    {8, "config.lookahead", outward::VariableType::Int64, "", 1.0, "1",
     "Not used: a step takes all messages up to its end, whatever their number", ParameterUse::Nothing},
    {9, "config.exchangename", outward::VariableType::String, "exchange", 1.0, "fmi_digital_twin",
     "Exchange that the queue is bound to"},
    {10, "config.exchangetype", outward::VariableType::String, "exchange-type", 1.0, "direct", "Its type"},
    {11, "config.healthdata.exchangename", outward::VariableType::String, "", 1.0, "fmi_digital_twin_sh",
     "Not used: see the outputs health.connected, health.lag, health.queue-length, health.dropped",
     ParameterUse::Nothing},
    {12, "config.healthdata.exchangetype", outward::VariableType::String, "", 1.0, "direct", "Not used",
     ParameterUse::Nothing},
    {13, "config.routingkey.from_cosim", outward::VariableType::String, "publish-routing-key", 1.0, kDefaultPublishKey,
     "Routing key of what is published"},
    {16, "config.ssl", outward::VariableType::Boolean, "tls", 1.0, "false", "TLS, the certificate and host verified"},
    {17, "config.queueupperbound", outward::VariableType::Int64, "queue-bound", 1.0, "100",
     "Messages that the broker gives ahead"},
    {18, "config.vhost", outward::VariableType::String, "virtual-host", 1.0, "/", "Virtual host of the broker"},
    {19, "config.howtosend", outward::VariableType::Boolean, "publish-each-step", 1.0, "false",
     "false: inputs that changed; true: all inputs each step"},
}};

/// The same types by their names in FMI and in messages.
struct TypePair {
  outward::VariableType variable;
  FieldType field;
};
inline constexpr std::array<TypePair, 4> kTypePairs = {{{outward::VariableType::Float64, FieldType::Real},
                                                        {outward::VariableType::Int64, FieldType::Integer},
                                                        {outward::VariableType::Boolean, FieldType::Boolean},
                                                        {outward::VariableType::String, FieldType::String}}};

/// Boolean input: whether what the inputs hold is published.
inline constexpr std::string_view kEnableSend = "enable send";
/// Value reference of time, where FMI asks for it.
inline constexpr std::uint32_t kTimeReference = 20;
/// Value references of what the stream has beyond these, and of inputs and outputs.
inline constexpr std::uint32_t kFirstOwnParameter = 21;
inline constexpr std::uint32_t kFirstItem = 100;

}  // namespace openmi::broker
