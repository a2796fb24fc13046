#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "timespace/c/IOwner.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/items/ShownRows.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::c {

/// Something that a component in C declared.
struct Thing {
  enum class Kind { Argument, Elements, Input, Output };
  Kind kind;
  ArgumentItem* argument = nullptr;
  bool is_tunable = false;
  std::shared_ptr<ElementSet> elements = nullptr;
  int shape = OPENMI_IDS;
  NumericInput* input = nullptr;        // null: of texts or bytes
  ValueInput* value_input = nullptr;    // null: of numbers
  NumericOutput* output = nullptr;      // null: of texts or bytes
  ValueOutput* value_output = nullptr;  // null: of numbers
  bool is_text = false;
  double first = 0.0;  // of an output
  bool has_first = true;
  std::size_t shown_number = 0;        // of an output, in shown_
  std::span<const double> shown = {};  // of an output: given for this step, not yet published
  bool is_written = false;             // of an output: its row was asked for in this step
  std::string text = {};               // of an input: lent to the component
};

/// What a component in C declared, by number: arguments, sets of elements, inputs and outputs.
///
/// Each function checks the number that it is given, and what kind of thing that is.
class Things {
 public:
  /// \param owner  borrowed
  explicit Things(IOwner& owner) : owner_(owner) {}

  /// Says that what follows depends on arguments, and is declared again when the component is initialized again.
  void BeginInitialize();
  /// Returns the number of the thing.
  /// \throws Error  what is declared cannot be used
  int AddArgument(const openmi_argument* declared);
  int AddElements(const openmi_elements* declared);
  int AddInput(const openmi_item* declared);
  int AddOutput(const openmi_item* declared);
  void SetAttribute(int elements, const char* name, const char* unit, const double* values, std::size_t count);
  void MoveElements(int elements, const openmi_elements* moved);

  const ArgumentItem& ArgumentNumber(int number) const { return *Find(number, Thing::Kind::Argument).argument; }
  bool IsTunable(const std::string& argument) const;
  /// Whether the output has a value before the first step.
  bool HasFirstValue(const IBaseOutput& output) const;
  bool IsLinked(int input) const;

  // Rows, in a call of the component.
  std::span<const double> InputRow(int input) const;
  std::span<double> OutputRow(int output);
  std::span<const double> LastRow(int output) const;
  void ShowRow(int output, const double* values, std::size_t count);
  void Publish(int output, Stamp begin, Days duration);
  /// A text or bytes; null: missing. Valid until the next call.
  std::pair<const void*, std::size_t> InputBytes(int input, std::size_t element);
  void SetBytes(int output, std::size_t element, const void* bytes, std::size_t size);

  // Round a call of the component.
  void BeforeStart();
  void AfterStart(Stamp begin);
  void BeforeStep(Stamp to);
  void AfterStep(Stamp from, Stamp to);
  /// The step failed: rows in the memory of the component no longer hold.
  void Drop() { shown_.DropAll(); }
  /// Copies rows in the memory of the component, which may change or go.
  void OwnShown() { shown_.OwnAll(); }
  /// The rows of texts and bytes. Those of numbers are part of the state already.
  void SaveValues(StateWriter& writer) const;
  void LoadValues(StateReader& reader);

  const ShownRows& Shown() const { return shown_; }

 private:
  using Kind = Thing::Kind;
  Thing& Find(int number, Kind kind) const;
  NumericOutput& NumbersOf(const Thing& output) const;
  int Add(Thing thing);
  void List(Thing& thing);
  IOwner::Parts PartsOf(const openmi_item& item) const;
  void Take(Thing& output, Stamp begin, Days duration);
  static void RepeatUnlessWritten(const Thing& output);
  static const char* NameOf(Kind kind);

  IOwner& owner_;
  std::vector<std::unique_ptr<Thing>> things_;
  std::size_t lasting_ = 0;  // those that create declared
  bool is_initialized_ = false;
  bool is_starting_ = false;
  std::vector<Thing*> outputs_;
  std::vector<Thing*> value_inputs_;
  ShownRows shown_;
};

}  // namespace openmi::c
