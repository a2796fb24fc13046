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
///
/// Frames of the last step are not in the file before the next one starts or a state is kept: an iterated loop may take
/// the step back, and a resumed run computes it again.
class BusFrames {
 public:
  /// Appends to the file.
  /// \throws FileError  the file cannot be opened
  explicit BusFrames(std::string path);
  /// Writes what is left, as far as the disk allows.
  ~BusFrames();
  BusFrames(const BusFrames&) = delete;
  BusFrames& operator=(const BusFrames&) = delete;

  /// Takes the frames of CAN and CAN FD among operations; others, and operations of other buses, are passed over.
  /// \param time  when they were sent; what was sent at the start of a step gets a microsecond more, so that it is
  ///   known to be of that step where a run goes back to its start
  /// \param bus  a name for the channel; what is no letter, digit, '-', '_' or '.' becomes '_'
  /// \param operations  as a Tx data variable has them
  /// \throws FormatError  an operation is longer than the buffer, or a frame breaks a rule of CAN or CAN FD: its
  ///   identifier or its data are too long, or its operation has another length than they need
  void Take(Stamp time, std::string_view bus, std::span<const std::byte> operations);
  /// A step starts: writes what was taken. After Drop, first removes from the file what is later than `time`.
  /// \throws FileError  the file cannot be written
  void StartStep(Stamp time);
  /// Writes what was taken.
  /// \throws FileError  the file cannot be written
  void Keep();
  /// The component went back to an earlier state: forgets what was taken since.
  void Drop();

 private:
  void CutAfter(Stamp time);

  std::string path_;
  std::ofstream file_;
  std::string taken_;
  Stamp last_taken_;
  Stamp last_;   // in the file; frames of an earlier process may be of any time
  Stamp start_;  // of the step
  bool cuts_ = false;
};

}  // namespace openmi::fmi
