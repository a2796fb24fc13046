// Who is let in, and what strangers can do.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <atomic>
#include <cstring>
#include <fstream>
#include <future>
#include <thread>

#include "composition/hosts/Admission.hpp"
#include "composition/hosts/WorkerPort.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/support/ScratchFolder.hpp"

namespace openmi::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Clock = std::chrono::steady_clock;

const std::string kText(64, 'k');

std::array<std::byte, Admission::kAnswerSize> AnswerTo(const Admission& admission, const WorkerKey& key,
                                                       std::uint64_t ticket) {
  WorkerKey::Nonce of_run;
  std::memcpy(of_run.data(), admission.Challenge().data() + 8, of_run.size());
  const WorkerKey::Nonce own = WorkerKey::MakeNonce();
  const WorkerKey::Proof proof = key.Prove("worker", of_run, own, ticket);
  std::array<std::byte, Admission::kAnswerSize> answer{};
  for (std::size_t i = 0; i < 8; ++i) answer[i] = static_cast<std::byte>(ticket >> (8 * i));
  std::memcpy(answer.data() + 8, own.data(), own.size());
  std::memcpy(answer.data() + 40, proof.data(), proof.size());
  return answer;
}

TEST(WorkerKey, IsTheHmacOfTheStandard) {
  // Computed with another program, as
  //   printf 'worker%s%s\7\0\0\0\0\0\0\0' <32 x a> <32 x b> | openssl dgst -sha256 -hmac <64 x k>
  WorkerKey::Nonce a;
  WorkerKey::Nonce b;
  a.fill('a');
  b.fill('b');
  const WorkerKey::Proof proof = WorkerKey::Parse(kText).Prove("worker", a, b, 7);
  std::string hex;
  for (const std::uint8_t one : proof) {
    hex += "0123456789abcdef"[one >> 4];
    hex += "0123456789abcdef"[one & 15];
  }
  EXPECT_EQ(hex, "48c3f4ac58417ee51ff5f28f491963d39d326e3e28a8bf5a0f78687dec31359d");
}

TEST(WorkerKey, IsReadFromAFileOfItsOwnerOnly) {
  const ScratchFolder folder;
  const std::string file = (folder.Path() / "key").string();
  std::ofstream(file) << "  " << kText << "\nmore\n";
  chmod(file.c_str(), 0640);
  EXPECT_THAT([&] { WorkerKey::Read(file); },
              ThrowsMessage<FileError>(AllOf(HasSubstr("found permissions 640"), HasSubstr("chmod 600"))));
  chmod(file.c_str(), 0600);
  EXPECT_EQ(WorkerKey::Read(file).Text(), kText);
  std::ofstream(file) << "short\n";
  EXPECT_THAT([&] { WorkerKey::Read(file); },
              ThrowsMessage<ArgumentError>(AllOf(HasSubstr("key"), HasSubstr("at least 32"), HasSubstr("found 5"))));
  EXPECT_NE(WorkerKey::Make().Text(), WorkerKey::Make().Text());
  EXPECT_EQ(WorkerKey::Make().Text().size(), 64U);
}

TEST(Admission, LetsInWhoKnowsTheKeyAndNobodyElse) {
  const WorkerKey key = WorkerKey::Parse(kText);
  const Admission admission(key);
  const auto good = AnswerTo(admission, key, 12);
  EXPECT_EQ(admission.Check(good), 12U);
  EXPECT_EQ(admission.Check(AnswerTo(admission, WorkerKey::Make(), 12)), std::nullopt);
  for (std::size_t i = 0; i < good.size(); ++i) {  // each byte counts
    auto other = good;
    other[i] ^= std::byte{1};
    EXPECT_EQ(admission.Check(other), std::nullopt) << i;
  }
  EXPECT_EQ(Admission(key).Check(good), std::nullopt) << "an answer that was seen is no answer to another run";
}

/// A port that waits for one worker, in a thread.
class Waiting {
 public:
  Waiting() : ticket(port.Expect({"/somewhere", 5})) {
    taken = std::async(std::launch::async, [this] { return port.Take(ticket, [this] { return !gives_up; }); });
  }
  ~Waiting() { gives_up = true; }
  std::atomic<bool> gives_up = false;
  WorkerPort port{"127.0.0.1", WorkerKey::Parse(kText)};
  std::uint64_t ticket;
  std::future<FileDescriptor> taken;
};

TEST(WorkerPort, LetsItsWorkerInAndClosesThen) {
  Waiting waiting;
  const std::string address = waiting.port.Address();
  auto [connection, welcome] = JoinRun(address, waiting.ticket, WorkerKey::Parse(kText), std::chrono::seconds(10));
  EXPECT_EQ(welcome.folder, "/somewhere");
  EXPECT_EQ(welcome.memory, 5U);
  const FileDescriptor ours = waiting.taken.get();
  ASSERT_EQ(send(ours.Number(), "x", 1, 0), 1);
  std::array<std::byte, 1> got;
  EXPECT_TRUE(ReadExactly(connection.Number(), got, Clock::now() + std::chrono::seconds(10)));
  EXPECT_EQ(waiting.port.Refused(), 0U);
  EXPECT_THAT([&] { ConnectTo(address, Clock::now() + std::chrono::seconds(5)); },
              ThrowsMessage<FileError>(HasSubstr("Connection refused")))
      << "nothing listens while no worker is expected";
}

TEST(WorkerPort, RefusesAWorkerWithAnotherKeyAndOneThatIsNotExpected) {
  Waiting waiting;
  const auto join = [&](const WorkerKey& key, std::uint64_t ticket) {
    JoinRun(waiting.port.Address(), ticket, key, std::chrono::milliseconds(300));
  };
  EXPECT_THAT([&] { join(WorkerKey::Make(), waiting.ticket); }, ThrowsMessage<FileError>(HasSubstr("the same key")));
  EXPECT_THAT([&] { join(WorkerKey::Parse(kText), waiting.ticket + 1); },
              ThrowsMessage<FileError>(HasSubstr("closes")));
  JoinRun(waiting.port.Address(), waiting.ticket, WorkerKey::Parse(kText), std::chrono::seconds(10));
  EXPECT_TRUE(waiting.taken.get().IsOpen());
  EXPECT_GE(waiting.port.Refused(), 2U) << "those who came before the worker were looked at before it";
}

TEST(WorkerPort, AWorkerGivesNothingToARunThatDoesNotKnowTheKey) {
  const auto listening = ListenAt("127.0.0.1");
  const auto run = std::async(std::launch::async, [socket = listening.first.Number()] {
    FileDescriptor connection;
    while (!connection.IsOpen()) connection = FileDescriptor(accept(socket, nullptr, nullptr));
    const auto until = Clock::now() + std::chrono::seconds(10);
    const WorkerKey other = WorkerKey::Make();
    const Admission admission(other);
    std::array<std::byte, Admission::kAnswerSize> answer;
    WriteExactly(connection.Number(), admission.Challenge(), until);
    ReadExactly(connection.Number(), answer, until);
    WriteExactly(connection.Number(), admission.Accept(answer, WorkerWelcome{"/", 0}.ToBytes()), until);
  });
  EXPECT_THAT([&] { JoinRun(listening.second, 1, WorkerKey::Parse(kText), std::chrono::seconds(10)); },
              ThrowsMessage<FileError>(HasSubstr("expected a run that knows the key")));
}

TEST(WorkerPort, StrangersDoNotKeepTheWorkerOut) {
  Waiting waiting;
  const std::string address = waiting.port.Address();
  const auto until = Clock::now() + std::chrono::seconds(20);
  // Some who send nothing, some who send slowly, one that sends garbage, one that sends an old answer, and many.
  std::vector<FileDescriptor> silent;
  for (int i = 0; i < 100; ++i) silent.push_back(ConnectTo(address, until));
  for (std::size_t i = 0; i < silent.size(); i += 2) send(silent[i].Number(), "x", 1, MSG_NOSIGNAL);
  const std::vector<std::byte> garbage(100'000, std::byte{0xa5});
  const FileDescriptor wild = ConnectTo(address, until);
  send(wild.Number(), garbage.data(), garbage.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  const WorkerKey key = WorkerKey::Parse(kText);
  const auto old = AnswerTo(Admission(key), key, waiting.ticket);
  const FileDescriptor replayed = ConnectTo(address, until);
  WriteExactly(replayed.Number(), old, until);
  std::atomic<bool> is_over = false;
  std::thread flood([&] {
    while (!is_over) {
      try {
        const FileDescriptor one = ConnectTo(address, until);
      } catch (const FileError&) {
        return;  // it is closed
      }
    }
  });
  const auto joined = JoinRun(address, waiting.ticket, key, std::chrono::seconds(20));
  EXPECT_TRUE(waiting.taken.get().IsOpen());
  is_over = true;
  flood.join();
  EXPECT_GE(waiting.port.Refused(), 2U);
  std::array<std::byte, Admission::kChallengeSize + 1> seen;
  EXPECT_FALSE(ReadExactly(replayed.Number(), seen, until)) << "a stranger gets the challenge and no more";
}

}  // namespace
}  // namespace openmi::testing
