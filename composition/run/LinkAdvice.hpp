#pragma once

#include <string>

#include "openmi/standard/IBaseInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// What to put on a link whose two ends have other elements: the spatial adaptors that suit both, by name.
std::string SpatialAdvice(const ITimeSpaceOutput& from, const IBaseInput& to);

/// Why an adaptor that can be made does not fit between two ends: what it needs, and what it found at the end that does
/// not have it.
/// \param adaptor_id  an adaptor of the SDK
std::string MisfitOf(const std::string& adaptor_id, const ITimeSpaceOutput& from, const IBaseInput& to);

}  // namespace openmi
