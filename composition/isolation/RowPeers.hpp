#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "composition/channel/Channel.hpp"
#include "composition/channel/RowStream.hpp"
#include "composition/hosts/WorkerPort.hpp"
#include "composition/isolation/KnownPlaces.hpp"
#include "composition/isolation/Protocol.hpp"
#include "composition/isolation/RowArena.hpp"

namespace openmi {

/// Where a row is that did not come with the message that names it. See RowPath.
struct RowName {
  std::int64_t source = -1;  ///< number of the way on which it comes; -1: it comes with the message
  std::size_t place = 0;     ///< its offset in the memory of the worker that made it, bytes
  std::uint64_t count = 0;   ///< how many rows that worker had sent on this way

  bool IsHere() const { return source < 0; }
  void Write(StateWriter& writer) const;
  static RowName Read(StateReader& reader);
};

/// What a worker knows of other workers: whose rows it takes, and to whom it sends rows. The run tells it.
class RowPeers {
 public:
  /// \param channel    to the run; borrowed. Its waits are measured
  /// \param arena      the rows of this worker; borrowed
  /// \param socket     the connection to the run; borrowed
  /// \param key        of connections between workers; empty: the run tells it
  RowPeers(Channel& channel, RowArena& arena, int socket, std::string key);
  ~RowPeers();

  /// The rows of this worker.
  RowArena& Arena() { return arena_; }
  /// The elements that crossed to the run and from it.
  KnownPlaces& Places() { return places_; }
  /// Answers a request of the run that concerns the worker and no component.
  void Answer(HostRequest request, StateReader& reader, StateWriter& reply);
  /// Takes a row that a message named.
  /// \param into  where it is copied if it is in memory of this host
  /// \param held  else becomes the row
  /// \throws ModelError, RangeError  it did not come
  void Take(const RowName& name, std::span<double> into, HeldRow& held);
  /// Sends a row to another worker.
  /// \param sink  its number
  void Send(std::size_t sink, std::size_t place, std::span<const double> row) { sinks_.at(sink)->Send(place, row); }
  /// Writes how many rows and bytes were sent to each, how long rows of each were waited for, and how long this process
  /// has computed.
  void WriteWork(StateWriter& reply) const;

 private:
  class ISource;
  struct Source {
    std::unique_ptr<ISource> rows;
    std::uint64_t bytes = 0;  // read in memory
    double waited = 0.0;      // seconds
  };
  class Memory;
  class Stream;
  struct Expected;
  std::string OwnAddress() const;
  void Expect(StateReader& reader, StateWriter& reply);
  void TakeExpected(StateReader& reader, StateWriter& reply);
  void Connect(StateReader& reader, StateWriter& reply);

  Channel& channel_;
  RowArena& arena_;
  KnownPlaces places_{true};
  double waited_ = 0.0;
  int socket_;
  std::string key_;
  std::vector<Source> sources_;
  std::vector<std::unique_ptr<RowSender>> sinks_;
  std::map<std::int64_t, std::unique_ptr<Expected>> expected_;
  std::int64_t next_expected_ = 0;
};

}  // namespace openmi
