#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/master/SessionSockets.hpp"
#include "fmi-bridge/dcp/protocol/pdu/DataPdu.hpp"
#include "fmi-bridge/dcp/slave/SlaveValues.hpp"

namespace openmi::dcp {

/// Variables that a data PDU carries.
struct DataGroup {
  std::uint16_t id = 0;
  bool is_tunable = false;  ///< parameters, whose ids are counted separately
  bool stands_by = false;   ///< an input that another slave sends
  std::size_t lane = 0;     ///< see SessionSockets
  DataLayout layout = {};
  std::vector<Index> variables = {};
  Scope scope = Scope::InitializationAndRun;
  std::uint32_t steps = 1;
  std::uint16_t sequence = 0;  ///< of the next PDU to send
  SequenceWatch watch = {};
  bool is_fresh = false;  ///< something arrived since MarkStale
};

/// The data that a master and a slave exchange: inputs sent, outputs received, and what was lost. A step allocates
/// nothing.
class DataGroups {
 public:
  /// All are borrowed.
  DataGroups(SessionSockets& sockets, const SessionOptions& options, SlaveValues& values, SessionCounts& counts)
      : sockets_(sockets), options_(options), values_(values), counts_(counts) {}

  /// Puts variables into groups, see SlaveSession::Plan.
  void Plan(std::span<const Index> inputs, std::span<const Index> outputs, std::span<const Index> stand_by);
  std::span<const DataGroup> Inputs() const { return inputs_; }
  std::span<const DataGroup> Outputs() const { return outputs_; }

  /// Sets whether SendInputs sends the inputs that stand by.
  void SetTakeOver(bool sends) { takes_over_ = sends; }
  /// Sends the inputs, each group with its next number.
  /// \param all  whether to send the inputs that stand by in any case
  /// \returns the id of the first group that could not be sent, and is the last one tried; 0 where all were sent
  std::uint16_t SendInputs(bool all);
  /// The inputs that were sent last, with their sequence numbers.
  std::string LastInputs() const;
  /// Notes that the slave reports a data PDU as missing.
  void NoteMissed(std::uint16_t id);
  /// Whether inputs of this side were reported as missing since they were sent last.
  bool HasMissedInputs() const { return has_missed_inputs_; }

  void MarkStale() {
    for (DataGroup& group : outputs_) group.is_fresh = false;
  }
  /// Whether all outputs arrived that are sent in a step, or at initialization.
  bool AreFresh(bool at_initialization) const;
  /// Takes a data PDU.
  /// \returns whether it is the first one taken with its id
  bool Take(const Dat& data);

 private:
  void Add(std::vector<DataGroup>& groups, std::span<const Index> variables, bool stand_by);

  SessionSockets& sockets_;
  const SessionOptions& options_;
  SlaveValues& values_;
  SessionCounts& counts_;
  std::vector<DataGroup> inputs_;
  std::vector<DataGroup> outputs_;
  bool takes_over_ = false;
  bool has_missed_inputs_ = false;
  Bytes buffer_;
};

}  // namespace openmi::dcp
