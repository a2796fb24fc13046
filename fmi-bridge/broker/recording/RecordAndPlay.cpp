#include "fmi-bridge/broker/recording/RecordAndPlay.hpp"

#include <algorithm>
#include <thread>

#include "fmi-bridge/broker/stream/MessageParser.hpp"

namespace openmi::broker {
namespace {
constexpr std::chrono::milliseconds kSlice{100};  // the longest time until Stop takes effect
constexpr std::uint64_t kFlushEvery = 500;
}  // namespace

std::uint64_t StreamRecorder::Run() {
  using Clock = std::chrono::steady_clock;
  std::uint64_t count = 0;
  std::uint64_t place = 0;
  auto last = Clock::now();
  const auto flush = [&] {
    writer_.Flush();
    if (place != 0) source_.Release(place);
  };
  Delivery delivery;
  while (!stops_ && (options_.most_messages == 0 || count < options_.most_messages)) {
    const Taken taken = source_.Take(delivery, kSlice, counts_);
    if (taken == Taken::End) break;
    if (taken == Taken::Nothing) {
      flush();
      if (options_.idle && Clock::now() - last > *options_.idle) break;
      continue;
    }
    last = Clock::now();
    place = delivery.place;
    if (delivery.is_oversized) {
      ++counts_.oversized;
      continue;
    }
    writer_.Append({.received = WallClock(), .id = delivery.id, .body = delivery.body});
    if (++count % kFlushEvery == 0) flush();
  }
  flush();
  return count;
}

std::uint64_t RecordingPlayer::Run() {
  using Clock = std::chrono::steady_clock;
  MessageParser parser({}, options_.stamp_member);
  Message message;
  Delivery delivery;
  std::optional<Nanos> first;
  const auto begin = Clock::now();
  std::uint64_t count = 0;
  while (!stops_ && source_.Take(delivery, {}, counts_) == Taken::Message) {
    if (delivery.is_oversized) {
      ++counts_.oversized;
      continue;
    }
    const Verdict verdict = parser.Parse(delivery.body, message, counts_);
    std::optional<Nanos> stamp;
    if (verdict == Verdict::Good || verdict == Verdict::Foreign) stamp = message.stamp;
    if (options_.is_by_arrival) stamp = source_.Received() == 0 ? std::nullopt : std::optional(source_.Received());
    if (stamp && options_.pace > 0.0) {
      if (!first) first = stamp;
      const auto due = begin + std::chrono::nanoseconds(
                                   static_cast<std::int64_t>(static_cast<double>(*stamp - *first) / options_.pace));
      while (!stops_ && Clock::now() < due) std::this_thread::sleep_until(std::min(due, Clock::now() + kSlice));
      if (stops_) break;
    }
    sink_.Publish(delivery.body, delivery.id, stamp.value_or(0));
    ++count;
  }
  sink_.Flush();
  return count;
}

}  // namespace openmi::broker
