#include <unistd.h>

#include <cstdio>
#include <exception>
#include <utility>

#include "fmi-bridge/fmu-export/FmuHost.hpp"
#include "openmi/omi/SchemaValidator.hpp"

/// The program behind an instance of an exported FMU. Started by the library of the FMU, which hands over a socket and
/// shared memory as open files; of no use to people.
int main(int argc, char** argv) {
  using namespace openmi;
  dup2(STDERR_FILENO, STDOUT_FILENO);  // what components print does not mix with what the importer prints
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
