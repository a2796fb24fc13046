#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "composition/run/CompositionRun.hpp"
#include "composition/state/Checkpoint.hpp"
#include "fmi-bridge/export/ExportInterface.hpp"

namespace openmi::exported {

/// The values with which the run of an exported model was started.
struct RunSetting {
  double start = 0.0;               ///< s
  std::optional<double> stop = {};  ///< s; nothing: that of the composition
  std::vector<std::string> texts = {};
  std::vector<double> parameters = {};  ///< in the order of the variables
  bool operator==(const RunSetting&) const = default;
};

/// A state of an exported model.
struct ExportedState {
  std::string note = {};
  std::vector<double> values = {};  ///< shape [slots]
  bool has_run = false;             ///< else nothing below is set
  RunSetting setting = {};
  std::vector<double> supplied = {};          ///< shape [slots]
  Bytes taps = {};                            ///< see ExportedItems::TappedRows
  std::optional<Checkpoint> checkpoint = {};  ///< of the run: either this
  Bytes bytes = {};                           ///< or its bytes
};

/// The states of an exported model that its importer keeps, by number.
class ExportedStates {
 public:
  /// \returns the number of the state
  std::int64_t Keep(ExportedState state);
  /// \throws RangeError  there is no such state
  ExportedState& Find(std::int64_t number);
  void Free(std::int64_t number) { states_.erase(number); }
  /// The bytes of a state.
  /// \param run  of the checkpoint; may be null where the state has none
  /// \throws RangeError  there is no such state
  /// \throws Error       the state cannot be written
  std::string ToBytes(std::int64_t number, const ExportInterface& interface, CompositionRun* run);
  /// Adds a state from its bytes.
  /// \returns the number of the state
  /// \throws FormatError  the bytes are not a state of this model, or they are damaged
  std::int64_t FromBytes(std::string_view bytes, const ExportInterface& interface);

 private:
  std::map<std::int64_t, ExportedState> states_;
  std::int64_t next_ = 1;
};

}  // namespace openmi::exported
