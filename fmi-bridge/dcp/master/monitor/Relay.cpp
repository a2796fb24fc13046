#include "fmi-bridge/dcp/master/monitor/Relay.hpp"

#include <algorithm>

namespace openmi::dcp {

namespace {

constexpr auto kConnectTime = std::chrono::seconds(5);

std::unique_ptr<Transport> MakeTransport(TransportProtocol protocol) {
  return protocol == TransportProtocol::TCP_IPv4 ? MakeTcpTransport() : MakeUdpTransport();
}

/// The id of the data that a PDU carries; nothing where it carries none.
std::optional<std::uint16_t> DataIdOf(ByteView pdu) {
  if (pdu.size() < 5) return std::nullopt;
  const auto type = static_cast<PduType>(pdu[0]);
  if (type != PduType::DAT_input_output && type != PduType::DAT_parameter) return std::nullopt;
  return static_cast<std::uint16_t>(static_cast<unsigned>(pdu[3]) | static_cast<unsigned>(pdu[4]) << 8U);
}

}  // namespace

// --- where data go ---

void DataRoutes::Clear() {
  for (auto* routes : {&to_slave_, &from_slave_}) {
    for (const auto& [id, ways] : *routes) {
      for (const Way& way : ways) {
        if (way.socket >= 0) transport_.Close(way.socket);
      }
    }
    routes->clear();
  }
}

void DataRoutes::Rewrite(Bytes& request, std::uint16_t port) {
  Decoded decoded = Decode(request);
  if (decoded.fault != DecodeFault::None) return;
  auto* network = std::get_if<CfgNetworkInformation>(&decoded.pdu);
  if (network == nullptr || network->protocol != options_.protocol) return;
  const Endpoint stated{network->address, network->port};
  if (network->type == PduType::CFG_target_network_information) {
    if (from_slave_socket_ < 0) {
      from_slave_socket_ = transport_.Open({options_.listen.address, 0});
      sockets_[from_slave_socket_] = false;
    }
    std::vector<Way>& ways = from_slave_[network->id];
    if (std::ranges::find(ways, stated, &Way::to) == ways.end()) ways.push_back({stated});
    network->address = options_.listen.address;
    network->port = transport_.Local(from_slave_socket_).port;
  } else {
    // The master will send data to this port of the relay.
    Endpoint slave{options_.slave.address, stated.port};
    if (stated.port == port) {
      slave.port = options_.slave.port;
    } else {
      const auto [found, is_new] = slave_ports_.try_emplace(stated.port, stated.port);
      if (is_new) {
        sockets_[transport_.Open({options_.listen.address, stated.port})] = true;
        if (options_.slave.address == options_.listen.address) {
          // The relay and the slave cannot use the same port of one machine: the slave gets another, which is free now.
          const SocketId free = transport_.Open({options_.listen.address, 0});
          found->second = transport_.Local(free).port;
          transport_.Close(free);
        }
      }
      slave.port = found->second;
    }
    to_slave_[network->id].assign(1, {slave});
    network->address = slave.address;
    network->port = slave.port;
  }
  static_cast<void>(Encode(decoded.pdu, request));  // the size does not change, so it fits
}

std::optional<bool> DataRoutes::DirectionOf(SocketId socket) const {
  const auto found = sockets_.find(socket);
  return found == sockets_.end() ? std::nullopt : std::optional(found->second);
}

void DataRoutes::Forward(bool to_slave, std::uint16_t id, ByteView pdu, SocketId from) {
  auto& routes = to_slave ? to_slave_ : from_slave_;
  const auto found = routes.find(id);
  if (found == routes.end()) return;
  for (Way& way : found->second) {
    if (options_.protocol == TransportProtocol::UDP_IPv4) {
      transport_.Send(from, way.to, pdu);
    } else if (way.socket < 0 || !transport_.Send(way.socket, way.to, pdu)) {
      way.socket = transport_.Connect(-1, way.to, Transport::Clock::now() + kConnectTime);
      transport_.Send(way.socket, way.to, pdu);
    }
  }
}

// --- the relay ---

Relay::Relay(RelayOptions options)
    : options_(std::move(options)), transport_(MakeTransport(options_.protocol)), routes_(*transport_, options_) {
  control_ = transport_->Open(options_.listen);
}

void Relay::Run() {
  while (!must_stop_.load(std::memory_order_relaxed)) Turn(Clock::now() + std::chrono::milliseconds(100));
}

bool Relay::Turn(Clock::time_point deadline) {
  PassDue();
  if (!delayed_.empty()) deadline = std::min(deadline, delayed_.top().due);
  Arrival arrival;
  if (!transport_->Receive(arrival, deadline)) {
    PassDue();
    return false;
  }
  if (arrival.is_end) {
    if (arrival.socket == control_ && arrival.from == master_ && upstream_ >= 0) {
      // The slave must notice that its master is gone.
      if (options_.protocol == TransportProtocol::TCP_IPv4) transport_->Close(upstream_);
      upstream_ = master_socket_ = -1;
    } else if (arrival.socket == upstream_ && options_.protocol == TransportProtocol::TCP_IPv4) {
      upstream_ = -1;
      if (master_socket_ >= 0) transport_->Disconnect(master_socket_, master_);
      master_socket_ = -1;
    }
    return true;
  }
  const bool is_data = DataIdOf(arrival.pdu).has_value();
  const std::optional<bool> direction = routes_.DirectionOf(arrival.socket);
  const bool is_from_slave = arrival.socket == upstream_;
  if (!is_from_slave && direction && !is_data) return true;
  // The slave may receive data and requests at the same port.
  const bool to_slave = !is_from_slave && direction.value_or(true);
  if (!is_from_slave && !is_data) {
    TakeFromMaster(arrival);
  } else {
    if (options_.watch) options_.watch(to_slave, arrival.pdu);
    Pass(to_slave, arrival.pdu);
  }
  return true;
}

void Relay::TakeFromMaster(const Arrival& arrival) {
  if (upstream_ < 0) {
    const Endpoint any{options_.listen.address, 0};
    upstream_ = options_.protocol == TransportProtocol::TCP_IPv4
                    ? transport_->Connect(-1, options_.slave, Clock::now() + kConnectTime)
                    : transport_->Open(any);
  }
  master_ = arrival.from;
  master_socket_ = arrival.socket;
  if (!arrival.pdu.empty() && static_cast<PduType>(arrival.pdu[0]) == PduType::STC_register) routes_.Clear();
  if (options_.watch) options_.watch(true, arrival.pdu);
  bytes_.assign(arrival.pdu.begin(), arrival.pdu.end());
  routes_.Rewrite(bytes_, Listening().port);
  Pass(true, bytes_);
}

void Relay::Pass(bool to_slave, ByteView pdu) {
  delays_.assign(1, std::chrono::microseconds(0));
  if (options_.meddle) {
    delays_.clear();
    options_.meddle(to_slave, pdu, delays_);
  }
  for (const std::chrono::microseconds delay : delays_) {
    if (delay.count() == 0) {
      Deliver(to_slave, pdu);
    } else {
      delayed_.push(
          {.due = Clock::now() + delay, .number = number_++, .to_slave = to_slave, .bytes = {pdu.begin(), pdu.end()}});
    }
  }
}

void Relay::PassDue() {
  while (!delayed_.empty() && delayed_.top().due <= Clock::now()) {
    const Delayed one = delayed_.top();
    delayed_.pop();
    Deliver(one.to_slave, one.bytes);
  }
}

void Relay::Deliver(bool to_slave, ByteView pdu) {
  if (const std::optional<std::uint16_t> id = DataIdOf(pdu)) {
    routes_.Forward(to_slave, *id, pdu, to_slave ? upstream_ : control_);
  } else if (to_slave) {
    if (upstream_ >= 0) transport_->Send(upstream_, options_.slave, pdu);
  } else if (master_socket_ >= 0) {
    transport_->Send(master_socket_, master_, pdu);
  }
}

}  // namespace openmi::dcp
