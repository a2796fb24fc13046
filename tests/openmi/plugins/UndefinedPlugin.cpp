#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"

double NobodyDefinesThis(double discharge);

class Undefined final : public foreign::Component {
 public:
  Undefined() { SetDescription(std::to_string(NobodyDefinesThis(1.0))); }
};
OPENMI_EXPORT_COMPONENT(Undefined)
