#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "openmi/omi/ExportComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("openmi.fmi.Fmu", openmi::fmi::Fmu)
