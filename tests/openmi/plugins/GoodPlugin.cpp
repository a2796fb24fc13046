#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"

namespace {

class LinearReservoir final : public foreign::Component {
 public:
  LinearReservoir() : Component("linear-reservoir") {}
};

}  // namespace

OPENMI_EXPORT_COMPONENT(LinearReservoir)
