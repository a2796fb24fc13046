// Letters between two sides, here two threads.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>

#include "composition/channel/Channel.hpp"
#include "composition/channel/WorkerProcess.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"

namespace openmi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::string Text(std::span<const std::byte> bytes) {
  return StateReader(bytes).ReadText();
}
StateWriter Letter(const std::string& text) {
  StateWriter writer;
  writer.Write(std::string_view(text));
  return writer;
}

/// Two sides; the child's works in a thread.
class Pair {
 public:
  using Answer = std::function<std::string(const std::string&, Channel& own)>;
  Pair(const Answer& parent, const Answer& child) {
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets_);
    SharedMemory page = SharedMemory::Create();
    page.Grow(Channel::PageSize());
    parent_ = Make(Side::Parent, page, parent);
    child_ = Make(Side::Child, page, child);
    thread_ = std::thread([this] { child_->ServeForEver(); });
  }
  ~Pair() { End(); }
  void End() {
    is_alive_ = false;
    if (thread_.joinable()) thread_.join();
    for (int& socket : sockets_) {
      if (socket >= 0) close(socket);
      socket = -1;
    }
  }
  Channel& Parent() { return *parent_; }
  std::string Ask(const std::string& text) { return Text(parent_->Call(Letter(text).Bytes())); }

 private:
  std::unique_ptr<Channel> Make(Side side, const SharedMemory& page, const Answer& answer) {
    auto holder = std::make_shared<Channel*>(nullptr);
    auto channel = std::make_unique<Channel>(
        side, SharedMemory(dup(page.Descriptor())), sockets_[side == Side::Parent ? 0 : 1],
        [answer, holder](std::span<const std::byte> request, StateWriter& reply) {
          reply.Write(std::string_view(answer(Text(request), **holder)));
        },
        [this] { return is_alive_.load(); });
    *holder = channel.get();
    return channel;
  }
  int sockets_[2] = {-1, -1};
  std::atomic<bool> is_alive_ = true;
  std::unique_ptr<Channel> parent_;
  std::unique_ptr<Channel> child_;
  std::thread thread_;
};

std::string Nobody(const std::string&, Channel&) {
  return "nobody";
}

TEST(Channel, CarriesLettersOfAnySize) {
  Pair pair(Nobody, [](const std::string& text, Channel&) { return text + "!"; });
  EXPECT_EQ(pair.Ask("hello"), "hello!");
  EXPECT_EQ(pair.Ask(""), "!");
  for (std::size_t size : {65'000U, 65'530U, 70'000U, 3'000'000U}) {
    const std::string large(size, 'x');
    EXPECT_EQ(pair.Ask(large), large + "!");
  }
}

TEST(Channel, ServesRequestsWhileItWaits) {
  // Each side asks the other for a shorter text, to a depth of twelve.
  const auto shorten = [](const std::string& text, Channel& own) {
    if (text.empty()) return std::string("|");
    return "(" + Text(own.Call(Letter(text.substr(1)).Bytes())) + ")";
  };
  Pair pair(shorten, shorten);
  EXPECT_EQ(pair.Ask("abcdefghijkl"), "((((((((((((|))))))))))))");
  EXPECT_EQ(pair.Ask("ab"), "((|))");
}

TEST(Channel, CarriesErrorsWithTheirTypeAndPlace) {
  Pair pair(Nobody, [](const std::string& text, Channel&) -> std::string {
    if (text == "range")
      throw RangeError({.file = "f", .line = 3, .component = "c", .item = "i"}, "expected x, found y", "do z");
    if (text == "plain") throw std::runtime_error("just so");
    if (text == "odd") throw 7;
    return text;
  });
  EXPECT_THAT([&] { pair.Ask("range"); }, ThrowsMessage<RangeError>("f:3: c.i: expected x, found y; do z"));
  EXPECT_THAT([&] { pair.Ask("plain"); }, ThrowsMessage<std::runtime_error>("just so"));
  EXPECT_THAT([&] { pair.Ask("odd"); }, ThrowsMessage<std::runtime_error>(HasSubstr("not a std::exception")));
  EXPECT_EQ(pair.Ask("still there"), "still there");
}

TEST(Channel, NoticesSilenceAndTheEndOfTheOtherSide) {
  std::atomic<bool> go_on = false;
  Pair pair(Nobody, [&](const std::string& text, Channel&) {
    while (text == "sleep" && !go_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return text;
  });
  pair.Parent().SetTimeLimit(std::chrono::milliseconds(50));
  EXPECT_THROW(pair.Ask("sleep"), Channel::PeerSilent);
  go_on = true;
  pair.End();
  EXPECT_THROW(pair.Ask("gone"), Channel::PeerGone);
}

/// One side alone; what the other one does is written by hand.
struct Lonely {
  Lonely() {
    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets);
    page.Grow(Channel::PageSize());
    parent = std::make_unique<Channel>(
        Side::Parent, SharedMemory(dup(page.Descriptor())), sockets[0], [](std::span<const std::byte>, StateWriter&) {},
        [] { return true; });
  }
  ~Lonely() {
    for (const int socket : sockets) close(socket);
  }
  int sockets[2] = {-1, -1};
  SharedMemory page = SharedMemory::Create();
  std::unique_ptr<Channel> parent;
};

TEST(Channel, TheTimeLimitCountsWhatOneSideTakesBetweenItsQuestionsTogether) {
  Pair pair(Nobody, [](const std::string&, Channel& own) {
    for (int i = 0; i < 200; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      try {
        own.Call(Letter("?").Bytes());
      } catch (const Channel::PeerGone&) {
        break;
      }
    }
    return std::string("asked for ever");
  });
  pair.Parent().SetTimeLimit(std::chrono::milliseconds(400));
  EXPECT_THROW(pair.Ask("go"), Channel::PeerSilent);
  pair.End();
}

TEST(Channel, TheTimeThatThisSideTakesToAnswerDoesNotCount) {
  const auto slow = [](const std::string&, Channel&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1300));
    return std::string("at last");
  };
  Pair pair(slow, [](const std::string&, Channel& own) { return Text(own.Call(Letter("?").Bytes())); });
  pair.Parent().SetTimeLimit(std::chrono::milliseconds(1000));
  EXPECT_EQ(pair.Ask("go"), "at last");
}

TEST(Channel, AQuestionThatWaitedForThisSideIsAnsweredAfterTheTimeLimitToo) {
  Pair pair([](const std::string&, Channel&) { return std::string("answer"); },
            [](const std::string&, Channel& own) {
              std::string text = Text(own.Call(Letter("?").Bytes()));
              std::this_thread::sleep_for(std::chrono::milliseconds(50));
              return text;
            });
  pair.Parent().SetTimeLimit(std::chrono::milliseconds(1000));
  pair.Parent().Post(Letter("go").Bytes());
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));  // this side is busy with something else meanwhile
  EXPECT_EQ(Text(pair.Parent().Await()), "answer");
}

TEST(Channel, SaysWhetherTheOtherSideIsAtWork) {
  std::atomic<bool> go_on = false;
  Pair pair(Nobody, [&](const std::string& text, Channel&) {
    while (!go_on) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return text;
  });
  EXPECT_EQ(pair.Parent().PeerWork(), 0U);
  pair.Parent().Post(Letter("one").Bytes());
  const std::uint64_t first = pair.Parent().PeerWork();
  EXPECT_NE(first, 0U);
  EXPECT_EQ(pair.Parent().PeerWork(), first) << "the same letter";
  go_on = true;
  pair.Parent().Await();
  EXPECT_EQ(pair.Parent().PeerWork(), 0U);
}

TEST(Channel, ALargeLetterToASideThatStandsStillEndsAtTheTimeLimit) {
  Lonely lonely;
  lonely.parent->SetTimeLimit(std::chrono::milliseconds(100));
  EXPECT_THROW(lonely.parent->Call(Letter(std::string(3'000'000, 'x')).Bytes()), Channel::PeerSilent);
  EXPECT_THROW(lonely.parent->Call(Letter("x").Bytes()), Channel::PeerGone) << "half a letter is on its way";
}

/// The most memory that this process ever had, in bytes.
std::size_t MostMemory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stoull(line.substr(6)) * 1024;
  }
  return 0;
}

TEST(Channel, ALetterThatClaimsMoreThanItBringsTakesNoMemory) {
  Lonely lonely;
  lonely.parent->SetTimeLimit(std::chrono::milliseconds(100));
  // As docs/isolation.md says: counter, sleepers, kind, nothing, length.
  std::byte* box = lonely.page.Map(0, Channel::PageSize());
  const std::uint32_t reply = 2;
  const std::uint64_t length = std::uint64_t{3} << 30;
  const std::uint32_t rings = 1;
  std::memcpy(box + 8, &reply, sizeof reply);
  std::memcpy(box + 16, &length, sizeof length);
  std::memcpy(box, &rings, sizeof rings);
  const std::string part(1000, 'x');
  ASSERT_EQ(send(lonely.sockets[1], part.data(), part.size(), 0), static_cast<ssize_t>(part.size()));
  const std::size_t before = MostMemory();
  EXPECT_THROW(lonely.parent->Call(Letter("x").Bytes()), Channel::PeerSilent);
  EXPECT_LT(MostMemory() - before, std::size_t{64} << 20);
  SharedMemory::Unmap(box, Channel::PageSize());
}

/// How many files this process has open.
std::ptrdiff_t FilesOpenHere() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

TEST(WorkerProcess, GoesWithItsOwnerAlsoWhereThatCannotBeMade) {
  struct Owner {
    WorkerProcess worker;
    int rest;
    Owner(const SharedMemory& page, int& pid)
        : worker({"/bin/sh", "-c", "exec cat <&3 >/dev/null"}, nullptr, page, page, 0), rest(Fails(worker, pid)) {}
    static int Fails(const WorkerProcess& started, int& pid) {
      pid = started.Id();
      throw RangeError({}, "no memory for the channel");
    }
  };
  SharedMemory page = SharedMemory::Create();
  page.Grow(Channel::PageSize());
  const std::ptrdiff_t before = FilesOpenHere();
  int pid = 0;
  EXPECT_THROW(Owner(page, pid), RangeError);
  ASSERT_GT(pid, 0);
  EXPECT_EQ(kill(pid, 0), -1) << "the process has ended, and its end was taken";
  EXPECT_EQ(errno, ESRCH);
  EXPECT_EQ(FilesOpenHere(), before);
}

}  // namespace
}  // namespace openmi::testing
