#include <array>
#include <fstream>
#include <string>

#include "composition/report/SvgTheme.hpp"
#include "studio/Contents.hpp"

namespace openmi {

/// The text of a file of page/.
std::string_view EmbeddedStudioFile(std::string_view name);

namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20;  // bytes

/// The style of the page: the colours and pictures of the report, then what is its own.
std::string Style() {
  return ":root{" + LightColours() + "}\n@media screen and (prefers-color-scheme:dark){:root{" + DarkColours() +
         "}}\n" + InlineSvgStyle() + std::string(EmbeddedStudioFile("studio.css"));
}

std::string_view TypeOf(const std::string& ending) {
  struct Known {
    std::string_view ending;
    std::string_view type;
  };
  constexpr std::array kKnown = {Known{".html", "text/html; charset=utf-8"},
                                 Known{".csv", "text/csv; charset=utf-8"},
                                 Known{".svg", "image/svg+xml"},
                                 Known{".png", "image/png"},
                                 Known{".json", "application/json"},
                                 Known{".xml", "text/plain; charset=utf-8"}};
  for (const Known& one : kKnown) {
    if (ending == one.ending) return one.type;
  }
  return "application/octet-stream";
}

}  // namespace

bool PageFile(std::string_view path, WebContent& content) {
  if (path == "/") {
    content = {"text/html; charset=utf-8", std::string(EmbeddedStudioFile("page.html"))};
  } else if (path == "/studio.css") {
    content = {"text/css; charset=utf-8", Style()};
  } else if (path == "/plots.js" || path == "/maps.js") {
    content = {"text/javascript; charset=utf-8", std::string(EmbeddedReportFile(path.substr(1)))};
  } else {
    const std::string_view text = path.ends_with(".js") ? EmbeddedStudioFile(path.substr(1)) : std::string_view();
    if (text.empty()) return false;
    content = {"text/javascript; charset=utf-8", std::string(text)};
  }
  return true;
}

bool FolderFile(const std::filesystem::path& file, WebContent& content) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error || size > kLargest) return false;
  std::ifstream stream(file, std::ios::binary);
  content.bytes.resize(size);
  if (size > 0 && !stream.read(content.bytes.data(), static_cast<std::streamsize>(size))) return false;
  content.type = TypeOf(file.extension().string());
  content.is_foreign = true;
  return true;
}

}  // namespace openmi
