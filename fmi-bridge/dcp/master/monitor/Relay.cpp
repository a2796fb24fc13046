#include "fmi-bridge/dcp/master/monitor/Relay.hpp"

#include <algorithm>

namespace openmi::dcp {

namespace {

constexpr auto kConnectTime = std::chrono::seconds(5);

std::unique_ptr<Transport> MakeTransport(TransportProtocol protocol) {
  return protocol == TransportProtocol::TCP_IPv4 ? MakeTcpTransport() : MakeUdpTransport();
}

/// Whether a PDU carries data, and with which id.
bool IsData(Bytes pdu, std::uint16_t& id) {
  if (pdu.size() < 5) return false;
  const auto type = static_cast<PduType>(pdu[0]);
  if (type != PduType::DAT_input_output && type != PduType::DAT_parameter) return false;
  id = static_cast<std::uint16_t>(static_cast<unsigned>(pdu[3]) | static_cast<unsigned>(pdu[4]) << 8U);
  return true;
}

}  // namespace

Relay::Relay(RelayOptions options) : options_(std::move(options)), transport_(MakeTransport(options_.protocol)) {
  control_ = transport_->Open(options_.listen);
}

Relay::~Relay() = default;

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
    if (arrival.door == control_ && arrival.from == master_ && upstream_ >= 0) {
      // The slave must notice that its master is gone.
      if (options_.protocol == TransportProtocol::TCP_IPv4) transport_->Close(upstream_);
      upstream_ = master_door_ = -1;
    } else if (arrival.door == upstream_ && options_.protocol == TransportProtocol::TCP_IPv4) {
      upstream_ = -1;
      if (master_door_ >= 0) transport_->Disconnect(master_door_, master_);
      master_door_ = -1;
    }
    return true;
  }
  std::uint16_t id = 0;
  if (arrival.door == upstream_) {
    TakeFromSlave(arrival);
  } else if (const auto data = data_doors_.find(arrival.door); data != data_doors_.end()) {
    TakeData(arrival, data->second);
  } else if (IsData(arrival.pdu, id)) {
    TakeData(arrival, true);  // the slave receives data and requests at the same port
  } else {
    TakeFromMaster(arrival);
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
  master_door_ = arrival.door;
  if (!arrival.pdu.empty() && static_cast<PduType>(arrival.pdu[0]) == PduType::STC_register) ForgetWays();
  if (options_.watch) options_.watch(true, arrival.pdu);
  bytes_.assign(arrival.pdu.begin(), arrival.pdu.end());
  Rewrite(bytes_);
  Pass(true, false, 0, bytes_);
}

void Relay::TakeFromSlave(const Arrival& arrival) {
  std::uint16_t id = 0;
  const bool is_data = IsData(arrival.pdu, id);
  if (options_.watch) options_.watch(false, arrival.pdu);
  Pass(false, is_data, id, arrival.pdu);
}

void Relay::TakeData(const Arrival& arrival, bool to_slave) {
  std::uint16_t id = 0;
  if (!IsData(arrival.pdu, id)) return;
  if (options_.watch) options_.watch(to_slave, arrival.pdu);
  Pass(to_slave, true, id, arrival.pdu);
}

// Drops the targets that an earlier session configured.
void Relay::ForgetWays() {
  const auto close = [this](Way& way) {
    if (way.door >= 0) transport_->Close(way.door);
  };
  for (auto& [id, way] : to_slave_) close(way);
  for (auto& [id, ways] : from_slave_) std::ranges::for_each(ways, close);
  to_slave_.clear();
  from_slave_.clear();
}

// Replaces the receiver's address by that of the relay, and records where the data go.
void Relay::Rewrite(std::vector<std::byte>& bytes) {
  Decoded decoded = Decode(bytes);
  if (decoded.fault != DecodeFault::None) return;
  auto* network = std::get_if<CfgNetworkInformation>(&decoded.pdu);
  if (network == nullptr || network->protocol != options_.protocol) return;
  const Endpoint stated{network->address, network->port};
  if (network->type == PduType::CFG_target_network_information) {
    if (data_from_slave_ < 0) {
      data_from_slave_ = transport_->Open({options_.listen.address, 0});
      data_doors_[data_from_slave_] = false;
    }
    std::vector<Way>& ways = from_slave_[network->id];
    if (std::ranges::find(ways, stated, &Way::to) == ways.end()) ways.push_back({stated});
    network->address = options_.listen.address;
    network->port = transport_->Local(data_from_slave_).port;
  } else {
    // The master will send data to this port of the relay.
    Endpoint slave{options_.slave.address, stated.port};
    if (stated.port == Listening().port) {
      slave.port = options_.slave.port;
    } else {
      const auto [found, is_new] = slave_ports_.try_emplace(stated.port, stated.port);
      if (is_new) {
        data_doors_[transport_->Open({options_.listen.address, stated.port})] = true;
        if (options_.slave.address == options_.listen.address) {
          // The relay and the slave cannot use the same port of one machine: the slave gets another, which is free now.
          const Door free = transport_->Open({options_.listen.address, 0});
          found->second = transport_->Local(free).port;
          transport_->Close(free);
        }
      }
      slave.port = found->second;
    }
    to_slave_[network->id] = {slave};
    network->address = slave.address;
    network->port = slave.port;
  }
  static_cast<void>(Encode(decoded.pdu, bytes));  // the size does not change, so it fits
}

void Relay::Pass(bool to_slave, bool is_data, std::uint16_t id, Bytes pdu) {
  delays_.assign(1, std::chrono::microseconds(0));
  if (options_.meddle) {
    delays_.clear();
    options_.meddle(to_slave, pdu, delays_);
  }
  for (const std::chrono::microseconds delay : delays_) {
    Delayed one{.due = Clock::now() + delay,
                .number = number_++,
                .is_data = is_data,
                .to_slave = to_slave,
                .to = to_slave ? options_.slave : master_,
                .id = id,
                .bytes = {pdu.begin(), pdu.end()}};
    if (delay.count() == 0) {
      Deliver(one);
    } else {
      delayed_.push(std::move(one));
    }
  }
}

void Relay::PassDue() {
  while (!delayed_.empty() && delayed_.top().due <= Clock::now()) {
    const Delayed one = delayed_.top();
    delayed_.pop();
    Deliver(one);
  }
}

void Relay::Deliver(const Delayed& pdu) {
  if (pdu.is_data) {
    ForwardData(pdu.to_slave, pdu.id, pdu.bytes);
  } else if (pdu.to_slave) {
    if (upstream_ >= 0) transport_->Send(upstream_, options_.slave, pdu.bytes);
  } else if (master_door_ >= 0) {
    transport_->Send(master_door_, master_, pdu.bytes);
  }
}

void Relay::ForwardData(bool to_slave, std::uint16_t id, Bytes pdu) {
  const auto send = [&](Way& way, Door from) {
    if (options_.protocol == TransportProtocol::UDP_IPv4) {
      transport_->Send(from, way.to, pdu);
      return;
    }
    if (way.door < 0 || !transport_->Send(way.door, way.to, pdu)) {
      way.door = transport_->Connect(-1, way.to, Clock::now() + kConnectTime);
      transport_->Send(way.door, way.to, pdu);
    }
  };
  if (to_slave) {
    if (const auto found = to_slave_.find(id); found != to_slave_.end()) send(found->second, upstream_);
  } else if (const auto found = from_slave_.find(id); found != from_slave_.end()) {
    for (Way& way : found->second) send(way, control_);
  }
}

}  // namespace openmi::dcp
