#pragma once

#include <memory>

#include "dotnet-bridge/plugin/Thing.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi::dotnet {

/// The kind of value that a function of the border names.
ValueType TypeOf(int kind);

/// What the values of an item mean: a quantity, a quality or another definition of a component.
/// \throws ModelError  it has no unit, dimension or type
std::unique_ptr<const IValueDefinition> DefinitionOf(Thing definition);

}  // namespace openmi::dotnet
