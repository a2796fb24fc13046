#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveSockets.hpp"

namespace openmi::dcp {

/// Sends the outputs of a slave to their targets. Allocates nothing per PDU, except for texts without a largest size.
class OutputSender {
 public:
  /// \param ports  borrowed
  /// \param reports  borrowed
  OutputSender(SlaveSockets& ports, SlaveReports& reports) : ports_(ports), reports_(reports), buffer_(64 << 10) {}

  /// Connects to the targets of all outputs.
  /// \param configuration  borrowed until Clear
  /// \returns the longest step after which all outputs of the run can be sent in time, in steps of the time resolution
  /// \throws FileError  a target cannot be reached
  std::uint32_t Connect(SlaveConfiguration& configuration);
  void Clear() { sendings_.clear(); }
  /// Sends the outputs that are in scope. Fails where the connection with a target is lost.
  /// \param initialization  in scope of the initialization; else of the run
  /// \param since_start  steps since the start: only outputs that are due then; 0: all
  /// \param master  where the master is
  /// \returns whether there were any
  bool Send(bool initialization, std::uint64_t since_start, const Transport* master);

 private:
  struct Sending {
    std::uint16_t data_id = 0;
    OutputGroup* group = nullptr;
    bool at_initialization = false;
    bool in_run = false;
    std::uint32_t every = 1;  // steps of the clock
    std::vector<Peer> targets;
  };
  void Send(Sending& sending, const Transport* master);

  SlaveSockets& ports_;
  SlaveReports& reports_;
  std::vector<Sending> sendings_;
  Bytes buffer_;
  bool has_reported_unsent_ = false;  // that a transport refused data at once
};

}  // namespace openmi::dcp
