#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/dcp/master/SessionOptions.hpp"
#include "fmi-bridge/dcp/slave/SlaveValues.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/items/ValueItems.hpp"

namespace openmi::dcp {

/// The value definition of a variable: texts, bytes or a quantity.
///
/// A quantity has the slave's unit: its base unit where the description states it, else what UDUNITS reads in its name,
/// else only its name.
std::unique_ptr<const IValueDefinition> DefinitionOf(const SlaveDescription& description, const Variable& variable);

/// The items of a slave's component, each with its variable: takes values from linked inputs, and gives outputs.
class SlavePorts {
 public:
  /// A variable with its input or output; the other one is null.
  template <class Input, class Output>
  struct Port {
    Index variable = kNowhere;
    Input* input = nullptr;
    Output* output = nullptr;
    bool IsLinked() const { return input != nullptr && input->Provider() != nullptr; }
  };
  using Numeric = Port<NumericInput, NumericOutput>;
  using Text = Port<ValueInput, ValueOutput>;

  /// \param component  the owner; borrowed, for messages
  explicit SlavePorts(const IBaseLinkableComponent& component) : component_(component) {}

  void Clear();
  /// All items are borrowed.
  void Add(Index variable, NumericInput& item) { numeric_.push_back({variable, &item, nullptr}); }
  void Add(Index variable, NumericOutput& item) { numeric_.push_back({variable, nullptr, &item}); }
  void Add(Index variable, ValueInput& item) { texts_.push_back({variable, &item, nullptr}); }
  void Add(Index variable, ValueOutput& item) { texts_.push_back({variable, nullptr, &item}); }
  void AddCounter(NumericOutput& output, const std::uint64_t SessionCounts::*count) {
    counters_.emplace_back(&output, count);
  }
  std::span<const Numeric> Numbers() const { return numeric_; }
  std::span<const Text> Texts() const { return texts_; }
  bool HasLinkedInput() const;

  /// Pulls texts for `to` and takes them, and the rows that numbers have, into `values`.
  /// \throws ModelError  a value does not fit its variable
  void TakeInputs(SlaveValues& values, Stamp to) const;
  /// Writes the outputs of a step, and publishes texts at `time`.
  void GiveOutputs(const SlaveValues& values, const SessionCounts& counts, Stamp time) const;
  /// Shows the outputs as initial values, in place of earlier ones.
  void ShowOutputs(const SlaveValues& values, Stamp time) const;
  /// Takes the initial row of an input.
  /// \returns false when there is no input of that id
  /// \throws ModelError  a number is missing, or does not fit the type
  bool TakeInitial(std::string_view input, std::span<const double> row, SlaveValues& values) const;
  /// Takes the initial values of an input of texts; as above.
  bool TakeInitial(std::string_view input, std::span<const Value> row, SlaveValues& values) const;

 private:
  void Take(const Numeric& port, std::span<const double> row, SlaveValues& values) const;
  void Take(const Text& port, const Value& from, SlaveValues& values) const;

  const IBaseLinkableComponent& component_;
  std::vector<Numeric> numeric_;
  std::vector<Text> texts_;
  std::vector<std::pair<NumericOutput*, const std::uint64_t SessionCounts::*>> counters_;
};

}  // namespace openmi::dcp
