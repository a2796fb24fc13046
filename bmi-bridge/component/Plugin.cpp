#include "bmi-bridge/component/BmiComponent.hpp"
#include "openmi/omi/ExportComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("openmi.bmi.Model", openmi::bmi::BmiComponent)
