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

struct Beating {
  const void* who = nullptr;
  Duration interval{};
  std::function<void()> beat;
};

std::mutex heart_guard;
std::condition_variable changed;
std::vector<Beating> beating;
std::jthread heart;

void Beat(const std::stop_token& stop) {
  std::unique_lock lock(heart_guard);
  while (!stop.stop_requested()) {
    const Duration shortest = std::ranges::min_element(beating, {}, &Beating::interval)->interval;
    changed.wait_for(lock, shortest / 2);
    if (stop.stop_requested()) return;
    for (const Beating& one : beating) one.beat();
  }
}

}  // namespace

void Pulse::Join(const void* who, std::chrono::steady_clock::duration interval, std::function<void()> beat) {
  const std::lock_guard lock(heart_guard);
  beating.push_back({.who = who, .interval = interval, .beat = std::move(beat)});
  if (!heart.joinable()) {
    heart = std::jthread(Beat);
  } else {
    changed.notify_all();
  }
}

void Pulse::Leave(const void* who) {
  std::jthread ended;
  {
    const std::lock_guard lock(heart_guard);
    const bool was_here = std::erase_if(beating, [who](const Beating& one) { return one.who == who; }) > 0;
    if (!was_here || !beating.empty()) return;
    heart.request_stop();
    ended = std::move(heart);
    changed.notify_all();
  }  // and waits for its end when `ended` goes
}

}  // namespace openmi::dcp
