#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"

int NeighbourNumber();

class NeedsNeighbour final : public foreign::Component {
 public:
  NeedsNeighbour() { SetDescription(std::to_string(NeighbourNumber())); }
};
OPENMI_EXPORT_COMPONENT(NeedsNeighbour)
