#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/Clocks.hpp"
#include "fmi-bridge/fmi/run/Instance.hpp"
#include "openmi/sdk/ArgumentList.hpp"

namespace openmi::fmi {

/// A value that is set in an FMU before it runs: of a variable, all its elements.
struct StartValue {
  Index variable = kNowhere;
  std::vector<double> numbers;         ///< floats; of a clock, its interval
  std::vector<std::int64_t> integers;  ///< integers, enumerations, booleans
  std::vector<std::string> texts;      ///< texts; bytes
};

/// Reads a value as a user writes it: numbers between blanks or commas, "true", the name or the number of an
/// enumeration's item, bytes in hexadecimal digits. One number stands for all elements of an array.
/// \param elements  of the variable
/// \throws ArgumentError  it is no value of the variable, or the wrong number of them; the FMU computes the variable
StartValue ReadStartValue(const ModelDescription& description, Index variable, const std::string& text,
                          std::size_t elements);
/// The start value that the description gives, as ReadStartValue reads it; empty where it gives none.
std::string StartText(const ModelDescription& description, const Variable& variable);
/// Sets it. \pre  the mode of the instance allows it; the variable is no clock
void SetStartValue(Instance& instance, const StartValue& value);
/// Sets it, where it may be that of a clock: its interval, which `clocks` gives the FMU when they start.
void SetStartValue(Instance& instance, Clocks& clocks, const StartValue& value);

/// The sizes of the dimensions of each variable, where structural parameters have the values given.
/// \throws ArgumentError  an array without elements, or with too many
std::vector<std::vector<std::size_t>> ArraySizes(const ModelDescription& description,
                                                 const std::vector<StartValue>& values);
/// The elements of each variable, where structural parameters have the sizes given.
std::vector<std::size_t> ElementCounts(const ModelDescription& description, const std::vector<StartValue>& values);

/// The name of the item of an enumeration; its number as text where it has no name.
std::string ItemName(const ModelDescription& description, const Variable& variable, std::int64_t value);

/// The id of a variable's argument: its name, with "fmu:" before it where another argument has that.
std::string ArgumentIdOf(const std::string& variable, bool is_taken);

/// An argument for each variable that may be set before the run: parameters, structural parameters, inputs and outputs
/// with start values, states, and clocks whose interval is open. Its id is as ArgumentIdOf says.
class FmuArguments {
 public:
  /// Adds the arguments that are not there yet.
  /// \param is_taken  whether a variable is somebody else's: it gets none
  void Add(ArgumentList& list, const ModelDescription& description, const std::function<bool(Index)>& is_taken);
  /// What was set by somebody; defaults are left to the FMU.
  /// \throws ArgumentError
  std::vector<StartValue> Values(const ModelDescription& description) const;

 private:
  struct Entry {
    std::string name;
    ArgumentItem* item = nullptr;
  };
  std::vector<Entry> entries_;
};

}  // namespace openmi::fmi
