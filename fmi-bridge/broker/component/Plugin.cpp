#include "fmi-bridge/broker/component/Stream.hpp"
#include "openmi/omi/ExportComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("openmi.broker.Stream", openmi::broker::Stream)
