#include "composition/channel/SharedPage.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "openmi/sdk/Utf8.hpp"

namespace openmi {
namespace {

constexpr std::size_t kBoxSize = 1 << 16;
constexpr std::size_t kWordsSize = 3800;  // what is left of the page
constexpr std::uint64_t kLargestLetter = std::uint64_t{1} << 32;
constexpr std::chrono::milliseconds kSlice{20};  // between two checks whether the other side lives

struct Box {
  Doorbell bell;  // rung by the side that wrote a message
  std::uint32_t kind;
  std::uint32_t padding;
  std::uint64_t length;  // if above kBoxSize, the message comes over the socket
  std::byte letter[kBoxSize];
};

}  // namespace

struct SharedPage::Page {
  alignas(64) Box to_parent;
  alignas(64) Box to_child;
  char words[kWordsSize];  // of the child; zeros follow
  Box& For(Side side) { return side == Side::Parent ? to_parent : to_child; }
};

std::size_t SharedPage::Size() {
  constexpr std::size_t kSystemPage = 4096;
  return (sizeof(Page) + kSystemPage - 1) / kSystemPage * kSystemPage;
}

SharedPage::SharedPage(Side side, SharedMemory page, int socket, IsPeerAlive is_alive)
    : side_(side),
      memory_(std::move(page)),
      socket_(socket),
      is_alive_(std::move(is_alive)),
      page_(reinterpret_cast<Page*>(memory_.Map(0, Size()))) {}  // zeros are a valid Page

SharedPage::~SharedPage() {
  SharedMemory::Unmap(reinterpret_cast<std::byte*>(page_), Size());
}

void SharedPage::WaitForSocket(short events, Clock::time_point deadline) {
  pollfd ready{socket_, events, 0};
  if (poll(&ready, 1, static_cast<int>(kSlice.count())) > 0) return;
  if (!is_alive_()) throw PeerGone{};
  if (Clock::now() > deadline) throw PeerSilent{};  // half of a message was transferred
}

void SharedPage::WriteSocket(ByteView bytes, Clock::time_point deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
    } else if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      WaitForSocket(POLLOUT, deadline);
    } else if (sent == 0 || errno != EINTR) {
      throw PeerGone{};
    }
  }
}

void SharedPage::ReadSocket(Bytes& into, std::size_t length, Clock::time_point deadline) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;  // a message that claims more than it brings gets no memory
  into.resize(std::min(length, std::max(into.capacity(), kAtOnce)));
  for (std::size_t got = 0; got < length;) {
    if (got == into.size()) into.resize(std::min(length, 2 * got));
    const ssize_t count = recv(socket_, into.data() + got, into.size() - got, MSG_DONTWAIT);
    if (count > 0) {
      got += static_cast<std::size_t>(count);
    } else if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      WaitForSocket(POLLIN, deadline);
    } else if (count == 0 || errno != EINTR) {
      throw PeerGone{};
    }
  }
}

namespace {

/// A message of one byte with room for an open file.
struct DescriptorMessage {
  DescriptorMessage() {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
  }
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
};

}  // namespace

void SharedPage::SendDescriptor(int descriptor, Clock::time_point deadline) {
  DescriptorMessage one;
  cmsghdr* const head = CMSG_FIRSTHDR(&one.message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof descriptor);
  std::memcpy(CMSG_DATA(head), &descriptor, sizeof descriptor);
  while (sendmsg(socket_, &one.message, MSG_NOSIGNAL | MSG_DONTWAIT) != 1) {
    if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) throw PeerGone{};
    WaitForSocket(POLLOUT, deadline);
  }
}

int SharedPage::TakeDescriptor(Clock::time_point deadline) {
  while (true) {
    DescriptorMessage one;
    const ssize_t got = recvmsg(socket_, &one.message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) {
      WaitForSocket(POLLIN, deadline);
      continue;
    }
    const cmsghdr* const head = got == 1 ? CMSG_FIRSTHDR(&one.message) : nullptr;
    int descriptor = -1;
    if (head == nullptr || head->cmsg_type != SCM_RIGHTS) throw PeerGone{};
    std::memcpy(&descriptor, CMSG_DATA(head), sizeof descriptor);
    return descriptor;
  }
}

void SharedPage::Send(LetterKind kind, ByteView letter, std::span<const ByteView>, Clock::time_point deadline) {
  Box& box = page_->For(side_ == Side::Parent ? Side::Child : Side::Parent);
  box.kind = static_cast<std::uint32_t>(kind);
  box.length = letter.size();
  if (letter.size() <= kBoxSize && !letter.empty()) std::memcpy(box.letter, letter.data(), letter.size());
  box.bell.Ring();
  if (letter.size() > kBoxSize) WriteSocket(letter, deadline);
}

LetterKind SharedPage::Receive(Bytes& into, Clock::time_point deadline) {
  Box& box = page_->For(side_);
  if (const int spins = spins_.Next(); spins > 0) {
    const Clock::time_point begin = Clock::now();
    const bool rang = box.bell.Look(heard_, spins);
    spins_.Note(rang, Clock::now() - begin);
  }
  while (!box.bell.Wait(heard_, kSlice)) {
    if (!is_alive_() && box.bell.Rings() == heard_) throw PeerGone{};
    if (Clock::now() > deadline) throw PeerSilent{};
  }
  heard_.store(heard_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  // The other side may write anything here at any time: each field is read once, and checked.
  const std::uint64_t length = *static_cast<volatile std::uint64_t*>(&box.length);
  const std::uint32_t kind = *static_cast<volatile std::uint32_t*>(&box.kind);
  if (length > kLargestLetter || kind < 1 || kind > 3) throw PeerGone{};
  if (length > kBoxSize) {
    ReadSocket(into, static_cast<std::size_t>(length), deadline);
  } else {
    into.resize(static_cast<std::size_t>(length));
    if (length > 0) std::memcpy(into.data(), box.letter, into.size());
  }
  return static_cast<LetterKind>(kind);
}

Doorbell::Awaited SharedPage::NextLetter() const {
  return {&page_->For(side_).bell, heard_};
}

bool SharedPage::SawLetter() const {
  return page_->For(side_).bell.Rings() != heard_.load(std::memory_order_relaxed);
}

void SharedPage::LeaveWords(std::string_view text) {
  const std::size_t size = std::min(text.size(), kWordsSize - 1);
  std::memcpy(page_->words, text.data(), size);
  page_->words[size] = '\0';
}

std::string SharedPage::WordsLeft() const {
  std::string words(page_->words, strnlen(page_->words, kWordsSize));
  if (const std::size_t bad = FindInvalidUtf8(words); bad != std::string::npos) words.resize(bad);
  return words;
}

}  // namespace openmi
