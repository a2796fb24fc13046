#include "openmi/omi/IconType.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {
namespace {

constexpr std::string_view kPng("\x89PNG\r\n\x1A\n", 8);
constexpr char kRemedy[] = "export the icon again";

void CheckPng(std::string_view bytes, const std::string& file) {
  constexpr std::string_view kHeader("\0\0\0\x0DIHDR", 8);
  constexpr std::size_t kSizes = kPng.size() + kHeader.size();
  constexpr std::uint32_t kMostPixels = 2048;
  if (bytes.size() < kSizes + 8 || bytes.substr(kPng.size(), kHeader.size()) != kHeader) {
    throw FormatError({.file = file}, "expected the header (IHDR) of a PNG picture, found none", kRemedy);
  }
  const auto number = [bytes](std::size_t at) {
    std::uint32_t value = 0;
    for (const char byte : bytes.substr(at, 4)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  };
  const std::uint32_t width = number(kSizes);
  const std::uint32_t height = number(kSizes + 4);
  if (width - 1 < kMostPixels && height - 1 < kMostPixels) return;  // 0 is a very large number here
  throw FormatError({.file = file},
                    fmt::format("expected a PNG picture of 1 to {0} by 1 to {0} pixels, found one of {1} by {2}",
                                kMostPixels, width, height),
                    "make it smaller; 100 by 100 pixels are enough");
}

/// What a renderer would do for a picture, at most: its elements, each as often as references repeat it.
///
/// A reference in a style (`fill`, `mask`, `marker` ...) may apply to everything inside its element.
class DrawnElements {
 public:
  explicit DrawnElements(const XmlElement& root) {
    Find(root);
    number_ = Count(root).number;
  }
  /// Infinity if an element contains itself, if references are too deep, or cannot be followed here.
  double Number() const { return number_; }

 private:
  static constexpr double kEndless = std::numeric_limits<double>::infinity();
  static constexpr int kMostDeep = 256;
  struct Drawn {
    double number = kEndless;
    int depth = 0;
  };

  void Find(const XmlElement& element) {
    if (const XmlAttribute* id = element.Attribute("id")) by_id_.emplace(id->value, &element);
    for (const char* name : {"d", "points"}) {  // a marker is drawn at each point
      most_points_ = std::max(most_points_, static_cast<double>(element.Get(name).size()) / 2.0);
    }
    for (const XmlElement& child : element.children) Find(child);
  }

  Drawn Count(const XmlElement& element) {
    const auto [place, is_new] = known_.try_emplace(&element);
    if (!is_new) return place->second;
    Drawn drawn{.number = 1.0};
    for (const XmlElement& child : element.children) Add(Count(child), drawn);
    for (const XmlAttribute& attribute : element.attributes) {
      if (attribute.name == "href") Add(At(attribute.value), drawn);
    }
    Drawn styles{.number = 1.0};
    for (const XmlAttribute& attribute : element.attributes) {
      const std::string text = Lower(attribute.value);
      for (std::size_t at = text.find("url("); at != std::string::npos; at = text.find("url(", at + 1)) {
        Add(At(std::string_view(attribute.value).substr(at + 4, text.find(')', at) - at - 4)), styles);
      }
    }
    drawn.number *= styles.number;
    if (element.name == "marker") drawn.number *= std::max(1.0, most_points_);
    drawn.depth = std::max(drawn.depth, styles.depth);
    if (++drawn.depth > kMostDeep) drawn.number = kEndless;
    return known_[&element] = drawn;
  }

  static void Add(const Drawn& one, Drawn& to) {
    to.number += one.number;
    to.depth = std::max(to.depth, one.depth);
  }

  /// What a reference leads to, in the picture.
  Drawn At(std::string_view reference) {
    constexpr std::string_view kQuotes = " \t\r\n\f\"'";
    const std::size_t start = reference.find_first_not_of(kQuotes);
    if (start == std::string_view::npos || reference[start] != '#') return {.number = 0.0};
    reference = reference.substr(start + 1, reference.find_last_not_of(kQuotes) - start);
    const bool is_plain = std::ranges::none_of(reference, [](char c) { return c == '%' || (c >= 0 && c <= ' '); });
    if (!is_plain) return {};
    const auto target = by_id_.find(reference);
    return target == by_id_.end() ? Drawn{.number = 0.0} : Count(*target->second);
  }

  std::map<std::string_view, const XmlElement*> by_id_;
  std::map<const XmlElement*, Drawn> known_;
  double most_points_ = 0.0;
  double number_ = 0.0;
};

/// Refuses what could change references, or hide them.
void CheckStill(const XmlElement& element) {
  const auto refuse = [&element](const std::string& found) {
    throw FormatError(element.Place(), "expected a still picture with plain references, found " + found,
                      "export the icon without it");
  };
  const bool moves = element.name == "set" || element.name.starts_with("animate");
  if (moves || element.name == "foreignObject" || element.name == "script") refuse(element.name);
  if (element.name == "style") {
    const std::string text = Lower(element.text);
    for (const char* word : {"url(", "@import", "\\"}) {
      if (text.find(word) != std::string::npos) refuse(fmt::format("{} in a style sheet", word));
    }
  }
  for (const XmlAttribute& attribute : element.attributes) {
    const bool is_style = attribute.namespace_uri.empty() && attribute.name != "id";
    if (is_style && attribute.value.find('\\') != std::string::npos) refuse("\\ in " + attribute.name);
    std::string text = Lower(attribute.value);
    std::erase_if(text, [](char c) { return c >= 0 && c <= ' '; });
    for (std::size_t at = text.find("data:"); at != std::string::npos; at = text.find("data:", at + 1)) {
      const std::string_view type = std::string_view(text).substr(at + 5);
      const bool is_pixels = type.starts_with("image/png") || type.starts_with("image/jpeg");
      if (!is_pixels && (attribute.name == "href" || text.find("url(") != std::string::npos)) {
        refuse("another picture than PNG or JPEG in " + attribute.name);
      }
    }
  }
  for (const XmlElement& child : element.children) CheckStill(child);
}

void CheckSvg(std::string_view bytes, const std::string& file) {
  constexpr double kMostElements = 100'000;
  const XmlDocument document = ReadXml(bytes, file, {.bytes = kMostIconBytes, .depth = 64, .nodes = 20'000});
  const XmlElement& root = document.root;
  if (root.name != "svg" || root.namespace_uri != "http://www.w3.org/2000/svg") {
    throw FormatError(root.Place(), "expected svg in the namespace http://www.w3.org/2000/svg, found " + root.name,
                      kRemedy);
  }
  if (bytes.find("<?xml-stylesheet") != std::string_view::npos) {
    throw FormatError(root.Place(), "expected a picture without a style sheet of another file, found one", kRemedy);
  }
  CheckStill(root);
  if (DrawnElements(root).Number() <= kMostElements) return;
  throw FormatError(
      root.Place(),
      fmt::format("expected a picture of at most {} elements, found that references make more of them", kMostElements),
      "draw the icon with fewer elements");
}

}  // namespace

std::string_view IconType(std::string_view bytes, const std::string& file) {
  if (bytes.size() > kMostIconBytes) {
    throw FormatError({.file = file},
                      fmt::format("expected an icon of at most {} bytes, found {}", kMostIconBytes, bytes.size()),
                      "make it smaller; 100 by 100 pixels are enough");
  }
  if (bytes.starts_with(kPng)) {
    CheckPng(bytes, file);
    return "image/png";
  }
  constexpr std::string_view kMark = "\xEF\xBB\xBF";  // of UTF-8
  const std::size_t start = bytes.find_first_not_of(" \t\r\n", bytes.starts_with(kMark) ? kMark.size() : 0);
  if (start == std::string_view::npos || bytes[start] != '<') {
    throw FormatError({.file = file}, "expected a picture in PNG, or in SVG in UTF-8, found neither", kRemedy);
  }
  CheckSvg(bytes, file);
  return "image/svg+xml";
}

}  // namespace openmi
