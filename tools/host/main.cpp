#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "composition/isolation/ComponentHost.hpp"
#include "openmi/omi/DotnetAssembly.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace {

/// Reads the key of connections between workers, which `openmi worker` left in a pipe.
std::string TakeRowKey() {
  const openmi::FileDescriptor pipe(openmi::kRowKeyThere);
  std::string key(64, '\0');
  const ssize_t got = read(pipe.Number(), key.data(), key.size());
  key.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return key;
}

}  // namespace

/// The worker: holds components for a run in another process.
///
/// The runtime starts it and passes a socket and two pieces of shared memory as open files. `openmi worker` starts it
/// with
/// `--connected`, and passes a connection to the run. Users do not start it.
int main(int argc, char** argv) {
  using namespace openmi;
  try {
    const bool is_elsewhere = argc == 2 && std::strcmp(argv[1], "--connected") == 0;
    const auto is_alive = [] { return IsConnected(kSocketThere); };
    DotnetAssembly::AllowHere();
    if (is_elsewhere) {
      ComponentHost(std::make_unique<TcpTransport>(Side::Child, kSocketThere, is_alive), SharedMemory::Create(),
                    kSocketThere, TakeRowKey())
          .Run();
      return 0;
    }
    SharedMemory page(kPageThere);
    if (page.Size() < Channel::PageSize()) {
      std::fputs("openmi-component-host: expected to be started by a run, found no memory to share\n", stderr);
      return 2;
    }
    ComponentHost(std::make_unique<SharedPage>(Side::Child, std::move(page), kSocketThere, is_alive),
                  SharedMemory(kRowsThere), kSocketThere)
        .Run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openmi-component-host: %s\n", error.what());
    return 1;
  }
}
