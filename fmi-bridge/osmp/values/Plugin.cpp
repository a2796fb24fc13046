#include "fmi-bridge/osmp/values/Assembly.hpp"
#include "fmi-bridge/osmp/values/Fields.hpp"
#include "openmi/omi/ExportComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Fields", openmi::osi::Fields)
OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Message", openmi::osi::Assembly)
