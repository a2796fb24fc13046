#include <string>

#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"

namespace {

thread_local std::string last_name;

class KeepsThread final : public foreign::Component {
 public:
  KeepsThread() { last_name = "a text that is long enough to live on the heap"; }
};

}  // namespace

OPENMI_EXPORT_COMPONENT(KeepsThread)
