#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveConfiguration.hpp"

namespace openmi::dcp {

/// Data that did not arrive at a slave.
struct MissedData {
  PduType type = PduType::DAT_input_output;
  std::uint16_t id = 0;        ///< data_id or param_id
  std::uint16_t number = 0;    ///< sequence number of the first missing one; 0 where none arrived before
  std::uint32_t in_a_row = 1;  ///< how many are missing in a row
  bool is_at_begin = true;     ///< noticed when a step or an initialization began; else by a gap in the numbers
  bool is_too_many = false;    ///< more than the slave allows
};

/// Finds the groups of inputs that brought no new data before a step in NRT: their variables hold values of an earlier
/// time.
///
/// An input may be in several groups, for example where a master takes over for another slave. It is new where one of
/// these groups is new. Source: DCP 1.0, 3.4.2 (maxConsecMissedPdus), which leaves open how a loss is detected.
class MissedInputs {
 public:
  /// \param configuration  borrowed
  explicit MissedInputs(SlaveConfiguration& configuration) : configuration_(configuration) {}

  /// Finds which inputs are in several groups. Call again when the configuration changes.
  /// \pre The configuration is complete.
  void Prepare();
  /// Marks all data received until now as old for the next step.
  void Mark();
  /// Marks as Mark does, when the first step follows.
  ///
  /// In the first step an input in several groups needs no new data, because another group may have brought its initial
  /// value.
  void MarkBegin();
  /// Whether each group that is in scope of the run has new data; false where there is no group.
  bool AllAreNew() const;
  /// Whether the next step would begin without new data of a group for which the description limits the losses.
  bool AreAwaited() const;
  /// Counts and reports each group that lacks new data, then marks the received data as old.
  void Judge(bool at_initialization, const std::function<void(const MissedData&)>& report);

 private:
  struct Watched {
    std::uint16_t id = 0;
    InputGroup* group = nullptr;
    bool at_initialization = false;  ///< in scope at initialization
    bool in_run = false;
    std::vector<std::vector<const InputGroup*>> others;  ///< for each of its places, the other groups in the run
  };
  static bool IsNew(const InputGroup& group) { return group.taken > group.taken_before; }
  bool Lacks(const Watched& watched, bool at_initialization) const;

  SlaveConfiguration& configuration_;
  std::vector<Watched> watched_;
  bool is_first_ = false;
};

}  // namespace openmi::dcp
