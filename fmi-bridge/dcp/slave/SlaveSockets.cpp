#include "fmi-bridge/dcp/slave/SlaveSockets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
namespace {

using Clock = Transport::Clock;

constexpr std::chrono::seconds kConnectWithin{5};
constexpr std::chrono::milliseconds kLookEvery{50};  // between reads of transports that the experiment does not use

}  // namespace

SlaveSockets::SlaveSockets(const SlaveDescription& description, const SlaveOptions& options,
                           const SlaveReports& reports)
    : options_(options), reports_(reports), host_(ResolveAddress(options.host)), transports_(options.transports) {
  for (const std::string& host : options.data_hosts) data_hosts_.push_back(ResolveAddress(host));
  if (const auto& udp = description.transports.udp)
    OpenControl(MakeUdpTransport(udp->max_pdu_size), options.udp_port.value_or(udp->control_port.value_or(0)));
  if (const auto& tcp = description.transports.tcp)
    OpenControl(MakeTcpTransport(std::min<std::size_t>(tcp->max_pdu_size, std::size_t{16} << 20)),
                options.tcp_port.value_or(tcp->control_port.value_or(0)));
  if (transports_.empty()) {
    throw ArgumentError({.file = description.file},
                        "expected a slave description with UDP_IPv4 or TCP_IPv4, found neither",
                        "add one of them to TransportProtocols");
  }
  ChooseAll();
}

void SlaveSockets::OpenControl(std::unique_ptr<Transport> transport, std::uint16_t port) {
  Endpoint at{.address = host_, .port = port};
  const bool is_free_choice = port == 0 && !controls_.empty();
  if (is_free_choice) at.port = controls_.front().transport->Local(controls_.front().socket).port;
  SocketId socket = 0;
  try {
    socket = transport->Open(at);
  } catch (const FileError&) {
    if (!is_free_choice) throw;
    socket = transport->Open({.address = host_, .port = 0});
  }
  controls_.push_back({.transport = transport.get(), .socket = socket, .at = {}});
  transports_.push_back(transport.get());
  owned_.push_back(std::move(transport));
}

Endpoint SlaveSockets::Control(TransportProtocol protocol) const {
  const auto found =
      std::ranges::find_if(controls_, [&](const Peer& control) { return control.transport->Protocol() == protocol; });
  return found == controls_.end() ? Endpoint{} : found->transport->Local(found->socket);
}

std::uint64_t SlaveSockets::Unsent() const {
  std::uint64_t sum = 0;
  for (const Transport* one : transports_) sum += one->Counts().unsent;
  return sum;
}

void SlaveSockets::ReportStarvation() {
  std::uint64_t starved = 0;
  for (const Transport* one : transports_) starved += one->Counts().starved;
  const std::uint64_t before = std::exchange(starved_, starved);
  if (before == 0 && starved > 0)
    reports_.Show("the system has no room for another connection: those who ask for one wait");
}

Transport* SlaveSockets::Of(TransportProtocol protocol) const {
  const auto found = std::ranges::find(transports_, protocol, &Transport::Protocol);
  return found == transports_.end() ? nullptr : *found;
}

bool SlaveSockets::IsForData(std::uint32_t host, std::uint32_t master) const {
  return host == master || (IsOnLoopback(host) && IsOnLoopback(master)) ||
         std::ranges::find(data_hosts_, host) != data_hosts_.end();
}

bool SlaveSockets::Accepts(const CfgNetworkInformation& pdu, std::uint32_t master) const {
  if (Of(pdu.protocol) == nullptr) return false;
  if (pdu.type == PduType::CFG_target_network_information) {
    if (pdu.address == host_ || IsForData(pdu.address, master)) return true;
    reports_.Show(fmt::format("refused to send data to {}: it is neither the master's host nor one that was listed",
                              ToText(Endpoint{.address = pdu.address, .port = pdu.port})));
    return false;
  }
  if (pdu.address == 0 || host_ == 0 || pdu.address == host_) return true;
  if (IsMulticast(pdu.address)) return std::ranges::find(data_hosts_, pdu.address) != data_hosts_.end();
  return IsOnLoopback(host_) && IsOnLoopback(pdu.address);
}

bool SlaveSockets::OpenInputs(const SlaveConfiguration& configuration) {
  bool has_opened = false;
  for (const auto* groups : {&configuration.Inputs(), &configuration.Parameters()}) {
    for (const auto& [id, group] : *groups) {
      if (!group.source) continue;
      const NetworkPlace& place = *group.source;
      Transport* transport = Of(place.protocol);
      const auto is_here = [&](const Peer& other) {
        if (other.transport != transport) return false;
        const Endpoint local = transport->Local(other.socket);
        return local.port == place.port && (local.address == 0 || place.address == 0 || local.address == place.address);
      };
      if (std::ranges::any_of(controls_, is_here) || std::ranges::any_of(data_sockets_, is_here)) continue;
      const Endpoint local{.address = place.address == 0 ? host_ : place.address, .port = place.port};
      data_sockets_.push_back({.transport = transport, .socket = transport->Open(local), .at = {}});
      has_opened = true;
    }
  }
  return has_opened;
}

Peer SlaveSockets::Connect(const NetworkPlace& target, Clock::time_point begin) {
  Transport* transport = Of(target.protocol);
  const auto control = std::ranges::find(controls_, transport, &Peer::transport);
  Peer peer{.transport = transport,
            .socket = control == controls_.end() ? 0 : control->socket,
            .at = {.address = target.address, .port = target.port}};
  const auto known = std::ranges::find_if(
      data_sockets_, [&](const Peer& other) { return other.transport == transport && other.at == peer.at; });
  if (known != data_sockets_.end()) return *known;
  const SocketId socket = transport->Connect(peer.socket, peer.at, begin + kConnectWithin);
  if (std::exchange(peer.socket, socket) != socket) data_sockets_.push_back(peer);
  return peer;
}

void SlaveSockets::Choose(const SlaveConfiguration& configuration, Transport* master) {
  active_.clear();
  const auto use = [&](Transport* transport) {
    if (std::ranges::find(active_, transport) == active_.end()) active_.push_back(transport);
  };
  if (master != nullptr) use(master);
  for (const Peer& one : data_sockets_) use(one.transport);
  for (const auto* groups : {&configuration.Inputs(), &configuration.Parameters()}) {
    for (const auto& [id, group] : *groups) {
      if (group.source) use(Of(group.source->protocol));
    }
  }
  for (Transport* transport : options_.transports) use(transport);
  if (active_.empty()) ChooseAll();
}

void SlaveSockets::CloseData() {
  for (const Peer& one : data_sockets_) one.transport->Close(one.socket);
  data_sockets_.clear();
  ChooseAll();
}

std::optional<Peer> SlaveSockets::ReceiveAt(std::span<Transport* const> transports, Arrival& arrival,
                                            Clock::time_point deadline) {
  const int from = ReceiveAny(transports, arrival, deadline);
  if (from < 0) return std::nullopt;
  return Peer{.transport = transports[static_cast<std::size_t>(from)], .socket = arrival.socket, .at = arrival.from};
}

std::optional<Peer> SlaveSockets::ReceiveAtOthers(Arrival& arrival, Clock::time_point now) {
  if (active_.size() == transports_.size() || now < next_look_) return std::nullopt;
  next_look_ = now + kLookEvery;
  return ReceiveAtAny(arrival);
}

}  // namespace openmi::dcp
