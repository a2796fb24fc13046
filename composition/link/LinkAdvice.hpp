#pragma once

#include <string>

#include "openmi/standard/IBaseInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The remedy in messages where something that needs fixed elements meets an item whose elements change during the run.
inline constexpr char kNameElements[] =
    "name its elements beforehand, in an argument of the component (of openmi.osi.Fields: objects=\"10 11\")";

/// Advice for a link whose ends have different elements: the names of the spatial adaptors that suit both ends.
std::string SpatialAdvice(const ITimeSpaceOutput& from, const IBaseInput& to);

/// Explains why an adaptor that exists does not fit between two ends: what it needs, and what it found at the end that
/// does not provide that.
/// \param adaptor_id  id of an adaptor of the SDK
std::string MisfitOf(const std::string& adaptor_id, const ITimeSpaceOutput& from, const IBaseInput& to);

}  // namespace openmi
