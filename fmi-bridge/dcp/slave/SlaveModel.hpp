#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "fmi-bridge/dcp/slave/SlaveValues.hpp"

namespace openmi::dcp {

/// A communication step of the model, from one simulated time to another.
struct StepSpan {
  double begin = 0.0;  ///< s since the start; an exact multiple of the time resolution
  double end = 0.0;    ///< s
  double Length() const { return end - begin; }
};

/// The five hooks that a simulator implements to be a DCP slave.
///
/// Hooks read and write values through SlaveValues, by name or position. The slave description defines the variables. A
/// hook that throws brings the slave to ERRORHANDLING, where Stop is called, and then to ERRORRESOLVED.
///
/// Order of calls: Configure; then Initialize, as often as the master wants (or never); then Step, Step, ...; Stop.
/// Reset is called when the master starts again. All calls are on the thread that runs the slave.
class SlaveModel {
 public:
  virtual ~SlaveModel() = default;
  /// Sets the initial condition from the parameters. The master has not set the inputs yet.
  virtual void Configure(SlaveValues&) {}
  /// Computes outputs that fit the inputs at the start time. May be called several times.
  virtual void Initialize(SlaveValues&) {}
  /// Advances with the current inputs, and sets the outputs for the end of the step.
  virtual void Step(SlaveValues& values, const StepSpan& span) = 0;
  /// Called when the experiment is over or has failed.
  virtual void Stop(SlaveValues&) {}
  /// Returns to the state after construction: drops all settings and states. Values have their start values again.
  virtual void Reset(SlaveValues&) {}

 protected:
  /// Lets the slave answer requests for its state during a long hook; call it now and then. Does not wait.
  ///
  /// The slave also receives other requests, but acts on them after the hook. It also reads data after the hook.
  void Attend() const {
    if (attend_) attend_();
  }
  /// Adds a message to the slave's log; for hooks only.
  ///
  /// The first template of that level whose only argument is a text (`%String`) is used. Nothing happens if the
  /// description has none, or if the master does not request such messages. If a hook throws, the slave
  /// logs the exception as an error.
  /// \param message  UTF-8; cut after 4000 bytes
  void Report(LogLevel level, std::string_view message) const {
    if (report_) report_(level, message);
  }

 private:
  friend class SlaveRunner;
  std::function<void()> attend_;
  std::function<void(LogLevel, std::string_view)> report_;
};

}  // namespace openmi::dcp
