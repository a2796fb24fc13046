#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace openmi {

/// The twelve platform names that an OMI file may list.
inline constexpr std::array<std::string_view, 12> kPlatforms{"Win",   "Win32",   "Win64",   "Unix", "Unix32", "Unix64",
                                                             "Linux", "Linux32", "Linux64", "Mac",  "Mac32",  "Mac64"};

/// The most specific name for the machine that this library was built for, such as "Linux64".
std::string HostPlatform();

/// Whether a library for `platform` can run on `host`.
///
/// A name without a number fits both widths. Unix fits Linux and Mac.
/// \param platform  one of kPlatforms; any other name fits no host
/// \param host      one of kPlatforms that ends in 32 or 64
bool PlatformMatches(std::string_view platform, std::string_view host);

/// Whether one of `platforms` fits this machine. An empty list fits every machine.
bool PlatformMatches(std::span<const std::string> platforms);

}  // namespace openmi
