#pragma once

#include <cstddef>
#include <fstream>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::fmi {

/// Whether a variable carries operations of a bus: buffers of several ticks may be put together into one.
///
/// Source: FMI layered standard for buses 1.0, Tx/Rx data variables.
bool IsBusData(const Variable& variable);
/// The clocks to which operations of a bus belong.
std::set<Index> BusClocks(const ModelDescription& description);

/// Writes the frames of CAN buses to a file as `candump -l` does, for canplayer, log2asc and Wireshark: a line for each
/// frame with its time, bus, identifier and data.
class BusFrames {
 public:
  /// Appends to the file.
  /// \throws FileError  the file cannot be opened
  explicit BusFrames(const std::string& path);
  /// Writes the frames of CAN and CAN FD among operations; confirmations, configurations and other buses are passed
  /// over. \param bus         a name for the channel; what is no letter, digit, '-', '_' or '.' becomes '_'
  /// \param operations  as a Tx data variable has them
  /// \throws FormatError  an operation is longer than the buffer, or shorter than what it must hold; those before it are
  ///                      written
  void Write(Stamp time, std::string_view bus, std::span<const std::byte> operations);

 private:
  std::ofstream file_;
};

}  // namespace openmi::fmi
