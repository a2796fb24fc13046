#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"

int NeighbourNumber();
int NeighbourNumber() {
  return 21;
}

class NeighboursOwn final : public foreign::Component {};
OPENMI_EXPORT_COMPONENT(NeighboursOwn)
