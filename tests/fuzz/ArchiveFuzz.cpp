#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fmi-bridge/common/archive/Archive.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any bytes are either an archive of which every name stays inside, or an error; nobody inflates more than is allowed.
OPENMI_FUZZ_TARGET(archive) {
  constexpr ArchiveLimits kLimits{.entries = 100, .bytes = 1 << 20};
  try {
    const Archive archive(input, "fuzz.fmu", kLimits);
    for (const ArchiveEntry& entry : archive.Entries()) {
      if (entry.name.empty() || entry.name.front() == '/') std::abort();
      if (("/" + entry.name + "/").find("/../") != std::string::npos) std::abort();
      if (!archive.Has(entry.name)) std::abort();
      if (entry.is_folder) continue;
      try {
        if (archive.Read(entry.name).size() != entry.bytes) std::abort();
      } catch (const FormatError& error) {
        if (error.Place().file != "fuzz.fmu") std::abort();
      }
    }
  } catch (const FormatError& error) {
    if (error.Place().file != "fuzz.fmu") std::abort();
  }
}

}  // namespace openmi::fuzz
