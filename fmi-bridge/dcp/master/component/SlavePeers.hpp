#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

#include "openmi/sdk/IPeer.hpp"

namespace openmi::dcp {

class Slave;

/// Starts together the slaves of one composition that run in soft or hard real time.
///
/// A slave joins when it is prepared. The first one that steps starts all that have joined, so that none waits for a
/// step of another before it runs. Any thread may call.
class SynchronizedStart {
 public:
  /// Adds a slave. The thread of another slave may call both functions; what they throw, Begin of this slave throws
  /// again.
  /// \param slave  borrowed until Leave or Begin
  /// \param synchronize  brings the slave to SYNCHRONIZED
  /// \param run  lets the slave run from a Unix second on
  void Join(const Slave& slave, std::function<void()> synchronize, std::function<void(std::int64_t)> run);
  /// Removes a slave; does nothing for one that has not joined.
  void Leave(const Slave& slave);
  /// Starts all slaves that have joined, unless that was done since `slave` joined. Then removes `slave`.
  /// \param delay  s; the least time between the end of synchronization and the start
  void Begin(const Slave& slave, double delay);

 private:
  struct Member {
    const Slave* slave = nullptr;
    std::function<void()> synchronize;
    std::function<void(std::int64_t)> run;
    bool is_started = false;
    std::exception_ptr failure = {};
  };
  /// Calls `work` for each member that waits for its start and has not failed.
  template <class Work>
  void ForEachWaiting(Work work);

  std::mutex guard_;
  std::vector<Member> members_;
};

/// What the slaves of one composition share, so that they find each other for direct data and start together. A slave
/// without a composition has one of its own. Any thread may call.
class SlavePeers final : public PeerBoard::Shared {
 public:
  /// Adds a slave.
  /// \param slave  borrowed until Leave
  void Join(Slave& slave);
  void Leave(const Slave& slave);
  /// All slaves except `slave`.
  std::vector<Slave*> Others(const Slave& slave) const;
  /// A new id for direct data, 0x8000 or above.
  std::uint16_t NextDataId();
  SynchronizedStart& CommonStart() { return start_; }

 private:
  mutable std::mutex guard_;
  std::vector<Slave*> slaves_;
  // The ids that a master uses with a slave count from 1 for each slave.
  std::uint16_t next_id_ = 0;
  SynchronizedStart start_;
};

}  // namespace openmi::dcp
