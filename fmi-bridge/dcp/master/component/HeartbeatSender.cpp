#include "fmi-bridge/dcp/master/component/HeartbeatSender.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace openmi::dcp {
namespace {

struct Beating {
  const void* who = nullptr;
  std::jthread heart;
};

std::mutex heart_guard;
std::vector<Beating> beating;

void Beat(const std::stop_token& stop, std::chrono::steady_clock::duration interval,
          const std::function<void()>& beat) {
  std::mutex own;
  std::condition_variable_any stopped;
  std::unique_lock lock(own);
  while (!stopped.wait_for(lock, stop, interval / 2, [&] { return stop.stop_requested(); })) beat();
}

}  // namespace

void HeartbeatSender::Join(const void* who, std::chrono::steady_clock::duration interval, std::function<void()> beat) {
  const std::lock_guard lock(heart_guard);
  beating.push_back({.who = who, .heart = std::jthread(Beat, interval, std::move(beat))});
}

void HeartbeatSender::Leave(const void* who) {
  std::vector<Beating> ended;
  const std::lock_guard lock(heart_guard);
  const auto found = std::ranges::find(beating, who, &Beating::who);
  if (found == beating.end()) return;
  ended.push_back(std::move(*found));
  beating.erase(found);
}

}  // namespace openmi::dcp
