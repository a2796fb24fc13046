#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

namespace openmi::dcp {

/// How late steps began, relative to the time they were due.
class Lateness {
 public:
  /// Upper bounds of the bins, in us. A last bin holds the rest.
  static constexpr std::array<double, 11> kBounds{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10'000};

  /// Adds a step.
  /// \param due_s  when the step was due, s since the start
  /// \param late_s  how much later it began, s
  void Add(double due_s, double late_s);
  void AddOverrun() { ++overruns_; }

  std::uint64_t Count() const { return count_; }
  std::uint64_t Overruns() const { return overruns_; }
  const std::array<std::uint64_t, kBounds.size() + 1>& Bins() const { return bins_; }
  double Mean() const { return mean_late_; }   ///< s
  double Largest() const { return largest_; }  ///< s
  /// Slope of the line fitted to lateness over time, s per s: the drift of the steps relative to the clock.
  double Drift() const { return time_time_ > 0.0 ? time_late_ / time_time_ : 0.0; }
  /// A summary of several lines for a reader.
  std::string Describe() const;

 private:
  std::array<std::uint64_t, kBounds.size() + 1> bins_{};
  std::uint64_t count_ = 0;
  std::uint64_t overruns_ = 0;
  double largest_ = 0.0;
  // Running means and moments, so that the fit stays exact over hours.
  double mean_time_ = 0.0;
  double mean_late_ = 0.0;
  double time_time_ = 0.0;
  double time_late_ = 0.0;
};

/// When steps of a fixed length are due on the monotonic clock. It counts whole steps, so that nothing drifts.
class StepClock {
 public:
  using Clock = std::chrono::steady_clock;

  /// \param steps  length of a step as a multiple of the time resolution
  void Set(const Resolution& resolution, std::uint32_t steps);
  /// The first step from now on is due one step after `start`.
  void Start(Clock::time_point start);
  Clock::time_point Due() const { return Due(since_start_ + 1); }
  void Advance() { ++since_start_; }
  /// Seconds from the start to the step that is due.
  double SecondsDue() const { return static_cast<double>(since_start_ + 1) * step_s_; }

 private:
  Clock::time_point Due(std::uint64_t step) const;

  std::uint64_t numerator_ = 1;  // of a step in seconds
  std::uint64_t denominator_ = 1;
  double step_s_ = 1.0;
  Clock::time_point start_;
  std::uint64_t since_start_ = 0;
};

/// The length in seconds of a number of steps of a time resolution.
inline double SecondsOf(const Resolution& resolution, std::uint64_t steps) {
  return static_cast<double>(steps) * static_cast<double>(resolution.numerator) /
         static_cast<double>(resolution.denominator);
}

/// Gives the calling thread exact timers, and on request real-time scheduling and locked memory, until it is destroyed.
class RealTimeThread {
 public:
  /// \param is_hard  also SCHED_FIFO and mlockall; else only exact timers
  explicit RealTimeThread(bool is_hard);
  ~RealTimeThread();
  RealTimeThread(const RealTimeThread&) = delete;
  RealTimeThread& operator=(const RealTimeThread&) = delete;
  /// What the system did not permit, and what to do about it; empty when everything was permitted.
  const std::string& Refusal() const { return refusal_; }

 private:
  std::string refusal_;
  bool has_scheduling_ = false;
  bool has_memory_ = false;
  int slack_ = 0;
};

/// The steps of a slave in soft and hard real time: when they are due, and how late they began.
class RealTimeSteps {
 public:
  using Clock = StepClock::Clock;

  /// \param length  of each step, in steps of the time resolution
  void SetLength(std::uint32_t length) { length_ = length; }
  std::uint32_t Length() const { return length_; }
  /// Makes the calling thread a real-time thread, until Leave.
  /// \returns what the system did not permit, see RealTimeThread
  const std::string& Enter(bool is_hard);
  void Leave() { thread_.reset(); }
  /// Sets when the first step begins.
  /// \param unix_seconds  0: now
  void StartAt(std::int64_t unix_seconds);
  /// Starts the clock, at the time that StartAt set.
  void Start(const Resolution& resolution);
  void Halt() { is_started_ = false; }
  bool IsStarted() const { return is_started_; }
  /// When the next step is due; before Start, when the first begins.
  Clock::time_point Due() const { return is_started_ ? clock_.Due() : start_; }
  /// Begins the step that is due, and notes how late it is.
  void Begin(Clock::time_point now);
  /// Notes that a step ended after the next was due.
  void AddOverrun() { lateness_.AddOverrun(); }
  /// Lateness of the steps of the last run.
  const Lateness& StepLateness() const { return lateness_; }
  void ClearLateness() { lateness_ = {}; }

 private:
  StepClock clock_;
  std::uint32_t length_ = 1;
  bool is_started_ = false;
  Clock::time_point start_;
  Lateness lateness_;
  std::optional<RealTimeThread> thread_;
};

}  // namespace openmi::dcp
