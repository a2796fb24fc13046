#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fmi-bridge/broker/stream/Field.hpp"
#include "fmi-bridge/export/FmuForm.hpp"
#include "fmi-bridge/export/VariableKind.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/standard/IBaseExchangeItem.hpp"

namespace openmi::broker {

/// What the bridge does with a parameter.
enum class ParameterUse : std::uint8_t {
  Set,     ///< it is used
  Nothing  ///< it exists for descriptions of other FMUs and has no effect; setting it to an unusual value is refused
};

/// A parameter of the RabbitMQ FMU, with the name and value reference that integrators know.
struct FmuParameter {
  std::uint32_t reference;
  std::string_view name;
  exported::VariableType type;
  std::string_view argument;  ///< argument of the stream; empty: none, see `use`
  double factor = 1.0;        ///< value of the argument = factor * value
  std::string_view start;     ///< start value where the argument has none
  std::string_view description;
  ParameterUse use = ParameterUse::Set;
};

/// The default routing key of what the FMU publishes.
inline constexpr std::string_view kDefaultPublishKey = "data.from_cosim";

/// All parameters. References up to 20 are those of the RabbitMQ FMU; 14 and 15 are the output `seqno`, which is a
/// member of messages like any other, and the input `enable send`.
///
/// Source: the INTO-CPS RabbitMQ FMU, its model description and manual.
inline constexpr std::array<FmuParameter, 18> kFmuParameters = {{
    {0, "config.hostname", exported::VariableType::String, "host", 1.0, "localhost", "Host of the broker"},
    {1, "config.port", exported::VariableType::Int64, "port", 1.0, "5672", "0: 5672, with TLS 5671"},
    {2, "config.username", exported::VariableType::String, "username", 1.0, "guest", "User of the broker"},
    {3, "config.password", exported::VariableType::String, "password", 1.0, "",
     "Empty: the environment variable OPENMI_BROKER_PASSWORD, else guest"},
    {4, "config.routingkey", exported::VariableType::String, "routing-key", 1.0, "data.to_cosim",
     "Binding of the queue that is consumed"},
    {5, "config.communicationtimeout", exported::VariableType::Int64, "timeout", 1.0, "60",
     "Seconds to wait for a message, at the begin and in a step"},
    {6, "config.precision", exported::VariableType::Int64, "", 1.0, "10",
     "Decimals of the seconds of a communication point; at most 6 count"},
    {7, "config.maxage", exported::VariableType::Int64, "maximum-age", 1e-3, "0",
     "Milliseconds that a value is shown for; 0: any time"},
    {8, "config.lookahead", exported::VariableType::Int64, "", 1.0, "1",
     "Not used: a step takes all messages up to its end, whatever their number", ParameterUse::Nothing},
    {9, "config.exchangename", exported::VariableType::String, "exchange", 1.0, "fmi_digital_twin",
     "Exchange that the queue is bound to"},
    {10, "config.exchangetype", exported::VariableType::String, "exchange-type", 1.0, "direct", "Its type"},
    {11, "config.healthdata.exchangename", exported::VariableType::String, "", 1.0, "fmi_digital_twin_sh",
     "Not used: see the outputs health.connected, health.lag, health.queue-length, health.dropped",
     ParameterUse::Nothing},
    {12, "config.healthdata.exchangetype", exported::VariableType::String, "", 1.0, "direct", "Not used",
     ParameterUse::Nothing},
    {13, "config.routingkey.from_cosim", exported::VariableType::String, "publish-routing-key", 1.0, kDefaultPublishKey,
     "Routing key of what is published"},
    {16, "config.ssl", exported::VariableType::Boolean, "tls", 1.0, "false", "TLS, the certificate and host verified"},
    {17, "config.queueupperbound", exported::VariableType::Int64, "queue-bound", 1.0, "100",
     "Messages that the broker gives ahead"},
    {18, "config.vhost", exported::VariableType::String, "virtual-host", 1.0, "/", "Virtual host of the broker"},
    {19, "config.howtosend", exported::VariableType::Boolean, "publish-each-step", 1.0, "false",
     "false: inputs that changed; true: all inputs each step"},
}};

/// A type by its names in FMI and in messages.
struct TypePair {
  exported::VariableType variable;
  FieldType field;
};
inline constexpr std::array<TypePair, 4> kTypePairs = {{{exported::VariableType::Float64, FieldType::Real},
                                                        {exported::VariableType::Int64, FieldType::Integer},
                                                        {exported::VariableType::Boolean, FieldType::Boolean},
                                                        {exported::VariableType::String, FieldType::String}}};

/// Boolean input: whether the values of the inputs are published.
inline constexpr std::string_view kEnableSend = "enable send";
/// Value reference of time, where FMI requires one.
inline constexpr std::uint32_t kTimeReference = 20;
/// First value references of further parameters of the stream, and of its inputs and outputs.
inline constexpr std::uint32_t kFirstOwnParameter = 21;
inline constexpr std::uint32_t kFirstItem = 100;

/// A stream in the form of an FMU: the RabbitMQ FMU with the stream's settings as its parameters.
///
/// Secrets and files that hold one are not written. Certificates of authorities and a recording are included. An
/// argument that is set and has no parameter in the RabbitMQ FMU becomes a parameter with the argument's name.
/// \param items  outputs, then inputs; shape [fields + health items + published]
exported::FmuForm FormOfStream(const ArgumentList& arguments, std::span<const Field> fields,
                               std::span<const Field> published, std::span<const IBaseExchangeItem* const> items,
                               double step_seconds);

}  // namespace openmi::broker
