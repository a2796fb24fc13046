#pragma once

#include <string>
#include <vector>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/slave/SlaveValues.hpp"
#include "openmi/sdk/ArgumentList.hpp"

namespace openmi::dcp {

/// Puts a value as a user writes it into a variable: numbers between blanks or commas, bytes in hexadecimal digits,
/// text as it is. One number stands for all elements of an array.
/// \throws ArgumentError  it is no value of the variable, or the wrong number of them
void SetFromText(const Variable& variable, const std::string& text, TypedValue& value);

/// An argument for each variable that may be set before the run: parameters, structural parameters, inputs. Its id is
/// the name of the variable, with "dcp:" before it where another argument has it.
class SlaveArguments {
 public:
  /// Adds the arguments that are not there yet.
  void Add(ArgumentList& list, const SlaveDescription& description);
  /// Puts what somebody set into `values`, structural parameters first.
  /// \returns the parameters that were set
  /// \throws ArgumentError
  std::vector<Index> Apply(const SlaveDescription& description, SlaveValues& values) const;
  /// The argument of a variable, or null.
  const ArgumentItem* Find(std::string_view variable) const;
  /// The variable that an argument belongs to, or null.
  /// \param id  of the argument
  const Variable* VariableOf(const SlaveDescription& description, const std::string& id) const;

 private:
  struct Entry {
    std::string name;
    ArgumentItem* item = nullptr;
  };
  std::vector<Entry> entries_;
};

}  // namespace openmi::dcp
