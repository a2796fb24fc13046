#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/protocol/transport/Sockets.hpp"

namespace openmi::dcp {
namespace {

constexpr std::size_t kMostUdpBytes = 65'507;
constexpr int kSocketBuffer = 4 << 20;       // requested; the operating system grants what it allows
constexpr std::size_t kMostDatagrams = 16;   // datagrams that are sent together
constexpr std::size_t kHeldBytes = 8 << 10;  // total bytes of these; a larger datagram is sent alone

void SetOption(int socket, int option, int value) {
  setsockopt(socket, SOL_SOCKET, option, &value, sizeof value);
}

struct UdpSocket {
  FileDescriptor open;  ///< receives from any peer
  /// bound to the same port and connected with `peer`: the operating system delivers that peer's datagrams here
  FileDescriptor near;
  Endpoint peer;
  Endpoint local;
};

/// One or two datagram sockets for each `SocketId`.
///
/// While all datagrams arrive at one socket, a receive needs one system call, else two.
class UdpTransport final : public Transport {
 public:
  explicit UdpTransport(std::size_t max_pdu_size)
      : max_pdu_size_(std::min(max_pdu_size, kMostUdpBytes)),
        epoll_(epoll_create1(EPOLL_CLOEXEC)),
        buffer_(kMostUdpBytes) {}

  TransportProtocol Protocol() const override { return TransportProtocol::UDP_IPv4; }
  std::size_t MaxPduSize() const override { return max_pdu_size_; }

  SocketId Open(Endpoint local) override {
    FileDescriptor made(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!made.IsOpen())
      ThrowSocketError("open a UDP socket at", local, errno, "close other programs, or raise their limit");
    if (IsMulticast(local.address)) SetOption(made.Number(), SO_REUSEADDR, 1);
    const sockaddr_in address = ToAddress(local);
    if (bind(made.Number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      ThrowSocketError("bind the UDP port", local, errno, RemedyForBinding(local, errno));
    }
    if (IsMulticast(local.address)) Join(made.Number(), local);
    Furnish(made.Number());
    const auto free = std::ranges::find_if(sockets_, [](const UdpSocket& one) { return !one.open.IsOpen(); });
    const auto socket = static_cast<std::size_t>(free - sockets_.begin());
    if (free == sockets_.end()) sockets_.emplace_back();
    Watch(epoll_.Number(), made.Number(), 2 * socket);
    sockets_[socket].local = LocalOf(made.Number());
    sockets_[socket].open = std::move(made);
    return static_cast<SocketId>(socket);
  }

  SocketId Connect(SocketId from, Endpoint, Clock::time_point) override { return from; }
  Endpoint Local(SocketId socket) const override { return At(socket).local; }
  void Close(SocketId socket) override {
    Release();
    Wait();
    At(socket).open.Close();
    At(socket).near.Close();
    next_event_ = events_left_ = 0;
    streak_.Break();
  }
  void Disconnect(SocketId, Endpoint) override {}

  void Prefer(SocketId socket, Endpoint peer) override {
    UdpSocket& one = At(socket);
    const Endpoint local = Local(socket);
    if (IsMulticast(local.address) || (one.near.IsOpen() && one.peer == peer)) return;
    // What is held back for others stays held back: an answer to the peer would bring its next request too early.
    if (held_ > 0 && held_socket_ == one.near.Number()) Flush();
    FileDescriptor made(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    const sockaddr_in here = ToAddress(local);
    const sockaddr_in there = ToAddress(peer);
    // Two sockets at one port, but never a third of another program.
    SetOption(one.open.Number(), SO_REUSEADDR, 1);
    SetOption(made.Number(), SO_REUSEADDR, 1);
    const bool is_made = bind(made.Number(), reinterpret_cast<const sockaddr*>(&here), sizeof here) == 0 &&
                         connect(made.Number(), reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0;
    SetOption(one.open.Number(), SO_REUSEADDR, 0);
    if (!is_made) return;  // then there is no separate socket
    SetOption(made.Number(), SO_REUSEADDR, 0);
    Furnish(made.Number());
    while (recv(made.Number(), buffer_.data(), buffer_.size(), MSG_DONTWAIT) >= 0) {
    }  // of other peers, between bind and connect
    Wait();
    Watch(epoll_.Number(), made.Number(), 2 * static_cast<std::uint64_t>(socket) + 1);
    one.near = std::move(made);
    one.peer = peer;
    earlier_ = 2 * static_cast<std::size_t>(socket);
    next_event_ = events_left_ = 0;
  }

  bool Send(SocketId socket, Endpoint to, ByteView pdu) override {
    if (pdu.size() > max_pdu_size_) {
      ++counts_.unsent;
      return false;
    }
    const UdpSocket& one = At(socket);
    const bool is_near = one.near.IsOpen() && one.peer == to;
    const int descriptor = is_near ? one.near.Number() : one.open.Number();
    if (is_holding_ && pdu.size() <= kHeldBytes) {
      Keep(descriptor, is_near, to, pdu);
      return true;
    }
    Flush();
    return SendNow(descriptor, is_near, to, pdu);
  }

  void Hold() override { is_holding_ = true; }
  bool Release() override {
    is_holding_ = false;
    return Flush();
  }

  bool Receive(Arrival& arrival, Clock::time_point deadline) override {
    if (earlier_ != kNone) {  // what arrived before the peer had its own socket comes first
      if (Take(earlier_, MSG_DONTWAIT, arrival)) return true;
      earlier_ = kNone;
    }
    while (true) {
      while (next_event_ < events_left_) {
        if (Take(events_[next_event_++].data.u64, MSG_DONTWAIT, arrival)) return true;
      }
      if (held_ > 0 && deadline > Clock::time_point{}) Flush();
      if (streak_.IsSure() && (unwatched_ == kNone || unwatched_ == streak_.Who()) &&
          TimeLeft(deadline) >= 4 * kSocketTick) {  // a blocking receive would wake up too late for a nearer deadline
        if (unwatched_ == kNone) Unwatch(streak_.Who());
        if (Take(unwatched_, 0, arrival)) return true;
        Wait();
        continue;
      }
      Wait();
      next_event_ = 0;
      events_left_ = static_cast<std::size_t>(WaitForEvents(epoll_.Number(), events_, deadline));
      if (events_left_ == 0) return false;
    }
  }
  int Descriptor() override {
    Wait();
    return epoll_.Number();
  }
  bool HasBuffered() const override { return next_event_ < events_left_ || earlier_ != kNone; }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  UdpSocket& At(SocketId socket) { return sockets_[static_cast<std::size_t>(socket)]; }
  const UdpSocket& At(SocketId socket) const { return sockets_[static_cast<std::size_t>(socket)]; }

  const FileDescriptor& SocketAt(std::size_t place) const {
    return place % 2 == 0 ? sockets_[place / 2].open : sockets_[place / 2].near;
  }

  /// Removes from epoll the only socket that is waited for: that saves the operating system some work per datagram.
  void Unwatch(std::size_t place) {
    epoll_ctl(epoll_.Number(), EPOLL_CTL_DEL, SocketAt(place).Number(), nullptr);
    unwatched_ = place;
  }
  /// Makes epoll wait for all sockets again.
  void Wait() {
    if (unwatched_ == kNone) return;
    const std::size_t place = std::exchange(unwatched_, kNone);
    const FileDescriptor& socket = SocketAt(place);
    if (socket.IsOpen()) Watch(epoll_.Number(), socket.Number(), place);
    streak_.Break();
  }

  static void Furnish(int socket) {
    SetOption(socket, SO_RCVBUF, kSocketBuffer);
    SetOption(socket, SO_SNDBUF, kSocketBuffer);
    LimitBlocking(socket);
  }

  static void Join(int socket, Endpoint group) {
    const ip_mreqn wanted{.imr_multiaddr = ToAddress(group).sin_addr, .imr_address = {INADDR_ANY}, .imr_ifindex = 0};
    if (setsockopt(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, &wanted, sizeof wanted) != 0) {
      ThrowSocketError("join the multicast group", group, errno, "give this machine a route for multicast");
    }
  }

  bool SendNow(int socket, bool is_near, Endpoint to, ByteView pdu) {
    const sockaddr_in address = ToAddress(to);
    const auto* name = is_near ? nullptr : reinterpret_cast<const sockaddr*>(&address);
    const socklen_t size = is_near ? 0 : sizeof address;
    const auto send = [&] {
      return sendto(socket, pdu.data(), pdu.size(), MSG_DONTWAIT | MSG_NOSIGNAL, name, size) >= 0;
    };
    // A connected socket reports once that no program took an earlier datagram; this one is sent in any case.
    bool is_sent = send();
    if (!is_sent && is_near && errno == ECONNREFUSED) {
      ++counts_.unheard;
      is_sent = send();
    }
    ++(is_sent ? counts_.sent : counts_.unsent);
    return is_sent;
  }

  void Keep(int socket, bool is_near, Endpoint to, ByteView pdu) {
    if (held_ == kMostDatagrams || held_bytes_ + pdu.size() > kHeldBytes || (held_ > 0 && held_socket_ != socket))
      Flush();
    held_socket_ = socket;
    std::memcpy(held_data_.data() + held_bytes_, pdu.data(), pdu.size());
    held_parts_[held_] = {.iov_base = held_data_.data() + held_bytes_, .iov_len = pdu.size()};
    held_names_[held_] = ToAddress(to);
    mmsghdr& message = held_messages_[held_] = {};
    message.msg_hdr.msg_iov = &held_parts_[held_];
    message.msg_hdr.msg_iovlen = 1;
    if (!is_near) {
      message.msg_hdr.msg_name = &held_names_[held_];
      message.msg_hdr.msg_namelen = sizeof held_names_[held_];
    }
    held_bytes_ += pdu.size();
    ++held_;
  }

  bool Flush() {
    if (held_ == 1) {
      const iovec& part = held_parts_[0];
      const bool is_near = held_messages_[0].msg_hdr.msg_name == nullptr;
      held_ = held_bytes_ = 0;
      return SendNow(held_socket_, is_near, FromAddress(held_names_[0]),
                     {static_cast<const std::byte*>(part.iov_base), part.iov_len});
    }
    bool is_all_sent = true;
    bool was_refused = false;
    for (std::size_t done = 0; done < held_;) {
      const int sent = sendmmsg(held_socket_, &held_messages_[done], static_cast<unsigned>(held_ - done),
                                MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent > 0) {
        done += static_cast<std::size_t>(sent);
        counts_.sent += static_cast<std::uint64_t>(sent);
      } else if (errno == ECONNREFUSED && !was_refused) {
        was_refused = true;
        ++counts_.unheard;
      } else {
        ++done;
        ++counts_.unsent;
        is_all_sent = false;
      }
    }
    held_ = held_bytes_ = 0;
    return is_all_sent;
  }

  /// \param place  twice the `SocketId`; plus one for the socket of its preferred peer
  bool Take(std::size_t place, int flags, Arrival& arrival) {
    const FileDescriptor& socket = SocketAt(place);
    const bool is_near = place % 2 == 1;
    while (socket.IsOpen()) {
      sockaddr_in from{};
      socklen_t size = sizeof from;
      const ssize_t got = recvfrom(socket.Number(), buffer_.data(), buffer_.size(), flags | MSG_TRUNC,
                                   is_near ? nullptr : reinterpret_cast<sockaddr*>(&from), is_near ? nullptr : &size);
      if (got < 0 && errno == ECONNREFUSED) {  // reported once
        ++counts_.unheard;
        continue;
      }
      if (got < 0) return false;
      if (static_cast<std::size_t>(got) > max_pdu_size_) {
        ++counts_.oversized;
        continue;
      }
      ++counts_.received;
      streak_.Saw(place);
      arrival = {.pdu = ByteView(buffer_).first(static_cast<std::size_t>(got)),
                 .from = is_near ? sockets_[place / 2].peer : FromAddress(from),
                 .socket = static_cast<SocketId>(place / 2)};
      return true;
    }
    return false;
  }

  std::size_t max_pdu_size_;
  FileDescriptor epoll_;
  Bytes buffer_;
  std::vector<UdpSocket> sockets_;
  Streak streak_;
  std::size_t earlier_ = kNone;
  std::size_t unwatched_ = kNone;
  std::array<epoll_event, 16> events_{};
  std::size_t next_event_ = 0;
  std::size_t events_left_ = 0;
  bool is_holding_ = false;
  std::size_t held_ = 0;
  std::size_t held_bytes_ = 0;
  int held_socket_ = -1;
  std::array<std::byte, kHeldBytes> held_data_{};
  std::array<iovec, kMostDatagrams> held_parts_{};
  std::array<sockaddr_in, kMostDatagrams> held_names_{};
  std::array<mmsghdr, kMostDatagrams> held_messages_{};
};

}  // namespace

std::unique_ptr<Transport> MakeUdpTransport(std::size_t max_pdu_size) {
  return std::make_unique<UdpTransport>(max_pdu_size);
}

}  // namespace openmi::dcp
