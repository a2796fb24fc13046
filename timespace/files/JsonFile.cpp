#include "timespace/files/JsonFile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/ReadableFile.hpp"

namespace openmi {

std::string ReadJsonFile(const std::string& path, std::string_view wanted) {
  ExpectReadable(path, path, wanted);
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void ExpectShallowJson(std::string_view text, const std::string& path) {
  constexpr int kDeepest = 100;
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth <= kDeepest) continue;
      throw FormatError({.file = path, .line = LineAt(text, i)},
                        fmt::format("expected at most {} lists and objects within each other, found more", kDeepest),
                        "check that the file is what its name says");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

int LineAt(std::string_view text, std::size_t byte) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, byte), '\n'));
}

}  // namespace openmi
