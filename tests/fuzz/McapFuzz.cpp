#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "fmi-bridge/osmp/trace/McapReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// The bytes as an MCAP file, in memory: every message of every channel.
OPENMI_FUZZ_TARGET(mcap) {
  using namespace openmi::osi;
  static const int file = memfd_create("mcap", 0);
  if (ftruncate(file, 0) != 0 || pwrite(file, input.data(), input.size(), 0) != static_cast<ssize_t>(input.size()))
    std::abort();
  try {
    McapReader reader("/proc/self/fd/" + std::to_string(file));
    for (const McapChannel& channel : reader.Channels()) {
      std::uint64_t before = 0;
      for (const McapPlace& place : reader.MessagesOf(channel.id)) {
        if (place.nanos < before) std::abort();  // by time
        before = place.nanos;
        static_cast<void>(reader.At(place, channel.id));
      }
    }
  } catch (const openmi::Error&) {
  }
}

}  // namespace openmi::fuzz
