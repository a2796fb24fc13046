#include <cstdio>
#include <exception>
#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/isolation/ComponentHost.hpp"
#include "openmi/omi/DotnetAssembly.hpp"

/// The worker: holds components for a run in another process.
///
/// The runtime starts it and passes a socket and two pieces of shared memory as open files. Users do not start it.
int main() {
  try {
    openmi::SharedMemory page(openmi::kPageThere);
    if (page.Size() < openmi::Channel::PageSize()) {
      std::fputs("openmi-component-host: expected to be started by a run, found no memory to share\n", stderr);
      return 2;
    }
    openmi::DotnetAssembly::AllowHere();
    openmi::ComponentHost(std::move(page), openmi::SharedMemory(openmi::kRowsThere), openmi::kSocketThere).Run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openmi-component-host: %s\n", error.what());
    return 1;
  }
}
