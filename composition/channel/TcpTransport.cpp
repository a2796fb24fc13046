#include "composition/channel/TcpTransport.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <utility>

#include "composition/channel/Greeting.hpp"
#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Utf8.hpp"

namespace openmi {
namespace {

constexpr std::uint32_t kWordsFrame = 4;
constexpr std::uint64_t kLargestFrame = std::uint64_t{1} << 32;
constexpr std::size_t kReceiveBuffer = std::size_t{1} << 16;
constexpr std::size_t kLargestWords = 3800;
constexpr std::chrono::milliseconds kTcpSlice{50};            // between two looks at the other side while waiting
constexpr std::chrono::milliseconds kMostOfALook{100};        // counts as silence between two looks
constexpr std::chrono::milliseconds kUnacknowledged{30'000};  // then the system gives a connection up

void SetOption(int socket, int level, int name, const void* value, std::size_t size) {
  setsockopt(socket, level, name, value, static_cast<socklen_t>(size));  // a kind of socket without it does without
}

}  // namespace

void Silence::End() {
  length_ = {};
  looked_at_ = std::chrono::steady_clock::now();
}

std::chrono::steady_clock::duration Silence::Look(std::chrono::steady_clock::time_point now) {
  length_ += std::min<std::chrono::steady_clock::duration>(now - looked_at_, kMostOfALook);
  looked_at_ = now;
  return length_;
}

TcpTransport::TcpTransport(Side side, int socket, IsPeerAlive is_alive, Heartbeats heartbeats)
    : side_(side), socket_(socket), is_alive_(std::move(is_alive)), heartbeats_(heartbeats), buffer_(kReceiveBuffer) {
  const int yes = 1;
  const auto unacknowledged = static_cast<unsigned>(kUnacknowledged.count());
  const timeval slice{0, std::chrono::microseconds(kTcpSlice).count()};
  SetOption(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  SetOption(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &unacknowledged, sizeof unacknowledged);
  SetOption(socket, SOL_SOCKET, SO_RCVTIMEO, &slice, sizeof slice);
  SetOption(socket, SOL_SOCKET, SO_SNDTIMEO, &slice, sizeof slice);
}

TcpTransport::~TcpTransport() {
  beats_.request_stop();
}

void TcpTransport::Beat(const std::stop_token& stop) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  std::unique_lock lock(sending_, std::defer_lock);
  std::mutex own;
  while (!stop.stop_requested()) {
    if (lock.try_lock()) {  // while a message is sent, that shows enough
      SendHeartbeat(socket_);
      lock.unlock();
    }
    std::unique_lock waiting(own);
    wakes_.wait_for(waiting, stop, heartbeats_.every, [] { return false; });
  }
}

void TcpTransport::WriteAll(std::span<iovec> parts, Clock::time_point deadline) {
  while (!parts.empty()) {
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = std::min<std::size_t>(parts.size(), IOV_MAX);
    const ssize_t sent = sendmsg(socket_, &message, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      if (SilenceOf(socket_).data < heartbeats_.every) silence_.End();  // a heartbeat came that is not read yet
      NoteSilence(deadline);
    } else if (sent < 0 && errno != EINTR) {
      throw PeerGone{};
    }
    if (sent <= 0) continue;
    auto left = static_cast<std::size_t>(sent);
    while (!parts.empty() && left >= parts.front().iov_len) {
      left -= parts.front().iov_len;
      parts = parts.subspan(1);
    }
    if (left == 0) continue;
    parts.front().iov_base = static_cast<std::byte*>(parts.front().iov_base) + left;
    parts.front().iov_len -= left;
  }
}

void TcpTransport::Send(LetterKind kind, ByteView letter, std::span<const ByteView> rows, Clock::time_point deadline) {
  FrameHeader header{static_cast<std::uint32_t>(kind), kFrameMark, letter.size(), 0};
  parts_.clear();
  const auto add = [this](const void* bytes, std::size_t size) {
    if (size > 0) parts_.push_back({const_cast<void*>(bytes), size});
  };
  add(&header, sizeof header);
  add(letter.data(), letter.size());
  for (const ByteView row : rows) {
    header.rows += row.size();
    add(row.data(), row.size());
  }
  const std::lock_guard lock(sending_);
  silence_.End();
  WriteAll(parts_, deadline);
}

std::size_t TcpTransport::ReadSome(std::span<std::byte> into, bool waits) {
  const ssize_t count = recv(socket_, into.data(), into.size(), waits ? 0 : MSG_DONTWAIT);
  if (count > 0) {
    silence_.End();
    return static_cast<std::size_t>(count);
  }
  if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
  throw PeerGone{};
}

void TcpTransport::NoteSilence(Clock::time_point deadline) {
  const Clock::time_point now = Clock::now();
  if (const auto silent = silence_.Look(now); side_ == Side::Parent && silent > heartbeats_.longest_silence) {
    why_gone_ = "was silent for " + TextOfSeconds(heartbeats_.longest_silence) +
                " (its process was stopped, or its host or the network is down)";
    throw PeerGone{};
  }
  if (!is_alive_()) throw PeerGone{};
  if (now > deadline) throw PeerSilent{};
}

bool TcpTransport::ReadHeader(bool waits, Clock::time_point deadline) {
  while (!has_header_) {
    while (Buffered() < sizeof header_) {
      if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, Buffered());
        end_ -= begin_;
        begin_ = 0;
      }
      const std::size_t got = ReadSome(std::span(buffer_).subspan(end_), waits);
      end_ += got;
      if (got > 0) continue;
      NoteSilence(deadline);
      if (!waits) return false;
    }
    std::memcpy(&header_, buffer_.data() + begin_, sizeof header_);
    begin_ += sizeof header_;
    if (header_.mark != kFrameMark || header_.kind < 1 || header_.kind > kHeartbeat || header_.length > kLargestFrame ||
        header_.rows > kLargestFrame) {
      throw PeerGone{};
    }
    if (header_.kind == kWordsFrame) {
      TakeWords();
    } else {
      has_header_ = header_.kind != kHeartbeat;
    }
  }
  return true;
}

void TcpTransport::ReadAll(std::span<std::byte> into, Clock::time_point deadline) {
  while (!into.empty()) {
    std::size_t got = std::min(Buffered(), into.size());
    if (got > 0) {
      std::memcpy(into.data(), buffer_.data() + begin_, got);
      begin_ += got;
    } else {
      got = ReadSome(into, true);
      if (got == 0) NoteSilence(deadline);
    }
    into = into.subspan(got);
  }
}

void TcpTransport::TakeWords() {
  if (header_.length > kLargestWords) throw PeerGone{};
  std::string words(header_.length, '\0');
  ReadAll(std::as_writable_bytes(std::span(words)), Clock::now() + heartbeats_.longest_silence);
  if (const std::size_t bad = FindInvalidUtf8(words); bad != std::string::npos) words.resize(bad);
  words_ = std::move(words);
}

void TcpTransport::DropRows(Clock::time_point deadline) {
  std::array<std::byte, 4096> unused;
  while (rows_left_ > 0) {
    const std::size_t size = std::min<std::uint64_t>(rows_left_, unused.size());
    ReadAll(std::span(unused).first(size), deadline);
    rows_left_ -= size;
  }
}

LetterKind TcpTransport::Receive(Bytes& into, Clock::time_point deadline) {
  if (!why_gone_.empty()) throw PeerGone{};
  if (side_ == Side::Child && !beats_.joinable()) {
    beats_ = std::jthread([this](const std::stop_token& stop) { Beat(stop); });
  }
  silence_.End();  // heartbeats of the time in which no one looked are still to be read
  DropRows(deadline);
  ReadHeader(true, deadline);
  has_header_ = false;
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;  // a message that claims more than it brings gets no memory
  const auto length = static_cast<std::size_t>(header_.length);
  for (std::size_t got = 0; got < length || into.size() != length;) {
    const std::size_t size = std::min(length, std::max({into.capacity(), kAtOnce, 2 * got}));
    into.resize(size);
    ReadAll(std::span(into).subspan(got), deadline);
    got = size;
  }
  rows_left_ = header_.rows;
  rows_until_ = deadline;
  return static_cast<LetterKind>(header_.kind);
}

void TcpTransport::TakeRow(std::span<std::byte> into) {
  if (into.size() > rows_left_) throw PeerGone{};
  ReadAll(into, rows_until_);
  rows_left_ -= into.size();
}

bool TcpTransport::HasLetter() {
  try {
    DropRows(Clock::time_point::max());
    return ReadHeader(false, Clock::time_point::max());
  } catch (const PeerGone&) {
    return true;
  }
}

void TcpTransport::LeaveWords(std::string_view text) {
  text = text.substr(0, kLargestWords);
  const FrameHeader header{kWordsFrame, kFrameMark, text.size(), 0};
  std::array<iovec, 2> parts{iovec{const_cast<FrameHeader*>(&header), sizeof header},
                             iovec{const_cast<char*>(text.data()), text.size()}};
  const std::unique_lock lock(sending_, std::try_to_lock);  // the thread that sends may be the one that ends
  if (!lock.owns_lock()) return;
  try {
    WriteAll(parts, Clock::now() + heartbeats_.every);
  } catch (const PeerGone&) {
  } catch (const PeerSilent&) {
  }
}

}  // namespace openmi
