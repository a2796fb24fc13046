#pragma once

#include <memory>
#include <string>

#include "bmi-bridge/component/BmiArguments.hpp"
#include "bmi-bridge/model/Model.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi::bmi {

/// The element of values without a place, from the arguments; null if they do not give one.
/// \param path  of `elements-file`
/// \throws ArgumentError  the arguments name no element, or an area that cannot be read
std::shared_ptr<const ElementSet> LumpedElements(const BmiArguments& arguments, const Model& model,
                                                 const std::string& caption, const std::string& path);

}  // namespace openmi::bmi
