#include <unistd.h>

#include <cstdio>
#include <exception>

#include "composition/channel/Greeting.hpp"
#include "study/run/StudyHost.hpp"

/// The worker of a study: runs members for another process.
///
/// The command starts it and passes a socket and shared memory as open files. Users do not start it.
int main() {
  try {
    openmi::SharedMemory page(openmi::kPageThere);
    if (page.Size() < openmi::Channel::PageSize()) {
      std::fputs("openmi-study-host: expected to be started by a study, found no memory to share\n", stderr);
      return 2;
    }
    // What solvers print of thousands of members is of use to no one; a member that is run alone prints it.
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
    openmi::StudyHost(std::move(page), openmi::kSocketThere).Run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openmi-study-host: %s\n", error.what());
    return 1;
  }
}
