#include "fmi-bridge/dcp/master/component/SynchronizedStart.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <vector>

namespace openmi::dcp {
namespace {

struct Member {
  const void* who = nullptr;
  std::function<void()> synchronize;
  std::function<void(std::int64_t)> run;
  bool is_started = false;
  std::exception_ptr failure = {};
};

std::mutex guard;
std::vector<Member> members;

/// Calls `work` for each member that waits for its start and has not failed.
template <class Work>
void ForEachWaiting(Work work) {
  for (Member& one : members) {
    if (one.is_started || one.failure != nullptr) continue;
    try {
      work(one);
    } catch (...) {
      one.failure = std::current_exception();
    }
  }
}

}  // namespace

void SynchronizedStart::Join(const void* who, std::function<void()> synchronize,
                             std::function<void(std::int64_t)> run) {
  const std::lock_guard lock(guard);
  members.push_back({.who = who, .synchronize = std::move(synchronize), .run = std::move(run)});
}

void SynchronizedStart::Leave(const void* who) {
  const std::lock_guard lock(guard);
  std::erase_if(members, [who](const Member& one) { return one.who == who; });
}

void SynchronizedStart::Begin(const void* who, double delay) {
  const std::lock_guard lock(guard);
  const auto own = std::ranges::find(members, who, &Member::who);
  if (own == members.end()) return;
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
  members.erase(own);
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace openmi::dcp
