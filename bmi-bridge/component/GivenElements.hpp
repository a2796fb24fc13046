#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bmi-bridge/component/BmiArguments.hpp"
#include "bmi-bridge/model/Model.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi::bmi {

/// The elements of values whose model gives no place, from the arguments: those of the file, or the one that `element`
/// names; null if the arguments give none.
/// \param path  of `elements-file`
/// \throws ArgumentError  the file has no such element, or the area cannot be read, or is that of several elements
std::shared_ptr<const ElementSet> GivenElements(const BmiArguments& arguments, const Model& model,
                                                const std::string& caption, const std::string& path);

std::vector<std::string> IdsOf(const ElementSet& elements);

}  // namespace openmi::bmi
