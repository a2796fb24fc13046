#pragma once

// Which sanitizer a source is compiled with, 0 or 1 each. g++ tells by macros of its own, clang by features. Sanitizers
// bring a malloc, exits and signals of their own, and need more of the stack.

#if defined(__SANITIZE_ADDRESS__)
#define OPENMI_ADDRESS_SANITIZER 1
#elif defined(__SANITIZE_THREAD__)
#define OPENMI_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OPENMI_ADDRESS_SANITIZER 1
#elif __has_feature(thread_sanitizer)
#define OPENMI_THREAD_SANITIZER 1
#endif
#endif

#ifndef OPENMI_ADDRESS_SANITIZER
#define OPENMI_ADDRESS_SANITIZER 0
#endif
#ifndef OPENMI_THREAD_SANITIZER
#define OPENMI_THREAD_SANITIZER 0
#endif

namespace openmi {

/// Whether the source that includes this is compiled with one of them.
inline constexpr bool kIsSanitized = OPENMI_ADDRESS_SANITIZER != 0 || OPENMI_THREAD_SANITIZER != 0;

}  // namespace openmi
