#include "composition/channel/RowStream.hpp"

#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::uint64_t kRowMark = 0x6f6d6972;  // a stream that lost its place is noticed
constexpr std::uint64_t kLargestRow = std::uint64_t{1} << 32;
constexpr std::chrono::milliseconds kRowSlice{50};

/// What stands before each row. Both sides have the same byte order, as their greetings state.
struct RowHeader {
  std::uint64_t mark;
  std::uint64_t place;
  std::uint64_t size;  // bytes
};

}  // namespace

RowSender::RowSender(FileDescriptor connection, std::chrono::milliseconds longest)
    : connection_(std::move(connection)) {
  const int yes = 1;
  const timeval most{longest.count() / 1000, longest.count() % 1000 * 1000};
  setsockopt(connection_.Number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  setsockopt(connection_.Number(), SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
}

void RowSender::Send(std::uint64_t place, std::span<const double> row) {
  ++count_;
  if (!connection_.IsOpen()) return;
  bytes_ += row.size_bytes();
  RowHeader header{kRowMark, place, row.size_bytes()};
  std::array<iovec, 2> parts{iovec{&header, sizeof header}, iovec{const_cast<double*>(row.data()), row.size_bytes()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  while (message.msg_iovlen > 0) {
    const ssize_t sent = sendmsg(connection_.Number(), &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) {
      connection_ = FileDescriptor();
      return;
    }
    for (auto left = static_cast<std::size_t>(sent); message.msg_iovlen > 0;) {
      iovec& part = *message.msg_iov;
      const std::size_t done = std::min(left, part.iov_len);
      part.iov_base = static_cast<std::byte*>(part.iov_base) + done;
      part.iov_len -= done;
      left -= done;
      if (part.iov_len > 0) break;
      ++message.msg_iov;
      --message.msg_iovlen;
    }
  }
}

RowReceiver::RowReceiver(FileDescriptor connection, std::string who)
    : connection_(std::move(connection)), who_(std::move(who)), thread_([this] { Receive(); }) {}

RowReceiver::~RowReceiver() {
  shutdown(connection_.Number(), SHUT_RDWR);
  thread_.join();
}

bool RowReceiver::ReadAll(std::span<std::byte> into) {
  while (!into.empty()) {
    const ssize_t got = recv(connection_.Number(), into.data(), into.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(got));
    const std::lock_guard lock(mutex_);
    bytes_ += static_cast<std::uint64_t>(got);
  }
  return true;
}

RowReceiver::Row& RowReceiver::RoomFor(std::uint64_t place) {
  Row& row = rows_[place];
  const auto is_free = [](const Row& one) { return one.use_count() == 1; };  // only all_ has it
  if (row != nullptr && row.use_count() == 2) return row;
  const auto found = std::ranges::find_if(all_, is_free);
  row = found != all_.end() ? *found : all_.emplace_back(std::make_shared<std::vector<double>>());
  return row;
}

void RowReceiver::Receive() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  RowHeader header{};
  constexpr std::size_t kAtOnce = std::size_t{1} << 17;  // a row that claims more than it brings gets no memory
  while (ReadAll(std::as_writable_bytes(std::span(&header, 1)))) {
    if (header.mark != kRowMark || header.size > kLargestRow || header.size % sizeof(double) != 0) break;
    const auto size = static_cast<std::size_t>(header.size / sizeof(double));
    std::vector<double>* row = nullptr;
    {
      const std::lock_guard lock(mutex_);
      row = RoomFor(header.place).get();
    }
    bool is_whole = true;
    for (std::size_t got = 0; is_whole && (got < size || row->size() != size);) {
      const std::size_t now = std::min(size, std::max({row->capacity(), kAtOnce, 2 * got}));
      row->resize(now);
      is_whole = ReadAll(std::as_writable_bytes(std::span(*row).subspan(got)));
      got = now;
    }
    if (!is_whole) break;
    const std::lock_guard lock(mutex_);
    ++count_;
    came_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  came_.notify_all();
}

void RowReceiver::Take(std::uint64_t place, std::uint64_t count, std::size_t size, HeldRow& held) {
  std::unique_lock lock(mutex_);
  const int longest = static_cast<int>(kRowSilence / kRowSlice);
  for (int silent = 0; count_ < count && !has_ended_ && silent < longest;) {
    const std::uint64_t before = bytes_;
    if (came_.wait_for(lock, kRowSlice) == std::cv_status::timeout && bytes_ == before) ++silent;
    if (bytes_ != before) silent = 0;
  }
  if (count_ < count) {
    throw ModelError({},
                     fmt::format("expected a row of {}, found that {}", who_,
                                 has_ended_ ? "its connection to this worker ended"
                                            : "nothing came for " + TextOfSeconds(kRowSilence) +
                                                  " (its process was stopped, or its host or the network is down)"),
                     "start the run again; see that the hosts of both reach each other");
  }
  const auto found = rows_.find(place);
  if (found == rows_.end() || found->second->size() != size) {
    throw RangeError({}, fmt::format("expected a row of {} values of {}, found another", size, who_),
                     "the other process is not a worker of this build");
  }
  held = found->second;
}

}  // namespace openmi
