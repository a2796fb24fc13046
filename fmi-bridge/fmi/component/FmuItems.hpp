#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "openmi/standard/Value.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::fmi {

/// Whether the values of a type travel as numbers; others are categories, texts and bytes.
constexpr bool IsNumeric(VariableType type) {
  return IsFloat(type) || IsInteger(type);
}

/// What the values of a variable are: a quantity with the unit of the FMU (its base unit, else what UDUNITS makes of
/// its name, else a name only), a quality for booleans and enumerations, texts or bytes.
std::unique_ptr<const IValueDefinition> DefinitionOf(const ModelDescription& description, const Variable& variable);

/// The elements of an array, row after row, named "x[1,2]"; null for a scalar.
/// \param sizes  of the dimensions
std::shared_ptr<const ISpatialDefinition> ElementsOf(const Variable& variable, const std::vector<std::size_t>& sizes);

/// Seconds in one unit of the independent variable: 1 unless the description says otherwise.
double SecondsPerTimeUnit(const ModelDescription& description);

/// The communication step of an FMU that is given none, in seconds: of its default experiment, else its own fixed one,
/// else a 500th of the experiment; 0 where it says nothing.
double DefaultStepSeconds(const ModelDescription& description, InterfaceKind kind);

}  // namespace openmi::fmi
