#include "composition/channel/Channel.hpp"

#include <algorithm>
#include <string>
#include <typeinfo>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"

namespace openmi {
Channel::Channel(std::unique_ptr<ITransport> transport, Server server)
    : transport_(std::move(transport)), server_(std::move(server)) {}

Channel::Channel(Side side, SharedMemory page, int socket, Server server, IsPeerAlive is_alive)
    : Channel(std::make_unique<SharedPage>(side, std::move(page), socket, std::move(is_alive)), std::move(server)) {}

void Channel::Send(LetterKind kind, ByteView letter) {
  try {
    transport_->Send(kind, letter, rows_, Deadline());
  } catch (const PeerSilent&) {
    is_over_ = true;
    throw;
  }
  rows_.clear();
  if (on_letter_) on_letter_(true);
}

LetterKind Channel::Receive(Bytes& into, Clock::time_point deadline) {
  try {
    const Clock::time_point begin = waits_ ? Clock::now() : Clock::time_point();
    const LetterKind kind = transport_->Receive(into, deadline);
    if (waits_) waits_->waited += Clock::now() - begin;
    EndPeerWork();
    return kind;
  } catch (const PeerSilent&) {
    is_over_ = true;  // a later message would answer a question that was given up
    throw;
  }
}

void Channel::Post(ByteView request) {
  if (is_over_) throw PeerGone{};
  Send(LetterKind::Request, request);
  BeginPeerWork();
  posted_until_ = Deadline();
}

std::uint64_t Channel::PeerWork() const {
  const std::uint64_t work = peer_work_.load();
  return work % 2 == 0 || transport_->SawLetter() ? 0 : work;
}

bool Channel::IsLate() const {
  return Clock::now() > posted_until_;
}

ByteView Channel::Await() {
  if (letters_.size() <= depth_) letters_.emplace_back();
  Bytes& letter = letters_[depth_];
  Clock::time_point deadline = posted_until_;
  bool was_there = transport_->HasLetter();  // before this side came for it, so it is not the other side that is late
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
        if (has_limit && begin > deadline && !was_there) {  // it came before the end of a wait was noticed
          is_over_ = true;
          throw PeerSilent{};
        }
        if (has_limit && was_there)
          deadline = Deadline();  // the other side has waited for this one, no one knows how long
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
    DropRows();
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
