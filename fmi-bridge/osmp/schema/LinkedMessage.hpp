#pragma once

#include <string>

#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IValueDefinition.hpp"

namespace openmi::osi {

/// The type of message that a definition names by its caption, such as "OSI GroundTruth"; whatever it says else.
std::string MessageTypeOf(const IValueDefinition& definition);

/// Messages do not say what they are, and one read as another is nonsense without an error: so what both ends of a link
/// say of their bytes has to be the same. A provider that names no message of OSI passes.
///
/// \param message  what the input takes: "SensorView"; empty: anything
/// \throws LinkError  the provider's values are another message
void RequireLinkedMessage(const IBaseInput& input, const std::string& message);
/// The same for an input whose own values say what it takes.
void RequireLinkedMessage(const IBaseInput& input);

}  // namespace openmi::osi
