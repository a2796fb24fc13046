#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace openmi {

/// The twelve platform names an OMI file may list.
inline constexpr std::array<std::string_view, 12> kPlatforms{"Win",   "Win32",   "Win64",   "Unix", "Unix32", "Unix64",
                                                             "Linux", "Linux32", "Linux64", "Mac",  "Mac32",  "Mac64"};

/// The most exact name for the machine this library was built for, such as "Linux64".
std::string HostPlatform();

/// Whether a library for `platform` can run on `host`: a name without number fits both widths, and Unix fits Linux and
/// Mac. \param platform  one of kPlatforms; any other name fits nothing \param host      one of kPlatforms that ends in
/// 32 or 64
bool PlatformMatches(std::string_view platform, std::string_view host);

/// Whether one of `platforms` fits this machine. An empty list fits every machine.
bool PlatformMatches(std::span<const std::string> platforms);

}  // namespace openmi
