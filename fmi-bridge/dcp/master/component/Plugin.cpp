#include "fmi-bridge/dcp/master/component/Slave.hpp"
#include "openmi/omi/ExportComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("openmi.dcp.Slave", openmi::dcp::Slave)
