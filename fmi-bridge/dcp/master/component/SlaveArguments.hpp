#pragma once

#include <string_view>
#include <vector>

#include "fmi-bridge/common/items/VariableArguments.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/slave/SlaveValues.hpp"
#include "openmi/sdk/ArgumentList.hpp"

namespace openmi::dcp {

/// An argument for each variable that may be set before the run: parameters, structural parameters, inputs.
///
/// Its id is the name of the variable, with the prefix "dcp:" where another argument has that name.
class SlaveArguments {
 public:
  /// Adds the arguments that are missing.
  void Add(ArgumentList& list, const SlaveDescription& description);
  /// Puts the arguments that were set into `values`, structural parameters first.
  /// \returns the parameters that were set
  /// \throws ArgumentError  an argument is not a value of its variable, or the slave has no such variable
  std::vector<Index> Apply(const SlaveDescription& description, SlaveValues& values) const;
  /// The argument of a variable, or null.
  const ArgumentItem* Find(std::string_view variable) const { return arguments_.Find(variable); }

 private:
  items::VariableArguments arguments_;
};

}  // namespace openmi::dcp
