#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fmi-bridge/osmp/trace/TraceReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// The bytes as a trace file, in memory.
OPENMI_FUZZ_TARGET(osi_trace) {
  using namespace openmi::osi;
  static const int file = memfd_create("trace", 0);
  if (ftruncate(file, 0) != 0 || pwrite(file, input.data(), input.size(), 0) != static_cast<ssize_t>(input.size()))
    std::abort();
  std::uint64_t behind = 0;
  try {
    TraceReader reader("/proc/self/fd/" + std::to_string(file));
    while (const auto message = reader.Next()) {
      behind += 4 + message->size();
      if (reader.Place() != behind || behind > input.size()) std::abort();
      try {
        static_cast<void>(MessageTypeByContent(*message));
        static_cast<void>(TimeOf(*message, "GroundTruth"));
      } catch (const WireError&) {
      }
    }
    if (behind != input.size()) std::abort();
  } catch (const openmi::Error&) {
  }
}

}  // namespace openmi::fuzz
