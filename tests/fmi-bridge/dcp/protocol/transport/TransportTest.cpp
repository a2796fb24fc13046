#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "fmi-bridge/dcp/protocol/transport/Transport.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
namespace {

using Clock = Transport::Clock;

Clock::time_point Soon(int milliseconds = 2000) {
  return Clock::now() + std::chrono::milliseconds(milliseconds);
}

std::vector<std::byte> Pattern(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 31 + size);
  return bytes;
}

/// Both transports keep the same promises.
class DcpTransport : public testing::TestWithParam<TransportProtocol> {
 public:
  static std::unique_ptr<Transport> Make(std::size_t max_pdu_size = 60'000) {
    return GetParam() == TransportProtocol::UDP_IPv4 ? MakeUdpTransport(max_pdu_size) : MakeTcpTransport(max_pdu_size);
  }
};
INSTANTIATE_TEST_SUITE_P(Over, DcpTransport, testing::Values(TransportProtocol::UDP_IPv4, TransportProtocol::TCP_IPv4),
                         [](const auto& one) { return std::string(NameOf(one.param)); });

TEST_P(DcpTransport, CarriesPdusOfAnySizeBothWays) {
  const auto here = Make();
  const auto there = Make();
  const SocketId socket = here->Open({.address = kLoopback, .port = 0});
  SocketId other = GetParam() == TransportProtocol::UDP_IPv4 ? there->Open({.address = kLoopback, .port = 0}) : 0;
  other = there->Connect(other, here->Local(socket), Soon());
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{5}, std::size_t{1024}, std::size_t{1025}, std::size_t{60'000}}) {
    const std::vector<std::byte> sent = Pattern(size);
    ASSERT_TRUE(there->Send(other, here->Local(socket), sent));
    Arrival arrival;
    ASSERT_TRUE(here->Receive(arrival, Soon())) << size;
    ASSERT_TRUE(std::ranges::equal(arrival.pdu, sent)) << size;
    EXPECT_EQ(arrival.socket, socket);
    ASSERT_TRUE(here->Send(socket, arrival.from, Pattern(size + 1).size() > 60'000 ? sent : Pattern(size + 1)));
    ASSERT_TRUE(there->Receive(arrival, Soon())) << size;
    EXPECT_EQ(arrival.pdu.size(), std::min<std::size_t>(size + 1, 60'000));
  }
  EXPECT_FALSE(there->Send(other, here->Local(socket), Pattern(60'001)));
  EXPECT_EQ(there->Counts().unsent, 1u);
  EXPECT_EQ(here->Counts().received, 5u);
}

TEST_P(DcpTransport, WaitsUntilItsDeadlineAndNoLonger) {
  const auto here = Make();
  here->Open({.address = kLoopback, .port = 0});
  for (const int wait : {0, 5, 120}) {
    Arrival arrival;
    const auto begin = Clock::now();
    EXPECT_FALSE(here->Receive(arrival, begin + std::chrono::milliseconds(wait)));
    EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(wait));
    EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(wait + 1000));
  }
  Arrival arrival;
  EXPECT_FALSE(here->Receive(arrival, Clock::time_point{}));
}

TEST_P(DcpTransport, SaysWhichPortIsInUse) {
  const auto here = Make();
  const SocketId socket = here->Open({.address = kLoopback, .port = 0});
  const auto there = Make();
  try {
    there->Open(here->Local(socket));
    FAIL() << "expected an error";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(here->Local(socket).port)), std::string::npos)
        << error.what();
    EXPECT_NE(error.Remedy().find("in use"), std::string::npos);
  }
}

TEST_P(DcpTransport, ServesSeveralSocketsAndForgetsThoseThatAreClosed) {
  const auto here = Make();
  const auto there = Make();
  const SocketId first = here->Open({.address = kLoopback, .port = 0});
  const SocketId second = here->Open({.address = kLoopback, .port = 0});
  ASSERT_NE(first, second);
  const SocketId base = GetParam() == TransportProtocol::UDP_IPv4 ? there->Open({.address = kLoopback, .port = 0}) : 0;
  Arrival arrival;
  for (const SocketId socket : {first, second, first}) {
    const SocketId from = there->Connect(base, here->Local(socket), Soon());
    ASSERT_TRUE(there->Send(from, here->Local(socket), Pattern(9)));
    ASSERT_TRUE(here->Receive(arrival, Soon()));
    EXPECT_EQ(arrival.socket, socket);
  }
  const Endpoint gone = here->Local(second);
  here->Close(second);
  const SocketId again = here->Open(gone);
  EXPECT_EQ(here->Local(again), gone);
}

// Longer than the time that is waited at one socket only, and after so many from one that this is done.
TEST_P(DcpTransport, ServesAPeerThatIsPreferredAndOthersToo) {
  const auto here = Make();
  const SocketId socket = here->Open({.address = kLoopback, .port = 0});
  const bool is_udp = GetParam() == TransportProtocol::UDP_IPv4;
  std::array<std::unique_ptr<Transport>, 2> others{Make(), Make()};
  std::array<SocketId, 2> sockets{};
  std::array<Endpoint, 2> at{};
  Arrival arrival;
  for (std::size_t i = 0; i < 2; ++i) {
    const SocketId base = is_udp ? others[i]->Open({.address = kLoopback, .port = 0}) : 0;
    sockets[i] = others[i]->Connect(base, here->Local(socket), Soon());
    at[i] = others[i]->Local(sockets[i]);
  }
  const auto take = [&](std::size_t from, std::size_t size) {
    ASSERT_TRUE(others[from]->Send(sockets[from], here->Local(socket), Pattern(size)));
    ASSERT_TRUE(here->Receive(arrival, Soon()));
    EXPECT_EQ(arrival.pdu.size(), size);
    EXPECT_EQ(arrival.from, at[from]);
    EXPECT_EQ(arrival.socket, socket);
    ASSERT_TRUE(here->Send(socket, arrival.from, Pattern(size)));
    ASSERT_TRUE(others[from]->Receive(arrival, Soon()));
    EXPECT_EQ(arrival.pdu.size(), size);
  };
  take(0, 1);
  ASSERT_TRUE(others[0]->Send(sockets[0], here->Local(socket), Pattern(2)));  // on its way before
  here->Prefer(socket, at[0]);
  ASSERT_TRUE(others[0]->Send(sockets[0], here->Local(socket), Pattern(3)));
  for (const std::size_t size : {2U, 3U}) {
    ASSERT_TRUE(here->Receive(arrival, Soon()));
    EXPECT_EQ(arrival.pdu.size(), size);
    EXPECT_EQ(arrival.from, at[0]);
  }
  for (std::size_t i = 0; i < 60; ++i) take(0, i + 4);
  take(1, 5);
  EXPECT_FALSE(here->Receive(arrival, Soon(10)));
  take(1, 6);
  here->Prefer(socket, at[1]);
  take(0, 7);
  take(1, 8);
  // Nobody else gets the port of a socket, however many sockets there are for it.
  EXPECT_THROW(Make()->Open(here->Local(socket)), FileError);
}

TEST_P(DcpTransport, SendsWhatIsHeldTogetherAndInOrder) {
  const auto here = Make();
  const SocketId socket = here->Open({.address = kLoopback, .port = 0});
  const auto there = Make();
  SocketId from = GetParam() == TransportProtocol::UDP_IPv4 ? there->Open({.address = kLoopback, .port = 0}) : 0;
  from = there->Connect(from, here->Local(socket), Soon());
  Arrival arrival;
  const auto is_all_here = [&](const std::vector<std::size_t>& sizes) {
    for (const std::size_t size : sizes) {
      if (!here->Receive(arrival, Soon()) || !std::ranges::equal(arrival.pdu, Pattern(size))) return false;
    }
    return !here->Receive(arrival, {});
  };
  for (const bool is_preferred : {false, true}) {
    if (is_preferred) there->Prefer(from, here->Local(socket));
    const std::vector<std::size_t> few{3, 4, 5};
    {
      const std::array<Transport*, 1> one{there.get()};
      const SentTogether together(one);
      for (const std::size_t size : few) ASSERT_TRUE(there->Send(from, here->Local(socket), Pattern(size)));
      EXPECT_FALSE(here->Receive(arrival, Soon(2)));
    }
    EXPECT_TRUE(is_all_here(few));
    there->Hold();
    std::vector<std::size_t> many;
    for (std::size_t i = 0; i < 50; ++i) many.push_back(i == 20 ? 40'000 : 10 * i + 1);
    for (const std::size_t size : many) ASSERT_TRUE(there->Send(from, here->Local(socket), Pattern(size)));
    EXPECT_TRUE(there->Release());
    EXPECT_TRUE(is_all_here(many));
    // Who waits for an answer does not hold back the question.
    there->Hold();
    ASSERT_TRUE(there->Send(from, here->Local(socket), Pattern(6)));
    Arrival nothing;
    EXPECT_FALSE(there->Receive(nothing, Soon(1)));
    EXPECT_TRUE(is_all_here({6}));
    there->Release();
  }
  EXPECT_EQ(there->Counts().sent, here->Counts().received);
}

TEST(DcpTransports, AreReceivedFromTogether) {
  const auto udp = MakeUdpTransport();
  const auto tcp = MakeTcpTransport();
  const SocketId udp_socket = udp->Open({.address = kLoopback, .port = 0});
  const SocketId tcp_socket = tcp->Open({.address = kLoopback, .port = 0});
  const auto client = MakeTcpTransport();
  const SocketId from = client->Connect(0, tcp->Local(tcp_socket), Soon());
  const std::array<Transport*, 2> both{udp.get(), tcp.get()};
  Arrival arrival;
  EXPECT_EQ(ReceiveAny(both, arrival, Soon(1)), -1);
  ASSERT_TRUE(client->Send(from, tcp->Local(tcp_socket), Pattern(3)));
  ASSERT_TRUE(client->Send(from, tcp->Local(tcp_socket), Pattern(4)));
  int received = 0;
  const auto sender = MakeUdpTransport();
  ASSERT_TRUE(sender->Send(sender->Open({.address = kLoopback, .port = 0}), udp->Local(udp_socket), Pattern(5)));
  std::vector<std::size_t> sizes;
  const auto deadline = Soon();
  while (sizes.size() < 3 && Clock::now() < deadline) {
    if (ReceiveAny(both, arrival, deadline) >= 0) sizes.push_back(arrival.pdu.size());
    ++received;
  }
  std::ranges::sort(sizes);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{3, 4, 5}));
}

/// A plain connected socket, to send what no transport of ours would.
class RawClient {
 public:
  explicit RawClient(Endpoint to) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(to.port);
    address.sin_addr.s_addr = htonl(to.address);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  ~RawClient() { close(socket_); }
  void Send(const std::vector<std::byte>& bytes) const {
    EXPECT_EQ(send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
  }
  bool IsClosed() const {
    std::byte byte;
    return recv(socket_, &byte, 1, 0) <= 0;
  }

 private:
  int socket_;
};

std::vector<std::byte> Frame(std::uint32_t length, std::size_t bytes) {
  std::vector<std::byte> frame(4 + bytes);
  std::memcpy(frame.data(), &length, 4);
  return frame;
}

TEST(DcpTcpTransport, PutsFramesTogetherFromAnyPieces) {
  const auto tcp = MakeTcpTransport(1 << 20);
  const SocketId socket = tcp->Open({.address = kLoopback, .port = 0});
  const RawClient client(tcp->Local(socket));
  std::vector<std::byte> stream;
  for (const std::uint32_t size : {1U, 7U, 100'000U, 2U}) {
    const std::vector<std::byte> frame = Frame(size, size);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  std::jthread sender([&] {
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t piece = std::min(at < 30 ? std::size_t{1} : std::size_t{33'333}, stream.size() - at);
      client.Send(
          {stream.begin() + static_cast<std::ptrdiff_t>(at), stream.begin() + static_cast<std::ptrdiff_t>(at + piece)});
      at += piece;
    }
  });
  for (const std::size_t size : {1U, 7U, 100'000U, 2U}) {
    Arrival arrival;
    ASSERT_TRUE(tcp->Receive(arrival, Soon()));
    EXPECT_EQ(arrival.pdu.size(), size);
  }
}

TEST(DcpTcpTransport, EndsAConnectionThatClaimsTooMuchAndReportsTheEnd) {
  const auto tcp = MakeTcpTransport(1000);
  const SocketId socket = tcp->Open({.address = kLoopback, .port = 0});
  const RawClient client(tcp->Local(socket));
  client.Send(Frame(8, 8));
  client.Send(Frame(1001, 20));
  Arrival arrival;
  ASSERT_TRUE(tcp->Receive(arrival, Soon()));
  EXPECT_EQ(arrival.pdu.size(), 8u);
  ASSERT_TRUE(tcp->Receive(arrival, Soon()));
  EXPECT_TRUE(arrival.is_end);
  EXPECT_TRUE(client.IsClosed());
  EXPECT_EQ(tcp->Counts().oversized, 1u);
}

TEST(DcpTcpTransport, ReportsAPeerThatGoes) {
  const auto tcp = MakeTcpTransport();
  const SocketId socket = tcp->Open({.address = kLoopback, .port = 0});
  {
    const RawClient client(tcp->Local(socket));
    client.Send(Frame(3, 3));
  }
  Arrival arrival;
  ASSERT_TRUE(tcp->Receive(arrival, Soon()));
  EXPECT_FALSE(arrival.is_end);
  const Endpoint peer = arrival.from;
  ASSERT_TRUE(tcp->Receive(arrival, Soon()));
  EXPECT_TRUE(arrival.is_end);
  EXPECT_EQ(arrival.from, peer);
  EXPECT_FALSE(tcp->Send(socket, peer, Pattern(3)));
}

TEST(DcpTcpTransport, KeepsWhatASlowReaderHasNotTakenAndEndsItWhenThatIsTooMuch) {
  const auto here = MakeTcpTransport();
  const auto there = MakeTcpTransport();
  const SocketId socket = here->Open({.address = kLoopback, .port = 0});
  const SocketId from = there->Connect(0, here->Local(socket), Soon());
  const std::vector<std::byte> large = Pattern(1 << 20);
  int sent = 0;
  while (there->Send(from, here->Local(socket), large)) ASSERT_LT(++sent, 200);
  EXPECT_GT(sent, 3);  // what the system holds, and four times as much here
  Arrival arrival;
  ASSERT_TRUE(there->Receive(arrival, Soon()));
  EXPECT_TRUE(arrival.is_end);
}

TEST(DcpTcpTransport, DeliversWhatWaitedOnceTheReaderReads) {
  const auto here = MakeTcpTransport();
  const auto there = MakeTcpTransport();
  const SocketId socket = here->Open({.address = kLoopback, .port = 0});
  const SocketId from = there->Connect(0, here->Local(socket), Soon());
  const std::vector<std::byte> large = Pattern(3 << 20);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(there->Send(from, here->Local(socket), large));
  Arrival arrival;
  int received = 0;
  const auto deadline = Soon(5000);
  while (received < 2 && Clock::now() < deadline) {
    there->Receive(arrival, Soon(1));
    if (here->Receive(arrival, Soon(1))) {
      ASSERT_TRUE(std::ranges::equal(arrival.pdu, large));
      ++received;
    }
  }
  EXPECT_EQ(received, 2);
}

// Where the process has no descriptor left it rests between two tries, and takes the connection when there is one.
TEST(DcpTcpTransport, RestsWhereTheSystemHasNoRoomForAConnection) {
  const auto server = MakeTcpTransport();
  const Endpoint at = server->Local(server->Open({.address = kLoopback, .port = 0}));
  const auto client = MakeTcpTransport();
  const SocketId socket = client->Connect(0, at, Soon());
  ASSERT_TRUE(client->Send(socket, at, Pattern(3)));
  std::vector<int> taken;
  for (int one = dup(0); one >= 0; one = dup(0)) taken.push_back(one);
  Arrival arrival;
  EXPECT_FALSE(server->Receive(arrival, Soon(250)));
  const std::uint64_t starved = server->Counts().starved;
  for (const int one : taken) close(one);
  EXPECT_GE(starved, 1U);
  EXPECT_LE(starved, 4U);
  ASSERT_TRUE(server->Receive(arrival, Soon()));
  EXPECT_EQ(arrival.pdu.size(), 3U);
}

// Whoever only holds connections open keeps nobody out, and does not cut off those that are known.
TEST(DcpTcpTransport, EndsTheOldestIdleConnectionToMakeRoom) {
  constexpr std::size_t kMost = 8;
  const auto tcp = MakeTcpTransport(1000, kMost);
  const SocketId socket = tcp->Open({.address = kLoopback, .port = 0});
  const auto receive = [&] {
    Arrival arrival;
    while (tcp->Receive(arrival, Soon())) {
      if (!arrival.is_end) return arrival;
    }
    return Arrival();
  };
  const RawClient known(tcp->Local(socket));
  known.Send(Frame(3, 3));
  const Arrival first = receive();
  ASSERT_EQ(first.pdu.size(), 3U);
  tcp->Admit(socket, first.from);
  std::vector<std::unique_ptr<RawClient>> idle;
  for (std::size_t i = 0; i < 3 * kMost; ++i) idle.push_back(std::make_unique<RawClient>(tcp->Local(socket)));
  const RawClient late(tcp->Local(socket));
  late.Send(Frame(5, 5));
  EXPECT_EQ(receive().pdu.size(), 5U);
  ASSERT_EQ(tcp->Counts().refused, 3 * kMost + 2 - kMost);
  EXPECT_TRUE(idle.front()->IsClosed());
  known.Send(Frame(4, 4));
  EXPECT_EQ(receive().pdu.size(), 4U);
}

// The begin of a large PDU is kept for a few only.
TEST(DcpTcpTransport, KeepsOnlySoMuchOfThoseWhoAreNotAdmitted) {
  constexpr std::size_t kLargest = 16U << 20;
  const auto tcp = MakeTcpTransport(kLargest);
  const SocketId socket = tcp->Open({.address = kLoopback, .port = 0});
  const std::vector<std::byte> half = Frame(kLargest, kLargest / 2 + 1);  // takes a buffer of the whole
  std::vector<std::unique_ptr<RawClient>> clients;
  std::atomic<int> sent = 0;
  std::jthread sender([&] {
    for (int i = 0; i < 12; ++i) {
      clients.push_back(std::make_unique<RawClient>(tcp->Local(socket)));
      clients.back()->Send(half);
      ++sent;
    }
  });
  Arrival arrival;
  int ends = 0;
  while (sent < 12) ends += tcp->Receive(arrival, Soon(20)) && arrival.is_end ? 1 : 0;
  while (tcp->Receive(arrival, Soon(200))) ends += arrival.is_end ? 1 : 0;
  sender.join();
  EXPECT_GE(ends, 8);  // of 12 that want 16 MiB each four go into 64
  EXPECT_EQ(tcp->Counts().refused, static_cast<std::uint64_t>(ends));
}

TEST(DcpTcpTransport, SaysWhereItCouldNotConnect) {
  const auto tcp = MakeTcpTransport();
  Endpoint nobody;
  {
    const auto other = MakeTcpTransport();
    nobody = other->Local(other->Open({.address = kLoopback, .port = 0}));
  }
  EXPECT_THROW(tcp->Connect(0, nobody, Soon(200)), FileError);
}

TEST(DcpUdpTransport, DropsDatagramsBeyondItsLargestPdu) {
  const auto udp = MakeUdpTransport(100);
  const SocketId socket = udp->Open({.address = kLoopback, .port = 0});
  const auto sender = MakeUdpTransport();
  const SocketId from = sender->Open({.address = kLoopback, .port = 0});
  ASSERT_TRUE(sender->Send(from, udp->Local(socket), Pattern(101)));
  ASSERT_TRUE(sender->Send(from, udp->Local(socket), Pattern(100)));
  Arrival arrival;
  ASSERT_TRUE(udp->Receive(arrival, Soon()));
  EXPECT_EQ(arrival.pdu.size(), 100u);
  EXPECT_EQ(udp->Counts().oversized, 1u);
}

// Data that went out before a request, by another connection, are there before it.
TEST(DcpTcpTransport, KeepsTheOrderOfWhatIsHeldOverSeveralConnections) {
  const auto here = MakeTcpTransport();
  const SocketId socket = here->Open({.address = kLoopback, .port = 0});
  const auto there = MakeTcpTransport();
  const SocketId first = there->Connect(-1, here->Local(socket), Soon());
  const SocketId second = there->Connect(-1, here->Local(socket), Soon());
  const std::array<Transport*, 1> one{there.get()};
  Arrival arrival;
  for (std::uint64_t round = 1; round <= 50; ++round) {
    {
      const SentTogether together(one);
      ASSERT_TRUE(there->Send(second, here->Local(socket), Pattern(2)));
      ASSERT_TRUE(there->Send(first, here->Local(socket), Pattern(1)));
    }
    do {
      ASSERT_TRUE(here->Receive(arrival, Soon()));
    } while (arrival.pdu.size() != 1);
    // Whoever has the request has the data, or finds them without waiting.
    while (here->Counts().received < 2 * round && here->Receive(arrival, {})) {
    }
    EXPECT_EQ(here->Counts().received, 2 * round);
  }
}

TEST(DcpUdpTransport, GoesOnWhenAPreferredPeerWasAwayForAWhile) {
  const auto here = MakeUdpTransport();
  const SocketId socket = here->Open({.address = kLoopback, .port = 0});
  auto there = MakeUdpTransport();
  const Endpoint peer = there->Local(there->Open({.address = kLoopback, .port = 0}));
  here->Prefer(socket, peer);
  there.reset();
  EXPECT_TRUE(here->Send(socket, peer, Pattern(3)));
  there = MakeUdpTransport();
  there->Open(peer);
  here->Hold();
  EXPECT_TRUE(here->Send(socket, peer, Pattern(4)));
  EXPECT_TRUE(here->Send(socket, peer, Pattern(5)));
  EXPECT_TRUE(here->Release());
  Arrival arrival;
  for (const std::size_t size : {4U, 5U}) {
    ASSERT_TRUE(there->Receive(arrival, Soon()));
    EXPECT_EQ(arrival.pdu.size(), size);
  }
}

TEST(DcpEndpoint, IsReadFromTextAndRefusesNonsense) {
  EXPECT_EQ(ResolveEndpoint("127.0.0.1:8080"), (Endpoint{.address = kLoopback, .port = 8080}));
  EXPECT_EQ(ResolveEndpoint(":5"), (Endpoint{.address = 0, .port = 5}));
  EXPECT_EQ(ToText(Endpoint{.address = 0xC0A80102, .port = 9}), "192.168.1.2:9");
  EXPECT_THROW(ResolveEndpoint("127.0.0.1:99999"), ArgumentError);
  EXPECT_EQ(ResolveSlave("127.0.0.1:8080"), (Endpoint{.address = kLoopback, .port = 8080}));
  for (const char* text : {"127.0.0.1", "127.0.0.1:0"}) {
    try {
      ResolveSlave(text);
      ADD_FAILURE() << text;
    } catch (const ArgumentError& error) {
      EXPECT_NE(std::string(error.what()).find("without a port; write for example 127.0.0.1:8080"), std::string::npos)
          << error.what();
    }
  }
  EXPECT_THROW(ResolveEndpoint("127.0.0.1:"), ArgumentError);
  EXPECT_THROW(ResolveAddress("no such host."), ArgumentError);
}

}  // namespace
}  // namespace openmi::dcp
