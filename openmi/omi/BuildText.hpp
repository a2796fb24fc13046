#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "openmi/omi/HeadersHash.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi {

/// The version of the binary interface between host and plug-in: the standard's interfaces and the table of the entry
/// point.
///
/// Increased whenever existing plug-ins can no longer be called.
inline constexpr unsigned kComponentAbi = 1;

/// The build properties of a component library, as a text.
///
/// The text has a fixed place and needs no relocation, so a host can read it from the file before any code of the
/// library runs. Example:
///
/// `openmi abi=1 value=40 stdlib=libstdc++ cxx11=1 debug=0 rtti=1 enums=4 sanitizer=none sdk=0.2.0
/// headers=6f0c9a41d2b7e583`
///
/// | key       | meaning |
/// | --------- | ------- |
/// | abi       | kComponentAbi |
/// | value     | `sizeof(openmi::Value)` |
/// | stdlib    | libstdc++, libc++ or other: they do not share `std::string` |
/// | cxx11     | `_GLIBCXX_USE_CXX11_ABI` |
/// | debug     | 1 when `_GLIBCXX_DEBUG` is defined |
/// | rtti      | 0 when compiled with -fno-rtti: optional interfaces are found by `dynamic_cast` |
/// | enums     | bytes of a plain enum: fewer with -fshort-enums |
/// | sanitizer | none, address or thread (the undefined behaviour sanitizer does not change the binary interface) |
/// | sdk       | the version of the SDK whose headers were used |
/// | headers   | hash of these headers |
struct BuildText {
  char text[160] = {};
};

namespace build_text_detail {

enum SmallEnum { kOnlyOne };

class Writer {
 public:
  constexpr Writer& operator<<(const char* text) {
    while (*text != '\0') Put(*text++);
    return *this;
  }
  constexpr Writer& operator<<(std::size_t number) {
    char digits[20] = {};
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    while (count > 0) Put(digits[--count]);
    return *this;
  }
  constexpr BuildText Text() const { return text_; }

 private:
  // The last character stays the terminating zero. A longer text fails to compile (an index outside the array).
  constexpr void Put(char c) {
    text_.text[length_ < sizeof(text_.text) - 1 ? length_ : sizeof(text_.text)] = c;
    ++length_;
  }
  BuildText text_;
  std::size_t length_ = 0;
};

}  // namespace build_text_detail

#if defined(__SANITIZE_ADDRESS__)
#define OPENMI_BUILD_SANITIZER "address"
#elif defined(__SANITIZE_THREAD__)
#define OPENMI_BUILD_SANITIZER "thread"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define OPENMI_BUILD_SANITIZER "address"
#elif __has_feature(thread_sanitizer)
#define OPENMI_BUILD_SANITIZER "thread"
#endif
#endif
#ifndef OPENMI_BUILD_SANITIZER
#define OPENMI_BUILD_SANITIZER "none"
#endif

/// The text for the source file that is being compiled.
///
/// Internal linkage, because two files may be compiled with different flags.
static consteval BuildText ThisBuildText() {
  build_text_detail::Writer writer;
  writer << "openmi abi=" << std::size_t{kComponentAbi} << " value=" << sizeof(Value);
#if defined(__GLIBCXX__)
  writer << " stdlib=libstdc++ cxx11=" << std::size_t{_GLIBCXX_USE_CXX11_ABI};
#elif defined(_LIBCPP_VERSION)
  writer << " stdlib=libc++ cxx11=1";
#else
  writer << " stdlib=other cxx11=1";
#endif
#ifdef _GLIBCXX_DEBUG
  writer << " debug=1";
#else
  writer << " debug=0";
#endif
#ifdef __cpp_rtti
  writer << " rtti=1";
#else
  writer << " rtti=0";
#endif
  writer << " enums=" << sizeof(build_text_detail::SmallEnum);
  writer << " sanitizer=" << OPENMI_BUILD_SANITIZER << " sdk=" << kSdkVersion << " headers=" << kHeadersHash;
  return writer.Text();
}

/// The text of the build of this SDK.
std::string HostBuildText();

/// Compares two build texts and says how to make the library fit the host.
///
/// SDK versions fit when their first numbers are equal; while the first number is 0, also the second numbers. The
/// hashes of the headers are compared only for equal versions; between versions the version numbers promise the fit.
/// Keys that are missing in `ours` are ignored.
/// \param ours    the text of the host
/// \param theirs  the text of the library
/// \returns one remedy for each difference ("rebuild the library with -D_GLIBCXX_USE_CXX11_ABI=1"), joined with "and";
///   empty when the two fit
std::string BuildRemedy(std::string_view ours, std::string_view theirs);

}  // namespace openmi
