#include <unistd.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "fmi-bridge/export/fmu/FmuHost.hpp"
#include "openmi/omi/SchemaValidator.hpp"

/// The process of an instance of an exported FMU.
///
/// The library of the FMU starts it and passes a socket and shared memory as open files. Users do not start it.
int main(int argc, char** argv) {
  using namespace openmi;
  dup2(STDERR_FILENO, STDOUT_FILENO);  // text printed by components does not mix with that of the importer
  try {
    SharedMemory page(kPageThere);
    if (argc != 2 || page.Size() < Channel::PageSize()) {
      std::fputs("openmi-fmu-host: expected to be started by the library of an FMU\n", stderr);
      return 2;
    }
    TrustDocuments();
    fmu::FmuHost(argv[1], std::move(page), SharedMemory(kRowsThere), kSocketThere).Run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openmi-fmu-host: %s\n", error.what());
    return 1;
  }
}
