#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "fmi-bridge/dcp/slave/SlaveValues.hpp"

namespace openmi::dcp {

/// A communication step of the model: from one simulated time to another.
struct StepSpan {
  double begin = 0.0;  ///< s since the start; exact multiples of the time resolution
  double end = 0.0;    ///< s
  double Length() const { return end - begin; }
};

/// What a simulator fills in to be a DCP slave: five hooks. Values are read and written by name or position through
/// SlaveValues; which variables there are says the slave description. A hook that throws brings the slave to
/// ERRORHANDLING, where Stop is called, and on to ERRORRESOLVED.
///
/// Order of calls: Configure, then Initialize as often as the master wants (or never), then Step, Step, ..., Stop;
/// Reset when the master starts anew. All on the thread that runs the slave.
class SlaveModel {
 public:
  virtual ~SlaveModel() = default;
  /// Makes a start condition from the parameters; inputs are not there yet.
  virtual void Configure(SlaveValues&) {}
  /// Makes outputs that fit the inputs, at the start time; may come several times.
  virtual void Initialize(SlaveValues&) {}
  /// Advances with the inputs as they are now, and sets the outputs for the end of the step.
  virtual void Step(SlaveValues& values, const StepSpan& span) = 0;
  /// The experiment is over, or has failed.
  virtual void Stop(SlaveValues&) {}
  /// As it was made: all settings and states go. Values have their start values again.
  virtual void Reset(SlaveValues&) {}

 protected:
  /// For hooks that take long, to be called now and then: the slave answers questions for its state and takes other
  /// requests, which it deals with after the hook. Data that come meanwhile are taken after it, too. Does not wait.
  void Attend() const {
    if (attend_) attend_();
  }
  /// Adds a message to the slave's log, by the first template of that level in the description that takes one text and
  /// nothing else ("%String"); nothing happens where there is none, or the master does not want to know. In hooks only.
  /// A hook that throws does so by itself, as an error.
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
