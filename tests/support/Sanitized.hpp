#pragma once

#include <cstdlib>
#include <string>

#include "openmi/sdk/Sanitizers.hpp"

namespace openmi::test {

using openmi::kIsSanitized;

/// Lets the children that this process starts end by the signal that they meet, which a sanitizer would make an exit
/// of. This process has read its own options already. \returns true, to be kept in a variable of a file
inline bool LetChildrenCrash() {
#if OPENMI_ADDRESS_SANITIZER
  constexpr const char* kOptions = "ASAN_OPTIONS";
#else
  constexpr const char* kOptions = "TSAN_OPTIONS";
#endif
  if (!kIsSanitized) return true;
  const char* own = std::getenv(kOptions);
  const std::string options = std::string(own != nullptr ? own : "") + ":handle_segv=0:handle_abort=0";
  return setenv(kOptions, options.c_str(), 1) == 0;
}

}  // namespace openmi::test
