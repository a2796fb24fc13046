#include "fmi-bridge/dcp/slave/OutputSender.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace openmi::dcp {
std::uint32_t OutputSender::Connect(SlaveConfiguration& configuration) {
  const auto begin = Transport::Clock::now();
  std::uint32_t clock_steps = 0;
  for (auto& [id, group] : configuration.Outputs()) {
    if (group.layout.IsEmpty()) continue;
    Sending sending{.data_id = id,
                    .group = &group,
                    .at_initialization = configuration.IsInScope(id, true),
                    .in_run = configuration.IsInScope(id, false),
                    .every = configuration.StepsOf(id),
                    .targets = {}};
    for (const NetworkPlace& place : group.targets) sending.targets.push_back(ports_.Connect(place, begin));
    if (sending.in_run) clock_steps = std::gcd(clock_steps, sending.every);
    buffer_.resize(std::max(buffer_.size(), kDataHead + group.layout.LargestPayload().value_or(0)));
    sendings_.push_back(std::move(sending));
  }
  return std::max(clock_steps, 1U);
}

bool OutputSender::Send(bool initialization, std::uint64_t since_start, const Transport* master) {
  bool is_sent = false;
  for (Sending& sending : sendings_) {
    const bool is_wanted = initialization ? sending.at_initialization : sending.in_run;
    if (!is_wanted || (since_start != 0 && since_start % sending.every != 0)) continue;
    Send(sending, master);
    is_sent = true;
  }
  return is_sent;
}

void OutputSender::Send(Sending& sending, const Transport* master) {
  OutputGroup& group = *sending.group;
  std::size_t size = EncodeData(PduType::DAT_input_output, group.sequence, sending.data_id, group.layout, buffer_);
  if (size == 0) {  // a text without a largest size is larger than the buffer
    buffer_.resize(kDataHead + group.layout.PayloadSize());
    size = EncodeData(PduType::DAT_input_output, group.sequence, sending.data_id, group.layout, buffer_);
  }
  ++group.sequence;
  const ByteView pdu = ByteView(buffer_).first(size);
  for (const Peer& target : sending.targets) {
    reports_.Watch(true, target.at, pdu);
    // What the other transport holds back leaves first.
    if (master != nullptr && master != target.transport) ports_.Release();
    if (target.transport->Send(target.socket, target.at, pdu)) continue;
    if (!std::exchange(has_reported_unsent_, true)) {
      reports_.Show(fmt::format("data {} of {} bytes could not be sent to {}: further losses are only counted",
                                sending.data_id, size, ToText(target.at)));
    }
    if (target.transport->Protocol() == TransportProtocol::TCP_IPv4)
      reports_.Fail(fmt::format("the connection for data {} to {} is lost", sending.data_id, ToText(target.at)));
  }
}

}  // namespace openmi::dcp
