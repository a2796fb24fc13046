#include "openmi/omi/ExportComponent.hpp"
#include "tests/support/ForeignComponent.hpp"

namespace {

// An exception that only this library knows, with a message in its own memory.
struct OwnFailure final : std::exception {
  const char* what() const noexcept override { return "a failure of the library's own kind"; }
};

class ThrowsOwn final : public foreign::Component {
 public:
  ThrowsOwn() { throw OwnFailure(); }
};

class ThrowsNumber final : public foreign::Component {
 public:
  ThrowsNumber() { throw 42; }
};

}  // namespace

OPENMI_EXPORT_COMPONENT(ThrowsOwn)
OPENMI_EXPORT_COMPONENT(ThrowsNumber)
