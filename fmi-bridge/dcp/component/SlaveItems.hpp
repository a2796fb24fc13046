#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/description/SlaveDescription.hpp"
#include "fmi-bridge/dcp/pdu/TypedValue.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "openmi/standard/Value.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::dcp {

/// What the values of a variable are: a quantity with the slave's unit (its base unit, else what UDUNITS makes of its
/// name, else a name only), texts or bytes.
std::unique_ptr<const IValueDefinition> DefinitionOf(const SlaveDescription& description, const Variable& variable);

/// The elements of an array, row after row, named "x[1,2]"; null for a scalar.
/// \param sizes  of the dimensions
std::shared_ptr<const ISpatialDefinition> ElementsOf(const Variable& variable, const std::vector<std::size_t>& sizes);

/// \throws ModelError  a number is missing, or does not fit the variable's type of integers
void RequireWhole(const std::string& component, const Variable& variable, std::span<const double> row);

/// Puts a text or bytes into a string or binary; a missing one leaves it as it is.
/// \throws ModelError  longer than the variable's maxSize
void SetFromValue(const std::string& component, const Variable& variable, const Value& from, TypedValue& to);
/// The value of a string or binary.
Value ValueOf(const TypedValue& value);

}  // namespace openmi::dcp
