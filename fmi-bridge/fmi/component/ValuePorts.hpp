#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/fmi/run/BusFrames.hpp"
#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/ValueBatch.hpp"
#include "timespace/items/ValueItems.hpp"

namespace openmi::fmi {

/// The inputs and outputs of an FMU that are no numbers: texts, bytes, booleans and enumerations.
class ValuePorts {
 public:
  void Clear() {
    outputs_.clear();
    inputs_.clear();
  }
  void Add(ValueOutput& item, const Variable& variable) { outputs_.emplace_back(&item, nullptr, variable); }
  void Add(ValueInput& item, const Variable& variable) { inputs_.emplace_back(nullptr, &item, variable); }
  /// Makes the batches of a new instance.
  /// \param outputs  the batches of numeric outputs; booleans and enumerations without a clock are added to them
  void Bind(const Instance& instance, ValueBatches& outputs);
  bool HasInputs() const { return !inputs_.empty(); }
  bool HasLinkedInputs() const;
  /// A step starts.
  void StartStep(Stamp from) {
    if (frames_ != nullptr) [[unlikely]]
      frames_->StartStep(from);
  }
  bool HasOutputs() const { return !outputs_.empty(); }
  bool HasClockedOutputs() const;

  /// The variable of an input; null: there is no such input.
  const Variable* Find(std::string_view input) const;
  /// Sets the initial values of an input.
  /// \pre  Find finds it
  void SetInitial(Instance& instance, std::string_view input, std::span<const Value> values);
  /// Requests the values of linked inputs.
  /// \param sets  whether those without a clock are set in the instance at once
  void Take(Instance& instance, Stamp to, bool sets);
  /// Whether an input without a clock differs from what was stored here before; stores it.
  bool StoreDiscrete();
  /// Sets inputs without a clock and those of clocks that tick.
  void SetDiscrete(Instance& instance, const Clocks& clocks);

  /// Writes frames of buses that outputs send from now on; null: no more.
  /// \param component  stands before the names of the buses
  void Record(BusFrames* frames, std::string component) {
    frames_ = frames;
    component_ = std::move(component);
  }
  /// Reads outputs of clocks that tick; all outputs of clocks without `clocks`. The others keep their values.
  /// Operations of a bus are added to those of earlier ticks since Publish, and recorded with the time of this one.
  void GetClocked(Instance& instance, const Clocks* clocks = nullptr, Stamp time = kFarPast);
  /// Shows the values of outputs without a clock as the first ones, at `start`.
  /// \pre  the batches of numeric outputs were read
  void ShowInitial(Instance& instance, Stamp start);
  /// Publishes all outputs.
  /// \param gets  whether those without a clock are read first, after the batches of numeric outputs were read
  void Publish(Instance& instance, Stamp time, bool gets);
  /// Publishes missing values: the FMU has ended. What a bus sent since Publish is published still.
  void ShowMissing(Stamp time);

  /// Writes what StoreDiscrete stored.
  void SaveInputs(StateWriter& writer) const;
  void LoadInputs(StateReader& reader);
  /// The same by the names of the inputs, for a run whose links may be others.
  void SaveByName(StateWriter& writer) const;
  void LoadByName(StateReader& reader);
  /// Writes the rows of the outputs.
  void SaveOutputs(StateWriter& writer) const;
  void LoadOutputs(StateReader& reader);

 private:
  struct Port {
    Port(ValueOutput* to, ValueInput* from, const Variable& its_variable)
        : output(to), input(from), variable(&its_variable), texts(to ? to->ElementCount() : from->ElementCount()) {}

    ValueOutput* output;  // null: an input
    ValueInput* input;
    const Variable* variable;
    ValueBatches::Place place;  // of booleans and enumerations
    std::vector<std::string> texts;
    std::vector<std::string> stored;
    bool known = false;  // texts are valid
    bool is_bus = false;
    bool sends = false;  // operations of the bus, since Publish

    bool IsText() const { return variable->type == VariableType::String || variable->type == VariableType::Binary; }
    bool HasClock() const { return !variable->clocks.empty(); }
  };
  template <class ValueAt>
  static bool Fill(Port& port, ValueAt&& value_at);
  static void Set(Instance& instance, Port& port);
  void Get(Instance& instance, Port& port);

  std::vector<Port> outputs_;
  std::vector<Port> inputs_;
  std::vector<std::string> more_;  // used again
  BusFrames* frames_ = nullptr;
  std::string component_;
  ValueBatches own_;  // of inputs, and of outputs with a clock; each in a batch of its own
};

}  // namespace openmi::fmi
