// Messages and rows over a connection, between two threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <numeric>
#include <random>
#include <thread>

#include "composition/channel/Channel.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "composition/hosts/Address.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using namespace std::chrono_literals;

/// A parent and a child, which works in a thread.
class Pair {
 public:
  using Serve = std::function<void(ByteView request, StateWriter& reply, Channel& own)>;
  explicit Pair(const Serve& child, const Serve& parent = {}, Heartbeats heartbeats = {}) {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    const auto make = [&](Side side, const Serve& serve, std::unique_ptr<Channel>& channel) {
      channel = std::make_unique<Channel>(
          std::make_unique<TcpTransport>(
              side, sockets[side == Side::Parent ? 0 : 1], [] { return true; }, heartbeats),
          [serve, &channel](ByteView request, StateWriter& reply) { serve(request, reply, *channel); });
    };
    make(Side::Parent, parent, ours);
    make(Side::Child, child, theirs);
    thread = std::thread([this] { theirs->ServeForEver(); });
  }
  ~Pair() {
    shutdown(sockets[0], SHUT_RDWR);
    thread.join();
    ours.reset();
    theirs.reset();
    for (const int socket : sockets) close(socket);
  }
  int sockets[2];
  std::unique_ptr<Channel> ours;
  std::unique_ptr<Channel> theirs;
  std::thread thread;
};

std::string Text(ByteView bytes) {
  return StateReader(bytes).ReadText();
}
Bytes Letter(std::string_view text) {
  StateWriter writer;
  writer.Write(text);
  return writer.Take();
}

TEST(TcpTransport, CarriesMessagesAndErrorsToAnyDepth) {
  const Pair::Serve shorten = [](ByteView request, StateWriter& reply, Channel& own) {
    const std::string text = Text(request);
    if (text == "!") throw RangeError({.item = "i"}, "expected x, found y", "do z");
    const std::string answer = text.empty() ? "|" : "(" + Text(own.Call(Letter(text.substr(1)))) + ")";
    reply.Write(std::string_view(answer));
  };
  Pair pair(shorten, shorten);
  EXPECT_EQ(Text(pair.ours->Call(Letter("abcdef"))), "((((((|))))))");
  EXPECT_THAT([&] { pair.ours->Call(Letter("!")); }, ThrowsMessage<RangeError>("i: expected x, found y; do z"));
  EXPECT_THAT([&] { pair.ours->Call(Letter("ab!")); }, ThrowsMessage<RangeError>(HasSubstr("do z")));
  EXPECT_EQ(Text(pair.ours->Call(Letter("a"))), "(|)");
}

TEST(TcpTransport, CarriesMessagesOfAnySize) {
  Pair pair([](ByteView request, StateWriter& reply, Channel&) { reply.Write(request); });
  for (const std::size_t size : {0U, 1U, 65'500U, 65'536U, 70'000U, 3'000'000U, 100U}) {
    Bytes bytes(size);
    std::mt19937 random(7);
    for (std::byte& one : bytes) one = static_cast<std::byte>(random());
    const ByteView back = StateReader(pair.ours->Call(bytes)).ReadBytes();
    EXPECT_TRUE(std::ranges::equal(back, bytes)) << size;
  }
}

TEST(TcpTransport, RowsTravelBehindTheirMessageIntoTheirPlace) {
  std::vector<double> there(200'000);
  std::iota(there.begin(), there.end(), 0.0);
  std::vector<double> came;
  Pair pair([&](ByteView request, StateWriter& reply, Channel& own) {
    StateReader reader(request);
    const auto size = static_cast<std::size_t>(reader.ReadInteger());
    came.assign(size, 0.0);
    own.TakeRow(std::as_writable_bytes(std::span(came)));
    own.AddRow(std::as_bytes(std::span(there).first(size)));
    own.AddRow(std::as_bytes(std::span(came)));
    if (size == 5) throw RangeError({}, "no rows go with an error");
    reply.Write(std::string_view("rows follow"));
  });
  for (const std::size_t size : {1U, 3U, 5U, 8'000U, 100'000U, 2U}) {
    std::vector<double> sent(size, static_cast<double>(size));
    StateWriter request;
    request.Write(static_cast<std::int64_t>(size));
    pair.ours->AddRow(std::as_bytes(std::span(sent)));
    if (size == 5) {
      EXPECT_THROW(pair.ours->Call(request.Bytes()), RangeError);
      continue;
    }
    EXPECT_EQ(Text(pair.ours->Call(request.Bytes())), "rows follow");
    std::vector<double> first(size);
    std::vector<double> second(size);
    pair.ours->TakeRow(std::as_writable_bytes(std::span(first)));
    if (size == 3) continue;  // the second is not taken, and does not come in the place of a later one
    pair.ours->TakeRow(std::as_writable_bytes(std::span(second)));
    EXPECT_TRUE(std::ranges::equal(first, std::span(there).first(size))) << size;
    EXPECT_EQ(second, sent) << size;
    EXPECT_THROW(pair.ours->TakeRow(std::as_writable_bytes(std::span(second))), PeerGone) << "there are two";
  }
}

TEST(TcpTransport, AChildThatComputesLongIsNotSilent) {
  const Heartbeats quick{.every = 20ms, .longest_silence = 1s};
  Pair pair(
      [](ByteView, StateWriter& reply, Channel&) {
        std::this_thread::sleep_for(1500ms);
        reply.Write(true);
      },
      {}, quick);
  EXPECT_TRUE(StateReader(pair.ours->Call(Letter(""))).ReadBool());
  std::this_thread::sleep_for(1500ms);  // no one listens meanwhile
  EXPECT_TRUE(StateReader(pair.ours->Call(Letter(""))).ReadBool());
}

TEST(TcpTransport, AChildWithoutHeartbeatIsGoneAndTheReasonIsStated) {
  const Heartbeats quick{.every = 20ms, .longest_silence = 300ms};
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
  Channel parent(std::make_unique<TcpTransport>(
                     Side::Parent, sockets[0], [] { return true; }, quick),
                 [](ByteView, StateWriter&) {});
  EXPECT_THROW(parent.Call(Letter("")), PeerGone);
  EXPECT_THAT(parent.Transport().WhyGone(), HasSubstr("was silent for 0.3 s"));
  EXPECT_TRUE(parent.Transport().HasLetter()) << "who waits for several learns of it";
  for (const int socket : sockets) close(socket);
}

TEST(TcpTransport, AParentThatFindsNoRoomToSendNoticesSilence) {
  const Heartbeats quick{.every = 200ms, .longest_silence = 300ms};  // a look each 50 ms finds one that beats faster
  const auto soon = std::chrono::steady_clock::now() + 20s;
  const auto listening = ListenAt("127.0.0.1");
  const FileDescriptor there = ConnectTo(listening.second, soon);
  const FileDescriptor here(accept(listening.first.Number(), nullptr, nullptr));
  const auto parent = [&] {
    return std::make_unique<TcpTransport>(
        Side::Parent, here.Number(), [] { return true; }, quick);
  };
  const Bytes large(64 << 20);
  // One that does not read, and shows that it lives.
  std::atomic<bool> reads = false;
  std::thread child([&] {
    const FrameHeader beat{5, 0x6f6d6935, 0, 0};
    for (int i = 0; i < 40; ++i) {
      send(there.Number(), &beat, sizeof beat, 0);
      std::this_thread::sleep_for(20ms);
    }
    reads = true;
    Bytes some(1 << 20);
    for (std::size_t left = large.size() + sizeof beat; left > 0;) {
      const ssize_t got = recv(there.Number(), some.data(), std::min(some.size(), left), 0);
      if (got <= 0) break;
      left -= static_cast<std::size_t>(got);
    }
  });
  EXPECT_NO_THROW(parent()->Send(LetterKind::Request, large, {}, soon));
  EXPECT_TRUE(reads);
  child.join();
  // One that does neither.
  const auto begin = std::chrono::steady_clock::now();
  const auto silent = parent();
  EXPECT_THROW(silent->Send(LetterKind::Request, large, {}, soon), PeerGone);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_THAT(silent->WhyGone(), HasSubstr("was silent for 0.3 s"));
}

TEST(TcpTransport, ATimeLimitCountsFromWhenAQuestionIsAnswered) {
  const Pair::Serve child = [](ByteView, StateWriter& reply, Channel& own) {
    own.Call(Letter("?"));
    std::this_thread::sleep_for(1s);
    reply.Write(true);
  };
  Pair pair(child, [](ByteView, StateWriter& reply, Channel&) { reply.Write(true); });
  pair.ours->SetTimeLimit(2s);
  pair.ours->Post(Letter(""));
  std::this_thread::sleep_for(1500ms);  // the run waits for another worker, and this one for the run
  EXPECT_NO_THROW(pair.ours->Await());
}

TEST(TcpTransport, AParentThatWasNotLetComputeDoesNotCountThatTimeAsSilence) {
  const Heartbeats quick{.every = 20ms, .longest_silence = 900ms};
  int sockets[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    TcpTransport transport(
        Side::Parent, sockets[0], [] { return true; }, quick);
    Bytes letter;
    try {
      transport.Receive(letter, std::chrono::steady_clock::now() + 60s);
      _exit(0);
    } catch (const PeerGone&) {
      _exit(1);
    }
  }
  std::this_thread::sleep_for(50ms);
  kill(parent, SIGSTOP);
  std::this_thread::sleep_for(1200ms);
  kill(parent, SIGCONT);
  std::this_thread::sleep_for(70ms);  // it looks in vain once or twice
  TcpTransport child(
      Side::Child, sockets[1], [] { return true; }, quick);
  child.Send(LetterKind::Reply, {}, {}, std::chrono::steady_clock::now() + 60s);
  int status = -1;
  waitpid(parent, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  for (const int socket : sockets) close(socket);
}

TEST(TcpTransport, ATimeLimitHoldsBesideHeartbeats) {
  Pair pair([](ByteView, StateWriter&, Channel&) { std::this_thread::sleep_for(700ms); });
  pair.ours->SetTimeLimit(200ms);
  EXPECT_THROW(pair.ours->Call(Letter("")), PeerSilent);
  EXPECT_THROW(pair.ours->Call(Letter("")), PeerGone) << "a late reply answers nothing";
}

TEST(TcpTransport, LastWordsCross) {
  Pair pair([](ByteView, StateWriter& reply, Channel& own) {
    own.LeaveWords("here it ended");
    reply.Write(true);
  });
  pair.ours->Call(Letter(""));
  EXPECT_EQ(pair.ours->WordsLeft(), "here it ended");
}

TEST(TcpTransport, WhatIsNoMessageEndsTheConversation) {
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    int sockets[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    Channel parent(std::make_unique<TcpTransport>(Side::Parent, sockets[0], [] { return true; }),
                   [](ByteView, StateWriter&) {});
    Bytes bytes(24 + random() % 200);
    for (std::byte& one : bytes) one = static_cast<std::byte>(random());
    ASSERT_EQ(send(sockets[1], bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    shutdown(sockets[1], SHUT_WR);
    EXPECT_THROW(parent.Call(Letter("")), PeerGone);
    for (const int socket : sockets) close(socket);
  }
}

}  // namespace
}  // namespace openmi::testing
