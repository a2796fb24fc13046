// What strangers can do where a worker listens for another one, and what a worker does with rows that do not come.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "composition/channel/TcpTransport.hpp"
#include "composition/isolation/RowPeers.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Clock = std::chrono::steady_clock;

const std::string kRowKey(64, 'k');

/// A worker without components.
class Worker {
 public:
  Worker() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    auto transport = std::make_unique<TcpTransport>(Side::Child, sockets[0], [] { return true; });
    channel = std::make_unique<Channel>(std::move(transport), [](ByteView, StateWriter&) {});
    peers = std::make_unique<RowPeers>(*channel, arena, sockets[0], kRowKey);
  }
  ~Worker() {
    peers.reset();
    for (const int socket : sockets) close(socket);
  }
  /// Sends a request, as the run does.
  StateReader Ask(HostRequest kind, const std::function<void(StateWriter&)>& write) {
    StateWriter request;
    write(request);
    StateReader reader(request.Bytes());
    reply.Clear();
    peers->Answer(kind, reader, reply);
    return StateReader(reply.Bytes());
  }
  int sockets[2];
  RowArena arena{SharedMemory::Create()};
  std::unique_ptr<Channel> channel;
  std::unique_ptr<RowPeers> peers;
  StateWriter reply;
};

void WriteText(StateWriter& writer, const std::string& text) {
  writer.Write(std::string_view(text));
}

/// One that listens.
struct Listening {
  Listening() {
    StateReader reply = worker.Ask(HostRequest::ExpectRows, [](StateWriter& request) {
      WriteText(request, "127.0.0.1");
      WriteText(request, "");
    });
    address = reply.ReadText();
    ticket = reply.ReadInteger();
    number = reply.ReadInteger();
  }
  bool Take(bool comes) {
    return worker
        .Ask(HostRequest::TakeRows,
             [&](StateWriter& request) {
               request.Write(number);
               request.Write(comes);
               WriteText(request, "group 'up' (a) on one");
             })
        .ReadBool();
  }
  Worker worker;
  std::string address;
  std::int64_t ticket = 0;
  std::int64_t number = 0;
};

/// \returns why it is not let in; empty: it is
std::string Connect(Worker& worker, const Listening& to, const std::string& key, std::int64_t ticket) {
  return worker
      .Ask(HostRequest::SendRows,
           [&](StateWriter& request) {
             WriteText(request, to.address);
             request.Write(ticket);
             WriteText(request, key);
           })
      .ReadText();
}

TEST(RowPeers, LetTheOtherWorkerInAndNoOneElse) {
  Listening there;
  Worker here;
  const FileDescriptor silent = ConnectTo(there.address, Clock::now() + std::chrono::seconds(5));
  const FileDescriptor wild = ConnectTo(there.address, Clock::now() + std::chrono::seconds(5));
  const std::vector<std::byte> garbage(100'000, std::byte{0xa5});
  send(wild.Number(), garbage.data(), garbage.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  EXPECT_THAT(Connect(here, there, std::string(64, 'x'), there.ticket), HasSubstr("found one that"));
  EXPECT_EQ(Connect(here, there, kRowKey, there.ticket), "");
  EXPECT_TRUE(there.Take(true));
  EXPECT_THROW(ConnectTo(there.address, Clock::now() + std::chrono::seconds(1)), FileError) << "the port is closed";
  const std::vector<double> row = {1.0, -2.5, 4.0};
  here.peers->Send(0, 64, row);
  std::vector<double> room(3);
  HeldRow got;
  there.worker.peers->Take({.source = 0, .place = 64, .count = 1}, room, got);
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(*got, row);
  const std::vector<double> next = {7.0, 8.0, 9.0};
  here.peers->Send(0, 64, next);
  HeldRow later;
  there.worker.peers->Take({.source = 0, .place = 64, .count = 2}, room, later);
  EXPECT_EQ(*later, next);
  EXPECT_EQ(*got, row) << "a row that is held stays";
}

TEST(RowPeers, AnotherTicketIsRefusedAndThePortClosesWhenNoOneComes) {
  Listening there;
  Worker here;
  EXPECT_NE(Connect(here, there, kRowKey, there.ticket + 1), "");
  EXPECT_FALSE(there.Take(false));
  EXPECT_THROW(ConnectTo(there.address, Clock::now() + std::chrono::seconds(1)), FileError);
}

TEST(RowPeers, RowsThatDoNotComeAreNamed) {
  Listening there;
  auto here = std::make_unique<Worker>();
  ASSERT_EQ(Connect(*here, there, kRowKey, there.ticket), "");
  ASSERT_TRUE(there.Take(true));
  std::vector<double> row(2);
  HeldRow held;
  const auto take = [&](std::uint64_t count, std::size_t size) {
    there.worker.peers->Take({.source = 0, .place = 0, .count = count}, std::span(row).first(size), held);
  };
  EXPECT_THAT([&] { take(1, 2); }, ThrowsMessage<ModelError>(
                                       AllOf(HasSubstr("group 'up' (a) on one"), HasSubstr("nothing came for 1.6 s"))));
  here->peers->Send(0, 0, row);
  take(1, 2);
  EXPECT_THROW(take(1, 1), RangeError);
  EXPECT_THROW(there.worker.peers->Take({.source = 1, .place = 0, .count = 0}, row, held), RangeError);
  here.reset();
  EXPECT_THAT([&] { take(2, 2); }, ThrowsMessage<ModelError>(HasSubstr("its connection to this worker ended")));
}

TEST(RowStream, RefusesWhatIsNoRow) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
  RowReceiver receiver{FileDescriptor(sockets[0]), "a stranger"};
  const FileDescriptor other(sockets[1]);
  const std::vector<std::byte> garbage(4096, std::byte{0xff});
  send(other.Number(), garbage.data(), garbage.size(), MSG_NOSIGNAL);
  HeldRow held;
  EXPECT_THAT([&] { receiver.Take(0, 1, 1, held); }, ThrowsMessage<ModelError>(HasSubstr("ended")));
}

TEST(RowSender, GivesUpAReceiverThatTakesNothing) {
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
  const FileDescriptor other(sockets[1]);
  constexpr std::chrono::milliseconds kLongest{100};
  RowSender sender(FileDescriptor(sockets[0]), kLongest);
  const std::vector<double> row(1'000'000);
  const auto begin = Clock::now();
  for (int i = 0; i < 3; ++i) sender.Send(0, row);
  EXPECT_GE(Clock::now() - begin, kLongest);
  EXPECT_EQ(sender.Count(), 3U);
}

}  // namespace
}  // namespace openmi::testing
