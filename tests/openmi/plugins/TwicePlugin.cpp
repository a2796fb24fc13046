#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"

OPENMI_EXPORT_COMPONENT_AS("Weir", foreign::Component)
OPENMI_EXPORT_COMPONENT_AS("Weir", foreign::Component)
