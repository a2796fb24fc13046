#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "fmi-bridge/dcp/transport/Sockets.hpp"

namespace openmi::dcp {
namespace {

constexpr std::size_t kMostUdpBytes = 65'507;
constexpr int kSocketBuffer = 4 << 20;  // asked for; the system gives what it allows

/// One datagram socket a door. With a single door a receive is one call of the system; with several it is two.
class UdpTransport final : public Transport {
 public:
  explicit UdpTransport(std::size_t max_pdu_size)
      : max_pdu_size_(std::min(max_pdu_size, kMostUdpBytes)),
        epoll_(epoll_create1(EPOLL_CLOEXEC)),
        buffer_(kMostUdpBytes) {}

  TransportProtocol Protocol() const override { return TransportProtocol::UDP_IPv4; }
  std::size_t MaxPduSize() const override { return max_pdu_size_; }

  Door Open(Endpoint local) override {
    FileDescriptor made(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!made.IsOpen())
      ThrowSocketError("open a UDP socket at", local, errno, "close other programs, or raise their limit");
    const int on = 1;
    if (IsMulticast(local.address)) setsockopt(made.Number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const sockaddr_in address = ToAddress(local);
    if (bind(made.Number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      ThrowSocketError("bind the UDP port", local, errno, RemedyForBinding(local, errno));
    }
    if (IsMulticast(local.address)) Join(made.Number(), local);
    setsockopt(made.Number(), SOL_SOCKET, SO_RCVBUF, &kSocketBuffer, sizeof kSocketBuffer);
    setsockopt(made.Number(), SOL_SOCKET, SO_SNDBUF, &kSocketBuffer, sizeof kSocketBuffer);
    LimitBlocking(made.Number());
    const auto free = std::ranges::find_if(sockets_, [](const FileDescriptor& one) { return !one.IsOpen(); });
    const auto door = static_cast<Door>(free - sockets_.begin());
    Watch(epoll_.Number(), made.Number(), static_cast<std::uint64_t>(door));
    if (free == sockets_.end()) {
      sockets_.push_back(std::move(made));
    } else {
      *free = std::move(made);
    }
    CountDoors();
    return door;
  }

  Door Connect(Door from, Endpoint, Clock::time_point) override { return from; }
  Endpoint Local(Door door) const override { return LocalOf(At(door).Number()); }
  void Close(Door door) override {
    sockets_[static_cast<std::size_t>(door)].Close();
    CountDoors();
  }
  void Disconnect(Door, Endpoint) override {}

  bool Send(Door door, Endpoint to, Bytes pdu) override {
    const sockaddr_in address = ToAddress(to);
    const bool is_sent =
        pdu.size() <= max_pdu_size_ && sendto(At(door).Number(), pdu.data(), pdu.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                                              reinterpret_cast<const sockaddr*>(&address), sizeof address) >= 0;
    ++(is_sent ? counts_.sent : counts_.unsent);
    return is_sent;
  }

  bool Receive(Arrival& arrival, Clock::time_point deadline) override {
    if (open_ == 1) return ReceiveAtOnly(arrival, deadline);
    while (true) {
      while (next_event_ < events_left_) {
        const auto door = static_cast<Door>(events_[next_event_++].data.u64);
        if (At(door).IsOpen() && Take(door, MSG_DONTWAIT, arrival)) return true;
      }
      next_event_ = 0;
      events_left_ = static_cast<std::size_t>(WaitForEvents(epoll_.Number(), events_, deadline));
      if (events_left_ == 0) return false;
    }
  }
  int Descriptor() const override { return epoll_.Number(); }
  bool HasBuffered() const override { return next_event_ < events_left_; }

 private:
  const FileDescriptor& At(Door door) const { return sockets_[static_cast<std::size_t>(door)]; }
  void CountDoors() {
    open_ = static_cast<std::size_t>(std::ranges::count_if(sockets_, &FileDescriptor::IsOpen));
    const auto only = std::ranges::find_if(sockets_, &FileDescriptor::IsOpen);
    only_ = static_cast<Door>(only - sockets_.begin());
    next_event_ = events_left_ = 0;
  }

  static void Join(int socket, Endpoint group) {
    const ip_mreqn wanted{.imr_multiaddr = ToAddress(group).sin_addr, .imr_address = {INADDR_ANY}, .imr_ifindex = 0};
    if (setsockopt(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, &wanted, sizeof wanted) != 0) {
      ThrowSocketError("join the multicast group", group, errno, "give this machine a route for multicast");
    }
  }

  bool ReceiveAtOnly(Arrival& arrival, Clock::time_point deadline) {
    while (true) {
      const auto left = TimeLeft(deadline);
      if (left >= 2 * kSocketTick) {  // the system wakes up some milliseconds late from it
        if (Take(only_, 0, arrival)) return true;
        continue;  // a tick has passed
      }
      if (Take(only_, MSG_DONTWAIT, arrival)) return true;
      if (left.count() == 0 || !WaitReadable(At(only_).Number(), deadline)) return false;
    }
  }

  bool Take(Door door, int flags, Arrival& arrival) {
    while (true) {
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t got = recvfrom(At(door).Number(), buffer_.data(), buffer_.size(), flags | MSG_TRUNC,
                                   reinterpret_cast<sockaddr*>(&from), &size);
      if (got < 0) return false;
      if (static_cast<std::size_t>(got) > max_pdu_size_) {
        ++counts_.oversized;
        continue;
      }
      ++counts_.received;
      arrival = {.pdu = Bytes(buffer_).first(static_cast<std::size_t>(got)), .from = FromAddress(from), .door = door};
      return true;
    }
  }

  std::size_t max_pdu_size_;
  FileDescriptor epoll_;
  std::vector<std::byte> buffer_;
  std::vector<FileDescriptor> sockets_;
  std::size_t open_ = 0;
  Door only_ = 0;
  std::array<epoll_event, 16> events_{};
  std::size_t next_event_ = 0;
  std::size_t events_left_ = 0;
};

}  // namespace

std::unique_ptr<Transport> MakeUdpTransport(std::size_t max_pdu_size) {
  return std::make_unique<UdpTransport>(max_pdu_size);
}

}  // namespace openmi::dcp
