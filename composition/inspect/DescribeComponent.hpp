#pragma once

#include <string>
#include <string_view>

#include "openmi/omi/CompliancyInfo.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// Arguments (secrets masked), items with their quantities, units, dimensions, elements and times, and the factories of
/// a component, as JSON. The default of `time-step` is the step that an initialized component makes where nobody sets
/// another: an FMU says itself how long it is.
std::string DescribeComponent(IBaseLinkableComponent& component);

/// Seconds of the next step of an initialized component: those of its argument `time-step` where that was set, else
/// what the component says (ISteps), to the microsecond, else the argument's default; 0 where nothing tells.
double StepSeconds(const IBaseLinkableComponent& component);

/// What an OMI file and the bytes of its library tell, as JSON; no code of the library runs.
/// \throws LoadError  the library is not there
std::string DescribeStatic(const OmiFile& omi);

/// An argument, as DescribeComponent has it.
std::string DescribeArgument(const IArgument& argument);

/// A description of DescribeComponent as the content of a compliancy information file; supplier and version are left
/// empty.
/// \pre  `description` is what DescribeComponent made
CompliancyInfo CompliancyOf(std::string_view description);

}  // namespace openmi
