#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bmi-bridge/component/StepLog.hpp"
#include "bmi-bridge/component/Variable.hpp"
#include "bmi-bridge/model/Model.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/items/ShownRows.hpp"

namespace openmi::bmi {

/// A variable of a model that is an item.
struct Port {
  bool is_rate = false;  ///< the values of the model are amounts of a step
  Variable variable;
  Bytes memory = {};  ///< for values that are not doubles
};

template <class Entry>
std::vector<Variable> VariablesOf(const std::vector<Entry>& entries) {
  std::vector<Variable> variables;
  for (const Entry& entry : entries) variables.push_back(entry.port.variable);
  return variables;
}

/// The variables that give a model values.
class InputPorts {
 public:
  void Clear() { ports_.clear(); }
  void Add(Port port, NumericInput& item) {
    std::shared_ptr<const std::string> name = SharedText(port.variable.name);
    ports_.push_back({&item, std::move(name), std::move(port), {}});
  }
  /// Sets the variables of linked items; the others keep the value in the model.
  /// \param seconds  length of the step
  /// \param log      receives what is set; null: it is not needed
  /// \throws RangeError  a value does not fit the type of its variable
  /// \throws ModelError  the model does not take them
  void Give(Model& model, double seconds, StepLog* log);
  std::vector<Variable> Variables() const { return VariablesOf(ports_); }
  /// Whether a variable is an amount of a step.
  bool HasAmounts() const {
    return std::ranges::any_of(ports_, [](const Entry& entry) { return entry.port.is_rate; });
  }

 private:
  // What every step uses is first.
  struct Entry {
    NumericInput* item = nullptr;
    std::shared_ptr<const std::string> name;
    Port port;
    std::vector<double> scaled;
  };
  std::vector<Entry> ports_;
};

/// The variables that a model shows.
///
/// Large arrays to which the model gives a pointer are shown in place where ShownRows allows it.
class OutputPorts {
 public:
  void Clear();
  void Add(Port port, NumericOutput& item);

  /// Publishes the values at the start of the run, and counts from there.
  void TakeFirst(Model& model);
  /// Adds up what the model shows of a part of a step: the row of a span is the mean of those of its parts.
  /// \param seconds  length of the part
  /// \throws ModelError  as Take
  void TakePart(Model& model, double seconds);
  /// Forgets the parts of a step that failed.
  void DropParts() {
    if (parts_ != nullptr) parts_->seconds = 0.0;
  }
  /// Publishes the values after a step, in place where that is possible.
  /// \param end        the stamp that the model reached
  /// \param overshot   whether it is after the end of the step, where the base class publishes rows
  /// \param seconds    length of the step of the model, or of its last part
  /// \throws ModelError  the model does not give them, or has another number of them
  void Take(Model& model, Stamp from, Stamp end, bool overshot, double seconds);
  /// Copies the values to the rows that the base class publishes.
  void Copy(Model& model, double seconds);
  /// The rows in the memory of the model.
  ShownRows& Shown() { return shown_; }

  /// The outputs at instants whose values are valid from the first update on only.
  /// \param names  the argument `unset-at-start`; empty: all, if one of them holds what no model means. That one is
  ///   first
  std::vector<NumericOutput*> Unset(Model& model, const std::string& names);

  std::vector<Variable> Variables() const { return VariablesOf(ports_); }
  /// Whether a row is that of a span.
  bool HasSpans() const {
    return std::ranges::any_of(ports_, [](const Entry& entry) { return entry.item->Gives() == OutputTime::Span; });
  }

  std::uint64_t CopiedValues() const { return copied_values_ + shown_.CopiedValues(); }
  std::uint64_t ShownRowCount() const { return shown_.ShownCount(); }

 private:
  struct Entry {
    NumericOutput* item = nullptr;
    std::shared_ptr<const std::string> name;
    Port port;
  };
  void TakeRow(Model& model, Entry& entry, std::span<double> row, double seconds);
  bool Show(Model& model, std::size_t port, Stamp begin, Days duration);

  /// The parts of a step that were made.
  struct Parts {
    double seconds = 0.0;
    std::vector<std::vector<double>> sums;  // of values times seconds, for each port
    std::vector<double> last;
  };

  std::vector<Entry> ports_;
  std::unique_ptr<Parts> parts_;  // null in a step without parts, so that it touches no more memory
  ShownRows shown_;
  std::uint64_t copied_values_ = 0;
};

}  // namespace openmi::bmi
