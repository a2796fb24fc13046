#include "openmi/omi/BuildText.hpp"

#include <utility>
#include <vector>

namespace openmi {

namespace {

using Settings = std::vector<std::pair<std::string_view, std::string_view>>;

Settings SettingsOf(std::string_view text) {
  Settings settings;
  while (!text.empty()) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
      settings.emplace_back(word.substr(0, equals), word.substr(equals + 1));
    }
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  }
  return settings;
}

std::string_view Find(const Settings& settings, std::string_view key) {
  for (const auto& [name, value] : settings) {
    if (name == key) return value;
  }
  return {};
}

// The part of a version that must be equal: "0.1" of 0.1.3, "2" of 2.4.1.
std::string_view CompatiblePart(std::string_view version) {
  const std::size_t first = version.find('.');
  if (first == std::string_view::npos || version.substr(0, first) != "0") return version.substr(0, first);
  return version.substr(0, version.find('.', first + 1));
}

std::string RemedyFor(std::string_view key, std::string_view ours) {
  const std::string value(ours);
  if (key == "cxx11") return "with -D_GLIBCXX_USE_CXX11_ABI=" + value;
  if (key == "debug") return ours == "1" ? "with -D_GLIBCXX_DEBUG" : "without -D_GLIBCXX_DEBUG";
  if (key == "rtti") return ours == "1" ? "without -fno-rtti" : "with -fno-rtti";
  if (key == "enums") return ours == "4" ? "without -fshort-enums" : "with -fshort-enums";
  if (key == "sanitizer") return ours == "none" ? "without -fsanitize" : "with -fsanitize=" + value;
  if (key == "headers") return std::string("with this program's own headers of openmi2 ") + kSdkVersion;
  if (key == "stdlib") return "with the standard library " + value;
  return std::string("with the headers of openmi2 ") + kSdkVersion;
}

}  // namespace

std::string HostBuildText() {
  static constexpr BuildText kText = ThisBuildText();
  return kText.text;
}

std::string BuildRemedy(std::string_view ours, std::string_view theirs) {
  const Settings found = SettingsOf(theirs);
  std::string remedy;
  for (const auto& [key, value] : SettingsOf(ours)) {
    const std::string_view other = Find(found, key);
    if (key == "headers" && Find(found, "sdk") != Find(SettingsOf(ours), "sdk")) continue;
    if (key == "sdk" ? CompatiblePart(value) == CompatiblePart(other) : value == other) continue;
    const std::string part = RemedyFor(key, value);
    if (remedy.find(part) != std::string::npos) continue;
    remedy += (remedy.empty() ? "rebuild the library " : " and ") + part;
  }
  return remedy;
}

}  // namespace openmi
