// The host of FMUs for Windows, for libraries of this machine: so that what is not Windows of it runs in every test.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

#include "fmi-bridge/fmi/wine/Pieces.hpp"
#include "fmi-bridge/fmi/wine/host/Platform.hpp"

namespace openmi::fmi::wine {
namespace {

int input = -1;
int output = -1;

}  // namespace

std::string LocalPath(const std::string& path) {
  return path;
}

namespace platform {

void TakeStreams() {
  input = dup(STDIN_FILENO);
  output = dup(STDOUT_FILENO);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

void WatchRunner(const char*) {
  std::thread([] {
    pollfd state{input, POLLRDHUP, 0};
    while (poll(&state, 1, -1) < 0 && errno == EINTR) {
    }
    End(0);
  }).detach();
}

std::size_t Read(std::byte* bytes, std::size_t size) {
  const ssize_t count = read(input, bytes, size);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

bool Write(const std::byte* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t count = write(output, bytes, size);
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

void End(int code) {
  _exit(code);
}

void* Load(const std::string& path, std::string& problem) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) problem = dlerror();
  return library;
}

void* Find(void* library, const std::string& name) {
  return dlsym(library, name.c_str());
}

}  // namespace platform
}  // namespace openmi::fmi::wine
