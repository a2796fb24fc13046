#include "fmi-bridge/dcp/master/component/SlavePeers.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace openmi::dcp {

template <class Work>
void SynchronizedStart::ForEachWaiting(Work work) {
  for (Member& one : members_) {
    if (one.is_started || one.failure != nullptr) continue;
    try {
      work(one);
    } catch (...) {
      one.failure = std::current_exception();
    }
  }
}

void SynchronizedStart::Join(const Slave& slave, std::function<void()> synchronize,
                             std::function<void(std::int64_t)> run) {
  const std::lock_guard lock(guard_);
  members_.push_back({.slave = &slave, .synchronize = std::move(synchronize), .run = std::move(run)});
}

void SynchronizedStart::Leave(const Slave& slave) {
  const std::lock_guard lock(guard_);
  std::erase_if(members_, [&slave](const Member& one) { return one.slave == &slave; });
}

void SynchronizedStart::Begin(const Slave& slave, double delay) {
  const std::lock_guard lock(guard_);
  const auto own = std::ranges::find(members_, &slave, &Member::slave);
  if (own == members_.end()) return;
  if (!own->is_started && own->failure == nullptr) {
    ForEachWaiting([](Member& one) { one.synchronize(); });
    const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    const auto begin = static_cast<std::int64_t>(std::ceil(now + delay));
    ForEachWaiting([begin](Member& one) {
      one.run(begin);
      one.is_started = true;
    });
  }
  const std::exception_ptr failure = own->failure;
  members_.erase(own);
  if (failure != nullptr) std::rethrow_exception(failure);
}

void SlavePeers::Join(Slave& slave) {
  const std::lock_guard lock(guard_);
  slaves_.push_back(&slave);
}

void SlavePeers::Leave(const Slave& slave) {
  const std::lock_guard lock(guard_);
  std::erase(slaves_, &slave);
}

std::vector<Slave*> SlavePeers::Others(const Slave& slave) const {
  const std::lock_guard lock(guard_);
  std::vector<Slave*> others = slaves_;
  std::erase(others, &slave);
  return others;
}

std::uint16_t SlavePeers::NextDataId() {
  const std::lock_guard lock(guard_);
  return static_cast<std::uint16_t>(0x8000U | next_id_++);
}

}  // namespace openmi::dcp
