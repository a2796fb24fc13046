#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "study/run/StudyHost.hpp"

/// The worker of a study: runs members for another process.
///
/// The command starts it and passes a socket and shared memory as open files. `openmi worker --study` starts it with
/// `--connected`, and passes a connection to the study. Users do not start it.
int main(int argc, char** argv) {
  using namespace openmi;
  try {
    const auto is_alive = [] { return IsConnected(kSocketThere); };
    std::unique_ptr<ITransport> transport;
    if (argc == 2 && std::strcmp(argv[1], "--connected") == 0) {
      transport = std::make_unique<TcpTransport>(Side::Child, kSocketThere, is_alive);
    } else {
      SharedMemory page(kPageThere);
      if (page.Size() < Channel::PageSize()) {
        std::fputs("openmi-study-host: expected to be started by a study, found no memory to share\n", stderr);
        return 2;
      }
      transport = std::make_unique<SharedPage>(Side::Child, std::move(page), kSocketThere, is_alive);
    }
    // What solvers print of thousands of members is of use to no one; a member that is run alone prints it.
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
    StudyHost(std::move(transport), kSocketThere).Run();
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openmi-study-host: %s\n", error.what());
    return 1;
  }
}
