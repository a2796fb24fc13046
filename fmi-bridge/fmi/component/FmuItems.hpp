#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/common/description/DescribedUnit.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "openmi/standard/Value.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::fmi {

/// Whether items hold the values of a type as numbers; other types are categories, texts and bytes.
constexpr bool IsNumeric(VariableType type) {
  return IsFloat(type) || IsInteger(type);
}

/// The unit of the values of a variable, as the description defines it; dimensionless if the variable names none.
described::DescribedUnit UnitOf(const ModelDescription& description, const Variable& variable);

/// The value definition of a variable: a quantity, a quality (booleans and enumerations), texts or bytes.
///
/// The unit of a quantity is that of the FMU: by its base unit, else by the meaning of its name in UDUNITS, else a name
/// only.
std::unique_ptr<const IValueDefinition> DefinitionOf(const ModelDescription& description, const Variable& variable);

/// The elements of an array, row by row, named "x[1,2]"; null for a scalar.
/// \param sizes  sizes of the dimensions
std::shared_ptr<const ISpatialDefinition> ElementsOf(const Variable& variable, const std::vector<std::size_t>& sizes);

/// The kind in which an FMU is run if none is given: co-simulation if it offers that, else model exchange, else
/// scheduled execution.
InterfaceKind DefaultKind(const ModelDescription& description);

/// The seconds in one unit of the independent variable: 1 unless the description defines another unit.
double SecondsPerTimeUnit(const ModelDescription& description);

/// The communication step in seconds of an FMU for which none is set.
///
/// That of its default experiment, else its fixed one, else in scheduled execution the shortest interval of its clocks,
/// else a 500th of the experiment; 0 if there is none of them.
double DefaultStepSeconds(const ModelDescription& description, InterfaceKind kind);

}  // namespace openmi::fmi
