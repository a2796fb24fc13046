#pragma once

#include <string>
#include <string_view>

#include "composition/link/Composition.hpp"
#include "openmi/omi/CompliancyInfo.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

/// Describes a component as JSON: arguments (secrets masked), items with their quantities, units, dimensions, elements
/// and times, and factories.
///
/// The default of `time-step` is the step that an initialized component makes if the argument is not set; an FMU gives
/// its own step.
std::string DescribeComponent(IBaseLinkableComponent& component);

/// The length of the next step of an initialized component, in seconds.
///
/// The value of its argument `time-step` if that was set; else what the component reports (ISteps), to the microsecond;
/// else the default of the argument; 0 if none of them exists.
double StepSeconds(const IBaseLinkableComponent& component);

/// Describes a component from its OMI file and the bytes of its library, as JSON; runs no code of the library.
/// \throws LoadError  the library does not exist
std::string DescribeStatic(const OmiFile& omi);

/// Describes an argument in the form that DescribeComponent uses.
std::string DescribeArgument(const IArgument& argument);

/// Turns the result of DescribeComponent into the content of a compliancy information file; supplier and version stay
/// empty.
/// \pre  `description` was made by DescribeComponent
CompliancyInfo CompliancyOf(std::string_view description);

/// Lists the adaptors that a link between two items could use, as JSON.
///
/// Gives both sides (`from`, `to`), whether their units convert and what to do if they do not, and every adapted output
/// that a known factory offers for the output (`adaptors`). An entry has id, purpose, factory, arguments, and whether
/// the adaptor fits between the two as it is, else why not.
/// \param composition  loaded; adaptors are tried on its proxy of the output, as in a run, and removed again
/// \returns JSON; empty if one of the components does not exist
/// \throws RangeError  no such component or item; suggests similar names
std::string OfferedAdaptors(Composition& composition, const ItemSpec& from, const ItemSpec& to);

}  // namespace openmi
