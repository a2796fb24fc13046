#pragma once

#include <functional>
#include <string>

#include "composition/run/Composition.hpp"
#include "fmi-bridge/outward/ExportInterface.hpp"
#include "fmi-bridge/outward/ExportOptions.hpp"
#include "openmi/standard/IUnit.hpp"

namespace openmi::outward {

/// What a loaded and linked composition offers as an FMU: value references, units and start values; without token and
/// file. What cannot be a variable of an FMU is left out with a warning that names it.
/// \param is_single  a single component: its items go by their own names
/// \param is_file    whether the value of an argument names a file: such arguments are no parameters
/// \throws ArgumentError  a chosen item is not there, or cannot be chosen
ExportInterface CollectInterface(Composition& composition, const ExportOptions& options, bool is_single,
                                 const std::function<bool(const Instance&, const std::string&)>& is_file,
                                 Problems& problems);

/// Puts a unit into a variable: its name, and its dimension where that can be told in whole powers.
void TakeUnit(const IUnit& unit, ExportedVariable& variable);

/// Seconds of the shortest step of the components that a composition asks; 0 where none of them says.
double PreferredStep(Composition& composition);

}  // namespace openmi::outward
