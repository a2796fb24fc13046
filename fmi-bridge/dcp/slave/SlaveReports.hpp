#pragma once

#include <string>
#include <string_view>

#include "fmi-bridge/dcp/slave/SlaveMachine.hpp"
#include "fmi-bridge/dcp/slave/SlaveOptions.hpp"

namespace openmi::dcp {

/// What a slave reports: lines to its operator, entries of the log that its master requests, and why an experiment
/// failed.
class SlaveReports {
 public:
  /// \param options  borrowed
  /// \param machine  borrowed
  SlaveReports(const SlaveOptions& options, SlaveMachine& machine) : options_(options), machine_(machine) {}

  /// Shows a line to the operator.
  void Show(const std::string& line) const {
    if (options_.show) options_.show(line);
  }
  /// Shows a PDU to whoever watches.
  void Watch(bool is_sent, Endpoint peer, ByteView pdu) const {
    if (options_.watch) options_.watch(is_sent, peer, pdu);
  }
  /// Adds a message to the log, with a template whose only argument is a text: see SlaveModel::Report.
  void Report(LogLevel level, std::string_view message);
  /// Shows a line and logs it as a warning.
  void Warn(const std::string& line) {
    Show(line);
    Report(LogLevel::Warning, line);
  }
  /// Shows a line as the reason why the experiment has failed.
  void SetProblem(const std::string& why) {
    problem_ = why;
    Show(why);
  }
  /// Ends the experiment with an error, for a reason that is shown and logged.
  void Fail(const std::string& why);
  /// Reports data that did not arrive: the first of an experiment in words, all in the log.
  /// \param time  s since the start
  void Missed(const MissedData& data, double time);
  /// Forgets the last experiment.
  void Clear() {
    problem_.clear();
    has_reported_missed_ = false;
  }

  /// Why the last experiment failed; empty when it did not fail.
  const std::string& Problem() const { return problem_; }

 private:
  const SlaveOptions& options_;
  SlaveMachine& machine_;
  std::string problem_;
  bool has_reported_missed_ = false;  // a loss of data was reported in this experiment
};

}  // namespace openmi::dcp
