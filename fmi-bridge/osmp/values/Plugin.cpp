#include "fmi-bridge/osmp/values/Assembly.hpp"
#include "fmi-bridge/osmp/values/Fields.hpp"
#include "fmi-bridge/osmp/values/Recorder.hpp"
#include "fmi-bridge/osmp/values/Trace.hpp"
#include "openmi/omi/ExportComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Fields", openmi::osi::Fields)
OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Message", openmi::osi::Assembly)
OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Trace", openmi::osi::Trace)
OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Recorder", openmi::osi::Recorder)
