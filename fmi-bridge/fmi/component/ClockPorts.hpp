#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fmi-bridge/fmi/component/MissingInputs.hpp"
#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace openmi::fmi {

/// The clocks of an FMU that are items: outputs count their ticks; an input makes its clock tick as often as the number
/// that it receives has increased.
class ClockPorts {
 public:
  void Clear() { ports_.clear(); }
  /// \param clock  index of the variable
  void Add(Index clock, NumericOutput& output) { ports_.push_back({.clock = clock, .output = &output}); }
  /// \param is_bus  operations of a bus belong to the clock: those of all ticks of a step come together, in one tick
  void Add(Index clock, NumericInput& input, bool is_bus) {
    ports_.push_back({.clock = clock, .input = &input, .is_bus = is_bus});
  }
  bool Empty() const { return ports_.empty(); }
  /// Counts ticks from 0 again.
  /// \returns whether an input is linked
  bool Start();

  /// Takes the number that an input has at the start.
  /// \returns false if there is no such input
  bool SetInitial(std::string_view input, double number);
  /// Before the first step: ticks that were made before the start, in the run of a state in a file, are not made again.
  ///
  /// A count of ticks from a state file stands, unless the provider counts from 0 again. Without one, the number of a
  /// provider that starts from a state file counts as made.
  /// \param to  end of the first step
  void TakeBases(Stamp start, Stamp to);
  /// Notes inputs without a number.
  void Note(MissingInputs& missing, Stamp time) const;
  /// Makes those clocks tick, once each, whose number has grown beyond the ticks made.
  /// \returns whether there is one
  bool Ask(Clocks& clocks);
  /// Spreads the ticks of a step evenly over it, in scheduled execution.
  void AskWithin(const Instance& instance, Clocks& clocks, double from, double to);
  /// Makes those clocks tick at the start whose number is 1 or more there.
  void AskAtStart(const Instance& instance, Clocks& clocks, double start);
  /// Writes the ticks so far to the next rows of the outputs; null: missing values.
  void Show(const Clocks* clocks) const;

  void Save(StateWriter& writer) const;
  void Load(StateReader& reader);
  /// Writes the ticks by the names of the inputs, for a run whose links may be others.
  void SaveByName(StateWriter& writer) const;
  void LoadByName(StateReader& reader);

 private:
  struct Port {
    Index clock = kNowhere;
    NumericOutput* output = nullptr;
    NumericInput* input = nullptr;
    bool is_bus = false;
    std::int64_t ticks = 0;  // of an input: ticks made
    double initial = 0.0;    // of an input: its number at the start
    bool is_kept = false;    // ticks are those of a state file
    bool goes_on = false;    // the provider starts from a state file

    bool IsLinkedInput() const { return input != nullptr && input->Provider() != nullptr; }
  };
  std::vector<Port> ports_;
};

}  // namespace openmi::fmi
