#pragma once

#include <string_view>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"
#include "openmi/omi/XmlReader.hpp"

/// \file
/// The parts of reading a slave description, in the order of their calls. Not installed.

namespace openmi::dcp {

/// Reads a slave description and checks it by every rule but the schema.
/// \param file  only for messages
/// \throws FormatError  no slave description, or one of another major version
SlaveDescription ReadSlaveDocument(const XmlDocument& document, const std::string& file, Problems& problems);

/// Reads everything of a description except its types and variables.
/// \throws FormatError  the description is for another major version of DCP
void ReadHead(const XmlElement& root, SlaveDescription& description, described::Report& report);

/// Reads the types and variables.
/// \pre The units of `description` have been read.
void ReadTypesAndVariables(const XmlElement& root, SlaveDescription& description, described::Report& report);

/// Checks the rules that tie parts of a description together.
void CheckSlaveDescription(const SlaveDescription& description, described::Report& report);

/// Reads the steps of an output or of NonRealTime: defaultSteps, fixedSteps, minSteps, maxSteps.
/// \param needs_limits  whether minSteps and maxSteps are required where the steps are not fixed
StepRange ReadSteps(described::Attributes& attributes, described::Report& report, std::string_view item,
                    bool needs_limits);

}  // namespace openmi::dcp
