// The components of the tests of runs, and those of a stranger, as a plug-in: what they own goes when it is unloaded.
#include "openmi/omi/ExportComponent.hpp"
#include "tests/composition/run/ForeignSeries.hpp"

OPENMI_EXPORT_COMPONENT_AS("test.ForeignSeries", foreign::Series)
OPENMI_EXPORT_COMPONENT_AS("test.Foreign", foreign::Component)
