#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveConfiguration.hpp"

namespace openmi::dcp {

/// Data that did not come to a slave.
struct MissedData {
  PduType type = PduType::DAT_input_output;
  std::uint16_t id = 0;        ///< data_id or param_id
  std::uint16_t number = 0;    ///< sequence number of the first that is missing; 0 where none came before
  std::uint32_t in_a_row = 1;  ///< how many are missing, one after the other
  bool is_at_begin = true;     ///< noticed as a step or an initialization began; else by a gap in the numbers
  bool is_too_many = false;    ///< more than the slave bears
};

/// Finds the groups of inputs that brought nothing new before a step of non-real time: what their variables hold
/// belongs to an earlier time.
///
/// An input may be in several groups, as where a master stands in for another slave: it is new where one of them is.
/// Source: DCP 1.0, 3.4.2 (maxConsecMissedPdus), which leaves open how a loss is detected.
class MissedInputs {
 public:
  /// \param configuration  borrowed
  explicit MissedInputs(SlaveConfiguration& configuration) : configuration_(configuration) {}

  /// Looks which inputs are in several groups. \pre the configuration is complete; call when it changes
  void Prepare();
  /// All that came until now is no news for the next step.
  void Mark();
  /// As Mark, where steps follow: of an input in several groups the first step needs no news, as its initial value may
  /// have come by another group.
  void MarkBegin();
  /// Whether each group that is in scope and carries something brought news; false where there is none.
  bool AllAreNew() const;
  /// Whether the next step would begin without news of a group whose description says how many may be missed.
  bool AreAwaited() const;
  /// Counts and reports each group that lacks news, then marks what came.
  void Judge(bool at_initialization, const std::function<void(const MissedData&)>& report);

 private:
  struct Watched {
    std::uint16_t id = 0;
    InputGroup* group = nullptr;
    bool at_initialization = false;  ///< in scope there
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
