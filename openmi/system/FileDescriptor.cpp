#include "openmi/system/FileDescriptor.hpp"

#include <unistd.h>

#include <cerrno>

namespace openmi {

int FileDescriptor::Close() {
  const int number = std::exchange(number_, -1);
  return number >= 0 && close(number) != 0 ? errno : 0;
}

}  // namespace openmi
