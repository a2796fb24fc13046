#pragma once

#include <optional>

#include "composition/link/Composition.hpp"
#include "fmi-bridge/export/ExportInterface.hpp"
#include "fmi-bridge/export/ExportOptions.hpp"
#include "openmi/standard/IUnit.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi::exported {

/// Collects the variables of a loaded and linked composition, with value references, units and start values but without
/// token and file.
///
/// What cannot be a variable of an FMU is omitted, with a warning that names it. Arguments that name files do not
/// become parameters. \param is_single  a single component: its items have no component in their names
/// \throws ArgumentError  a chosen item does not exist, or cannot be chosen
ExportInterface CollectInterface(Composition& composition, const ExportOptions& options, bool is_single,
                                 Problems& problems);

/// The type of a variable of numbers; nothing for texts, bytes and objects.
std::optional<VariableType> TypeOf(ValueKind kind);

/// Writes a unit into a variable: its name, and its dimension if it can be expressed in whole powers of the base units.
void TakeUnit(const IUnit& unit, ExportedVariable& variable);

/// The shortest step in seconds of the components that a composition updates; 0 if none reports a step.
double PreferredStep(Composition& composition);

}  // namespace openmi::exported
