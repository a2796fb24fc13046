#include "fmi-bridge/export/fmu/shim/ResourcePath.hpp"

#include <string_view>

namespace openmi::fmu {
namespace {

int DigitOf(char sign) {
  if (sign >= '0' && sign <= '9') return sign - '0';
  if (sign >= 'a' && sign <= 'f') return sign - 'a' + 10;
  if (sign >= 'A' && sign <= 'F') return sign - 'A' + 10;
  return -1;
}

}  // namespace

std::string FolderOfPath(const char* path) {
  std::string folder = path != nullptr ? path : "";
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

std::string FolderOfUri(const char* uri) {
  std::string_view text = uri != nullptr ? uri : "";
  constexpr std::string_view kScheme = "file:";
  if (!text.starts_with(kScheme)) return FolderOfPath(uri);
  text.remove_prefix(kScheme.size());
  if (text.starts_with("//")) {  // an authority: empty, or the name of this machine
    const std::size_t begin = text.find('/', 2);
    text.remove_prefix(begin == std::string_view::npos ? text.size() : begin);
  }
  std::string path;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && DigitOf(text[i + 1]) >= 0 && DigitOf(text[i + 2]) >= 0;
    path.push_back(is_escape ? static_cast<char>(DigitOf(text[i + 1]) * 16 + DigitOf(text[i + 2])) : text[i]);
    if (is_escape) i += 2;
  }
  return FolderOfPath(path.c_str());
}

}  // namespace openmi::fmu
