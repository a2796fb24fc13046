#include "fmi-bridge/osmp/values/Fields.hpp"
#include "fmi-bridge/osmp/values/MessageAssembly.hpp"
#include "fmi-bridge/osmp/values/Recorder.hpp"
#include "fmi-bridge/osmp/values/Trace.hpp"
#include "openmi/omi/ExportComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Fields", openmi::osi::Fields)
OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Message", openmi::osi::MessageAssembly)
OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Trace", openmi::osi::Trace)
OPENMI_EXPORT_COMPONENT_AS("openmi.osi.Recorder", openmi::osi::Recorder)
