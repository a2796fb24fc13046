#include "composition/isolation/RowPeers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::chrono::seconds kConnectTime{3};
constexpr std::chrono::seconds kExpectTime{10};

}  // namespace

void RowName::Write(StateWriter& writer) const {
  writer.Write(source);
  if (IsHere()) return;
  writer.Write(static_cast<std::int64_t>(place));
  writer.Write(static_cast<std::int64_t>(count));
}

RowName RowName::Read(StateReader& reader) {
  RowName name;
  name.source = reader.ReadInteger();
  if (name.IsHere()) return name;
  name.place = static_cast<std::size_t>(reader.ReadInteger());
  name.count = static_cast<std::uint64_t>(reader.ReadInteger());
  return name;
}

/// Rows of another worker.
class RowPeers::ISource {
 public:
  virtual ~ISource() = default;
  virtual void Take(const RowName& name, std::span<double> into, HeldRow& held) = 0;
  /// Whether it reads them in memory of this host, and need not wait for them.
  virtual bool IsMemory() const = 0;
};

/// Those in memory of this host. Reading the open file copies a row once, and takes no address space.
class RowPeers::Memory final : public ISource {
 public:
  explicit Memory(FileDescriptor file) : file_(std::move(file)) {}
  bool IsMemory() const override { return true; }
  void Take(const RowName& name, std::span<double> into, HeldRow& held) override {
    held.reset();
    std::span<std::byte> left = std::as_writable_bytes(into);
    auto at = static_cast<off_t>(name.place);
    while (!left.empty()) {
      const ssize_t got = pread(file_.Number(), left.data(), left.size(), at);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        throw RangeError({},
                         fmt::format("expected {} values in the memory of another worker, found fewer", into.size()),
                         "the other process is not a worker of this build");
      }
      left = left.subspan(static_cast<std::size_t>(got));
      at += got;
    }
  }

 private:
  FileDescriptor file_;
};

/// Those that come over a connection.
class RowPeers::Stream final : public ISource {
 public:
  Stream(FileDescriptor connection, std::string who) : rows_(std::move(connection), std::move(who)) {}
  bool IsMemory() const override { return false; }
  void Take(const RowName& name, std::span<double> into, HeldRow& held) override {
    rows_.Take(name.place, name.count, into.size(), held);
  }

 private:
  RowReceiver rows_;
};

/// A worker that will connect.
struct RowPeers::Expected {
  Expected(std::string host, WorkerKey key) : port(std::move(host), std::move(key)), ticket(port.Expect({})) {
    const auto until = std::chrono::steady_clock::now() + kExpectTime;
    taken = std::async(std::launch::async, [this, until] {
      return port.Take(ticket, [this, until] { return !gives_up && std::chrono::steady_clock::now() < until; });
    });
  }
  ~Expected() { gives_up = true; }
  std::atomic<bool> gives_up = false;
  WorkerPort port;
  std::uint64_t ticket;
  std::future<FileDescriptor> taken;
};

RowPeers::RowPeers(Channel& channel, RowArena& arena, int socket, std::string key)
    : channel_(channel), arena_(arena), socket_(socket), key_(std::move(key)) {
  channel_.MeasureWaits();
}

RowPeers::~RowPeers() = default;

void RowPeers::Answer(HostRequest request, StateReader& reader, StateWriter& reply) {
  switch (request) {
    case HostRequest::FetchRows:
      for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
        const auto place = static_cast<std::size_t>(reader.ReadInteger());
        arena_.Carrier().Send(arena_.At(place, static_cast<std::size_t>(reader.ReadInteger())));
      }
      return;
    case HostRequest::SeeRows: {
      const bool is_own = reader.ReadBool();
      const auto soon = std::chrono::steady_clock::now() + kConnectTime;
      FileDescriptor file(is_own ? fcntl(arena_.Descriptor(), F_DUPFD_CLOEXEC, 0)
                                 : channel_.Transport().TakeDescriptor(soon));
      sources_.push_back({std::make_unique<Memory>(std::move(file))});
      return;
    }
    case HostRequest::ExpectRows:
      return Expect(reader, reply);
    case HostRequest::TakeRows:
      return TakeExpected(reader, reply);
    case HostRequest::SendRows:
      return Connect(reader, reply);
    default:
      throw FormatError({}, "expected a request to a worker, found another");
  }
}

std::string RowPeers::OwnAddress() const {
  sockaddr_storage bound{};
  socklen_t size = sizeof bound;
  std::array<char, NI_MAXHOST> text{};
  if (getsockname(socket_, reinterpret_cast<sockaddr*>(&bound), &size) != 0 ||
      getnameinfo(reinterpret_cast<sockaddr*>(&bound), size, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) !=
          0) {
    throw FileError({}, std::string("expected the address of this host, found: ") + std::strerror(errno));
  }
  return text.data();
}

void RowPeers::Expect(StateReader& reader, StateWriter& reply) {
  const std::string host = reader.ReadText();
  if (std::string key = reader.ReadText(); !key.empty()) key_ = std::move(key);
  auto one = std::make_unique<Expected>(host.empty() ? OwnAddress() : host, WorkerKey::Parse(key_));
  Write(reply, one->port.Address());
  reply.Write(static_cast<std::int64_t>(one->ticket));
  reply.Write(next_expected_);
  expected_[next_expected_++] = std::move(one);
}

void RowPeers::TakeExpected(StateReader& reader, StateWriter& reply) {
  const auto found = expected_.find(reader.ReadInteger());
  const bool comes = reader.ReadBool();
  std::string who = reader.ReadText();
  if (found == expected_.end()) throw FormatError({}, "expected a worker that is awaited, found none");
  FileDescriptor connection;
  if (comes) connection = found->second->taken.get();
  expected_.erase(found);
  reply.Write(connection.IsOpen());
  if (connection.IsOpen()) sources_.push_back({std::make_unique<Stream>(std::move(connection), std::move(who))});
}

void RowPeers::Connect(StateReader& reader, StateWriter& reply) {
  const std::string address = reader.ReadText();
  const std::int64_t ticket = reader.ReadInteger();
  if (std::string key = reader.ReadText(); !key.empty()) key_ = std::move(key);
  std::string failure;
  try {
    auto [connection, welcome] =
        JoinRun(address, static_cast<std::uint64_t>(ticket), WorkerKey::Parse(key_), kConnectTime);
    sinks_.push_back(std::make_unique<RowSender>(std::move(connection)));
  } catch (const Error& error) {
    failure = error.Problem();
  }
  Write(reply, failure);
}

void RowPeers::Take(const RowName& name, std::span<double> into, HeldRow& held) {
  if (name.source < 0 || static_cast<std::size_t>(name.source) >= sources_.size()) {
    throw RangeError({}, fmt::format("expected a way of rows below {}, found {}", sources_.size(), name.source));
  }
  Source& source = sources_[static_cast<std::size_t>(name.source)];
  if (source.rows->IsMemory()) {
    source.bytes += into.size_bytes();
    return source.rows->Take(name, into, held);
  }
  const auto begin = std::chrono::steady_clock::now();
  source.rows->Take(name, into, held);
  const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  source.waited += waited;
  waited_ += waited;
}

void RowPeers::WriteWork(StateWriter& reply) const {
  Write(reply, sinks_.size());
  for (const auto& sink : sinks_) {
    reply.Write(static_cast<std::int64_t>(sink->Count()));
    reply.Write(static_cast<std::int64_t>(sink->SentBytes()));
  }
  Write(reply, sources_.size());
  for (const Source& source : sources_) {
    reply.Write(static_cast<std::int64_t>(source.bytes));
    reply.Write(source.waited);
  }
  reply.Write(channel_.SecondsAtWork() - waited_);
}

}  // namespace openmi
