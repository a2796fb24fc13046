#include "composition/report/ArrangePictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace openmi {
namespace {

// The number in an attribute of the root, in pixels.
double Attribute(const std::string& picture, const std::string& name, double otherwise) {
  const std::size_t root = picture.find("<svg ");
  const std::size_t end = picture.find('>', root);
  const std::size_t at = picture.find(" " + name + "=\"", root);
  if (at == std::string::npos || at > end) return otherwise;
  return std::strtod(picture.c_str() + at + name.size() + 3, nullptr);
}

std::string Arranged(const std::vector<std::string>& pictures, bool downwards) {
  constexpr double kGap = 20.0;  // pixels
  if (pictures.size() == 1) return pictures.front();
  double along = 0.0;
  double across = 0.0;
  std::string body;
  for (const std::string& picture : pictures) {
    const std::size_t root = picture.find("<svg ");
    if (root == std::string::npos) continue;
    body += fmt::format("<svg {}=\"{}\" ", downwards ? "y" : "x", along) + picture.substr(root + 5) + "\n";
    const double width = Attribute(picture, "width", 860.0);
    const double height = Attribute(picture, "height", 300.0);
    along += (downwards ? height : width) + kGap;
    across = std::max(across, downwards ? width : height);
  }
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\">\n",
                     downwards ? across : along, downwards ? along : across) +
         body + "</svg>\n";
}

}  // namespace

std::string Stacked(const std::vector<std::string>& pictures) {
  return Arranged(pictures, true);
}

std::string InARow(const std::vector<std::string>& pictures) {
  return Arranged(pictures, false);
}

}  // namespace openmi
