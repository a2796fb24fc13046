#include "tools/StackPictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace openmi::tools {
namespace {

// The number that an attribute of the root holds, in pixels.
double Attribute(const std::string& picture, const std::string& name, double otherwise) {
  const std::size_t root = picture.find("<svg ");
  const std::size_t end = picture.find('>', root);
  const std::size_t at = picture.find(" " + name + "=\"", root);
  if (at == std::string::npos || at > end) return otherwise;
  return std::strtod(picture.c_str() + at + name.size() + 3, nullptr);
}

}  // namespace

std::string Stacked(const std::vector<std::string>& pictures) {
  constexpr double kGap = 20.0;  // pixels
  if (pictures.size() == 1) return pictures.front();
  double width = 0.0;
  double height = 0.0;
  std::string body;
  for (const std::string& picture : pictures) {
    const std::size_t root = picture.find("<svg ");
    if (root == std::string::npos) continue;
    body += fmt::format("<svg y=\"{}\" ", height) + picture.substr(root + 5) + "\n";
    width = std::max(width, Attribute(picture, "width", 860.0));
    height += Attribute(picture, "height", 300.0) + kGap;
  }
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n", width, height) + body +
         "</svg>\n";
}

}  // namespace openmi::tools
