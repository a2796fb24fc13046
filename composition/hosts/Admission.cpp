#include "composition/hosts/Admission.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "composition/hosts/Address.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

constexpr std::array<char, 8> kProtocolName = {'o', 'p', 'e', 'n', 'm', 'i', ' ', '1'};
constexpr std::size_t kLargestWelcome = 1 << 16;
constexpr std::chrono::milliseconds kPause{200};  // between two tries to join

struct Answer {
  std::uint64_t ticket = 0;
  WorkerKey::Nonce nonce{};
  WorkerKey::Proof proof{};
};

Answer ReadAnswer(std::span<const std::byte, Admission::kAnswerSize> bytes) {
  Answer answer;
  for (std::size_t i = 0; i < 8; ++i) answer.ticket |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
  std::memcpy(answer.nonce.data(), bytes.data() + 8, answer.nonce.size());
  std::memcpy(answer.proof.data(), bytes.data() + 8 + answer.nonce.size(), answer.proof.size());
  return answer;
}

/// What one try to join came to, other than success.
struct TryAgain {};

std::pair<FileDescriptor, WorkerWelcome> TryToJoin(const std::string& address, std::uint64_t ticket,
                                                   const WorkerKey& key, SocketDeadline deadline) {
  FileDescriptor connection = ConnectTo(address, deadline);
  std::array<std::byte, Admission::kChallengeSize> challenge;
  if (!ReadExactly(connection.Number(), challenge, deadline)) throw TryAgain{};
  if (std::memcmp(challenge.data(), kProtocolName.data(), kProtocolName.size()) != 0) {
    throw FileError({.file = address}, "expected a run that waits for workers, found something else",
                    "correct the address of --connect");
  }
  WorkerKey::Nonce of_run;
  std::memcpy(of_run.data(), challenge.data() + kProtocolName.size(), of_run.size());
  const WorkerKey::Nonce own = WorkerKey::MakeNonce();
  const WorkerKey::Proof proof = key.Prove("worker", of_run, own, ticket);
  std::array<std::byte, Admission::kAnswerSize> answer;
  for (std::size_t i = 0; i < 8; ++i) answer[i] = static_cast<std::byte>(ticket >> (8 * i));
  std::memcpy(answer.data() + 8, own.data(), own.size());
  std::memcpy(answer.data() + 8 + own.size(), proof.data(), proof.size());
  WorkerKey::Proof theirs;
  std::array<std::byte, 4> length;
  if (!WriteExactly(connection.Number(), answer, deadline) ||
      !ReadExactly(connection.Number(), std::as_writable_bytes(std::span(theirs)), deadline) ||
      !ReadExactly(connection.Number(), length, deadline)) {
    throw TryAgain{};
  }
  if (!WorkerKey::Same(theirs, key.Prove("run", of_run, own, ticket))) {
    throw FileError({.file = address}, "expected a run that knows the key, found one that does not",
                    "give the run and its workers the same key");
  }
  std::size_t size = 0;
  for (std::size_t i = 0; i < length.size(); ++i) size |= std::to_integer<std::size_t>(length[i]) << (8 * i);
  Bytes welcome(std::min(size, kLargestWelcome));
  if (size > kLargestWelcome || !ReadExactly(connection.Number(), welcome, deadline)) throw TryAgain{};
  return {std::move(connection), WorkerWelcome::FromBytes(welcome)};
}

}  // namespace

std::array<std::byte, Admission::kChallengeSize> Admission::Challenge() const {
  std::array<std::byte, kChallengeSize> bytes;
  std::memcpy(bytes.data(), kProtocolName.data(), kProtocolName.size());
  std::memcpy(bytes.data() + kProtocolName.size(), nonce_.data(), nonce_.size());
  return bytes;
}

std::optional<std::uint64_t> Admission::Check(std::span<const std::byte, kAnswerSize> bytes) const {
  const Answer answer = ReadAnswer(bytes);
  if (!WorkerKey::Same(answer.proof, key_.Prove("worker", nonce_, answer.nonce, answer.ticket))) return std::nullopt;
  return answer.ticket;
}

Bytes Admission::Accept(std::span<const std::byte, kAnswerSize> bytes, ByteView welcome) const {
  const Answer answer = ReadAnswer(bytes);
  const WorkerKey::Proof proof = key_.Prove("run", nonce_, answer.nonce, answer.ticket);
  Bytes reply;
  for (const std::uint8_t one : proof) reply.push_back(static_cast<std::byte>(one));
  for (std::size_t i = 0; i < 4; ++i) reply.push_back(static_cast<std::byte>(welcome.size() >> (8 * i)));
  reply.insert(reply.end(), welcome.begin(), welcome.end());
  return reply;
}

Bytes WorkerWelcome::ToBytes() const {
  StateWriter writer;
  writer.Write(std::string_view(folder));
  writer.Write(static_cast<std::int64_t>(memory));
  return writer.Take();
}

WorkerWelcome WorkerWelcome::FromBytes(ByteView bytes) {
  StateReader reader(bytes);
  WorkerWelcome welcome;
  welcome.folder = reader.ReadText();
  welcome.memory = static_cast<std::uint64_t>(reader.ReadInteger());
  return welcome;
}

std::pair<FileDescriptor, WorkerWelcome> JoinRun(const std::string& address, std::uint64_t ticket, const WorkerKey& key,
                                                 std::chrono::milliseconds longest) {
  const SocketDeadline deadline = std::chrono::steady_clock::now() + longest;
  while (true) {
    try {
      // A try that begins just before the deadline would find the time too short, and not what is wrong.
      return TryToJoin(address, ticket, key, std::max(deadline, std::chrono::steady_clock::now() + kPause));
    } catch (const TryAgain&) {
      // A run that others flood may close a connection before it looked at it.
    }
    if (std::chrono::steady_clock::now() + kPause > deadline) {
      throw FileError({.file = address},
                      "expected a run that lets this worker in, found one that closes the connection",
                      "give the run and its workers the same key");
    }
    std::this_thread::sleep_for(kPause);
  }
}

void EnterRun(const WorkerWelcome& welcome) {
  std::error_code error;
  std::filesystem::current_path(welcome.folder, error);
  if (error) {
    throw FileError({.file = welcome.folder},
                    fmt::format("expected the folder of the run on this host, found: {}", error.message()),
                    "share it between the hosts, or copy it to the same place");
  }
  if (welcome.memory > 0) {
    const rlimit space{welcome.memory, welcome.memory};
    setrlimit(RLIMIT_AS, &space);
  }
  const FileDescriptor in(open("/dev/null", O_RDONLY | O_CLOEXEC));
  dup2(in.Number(), STDIN_FILENO);
}

}  // namespace openmi
