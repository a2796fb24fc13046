#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "composition/hosts/WorkerKey.hpp"
#include "openmi/standard/Value.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

// How a worker that connects to a run is let in. Only then the greeting of the worker protocol follows (Greeting), and
// a stranger learns nothing but the name of the protocol.
//
//   run -> worker   "openmi 1", 32 random bytes
//   worker -> run   its ticket (64 bits), 32 random bytes, proof that it knows the key
//   run -> worker   proof that it knows the key, a length (32 bits), what the worker has to know (WorkerWelcome)
//
// Numbers are low byte first.

/// The run's side of one connection, without the connection.
class Admission {
 public:
  static constexpr std::size_t kChallengeSize = 40;
  static constexpr std::size_t kAnswerSize = 72;

  /// \param key  borrowed
  explicit Admission(const WorkerKey& key) : key_(key), nonce_(WorkerKey::MakeNonce()) {}
  /// What to send first.
  std::array<std::byte, kChallengeSize> Challenge() const;
  /// \returns the ticket of the worker, if `answer` proves that it knows the key
  std::optional<std::uint64_t> Check(std::span<const std::byte, kAnswerSize> answer) const;
  /// The proof and the welcome for a worker whose answer was checked.
  Bytes Accept(std::span<const std::byte, kAnswerSize> answer, ByteView welcome) const;

 private:
  const WorkerKey& key_;
  WorkerKey::Nonce nonce_;
};

/// What a worker has to know before it holds components.
struct WorkerWelcome {
  std::string folder;        ///< the working folder of the run
  std::uint64_t memory = 0;  ///< limit of the address space, bytes; 0: none

  Bytes ToBytes() const;
  /// \throws FormatError  they are not the bytes of a welcome
  static WorkerWelcome FromBytes(ByteView bytes);
};

/// The worker's side: connects to a run, and proves to know the key.
/// \param address  "host:port"
/// \param longest  how long to try
/// \returns the connection and the welcome
/// \throws FileError  no run is there, or it does not know the key
std::pair<FileDescriptor, WorkerWelcome> JoinRun(const std::string& address, std::uint64_t ticket, const WorkerKey& key,
                                                 std::chrono::milliseconds longest);

/// Enters the folder of the run, keeps its limits, and closes standard input.
/// \throws FileError  the folder is not on this host
void EnterRun(const WorkerWelcome& welcome);

}  // namespace openmi
