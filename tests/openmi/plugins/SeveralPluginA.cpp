#include <stdexcept>

#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "tests/support/ForeignComponent.hpp"

namespace hydro {

class Runoff final : public foreign::Component {
 public:
  Runoff() : Component("runoff") {}
};

// Belongs to a family that it names itself.
class Twin final : public foreign::Component, public openmi::IFamilyKey {
 public:
  std::string FamilyKey() const override { return "twins"; }
};

}  // namespace hydro

class Throws final : public foreign::Component {
 public:
  Throws() { throw std::runtime_error("the licence server does not answer"); }
};

OPENMI_EXPORT_COMPONENT(hydro::Runoff)
OPENMI_EXPORT_COMPONENT_AS("org.example.Twin", hydro::Twin)
OPENMI_EXPORT_COMPONENT(Throws) OPENMI_EXPORT_FACTORY_AS("org.example.Gates", foreign::EmptyFactory)
