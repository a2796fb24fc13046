#pragma once

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

/// \file
/// Readers for the parts of a description that consist of one element each.

namespace openmi::fmi {

/// Reads the root element fmiModelDescription; the version has been read before.
void ReadRoot(const XmlEventTag& tag, described::Report& report, ModelDescription& description);
/// Reads ModelExchange, CoSimulation or ScheduledExecution of 2.0 and 3.0.
void ReadInterface(const XmlEventTag& tag, InterfaceKind kind, described::Report& report,
                   ModelDescription& description);
/// Reads the capabilities of 1.0.
void ReadFirstCapabilities(const XmlEventTag& tag, described::Report& report, ModelDescription& description);
void ReadDefaultExperiment(const XmlEventTag& tag, described::Report& report, ModelDescription& description);
void ReadLogCategory(const XmlEventTag& tag, described::Report& report, ModelDescription& description);

}  // namespace openmi::fmi
