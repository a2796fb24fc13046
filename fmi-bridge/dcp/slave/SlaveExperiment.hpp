#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "fmi-bridge/dcp/slave/ExchangeLog.hpp"
#include "fmi-bridge/dcp/slave/SlaveConfiguration.hpp"
#include "fmi-bridge/dcp/slave/SlaveModel.hpp"
#include "fmi-bridge/dcp/slave/StepClock.hpp"

namespace openmi::dcp {

/// How far the experiment of a slave has come in simulated time, and the log of what it exchanges.
class SlaveExperiment {
 public:
  /// \param configuration  borrowed
  explicit SlaveExperiment(const SlaveConfiguration& configuration) : configuration_(configuration) {}

  /// Goes back to the start.
  void Rewind() { ticks_ = 0; }
  /// Begins to count steps and to log exchanges.
  /// \param log  the file of the log; empty: none
  /// \throws FileError  the file cannot be written
  void Begin(const std::string& log);
  /// Starts the clock at the present simulated time.
  void StartClock() { clock_start_ = ticks_; }
  /// The step from the present simulated time.
  /// \param length  in steps of the time resolution
  StepSpan Next(std::uint32_t length) const { return {.begin = TimeAfter(0), .end = TimeAfter(length)}; }
  /// Records that the step was done.
  void Advance(std::uint32_t length) {
    ticks_ += length;
    ++steps_done_;
  }
  /// Writes the present inputs or outputs to the log.
  void Log(VariableKind way) {
    if (exchanges_) exchanges_->Write(way, Time());
  }
  void FlushLog() {
    if (exchanges_) exchanges_->Flush();
  }

  /// Simulated time, s since the start.
  double Time() const { return TimeAfter(0); }
  /// Steps of the time resolution since StartClock.
  std::uint64_t SinceClockStart() const { return ticks_ - clock_start_; }
  /// Steps of all experiments.
  std::uint64_t StepsDone() const { return steps_done_; }
  /// Steps since Begin.
  std::uint64_t StepsSinceBegin() const { return steps_done_ - steps_before_; }

 private:
  double TimeAfter(std::uint32_t length) const { return SecondsOf(configuration_.TimeResolution(), ticks_ + length); }

  const SlaveConfiguration& configuration_;
  std::optional<ExchangeLog> exchanges_;
  std::uint64_t ticks_ = 0;        // of the time resolution, simulated
  std::uint64_t clock_start_ = 0;  // the value of ticks_ then
  std::uint64_t steps_done_ = 0;
  std::uint64_t steps_before_ = 0;  // of earlier experiments
};

}  // namespace openmi::dcp
