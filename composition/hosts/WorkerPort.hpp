#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>

#include "composition/hosts/Address.hpp"
#include "composition/hosts/Admission.hpp"

namespace openmi {

/// Where workers of a run connect. It listens only while a worker is expected, and lets those in that know the key.
///
/// A stranger gets 40 random bytes. What it sends ends in a closed connection after at most 3 s, or at once when many
/// of them come. May be used by several threads.
class WorkerPort {
 public:
  /// \param host  the interface to listen at; see ListenAt
  WorkerPort(std::string host, WorkerKey key) : host_(std::move(host)), key_(std::move(key)) {}

  const WorkerKey& Key() const { return key_; }
  /// Expects more workers, and listens.
  /// \returns the ticket of the first; those of the others follow it
  /// \throws FileError  see ListenAt
  std::uint64_t Expect(const WorkerWelcome& welcome, int workers = 1);
  /// "host:port" for workers.
  /// \pre  a worker is expected
  std::string Address() const;
  /// Waits for a worker.
  /// \param goes_on  whether to wait on; called every few milliseconds
  /// \returns its connection; closed if `goes_on` said no
  FileDescriptor Take(std::uint64_t ticket, const std::function<bool()>& goes_on);
  /// Expects it no more.
  void GiveUp(std::uint64_t ticket);
  /// How many connections were closed that did not prove to know the key.
  std::uint64_t Refused() const;

 private:
  struct Visitor {
    FileDescriptor connection;
    Admission admission;
    SocketDeadline until;
    std::array<std::byte, Admission::kAnswerSize> answer{};
    std::size_t got = 0;
  };
  void AcceptSome();
  void ServeVisitors();
  /// \returns whether the visitor stays
  bool Serve(Visitor& visitor);
  void CloseIfDone();

  std::string host_;
  WorkerKey key_;
  mutable std::mutex mutex_;
  FileDescriptor listener_;
  std::string address_;
  std::uint64_t next_ticket_ = 1;
  std::map<std::uint64_t, Bytes> expected_;            // welcome, by ticket
  std::map<std::uint64_t, FileDescriptor> connected_;  // let in and not taken yet
  std::list<Visitor> visitors_;                        // in the order of their arrival
  std::uint64_t refused_ = 0;
};

}  // namespace openmi
