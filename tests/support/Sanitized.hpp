#pragma once

#include <cstdlib>
#include <string>

namespace openmi::test {

/// Whether this test was built with a sanitizer, which has malloc, signals and exits of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

/// Lets the children that this process starts end by the signal that they meet, which a sanitizer would make an exit
/// of. This process has read its own options already. \returns true, to be kept in a variable of a file
inline bool LetChildrenCrash() {
#if defined(__SANITIZE_ADDRESS__)
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
