#pragma once

#include <string>

#include "fmi-bridge/dcp/master/SessionOptions.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/ResultsFolder.hpp"

namespace openmi::dcp {

/// The arguments of a slave's component, apart from those of the slave's variables.
struct SessionArguments {
  Argument<std::string> description;
  Argument<std::string> host;
  Argument<int> port;
  Argument<std::string> transport;
  Argument<std::string> data_transport;
  Argument<int> data_port;
  Argument<std::string> local_host;
  Argument<int> slave_id;
  Argument<std::string> mode;
  Argument<std::string> synchronization;
  Argument<std::string> time_resolution;
  Argument<std::string> on_loss;
  Argument<int> group_size;
  Argument<double> answer_timeout;
  Argument<int> tries;
  Argument<double> change_timeout;
  Argument<double> step_timeout;
  Argument<double> data_timeout;
  Argument<double> start_delay;
  Argument<int> initial_rounds;
  Argument<double> initial_tolerance;
  Argument<bool> direct;
  Argument<bool> counters;
  Argument<std::string> log_level;
  Argument<std::string> log_file;
  Argument<std::string> exchange_log;
  ResultsFolder results_folder = {};
};

/// Declares the arguments.
SessionArguments AddSessionArguments(ArgumentList& list);
/// Options that hold mode, lock-step and time resolution.
/// \param where  file and component, for messages
/// \throws ArgumentError  the slave does not support them
SessionOptions ReadTiming(const SessionArguments& arguments, const SlaveDescription& description, Where where);
/// Completes what ReadTiming gave by everything else but the steps.
/// \param where  file and component, for messages
/// \throws ArgumentError  the slave has no such transport, its port is not known, or a host is unknown
SessionOptions Complete(SessionOptions options, const SessionArguments& arguments, const SlaveDescription& description,
                        Where where);

}  // namespace openmi::dcp
