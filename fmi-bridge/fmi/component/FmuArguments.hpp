#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/common/items/VariableArguments.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::fmi {

/// A value that is set in an FMU before it runs: all elements of a variable.
struct StartValue {
  Index variable = kNowhere;
  std::vector<double> numbers;         ///< of floats; of a clock, its interval
  std::vector<std::int64_t> integers;  ///< integers, enumerations, booleans
  std::vector<std::string> texts;      ///< texts; bytes
};

/// Reads a value as a user writes it.
///
/// Numbers between spaces or commas, "true", the name or the number of an item of an enumeration, bytes in hexadecimal
/// digits. A single number is used for all elements of an array.
/// \param elements  number of elements of the variable
/// \throws ArgumentError  the text is not a value of the variable, the number of values is wrong, or the FMU computes
///   the variable
StartValue ReadStartValue(const ModelDescription& description, Index variable, const std::string& text,
                          std::size_t elements);
/// The start value in the description, in the form that ReadStartValue reads; empty if there is none.
std::string StartText(const ModelDescription& description, const Variable& variable);
/// Sets a start value.
/// \pre  the mode of the instance allows it; the variable is not a clock
void SetStartValue(Instance& instance, const StartValue& value);
/// Sets start values before initialization: structural parameters in configuration mode, then the others.
/// \param clocks  passes intervals to the FMU when they start
void SetStartValues(Instance& instance, Clocks& clocks, std::span<const StartValue> values);

/// Whether a start value can be set in the FMU. That of a clock is its interval.
bool IsSettable(const ModelDescription& description, const Variable& variable);
/// \throws ArgumentError  no start value can be set, and why
void ExpectSettable(const ModelDescription& description, const Variable& variable, const Where& where);

/// The index of a variable.
/// \throws ArgumentError  the FMU has no variable of that name
Index FindVariable(const ModelDescription& description, const VariableNames& names, const std::string& name);
/// The names of all variables.
std::vector<std::string> NamesOfVariables(const ModelDescription& description);

/// The sizes of the dimensions of each variable, with the given values of structural parameters.
/// \throws ArgumentError  an array without elements, or with too many
std::vector<std::vector<std::size_t>> ArraySizes(const ModelDescription& description,
                                                 const std::vector<StartValue>& values);
/// The number of elements of each variable, with the given values of structural parameters.
std::vector<std::size_t> ElementCounts(const ModelDescription& description, const std::vector<StartValue>& values);

/// The name of an item of an enumeration; its number as text if it has no name.
std::string ItemName(const ModelDescription& description, const Variable& variable, std::int64_t value);

/// What comes before the name of a variable in the id of its argument, if another argument has that name as its id.
inline constexpr const char* kArgumentPrefix = "fmu:";

/// The arguments for all variables that may be set before the run, and the values that were set.
///
/// These are parameters, structural parameters, inputs and outputs with start values, states, and clocks whose interval
/// is open. Their ids are the names of the variables; see kArgumentPrefix.
class FmuArguments {
 public:
  /// Adds the arguments that do not exist yet.
  /// \param is_taken  whether a variable is managed by a layer: it gets no argument
  /// \param tuned     called after a change of a tunable parameter
  void Add(ArgumentList& list, const ModelDescription& description, const std::function<bool(Index)>& is_taken,
           const std::function<void(Index, const ArgumentItem&)>& tuned);
  /// Whether an argument is that of a tunable parameter, which the FMU takes while it runs, from FMI 2.0 on.
  bool IsTunable(const ModelDescription& description, std::string_view argument) const;
  /// Takes a new value of a tunable parameter instead of the one that Read found.
  /// \param is_running  whether the FMU needs it, too: it is kept until SetTuned
  void Tune(StartValue value, bool is_running);
  bool HasTuned() const { return !tuned_.empty(); }
  /// Sets the values that were kept.
  /// \pre  the mode of the instance allows it
  void SetTuned(Instance& instance) {
    for (const StartValue& value : std::exchange(tuned_, {})) SetStartValue(instance, value);
  }
  /// Drops the values that were kept: the FMU has ended.
  void DropTuned() { tuned_.clear(); }
  /// Writes the values that were kept.
  void SaveTuned(StateWriter& writer) const;
  /// \throws FormatError  they are of another FMU
  void LoadTuned(StateReader& reader, const ModelDescription& description, const Where& where);
  /// Reads the values that were set; defaults are left to the FMU.
  /// \param more       entries 'name=value', for variables that have no argument
  /// \param component  for messages
  /// \throws ArgumentError  see ReadStartValue
  void Read(const ModelDescription& description, std::span<const std::string> more, const std::string& component);
  /// The values that Read found.
  const std::vector<StartValue>& Values() const { return values_; }

 private:
  items::VariableArguments arguments_;
  std::vector<StartValue> values_;
  std::vector<StartValue> tuned_;
};

}  // namespace openmi::fmi
