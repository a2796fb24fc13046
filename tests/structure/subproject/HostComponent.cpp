// A host's source, compiled with the host's own flags against our headers and libraries.
#include "openmi/sdk/Error.hpp"
#include "openmi/standard.hpp"
#include "timespace/standard.hpp"

namespace host {
int Main() {
  throw openmi::Error({}, "expected nothing, found a host");
}
}  // namespace host
