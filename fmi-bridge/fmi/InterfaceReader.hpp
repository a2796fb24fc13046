#pragma once

#include "fmi-bridge/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

/// \file
/// The parts of a description that are one element each.

namespace openmi::fmi {

/// fmiModelDescription itself, its version read already.
void ReadRoot(const XmlEventTag& tag, described::Report& report, ModelDescription& description);
/// ModelExchange, CoSimulation or ScheduledExecution of 2.0 and 3.0.
void ReadInterface(const XmlEventTag& tag, InterfaceKind kind, described::Report& report,
                   ModelDescription& description);
/// Capabilities of 1.0.
void ReadFirstCapabilities(const XmlEventTag& tag, described::Report& report, ModelDescription& description);
void ReadDefaultExperiment(const XmlEventTag& tag, described::Report& report, ModelDescription& description);
void ReadLogCategory(const XmlEventTag& tag, described::Report& report, ModelDescription& description);

}  // namespace openmi::fmi
