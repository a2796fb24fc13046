#include "composition/channel/Channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <typeinfo>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/state/StateReader.hpp"

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

struct Channel::Page {
  alignas(64) Box to_parent;
  alignas(64) Box to_child;
  char words[kWordsSize];  // of the child; zeros follow
  Box& For(Side side) { return side == Side::Parent ? to_parent : to_child; }
};

std::size_t Channel::PageSize() {
  constexpr std::size_t kSystemPage = 4096;
  return (sizeof(Page) + kSystemPage - 1) / kSystemPage * kSystemPage;
}

Channel::Channel(Side side, SharedMemory page, int socket, Server server, IsAlive is_alive)
    : side_(side),
      memory_(std::move(page)),
      socket_(socket),
      server_(std::move(server)),
      is_alive_(std::move(is_alive)),
      page_(reinterpret_cast<Page*>(memory_.Map(0, PageSize()))) {}  // zeros are a valid Page

Channel::~Channel() {
  SharedMemory::Unmap(reinterpret_cast<std::byte*>(page_), PageSize());
}

void Channel::WaitForSocket(short events, Clock::time_point deadline) {
  pollfd ready{socket_, events, 0};
  if (poll(&ready, 1, static_cast<int>(kSlice.count())) > 0) return;
  if (!is_alive_()) throw PeerGone{};
  if (Clock::now() > deadline) {
    is_over_ = true;  // half of a message was transferred
    throw PeerSilent{};
  }
}

void Channel::WriteSocket(ByteView bytes) {
  const Clock::time_point deadline = Deadline();
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

void Channel::ReadSocket(Bytes& into, std::size_t length, Clock::time_point deadline) {
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

void Channel::Send(LetterKind kind, ByteView letter) {
  Box& box = page_->For(side_ == Side::Parent ? Side::Child : Side::Parent);
  box.kind = static_cast<std::uint32_t>(kind);
  box.length = letter.size();
  if (letter.size() <= kBoxSize && !letter.empty()) std::memcpy(box.letter, letter.data(), letter.size());
  box.bell.Ring();
  if (letter.size() > kBoxSize) WriteSocket(letter);
}

LetterKind Channel::Receive(Bytes& into, Clock::time_point deadline) {
  Box& box = page_->For(side_);
  if (const int spins = spins_.Next(); spins > 0) {
    const Clock::time_point begin = Clock::now();
    const bool rang = box.bell.Look(heard_, spins);
    spins_.Note(rang, Clock::now() - begin);
  }
  while (!box.bell.Wait(heard_, kSlice)) {
    if (!is_alive_() && box.bell.Rings() == heard_) throw PeerGone{};
    if (Clock::now() > deadline) {
      is_over_ = true;  // a later message would answer a question that was given up
      throw PeerSilent{};
    }
  }
  heard_.store(heard_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  EndPeerWork();
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

void Channel::Post(ByteView request) {
  if (is_over_) throw PeerGone{};
  Send(LetterKind::Request, request);
  BeginPeerWork();
  posted_until_ = Deadline();
}

Doorbell::Awaited Channel::NextLetter() const {
  return {&page_->For(side_).bell, heard_};
}

bool Channel::HasLetter() const {
  return page_->For(side_).bell.Rings() != heard_.load(std::memory_order_relaxed);
}

std::uint64_t Channel::PeerWork() const {
  const std::uint64_t work = peer_work_.load();
  return work % 2 == 0 || HasLetter() ? 0 : work;
}

bool Channel::IsLate() const {
  return Clock::now() > posted_until_;
}

ByteView Channel::Await() {
  if (letters_.size() <= depth_) letters_.emplace_back();
  Bytes& letter = letters_[depth_];
  Clock::time_point deadline = posted_until_;
  bool was_there = HasLetter();  // before this side came for it, so it is not the other side that is late
  ++depth_;
  struct Leave {
    std::size_t& depth;
    ~Leave() { --depth; }
  } leave{depth_};
  while (true) {
    switch (Receive(letter, deadline)) {
      case LetterKind::Request: {
        const bool has_limit = deadline != Clock::time_point::max();
        const Clock::time_point begin = has_limit ? Clock::now() : Clock::time_point();
        if (has_limit && begin > deadline) {  // on a busy core a message comes before the end of a wait is noticed
          if (!was_there) {
            is_over_ = true;
            throw PeerSilent{};
          }
          deadline = Deadline();
        }
        was_there = false;
        Serve(letter);
        BeginPeerWork();
        if (has_limit) deadline += Clock::now() - begin;  // the time for answers of this side does not count
        break;
      }
      case LetterKind::Reply:
        return letter;
      case LetterKind::Failure:
        ThrowFailure(letter);
    }
  }
}

std::exception_ptr Channel::LastWords(std::chrono::milliseconds longest) {
  try {
    Bytes letter;
    const Clock::time_point deadline = Clock::now() + longest;
    LetterKind kind = Receive(letter, deadline);
    for (; kind == LetterKind::Request; kind = Receive(letter, deadline)) Serve(letter);
    if (kind == LetterKind::Failure) ThrowFailure(letter);
  } catch (const PeerGone&) {
  } catch (const PeerSilent&) {
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

void Channel::LeaveWords(std::string_view text) {
  const std::size_t size = std::min(text.size(), kWordsSize - 1);
  std::memcpy(page_->words, text.data(), size);
  page_->words[size] = '\0';
}

std::string Channel::WordsLeft() const {
  std::string words(page_->words, strnlen(page_->words, kWordsSize));
  if (const std::size_t bad = FindInvalidUtf8(words); bad != std::string::npos) words.resize(bad);
  return words;
}

void Channel::Serve(ByteView request) {
  while (replies_.size() <= depth_) replies_.emplace_back();
  StateWriter& reply = replies_[depth_];
  reply.Clear();
  try {
    server_(request, reply);
  } catch (const PeerGone&) {
    throw;
  } catch (const PeerSilent&) {
    throw;
  } catch (...) {
    Send(LetterKind::Failure, DescribeCurrentException());
    return;
  }
  Send(LetterKind::Reply, reply.Bytes());
}

void Channel::ServeForEver() {
  Bytes letter;
  while (true) {
    try {
      if (Receive(letter, Clock::time_point::max()) == LetterKind::Request) Serve(letter);
    } catch (const PeerGone&) {
      return;
    }
  }
}

namespace {

template <class Kind>
[[noreturn]] void Throw(Where where, std::string problem, std::string remedy) {
  throw Kind(std::move(where), std::move(problem), std::move(remedy));
}

struct KindEntry {
  const char* name;
  const std::type_info* type;
  void (*raise)(Where, std::string, std::string);
};

const KindEntry kKinds[] = {
    {"FileError", &typeid(FileError), &Throw<FileError>},
    {"FormatError", &typeid(FormatError), &Throw<FormatError>},
    {"ArgumentError", &typeid(ArgumentError), &Throw<ArgumentError>},
    {"UnitError", &typeid(UnitError), &Throw<UnitError>},
    {"LinkError", &typeid(LinkError), &Throw<LinkError>},
    {"RangeError", &typeid(RangeError), &Throw<RangeError>},
    {"TypeError", &typeid(TypeError), &Throw<TypeError>},
    {"StateError", &typeid(StateError), &Throw<StateError>},
    {"LoadError", &typeid(LoadError), &Throw<LoadError>},
    {"ModelError", &typeid(ModelError), &Throw<ModelError>},
    {"DepthError", &typeid(DepthError), &Throw<DepthError>},
};

}  // namespace

Bytes Channel::DescribeCurrentException() {
  StateWriter writer;
  const auto write = [&writer](const std::string& kind, const Where& where, const std::string& problem,
                               const std::string& remedy) {
    writer.Write(std::string_view(kind));
    writer.Write(std::string_view(where.file));
    writer.Write(static_cast<std::int64_t>(where.line));
    writer.Write(std::string_view(where.component));
    writer.Write(std::string_view(where.item));
    writer.Write(std::string_view(problem));
    writer.Write(std::string_view(remedy));
  };
  try {
    throw;
  } catch (const Error& error) {
    const auto* kind =
        std::ranges::find_if(kKinds, [&](const KindEntry& entry) { return *entry.type == typeid(error); });
    write(kind != std::end(kKinds) ? kind->name : "ModelError", error.Place(), error.Problem(), error.Remedy());
  } catch (const std::exception& error) {
    write("exception", {}, error.what(), {});
  } catch (...) {
    write("exception", {}, "an exception that is not a std::exception", {});
  }
  return writer.Take();
}

void Channel::ThrowFailure(ByteView letter) {
  StateReader reader(letter);
  const std::string kind = reader.ReadText();
  Where where;
  where.file = reader.ReadText();
  where.line = static_cast<int>(reader.ReadInteger());
  where.component = reader.ReadText();
  where.item = reader.ReadText();
  std::string problem = reader.ReadText();
  std::string remedy = reader.ReadText();
  for (const KindEntry& entry : kKinds) {
    if (kind == entry.name) entry.raise(std::move(where), std::move(problem), std::move(remedy));
  }
  throw std::runtime_error(problem);
}

}  // namespace openmi
