#include "fmi-bridge/dcp/master/SessionSockets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

namespace {

std::unique_ptr<Transport> MakeTransport(TransportProtocol protocol, const SlaveDescription& description) {
  const std::optional<Ipv4>& ip = description.transports.Of(protocol);
  const std::size_t most = ip ? ip->max_pdu_size : kMaxUdpPdu;
  if (protocol == TransportProtocol::TCP_IPv4) return MakeTcpTransport(std::min<std::size_t>(most, 16U << 20));
  return MakeUdpTransport(std::max<std::size_t>(std::min<std::size_t>(most, kMaxUdpPdu), 1500));
}

/// The ports where a slave receives data, by lane.
std::vector<std::uint16_t> DataPortsOf(const SlaveDescription& description, const SessionOptions& options) {
  std::vector<std::uint16_t> ports(1, options.slave_data_port);
  const std::optional<Ipv4>& ip = description.transports.Of(options.data);
  const auto add = [&](int port) {
    const auto number = static_cast<std::uint16_t>(port);
    if (ports.size() < options.data_sockets && std::ranges::find(ports, number) == ports.end()) ports.push_back(number);
  };
  if (ip && ip->data) {
    for (const PortRange& range : ip->data->ranges) {
      for (int port = range.from; port <= range.to && ports.size() < options.data_sockets; ++port) add(port);
    }
  }
  const std::size_t offered = ports.size();
  while (ports.size() < options.data_sockets) ports.push_back(ports[ports.size() % offered]);
  return ports;
}

}  // namespace

SessionSockets::SessionSockets(const SlaveDescription& description, const SessionOptions& options)
    : description_(description),
      options_(options),
      data_in_(options.data_sockets, -1),
      data_out_(options.data_sockets, -1),
      data_ports_(DataPortsOf(description, options)) {
  owned_.push_back(MakeTransport(options.control, description));
  if (options.data != options.control) owned_.push_back(MakeTransport(options.data, description));
  for (const auto& one : owned_) transports_.push_back(one.get());
}

SocketId SessionSockets::Reach(Transport& transport, Endpoint to) const {
  try {
    return transport.Connect(-1, to, Clock::now() + options_.change_timeout);
  } catch (const FileError& error) {
    throw ModelError({.file = description_.file, .component = options_.component},
                     fmt::format("expected a connection with the slave '{}' at {}, found none ({})", description_.name,
                                 ToText(options_.slave), error.what()),
                     "see that it runs, and that host and port are right");
  }
}

void SessionSockets::Open() {
  if (is_open_) return;
  Transport& control = *transports_.front();
  const Endpoint any = options_.local;
  if (options_.control == TransportProtocol::TCP_IPv4) {
    control_ = Reach(control, options_.slave);
  } else {
    control_ = control.Open(any);
    control.Prefer(control_, options_.slave);
  }
  const bool is_tcp = options_.data == TransportProtocol::TCP_IPv4;
  for (std::size_t lane = 0; lane < Lanes(); ++lane) {
    const bool is_shared = !is_tcp && lane == 0 && transports_.size() == 1;
    data_in_[lane] =
        is_shared ? control_ : transports_.back()->Open({any.address, 0});  // TCP: the slave connects to it
    if (!is_tcp) data_out_[lane] = data_in_[lane];
  }
  if (!is_tcp) parameters_out_ = data_out_.front();
  is_open_ = true;
}

void SessionSockets::ConnectData(bool are_parameters, std::size_t lane) {
  SocketId& socket = are_parameters ? parameters_out_ : data_out_[lane];
  if (socket >= 0) return;
  const Endpoint place = PlaceOf(are_parameters, lane);
  // one connection keeps the order
  const bool is_for_all = lane == 0 && options_.data == options_.control && place.port == options_.slave.port;
  const SocketId other = is_for_all ? control_ : place == PlaceOf(false, 0) && lane == 0 ? data_out_.front() : -1;
  socket = other >= 0 ? other : Reach(*transports_.back(), place);
}

void SessionSockets::Close() noexcept {
  const auto close = [](Transport& transport, SocketId& socket) {
    try {
      if (socket >= 0) transport.Close(std::exchange(socket, -1));
    } catch (const std::exception&) {
    }
  };
  close(*transports_.front(), control_);
  for (auto* sockets : {&data_in_, &data_out_}) {
    for (SocketId& socket : *sockets) close(*transports_.back(), socket);
  }
  close(*transports_.back(), parameters_out_);
  is_open_ = false;
}

bool SessionSockets::Receive(Arrival& arrival, Clock::time_point deadline) {
  if (transports_.size() == 1) return transports_[0]->Receive(arrival, deadline);
  return ReceiveAny(transports_, arrival, deadline) >= 0;
}

std::size_t SessionSockets::MostBytes() const {
  const std::optional<Ipv4>& ip = description_.transports.Of(options_.data);
  return std::min<std::size_t>(transports_.back()->MaxPduSize(), ip ? ip->max_pdu_size : kMaxUdpPdu);
}

}  // namespace openmi::dcp
