#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

#include "fmi-bridge/dcp/protocol/transport/Sockets.hpp"

namespace openmi::dcp {
namespace {

// between attempts to accept when the operating system has no resources
constexpr std::chrono::milliseconds kRest{100};
constexpr std::size_t kPrefix = 4;                          // bytes of the length before a PDU
constexpr std::size_t kFirstFrames = 16 << 10;              // first size of a connection's buffer, bytes
constexpr std::size_t kMostPending = std::size_t{4} << 20;  // bytes kept for a slow reader
constexpr std::size_t kMostHeld = 32 << 10;                 // bytes that are sent together
constexpr std::size_t kGuestBytes = 64 << 10;               // of a connection that is not admitted, in each direction
// bytes of all such connections that hold more than that
constexpr std::size_t kGuestsTogether = std::size_t{64} << 20;
// tag of an event: set for a connection, not for a listener
constexpr std::uint64_t kConnection = std::uint64_t{1} << 32;

void HurryUp(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

struct Connection {
  FileDescriptor socket;
  Endpoint peer;
  SocketId socket_id = 0;
  Bytes in;
  std::size_t begin = 0;     // start of the bytes not yet taken
  std::size_t end = 0;       // end of the bytes read
  Bytes out;                 // bytes held back, or not yet taken by the operating system
  std::uint64_t number = 0;  // in the order of the connections
  bool is_out_watched = false;
  bool is_over = false;
  bool is_admitted = false;

  bool IsOpen() const { return socket.IsOpen(); }
  bool IsGuest() const { return IsOpen() && !is_over && !is_admitted; }
  std::uint32_t Length() const {
    std::uint32_t length = 0;
    std::memcpy(&length, in.data() + begin, kPrefix);
    return length;
  }
  bool HasFrame() const { return end - begin >= kPrefix && end - begin - kPrefix >= Length(); }
};

struct TcpSocket {
  FileDescriptor listener{};
  Endpoint local;
  bool is_used = false;  // for a listener or an outgoing connection
};

/// Connections with a length before each PDU.
///
/// While all PDUs arrive at one connection, a receive needs one system call, else two; one read may bring several PDUs.
class TcpTransport final : public Transport {
 public:
  TcpTransport(std::size_t max_pdu_size, std::size_t max_connections)
      : max_pdu_size_(max_pdu_size), max_connections_(max_connections), epoll_(epoll_create1(EPOLL_CLOEXEC)) {}

  TransportProtocol Protocol() const override { return TransportProtocol::TCP_IPv4; }
  std::size_t MaxPduSize() const override { return max_pdu_size_; }

  SocketId Open(Endpoint local) override {
    FileDescriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    setsockopt(made.Number(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    const sockaddr_in address = ToAddress(local);
    if (bind(made.Number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(made.Number(), SOMAXCONN) != 0) {
      ThrowSocketError("listen at the TCP port", local, errno, RemedyForBinding(local, errno));
    }
    const SocketId socket = FreeSocket();
    Watch(epoll_.Number(), made.Number(), static_cast<std::uint64_t>(socket));
    At(socket) = {.listener = std::move(made), .local = {}, .is_used = true};
    At(socket).local = LocalOf(At(socket).listener.Number());
    return socket;
  }

  SocketId Connect(SocketId, Endpoint to, Clock::time_point deadline) override {
    FileDescriptor made(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const sockaddr_in address = ToAddress(to);
    int error = 0;
    if (connect(made.Number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      error = errno == EINPROGRESS ? AwaitConnection(made.Number(), deadline) : errno;
    }
    if (error != 0)
      ThrowSocketError("connect to the TCP port", to, error, "start the other side first, and check its host and port");
    fcntl(made.Number(), F_SETFL, fcntl(made.Number(), F_GETFL) & ~O_NONBLOCK);
    const SocketId socket = FreeSocket();
    At(socket) = {.listener = FileDescriptor(), .local = LocalOf(made.Number()), .is_used = true};
    Keep(std::move(made), to, socket).is_admitted = true;
    return socket;
  }

  Endpoint Local(SocketId socket) const override { return sockets_[static_cast<std::size_t>(socket)].local; }

  void Close(SocketId socket) override {
    for (Connection& one : connections_) {
      if (one.IsOpen() && one.socket_id == socket) End(one);
    }
    At(socket) = TcpSocket();
    CountOpen();
  }

  void Disconnect(SocketId socket, Endpoint peer) override {
    if (Connection* one = Find(socket, peer)) End(*one);
    CountOpen();
  }

  void Admit(SocketId socket, Endpoint peer) override {
    if (Connection* one = Find(socket, peer)) one->is_admitted = true;
  }

  bool Send(SocketId socket, Endpoint to, ByteView pdu) override {
    Connection* one = Find(socket, to);
    const bool is_sent = one != nullptr && !one->is_over && pdu.size() <= max_pdu_size_ && Write(*one, pdu);
    ++(is_sent ? counts_.sent : counts_.unsent);
    return is_sent;
  }

  void Hold() override { is_holding_ = true; }
  bool Release() override {
    is_holding_ = false;
    return FlushHeld();
  }

  bool Receive(Arrival& arrival, Clock::time_point deadline) override {
    if (has_held_ && deadline > Clock::time_point{}) FlushHeld();
    if (has_ended_) FreeEnded();
    for (bool has_looked = false;; has_looked = true) {
      if (TakeFrame(arrival)) return true;
      const auto left = TimeLeft(deadline);
      if (has_looked && left.count() == 0) return false;
      if (left >= 4 * kSocketTick && streak_.IsSure()) {
        Connection& likely = connections_[streak_.Who()];
        if (!likely.IsOpen() || likely.is_over || !likely.out.empty() || !Read(likely, 0)) streak_.Break();
        continue;
      }
      Look(deadline);
    }
  }
  int Descriptor() override { return epoll_.Number(); }
  bool HasBuffered() const override {
    return std::ranges::any_of(connections_,
                               [](const Connection& one) { return one.IsOpen() && (one.is_over || one.HasFrame()); });
  }

 private:
  TcpSocket& At(SocketId socket) { return sockets_[static_cast<std::size_t>(socket)]; }
  SocketId FreeSocket() {
    const auto free = std::ranges::find(sockets_, false, &TcpSocket::is_used);
    const auto socket = static_cast<SocketId>(free - sockets_.begin());
    if (free == sockets_.end()) sockets_.emplace_back();
    return socket;
  }

  static int AwaitConnection(int socket, Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(TimeLeft(deadline)).count();
    pollfd wanted{.fd = socket, .events = POLLOUT, .revents = 0};
    if (poll(&wanted, 1, static_cast<int>(std::clamp<long>(left, 0, 1 << 30))) <= 0) return ETIMEDOUT;
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
  }

  Connection& Keep(FileDescriptor made, Endpoint peer, SocketId socket) {
    HurryUp(made.Number());
    LimitBlocking(made.Number());
    const auto free = std::ranges::find_if(connections_, [](const Connection& one) { return !one.IsOpen(); });
    const auto at = static_cast<std::size_t>(free - connections_.begin());
    if (free == connections_.end()) connections_.emplace_back();
    Connection& one = connections_[at];
    one.socket = std::move(made);
    one.peer = peer;
    one.socket_id = socket;
    one.in.resize(std::max(one.in.size(), kFirstFrames));
    one.begin = one.end = 0;
    one.out.clear();
    one.number = ++accepted_;
    one.is_out_watched = one.is_over = one.is_admitted = false;
    Watch(epoll_.Number(), one.socket.Number(), kConnection | at);
    CountOpen();
    return one;
  }

  void CountOpen() { open_ = static_cast<std::size_t>(std::ranges::count_if(connections_, &Connection::IsOpen)); }
  Connection* Find(SocketId socket, Endpoint peer) {
    const auto found = std::ranges::find_if(connections_, [&](const Connection& one) {
      return one.IsOpen() && one.socket_id == socket && one.peer == peer;
    });
    return found == connections_.end() ? nullptr : &*found;
  }
  void End(Connection& one) {
    if (has_held_ && !one.is_out_watched && !one.out.empty()) Flush(one);  // what was sent is still delivered
    one.socket.Close();
    one.out.clear();
    has_ended_ = true;
  }
  /// Frees the buffers of ended connections. The last PDU of one may be in use until the next Receive.
  void FreeEnded() {
    has_ended_ = false;
    for (Connection& one : connections_) {
      if (one.IsOpen()) continue;
      one.in = {};
      one.out = {};
    }
  }
  /// The oldest connection that is not admitted and holds at least `bytes`; null: none.
  Connection* OldestGuest(std::size_t bytes) {
    Connection* oldest = nullptr;
    for (Connection& one : connections_) {
      if (!one.IsGuest() || one.in.size() < bytes) continue;
      if (oldest == nullptr || one.number < oldest->number) oldest = &one;
    }
    return oldest;
  }
  /// Ends a connection in favour of others.
  void Shed(Connection& one) {
    ++counts_.refused;
    one.begin = one.end = 0;
    one.in = {};
    one.out = {};
    Break(one);
  }
  /// Gives a connection a larger receive buffer, unless it is not admitted and the shared memory is used up.
  void Grow(Connection& one) {
    const std::size_t size = std::min(2 * one.in.size(), max_pdu_size_ + kPrefix + kFirstFrames);
    const auto held = [&] {
      std::size_t sum = size;
      for (const Connection& other : connections_) {
        if (&other != &one && other.IsGuest() && other.in.size() > kGuestBytes) sum += other.in.size();
      }
      return sum;
    };
    while (!one.is_admitted && size > kGuestBytes && held() > kGuestsTogether) {
      Connection* const oldest = OldestGuest(kGuestBytes + 1);
      if (oldest == nullptr) break;
      Shed(*oldest);
      if (oldest == &one) return;
    }
    one.in.resize(size);
  }

  bool Write(Connection& one, ByteView pdu) {
    const auto length = static_cast<std::uint32_t>(pdu.size());
    std::size_t written = 0;
    const bool is_kept = is_holding_ && one.out.size() + pdu.size() <= kMostHeld;
    // What was sent before by another connection leaves first.
    if (has_held_ && held_at_ != static_cast<std::size_t>(&one - connections_.data())) FlushHeld();
    if (!is_kept && !one.is_out_watched && !one.out.empty() && !Flush(one)) return false;
    if (one.out.empty() && !is_kept) {
      std::array<iovec, 2> parts{iovec{.iov_base = const_cast<std::uint32_t*>(&length), .iov_len = kPrefix},
                                 iovec{.iov_base = const_cast<std::byte*>(pdu.data()), .iov_len = pdu.size()}};
      msghdr message{};
      message.msg_iov = parts.data();
      message.msg_iovlen = parts.size();
      const ssize_t sent = sendmsg(one.socket.Number(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
        Break(one);
        return false;
      }
      written = static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
      if (written == kPrefix + pdu.size()) return true;
    }
    const std::size_t most = one.is_admitted ? kMostPending : kGuestBytes;
    if (one.out.size() + pdu.size() > most + max_pdu_size_ || one.out.size() > most) {
      Break(one);
      return false;
    }
    const auto* prefix = reinterpret_cast<const std::byte*>(&length);
    one.out.insert(one.out.end(), prefix + std::min(written, kPrefix), prefix + kPrefix);
    const ByteView rest = pdu.subspan(written > kPrefix ? written - kPrefix : 0);
    one.out.insert(one.out.end(), rest.begin(), rest.end());
    if (is_kept) {
      has_held_ = true;
      held_at_ = static_cast<std::size_t>(&one - connections_.data());
    } else {
      SetWatch(one);
    }
    return true;
  }

  /// Marks a connection whose end is to be reported, and wakes the waiting receive.
  void Break(Connection& one) {
    one.is_over = true;
    shutdown(one.socket.Number(), SHUT_RDWR);
  }

  /// Watches for writability while bytes wait to be sent.
  void SetWatch(Connection& one) {
    if (one.is_out_watched == !one.out.empty()) return;
    one.is_out_watched = !one.out.empty();
    const auto at = static_cast<std::uint64_t>(&one - connections_.data());
    epoll_event event{.events = EPOLLIN | (one.is_out_watched ? static_cast<std::uint32_t>(EPOLLOUT) : 0U),
                      .data = {.u64 = kConnection | at}};
    epoll_ctl(epoll_.Number(), EPOLL_CTL_MOD, one.socket.Number(), &event);
  }

  bool Flush(Connection& one) {
    const ssize_t sent = send(one.socket.Number(), one.out.data(), one.out.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
      one.out.clear();
      Break(one);
      return false;
    }
    one.out.erase(one.out.begin(), one.out.begin() + std::max<ssize_t>(sent, 0));
    SetWatch(one);
    return true;
  }

  bool FlushHeld() {
    bool is_all_sent = true;
    for (Connection& one : connections_) {
      if (!has_held_ || !one.IsOpen() || one.out.empty() || one.is_out_watched) continue;
      if (Flush(one)) continue;
      is_all_sent = false;
      ++counts_.unsent;
    }
    has_held_ = false;
    return is_all_sent;
  }

  /// Takes the next complete PDU that has been read, or the end of a connection.
  bool TakeFrame(Arrival& arrival) {
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      Connection& one = connections_[(turn_ + i) % connections_.size()];
      if (!one.IsOpen()) continue;
      if (one.end - one.begin >= kPrefix && one.Length() > max_pdu_size_) {
        ++counts_.oversized;
        one.begin = one.end;
        Break(one);
      }
      if (one.HasFrame()) {
        const std::uint32_t length = one.Length();
        arrival = {
            .pdu = ByteView(one.in).subspan(one.begin + kPrefix, length), .from = one.peer, .socket = one.socket_id};
        one.begin += kPrefix + length;
        turn_ = (turn_ + i + 1) % connections_.size();
        ++counts_.received;
        return true;
      }
      if (one.is_over) {
        arrival = {.pdu = {}, .from = one.peer, .socket = one.socket_id, .is_end = true};
        End(one);
        CountOpen();
        return true;
      }
    }
    return false;
  }

  /// Reads the available bytes into the connection's buffer.
  /// \returns whether there were any
  bool Read(Connection& one, int flags) {
    if (one.begin == one.end) one.begin = one.end = 0;
    if (one.begin > 0) {
      std::memmove(one.in.data(), one.in.data() + one.begin, one.end - one.begin);
      one.end -= one.begin;
      one.begin = 0;
    }
    if (one.end == one.in.size()) Grow(one);
    if (one.is_over) return false;
    const ssize_t got = recv(one.socket.Number(), one.in.data() + one.end, one.in.size() - one.end, flags);
    if (got > 0) {
      one.end += static_cast<std::size_t>(got);
      streak_.Saw(static_cast<std::size_t>(&one - connections_.data()));
    } else if (got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
      one.is_over = true;
    }
    return got > 0;
  }

  void Accept(SocketId socket) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    const int number =
        accept4(At(socket).listener.Number(), reinterpret_cast<sockaddr*>(&address), &size, SOCK_CLOEXEC);
    const bool is_starved = number < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM);
    if (is_starved) RestListeners();
    FileDescriptor made(number);
    if (!made.IsOpen()) return;
    if (open_ >= max_connections_) {
      Connection* const oldest = OldestGuest(0);
      if (oldest == nullptr) {
        ++counts_.refused;
        return;
      }
      Shed(*oldest);
    }
    Keep(std::move(made), FromAddress(address), socket);
  }

  void ListenTo(std::uint32_t events) {
    for (std::size_t i = 0; i < sockets_.size(); ++i) {
      if (!sockets_[i].is_used || !sockets_[i].listener.IsOpen()) continue;
      epoll_event event{.events = events, .data = {.u64 = i}};
      epoll_ctl(epoll_.Number(), EPOLL_CTL_MOD, sockets_[i].listener.Number(), &event);
    }
  }

  /// Pauses accepting when the operating system has no resources for another connection: clients wait, and this side
  /// does not try without end.
  void RestListeners() {
    ++counts_.starved;
    rests_until_ = Clock::now() + kRest;
    ListenTo(0);
  }

  /// Waits for events and handles them.
  void Look(Clock::time_point deadline) {
    if (rests_until_ != Clock::time_point{}) {
      if (Clock::now() >= rests_until_) {
        rests_until_ = {};
        ListenTo(EPOLLIN);
      } else {
        deadline = std::min(deadline, rests_until_);
      }
    }
    std::array<epoll_event, 32> events{};
    const int count = WaitForEvents(epoll_.Number(), events, deadline);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      if ((event.data.u64 & kConnection) == 0) {
        Accept(static_cast<SocketId>(event.data.u64));
        continue;
      }
      Connection& one = connections_[event.data.u64 & ~kConnection];
      if (!one.IsOpen()) continue;
      if ((event.events & EPOLLOUT) != 0) Flush(one);
      if ((event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) Read(one, MSG_DONTWAIT);
    }
  }

  std::size_t max_pdu_size_;
  std::size_t max_connections_;
  FileDescriptor epoll_;
  std::vector<TcpSocket> sockets_;
  std::vector<Connection> connections_;
  std::size_t open_ = 0;
  std::uint64_t accepted_ = 0;
  bool has_ended_ = false;
  Clock::time_point rests_until_{};  // none: connections are accepted
  std::size_t turn_ = 0;
  Streak streak_;
  bool is_holding_ = false;
  bool has_held_ = false;
  std::size_t held_at_ = 0;  // the connection that holds bytes back
};

}  // namespace

std::unique_ptr<Transport> MakeTcpTransport(std::size_t max_pdu_size, std::size_t max_connections) {
  return std::make_unique<TcpTransport>(max_pdu_size, max_connections);
}

}  // namespace openmi::dcp
