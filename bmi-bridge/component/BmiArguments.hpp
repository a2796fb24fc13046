#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::bmi {

/// The arguments of a BMI model, in the order of their declaration; AddBmiArguments describes each.
struct BmiArguments {
  Argument<std::string> library, config_file, working_directory, flavour, register_function, needs, instances;
  Argument<bool> reentrant;
  Argument<std::string> epoch, time_unit, inputs, outputs, units, spans, per_step, update_until, parameters,
      unset_at_start;
  Argument<std::string> elements_file, id_property, element, area, elements_system;
  Argument<bool> moving_grids;
};

/// Declares the arguments.
BmiArguments AddBmiArguments(ArgumentList& list);

/// The text of an argument; empty if it has no value.
std::string TextOf(const Argument<std::string>& argument);

/// The names between semicolons or line ends, without spaces around them; empty ones are omitted.
///
/// Commas and spaces may be part of a name.
std::vector<std::string> ListOf(std::string_view text);

/// The entries "name=value" between semicolons.
/// \param place  component and argument, for messages
/// \throws ArgumentError  an entry has no '=', or no name before it
std::map<std::string, std::string> PairsOf(std::string_view text, const Where& place);

}  // namespace openmi::bmi
