#include "fmi-bridge/broker/component/Stream.hpp"
#include "fmi-bridge/broker/fmu/RabbitMqFmu.hpp"
#include "openmi/omi/ExportComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("openmi.broker.Stream", openmi::broker::Stream)
OPENMI_EXPORT_COMPONENT_AS("openmi.broker.RabbitMqFmu", openmi::broker::RabbitMqFmu)
