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

}  // namespace

SessionSockets::SessionSockets(const SlaveDescription& description, const SessionOptions& options)
    : description_(description), options_(options) {
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
  if (options_.data == TransportProtocol::TCP_IPv4) {
    data_in_ = transports_.back()->Open({any.address, 0});  // the slave connects to it
  } else {
    data_in_ = transports_.size() > 1 ? transports_.back()->Open({any.address, 0}) : control_;
    data_out_ = parameters_out_ = data_in_;
  }
  is_open_ = true;
}

void SessionSockets::ConnectData(bool are_parameters) {
  SocketId& socket = are_parameters ? parameters_out_ : data_out_;
  if (socket >= 0) return;
  const Endpoint place = PlaceOf(are_parameters);
  // one connection keeps the order
  const bool is_for_all = options_.data == options_.control && place.port == options_.slave.port;
  const SocketId other = is_for_all ? control_ : place == PlaceOf(false) ? data_out_ : -1;
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
  for (SocketId* socket : {&data_in_, &data_out_, &parameters_out_}) close(*transports_.back(), *socket);
  is_open_ = false;
}

bool SessionSockets::Receive(Arrival& arrival, Clock::time_point deadline) {
  if (transports_.size() == 1) return transports_[0]->Receive(arrival, deadline);
  return ReceiveAny(transports_, arrival, deadline) >= 0;
}

Endpoint SessionSockets::PlaceOf(bool are_parameters) const {
  return {options_.slave.address, are_parameters ? options_.slave_parameter_port : options_.slave_data_port};
}

std::size_t SessionSockets::MostBytes() const {
  const std::optional<Ipv4>& ip = description_.transports.Of(options_.data);
  return std::min<std::size_t>(transports_.back()->MaxPduSize(), ip ? ip->max_pdu_size : kMaxUdpPdu);
}

}  // namespace openmi::dcp
