#include "fmi-bridge/dcp/component/Pulse.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace openmi::dcp {
namespace {

using Duration = std::chrono::steady_clock::duration;

struct Member {
  const void* who = nullptr;
  Duration interval{};
  std::function<void()> beat;
};

std::mutex guard;
std::condition_variable changed;
std::vector<Member> members;
std::jthread heart;

void Beat(const std::stop_token& stop) {
  std::unique_lock lock(guard);
  while (!stop.stop_requested()) {
    const Duration shortest = std::ranges::min_element(members, {}, &Member::interval)->interval;
    changed.wait_for(lock, shortest / 2);
    if (stop.stop_requested()) return;
    for (const Member& one : members) one.beat();
  }
}

}  // namespace

void Pulse::Join(const void* who, std::chrono::steady_clock::duration interval, std::function<void()> beat) {
  const std::lock_guard lock(guard);
  members.push_back({.who = who, .interval = interval, .beat = std::move(beat)});
  if (!heart.joinable()) {
    heart = std::jthread(Beat);
  } else {
    changed.notify_all();
  }
}

void Pulse::Leave(const void* who) {
  std::jthread ended;
  {
    const std::lock_guard lock(guard);
    const bool was_here = std::erase_if(members, [who](const Member& one) { return one.who == who; }) > 0;
    if (!was_here || !members.empty()) return;
    heart.request_stop();
    ended = std::move(heart);
    changed.notify_all();
  }  // and waits for its end when `ended` goes
}

}  // namespace openmi::dcp
