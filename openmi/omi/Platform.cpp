#include "openmi/omi/Platform.hpp"

#include <algorithm>

namespace openmi {

namespace {

struct Parts {
  std::string_view system;
  std::string_view width;  ///< "32", "64" or empty for both
};

Parts PartsOf(std::string_view platform) {
  if (platform.ends_with("32") || platform.ends_with("64")) {
    return {platform.substr(0, platform.size() - 2), platform.substr(platform.size() - 2)};
  }
  return {platform, {}};
}

}  // namespace

std::string HostPlatform() {
#if defined(_WIN32)
  std::string system = "Win";
#elif defined(__APPLE__)
  std::string system = "Mac";
#elif defined(__linux__)
  std::string system = "Linux";
#else
  std::string system = "Unix";
#endif
  return system + (sizeof(void*) == 8 ? "64" : "32");
}

bool PlatformMatches(std::string_view platform, std::string_view host) {
  if (std::find(kPlatforms.begin(), kPlatforms.end(), platform) == kPlatforms.end()) return false;
  const Parts wanted = PartsOf(platform);
  const Parts here = PartsOf(host);
  const bool system =
      wanted.system == here.system || (wanted.system == "Unix" && (here.system == "Linux" || here.system == "Mac"));
  return system && (wanted.width.empty() || wanted.width == here.width);
}

bool PlatformMatches(std::span<const std::string> platforms) {
  const std::string host = HostPlatform();
  return platforms.empty() || std::any_of(platforms.begin(), platforms.end(),
                                          [&](const std::string& p) { return PlatformMatches(p, host); });
}

}  // namespace openmi
