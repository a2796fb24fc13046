#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "fmi-bridge/dcp/protocol/transport/Sockets.hpp"

namespace openmi::dcp {

Transport::~Transport() = default;

void Transport::Prefer(SocketId, Endpoint) {}

void Transport::Admit(SocketId, Endpoint) {}

void Transport::Hold() {}

bool Transport::Release() {
  return true;
}

SentTogether::SentTogether(std::span<Transport* const> transports) : transports_(transports) {
  Hold();
}

void SentTogether::Hold() {
  for (Transport* one : transports_) one->Hold();
}

void SentTogether::Release() {
  for (Transport* one : transports_) one->Release();
}

int ReceiveAny(std::span<Transport* const> transports, Arrival& arrival, Transport::Clock::time_point deadline) {
  if (transports.size() == 1) return transports[0]->Receive(arrival, deadline) ? 0 : -1;
  constexpr std::size_t kMost = 8;
  // where the search starts, so that a busy transport does not starve the others
  static thread_local std::size_t turn = 0;
  const std::size_t count = std::min(transports.size(), kMost);
  if (count == 0) return -1;
  const auto take = [&](std::size_t i) { return transports[i]->Receive(arrival, {}); };
  ++turn;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (turn + i) % count;
    if (transports[at]->HasBuffered() && take(at)) return static_cast<int>(at);
  }
  std::array<pollfd, kMost> wanted{};
  for (std::size_t i = 0; i < count; ++i)
    wanted[i] = {.fd = transports[i]->Descriptor(), .events = POLLIN, .revents = 0};
  const auto left = TimeLeft(deadline);
  const timespec wait{.tv_sec = left.count() / 1'000'000'000, .tv_nsec = left.count() % 1'000'000'000};
  if (ppoll(wanted.data(), count, &wait, nullptr) <= 0) return -1;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (turn + i) % count;
    if (wanted[at].revents != 0 && take(at)) return static_cast<int>(at);
  }
  return -1;
}

}  // namespace openmi::dcp
