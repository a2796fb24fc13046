#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/protocol/pdu/TypedValue.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "openmi/standard/Value.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::dcp {

/// The value definition of a variable: texts, bytes or a quantity.
///
/// A quantity has the slave's unit: its base unit where the description states it, else what UDUNITS reads in its name,
/// else only its name.
std::unique_ptr<const IValueDefinition> DefinitionOf(const SlaveDescription& description, const Variable& variable);

/// The elements of an array, row-major, named "x[1,2]"; null for a scalar.
/// \param sizes  of the dimensions
std::shared_ptr<const ISpatialDefinition> ElementsOf(const Variable& variable, const std::vector<std::size_t>& sizes);

/// Checks a row for a variable of an integer type.
/// \throws ModelError  a number is missing, or does not fit the type
void RequireWhole(const std::string& component, const Variable& variable, std::span<const double> row);

/// Puts a text or bytes into a string or binary. A number becomes its text; a missing value changes nothing.
/// \throws ModelError  longer than the variable's maxSize
void SetFromValue(const std::string& component, const Variable& variable, const Value& from, TypedValue& to);
/// The value of a string or binary.
Value ValueOf(const TypedValue& value);

}  // namespace openmi::dcp
