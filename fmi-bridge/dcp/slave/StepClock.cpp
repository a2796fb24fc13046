#include "fmi-bridge/dcp/slave/StepClock.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>

namespace openmi::dcp {
namespace {

constexpr int kPriority = 50;  // of SCHED_FIFO: above ordinary programs, below the kernel's own threads

}  // namespace

void Lateness::Add(double due_s, double late_s) {
  const auto bin = std::ranges::lower_bound(kBounds, late_s * 1e6) - kBounds.begin();
  ++bins_[static_cast<std::size_t>(bin)];
  ++count_;
  largest_ = std::max(largest_, late_s);
  const double weight = 1.0 / static_cast<double>(count_);
  const double from_mean = due_s - mean_time_;
  mean_time_ += from_mean * weight;
  mean_late_ += (late_s - mean_late_) * weight;
  time_time_ += from_mean * (due_s - mean_time_);
  time_late_ += from_mean * (late_s - mean_late_);
}

std::string Lateness::Describe() const {
  std::string text = fmt::format("{} steps, lateness mean {:.1f} us, largest {:.1f} us, drift {:.1e}, overruns {}\n",
                                 count_, Mean() * 1e6, largest_ * 1e6, Drift(), overruns_);
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    if (bins_[i] == 0) continue;
    const std::string bin =
        i < kBounds.size() ? fmt::format("to {:g} us", kBounds[i]) : fmt::format("over {:g} us", kBounds.back());
    text += fmt::format("  {:<14} {}\n", bin, bins_[i]);
  }
  return text;
}

void StepClock::Set(const Resolution& resolution, std::uint32_t steps) {
  numerator_ = std::uint64_t{resolution.numerator} * steps;
  denominator_ = resolution.denominator;
  const std::uint64_t common = std::gcd(numerator_, denominator_);
  numerator_ /= common;
  denominator_ /= common;
  step_s_ = static_cast<double>(numerator_) / static_cast<double>(denominator_);
}

void StepClock::Start(Clock::time_point start) {
  start_ = start;
  since_start_ = 0;
}

StepClock::Clock::time_point StepClock::Due(std::uint64_t step) const {
  // Whole nanoseconds of step * numerator / denominator seconds, without loss of digits.
  const auto product = static_cast<unsigned __int128>(step) * numerator_ * 1'000'000'000U / denominator_;
  return start_ + std::chrono::nanoseconds(static_cast<std::int64_t>(product));
}

RealTimeThread::RealTimeThread(bool is_hard) : slack_(prctl(PR_GET_TIMERSLACK)) {
  prctl(PR_SET_TIMERSLACK, 1);
  if (!is_hard) return;
  const sched_param wanted{.sched_priority = kPriority};
  has_scheduling_ = sched_setscheduler(0, SCHED_FIFO, &wanted) == 0;
  if (!has_scheduling_) {
    refusal_ = fmt::format("real-time scheduling is not permitted ({}): allow it with 'ulimit -r {}' or CAP_SYS_NICE",
                           std::strerror(errno), kPriority);
  }
  has_memory_ = mlockall(MCL_CURRENT | MCL_FUTURE) == 0;
  if (!has_memory_) {
    refusal_ += fmt::format("{}memory cannot be locked ({}): allow it with 'ulimit -l unlimited' or CAP_IPC_LOCK",
                            refusal_.empty() ? "" : "; ", std::strerror(errno));
  }
}

RealTimeThread::~RealTimeThread() {
  prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(std::max(slack_, 1)));
  if (has_memory_) munlockall();
  if (has_scheduling_) {
    const sched_param ordinary{.sched_priority = 0};
    sched_setscheduler(0, SCHED_OTHER, &ordinary);
  }
}

const std::string& RealTimeSteps::Enter(bool is_hard) {
  ClearLateness();
  return thread_.emplace(is_hard).Refusal();
}

void RealTimeSteps::StartAt(std::int64_t unix_seconds) {
  is_started_ = false;
  start_ = Clock::now();
  if (unix_seconds == 0) return;
  const auto ahead =
      std::chrono::system_clock::time_point(std::chrono::seconds(unix_seconds)) - std::chrono::system_clock::now();
  start_ += std::chrono::duration_cast<Clock::duration>(ahead);
}

void RealTimeSteps::Start(const Resolution& resolution) {
  is_started_ = true;
  clock_.Set(resolution, length_);
  clock_.Start(start_);
}

void RealTimeSteps::Begin(Clock::time_point now) {
  lateness_.Add(clock_.SecondsDue(), std::chrono::duration<double>(now - clock_.Due()).count());
  clock_.Advance();
}

}  // namespace openmi::dcp
