#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi::items {

/// "x[1,1]", "x[1,2]", ...: the names of the elements of an array with these dimensions, row by row.
std::vector<std::string> ElementNames(const std::string& name, const std::vector<std::size_t>& sizes);
/// The elements of an array with that name, row by row; null if there are no dimensions.
std::shared_ptr<const ISpatialDefinition> ArrayElements(const std::string& name, const std::vector<std::size_t>& sizes);

/// The definition of values that are neither numbers nor categories: texts, bytes.
/// \param message_type  see IMessageType
std::unique_ptr<const IValueDefinition> PlainDefinitionOf(const std::string& caption, ValueKind kind,
                                                          const std::string& message_type = {});

}  // namespace openmi::items
