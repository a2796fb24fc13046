// Ends its process while it is loaded, before anything of it is called.

#include <unistd.h>

#include <cstdlib>

#include "timespace/SteppingComponent.hpp"

namespace {

struct Bomb {
  Bomb() {
    if (getpid() > 0) std::abort();  // always, which the compiler must not know
  }
};
const Bomb bomb;

class Never final : public openmi::SteppingComponent {
 public:
  Never() : SteppingComponent("never") {}

 private:
  void Step(openmi::Stamp, openmi::Stamp) override {}
};

}  // namespace

OPENMI_EXPORT_COMPONENT_AS("test.Never", Never)
