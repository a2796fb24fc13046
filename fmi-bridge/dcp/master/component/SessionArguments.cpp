#include "fmi-bridge/dcp/master/component/SessionArguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

namespace {

std::chrono::milliseconds Milliseconds(const Argument<double>& seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds.Value() * 1000.0)));
}

}  // namespace

SessionOptions ReadTiming(const SessionArguments& arguments, const SlaveDescription& description, Where where) {
  SessionOptions options;
  options.is_lock_step = arguments.synchronization.Value() == "lock-step";
  if (const auto mode = kModes.Find(arguments.mode.Value()); !mode) {
    options.mode = description.Supports(OpMode::NRT) ? OpMode::NRT : OpMode::HRT;
    if (description.Supports(OpMode::SRT) && (options.is_lock_step || options.mode == OpMode::HRT)) {
      options.mode = OpMode::SRT;
    }
  } else {
    options.mode = *mode;
    if (!description.Supports(options.mode)) {
      where.item = "mode";
      throw ArgumentError(where, fmt::format("expected a mode that the slave supports, found {}", NameOf(options.mode)),
                          "see what `openmi dcp info` says of it");
    }
  }
  const Resolution standard = description.StandardResolution();
  options.numerator = standard.numerator;
  options.denominator = standard.denominator;
  const std::string text = TextOf(arguments.time_resolution);
  if (text.empty()) return options;
  where.item = "time-resolution";
  const char* const last = text.data() + text.size();
  const auto first = std::from_chars(text.data(), last, options.numerator);
  const bool has_slash = first.ec == std::errc() && first.ptr != last && *first.ptr == '/';
  const auto second = has_slash ? std::from_chars(first.ptr + 1, last, options.denominator) : first;
  if (!has_slash || second.ec != std::errc() || second.ptr != last || options.numerator == 0 ||
      options.denominator == 0) {
    throw ArgumentError({.component = where.component, .item = where.item},
                        fmt::format("expected seconds as a fraction, found '{}'", text), "write '1/1000'");
  }
  if (!description.AllowsResolution(options.numerator, options.denominator)) {
    throw ArgumentError(where,
                        fmt::format("expected a time resolution that the slave allows ({}), found {}",
                                    description.ResolutionsText(), text),
                        "choose one of these, or leave time-resolution out");
  }
  return options;
}

SessionOptions Complete(SessionOptions options, const SessionArguments& arguments, const SlaveDescription& description,
                        Where where) {
  options.component = where.component;
  const Transports& offered = description.transports;
  options.control = kTransports.Find(arguments.transport.Value())
                        .value_or(offered.tcp ? TransportProtocol::TCP_IPv4 : TransportProtocol::UDP_IPv4);
  options.data = kTransports.Find(arguments.data_transport.Value()).value_or(options.control);
  for (const TransportProtocol protocol : {options.control, options.data}) {
    if (offered.Of(protocol)) continue;
    where.item = "transport";
    throw ArgumentError(
        where, fmt::format("expected a transport that the slave has, found {}", NameOf(protocol)),
        offered.udp || offered.tcp ? "choose the other one" : "this side speaks UDP_IPv4 and TCP_IPv4 only");
  }
  const Ipv4& ip = *offered.Of(options.control);
  std::string host = TextOf(arguments.host);
  if (host.empty()) host = ip.control_host.value_or("");
  if (host.empty() || host == "0.0.0.0") host = "127.0.0.1";
  options.slave.address = ResolveAddress(host);
  if (arguments.port.HasValue()) {
    options.slave.port = static_cast<std::uint16_t>(arguments.port.Value());
  } else if (ip.control_port) {
    options.slave.port = *ip.control_port;
  } else {
    throw ArgumentError({.component = where.component, .item = "port"},
                        "expected the port of the slave, found none in its description either",
                        "set the argument port");
  }
  if (arguments.data_port.HasValue()) {
    options.slave_data_port = static_cast<std::uint16_t>(arguments.data_port.Value());
  }
  options.data_sockets = static_cast<std::uint16_t>(arguments.data_sockets.Value());
  if (const std::string local = TextOf(arguments.local_host); !local.empty()) {
    options.local.address = ResolveAddress(local);
  }
  options.id = static_cast<std::uint8_t>(arguments.slave_id.Value());
  options.most_in_group = static_cast<std::size_t>(arguments.group_size.Value());
  options.on_loss = arguments.on_loss.Value() == "hold" ? OnLoss::Hold : OnLoss::Fail;
  options.answer_timeout = Milliseconds(arguments.answer_timeout);
  options.tries = arguments.tries.Value();
  options.change_timeout = Milliseconds(arguments.change_timeout);
  options.step_timeout = Milliseconds(arguments.step_timeout);
  options.data_timeout = Milliseconds(arguments.data_timeout);
  options.log_level = kLogLevels.Find(arguments.log_level.Value());
  return options;
}

}  // namespace openmi::dcp
