#pragma once

#include <memory>

#include "dotnet-bridge/plugin/Thing.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"

namespace openmi::dotnet {

/// A value set of a component. One of numbers offers its rows, each copied at the first use (INumericRows).
/// \param values  not null
std::unique_ptr<ITimeSpaceValueSet> ValuesOf(Thing values);

/// Gives an input of a component a copy of values.
/// \param values  null: none
void SetInputValues(int input, const IBaseValueSet* values);

}  // namespace openmi::dotnet
