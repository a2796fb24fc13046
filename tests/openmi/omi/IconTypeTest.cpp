#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "openmi/omi/IconType.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kSignature = "\x89PNG\r\n\x1A\n";

std::string Number(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift & 0xFF);
  return bytes;
}

std::string Png(std::uint32_t width, std::uint32_t height) {
  return kSignature + Number(13) + "IHDR" + Number(width) + Number(height) + "\x08\x06\0\0\0"s;
}

std::string Svg(const std::string& content, const std::string& attributes = {}) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"" + attributes + ">\n" +
         content + "</svg>";
}

std::string Repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// Each group has ten of the one before: 10^(groups - 1) circles.
std::string Bomb(int groups, const std::string& href) {
  std::string content = "<circle id=\"g0\" r=\"1\"/>\n";
  for (int i = 1; i < groups; ++i) {
    content += "<g id=\"g" + std::to_string(i) + "\">" +
               Repeated("<use " + href + "=\"#g" + std::to_string(i - 1) + "\"/>", 10) + "</g>\n";
  }
  return Svg(content);
}

/// Each rectangle is filled ten times with the pattern before.
std::string Patterns(int patterns, const std::string& style) {
  std::string content = "<pattern id=\"p0\"><circle r=\"1\"/></pattern>\n";
  for (int i = 1; i < patterns; ++i) {
    content += "<pattern id=\"p" + std::to_string(i) + "\">" +
               Repeated("<rect " + style + std::to_string(i - 1) + ")\"/>", 10) + "</pattern>\n";
  }
  return Svg(content);
}

TEST(IconType, IsFoundByContent) {
  EXPECT_EQ(IconType(Png(100, 100), "icon.png"), "image/png");
  EXPECT_EQ(IconType(Png(1, 2048) + "any chunks", "icon.png"), "image/png");
  EXPECT_EQ(IconType(Svg("<circle r=\"1\"/>"), "icon.svg"), "image/svg+xml");
  EXPECT_EQ(IconType("\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<!-- drawn by hand -->" + Svg(""), "icon.svg"),
            "image/svg+xml");
  EXPECT_EQ(IconType("<s:svg xmlns:s=\"http://www.w3.org/2000/svg\"><s:g/></s:svg>", "icon.svg"), "image/svg+xml");
  EXPECT_EQ(IconType(Bomb(5, "href"), "icon.svg"), "image/svg+xml") << "10 000 circles are drawn at once";
  EXPECT_EQ(IconType(Svg("<use href=\"#nowhere\"/><use href=\"other.svg#a\"/><use href=\"\"/><use/>"), "icon.svg"),
            "image/svg+xml");
  EXPECT_EQ(
      IconType(Svg("<style>.a{fill:#123}</style><linearGradient id=\"a\"><stop/></linearGradient><linearGradient "
                   "id=\"b\" xlink:href=\"#a\"/><marker id=\"m\"><path d=\"M0 0L1 1\"/></marker><g fill=\"url(#b)\" "
                   "style=\"marker-end: url('#m')\"><path d=\"M0 0 1 1\" class=\"a\"/></g>"
                   "<image href=\"data:image/png;base64,iVBORw0KGgo=\"/>"),
               "icon.svg"),
      "image/svg+xml")
      << "as drawing programs write it";
}

struct Case {
  const char* what;
  std::string bytes;
  const char* message;  ///< after the name of the file
};

std::vector<Case> Hostile() {
  static constexpr char kHeader[] =
      "icon: expected the header (IHDR) of a PNG picture, found none; export the icon again";
  static constexpr char kPixels[] = "icon: expected a PNG picture of 1 to 2048 by 1 to 2048 pixels, found one of ";
  static constexpr char kNeither[] =
      "icon: expected a picture in PNG, or in SVG in UTF-8, found neither; export the icon again";
  static constexpr char kRoot[] = "icon:1: expected svg in the namespace http://www.w3.org/2000/svg, found ";
  static constexpr char kDrawn[] =
      "icon:1: expected a picture of at most 100000 elements, found that references make more";
  const std::string png = Png(100, 100);
  const auto with = [&png](std::size_t at, const std::string& bytes) {
    std::string changed = png;
    return changed.replace(at, bytes.size(), bytes);
  };
  return {
      // no picture at all
      {"empty", "", kNeither},
      {"blanks", " \n\t\r\n", kNeither},
      {"zeros", std::string(64, '\0'), kNeither},
      {"text", "icon", kNeither},
      {"mark only", "\xEF\xBB\xBF", kNeither},
      {"mark and text", "\xEF\xBB\xBFicon", kNeither},
      {"JPEG", "\xFF\xD8\xFF\xE0\0\x10JFIF"s, kNeither},
      {"GIF", "GIF89a\x10\0\x10\0"s, kNeither},
      {"BMP", "BM\x36\0\0\0"s, kNeither},
      {"ICO", "\0\0\x01\0\x01\0"s, kNeither},
      {"WebP", "RIFF\x1A\0\0\0WEBPVP8 "s, kNeither},
      {"TIFF", "II*\0"s, kNeither},
      {"PDF", "%PDF-1.7\n", kNeither},
      {"PostScript", "%!PS-Adobe\n", kNeither},
      {"ELF",
       "\x7F"
       "ELF\x02\x01\x01",
       kNeither},
      {"ZIP", "PK\x03\x04", kNeither},
      {"gzip, as svgz is", "\x1F\x8B\x08\0"s, kNeither},
      {"script", "#!/bin/sh\n", kNeither},
      {"JavaScript", "alert(1)", kNeither},
      {"data address", "data:image/png;base64,iVBORw0KGgo=", kNeither},
      {"SVG in UTF-16", "\xFF\xFE<\0s\0v\0g\0/\0>\0"s, kNeither},
      {"SVG in UTF-16, other order", "\xFE\xFF\0<\0s\0v\0g"s, kNeither},
      {"too large", std::string(kMostIconBytes + 1, ' '),
       "icon: expected an icon of at most 262144 bytes, found 262145"},
      {"too large PNG", png + std::string(kMostIconBytes, 'x'), "icon: expected an icon of at most 262144 bytes"},
      // PNG
      {"PNG, signature only", kSignature, kHeader},
      {"PNG, cut in the signature", kSignature.substr(0, 4), kNeither},
      {"PNG, cut in the length", png.substr(0, 10), kHeader},
      {"PNG, cut in the name", png.substr(0, 14), kHeader},
      {"PNG, cut before the width", png.substr(0, 16), kHeader},
      {"PNG, cut in the width", png.substr(0, 18), kHeader},
      {"PNG, cut in the height", png.substr(0, 23), kHeader},
      {"PNG, line ends changed by a transfer", with(4, "\n\n\x1A\n"), kNeither},
      {"PNG, top bit lost", "\x09" + png.substr(1), kNeither},
      {"PNG, length 0", with(8, Number(0)), kHeader},
      {"PNG, length 12", with(8, Number(12)), kHeader},
      {"PNG, length without end", with(8, Number(0xFFFFFFFF)), kHeader},
      {"PNG, another chunk first", with(12, "IDAT"), kHeader},
      {"PNG, that of Apple", with(12, "CgBI"), kHeader},
      {"PNG, name in lower case", with(12, "ihdr"), kHeader},
      {"PNG of no width", Png(0, 100), kPixels},
      {"PNG of no height", Png(100, 0), kPixels},
      {"PNG of no size", Png(0, 0),
       "icon: expected a PNG picture of 1 to 2048 by 1 to 2048 pixels, found one of 0 by 0"},
      {"PNG, a pixel too wide", Png(2049, 1), "found one of 2049 by 1; make it smaller"},
      {"PNG, a pixel too high", Png(1, 2049), "found one of 1 by 2049"},
      {"PNG of 16 GB", Png(65535, 65535), "found one of 65535 by 65535"},
      {"PNG of the largest size", Png(0x7FFFFFFF, 0x7FFFFFFF), kPixels},
      {"PNG of a negative width", Png(0x80000000, 1), "found one of 2147483648 by 1"},
      {"PNG of a negative height", Png(1, 0xFFFFFFFF), "found one of 1 by 4294967295"},
      // SVG
      {"a tag begins", "<", "icon"},
      {"cut in the root", "<svg xmlns=\"http://www.w3", "icon"},
      {"not closed", "<svg xmlns=\"http://www.w3.org/2000/svg\"><g>", "icon"},
      {"wrongly nested", Svg("<g><a></g></a>"), "icon:2"},
      {"two roots", Svg("") + Svg(""), "icon"},
      {"text after it", Svg("") + "more", "icon"},
      {"an attribute twice", Svg("<g id=\"a\" id=\"b\"/>"), "icon:2"},
      {"an unknown prefix", Svg("<a:g/>"), "icon:2"},
      {"an unknown entity", Svg("&icon;"), "icon:2"},
      {"a control character", Svg("\x01"), "icon:2"},
      {"a NUL", Svg("\0"s), "icon"},
      {"not UTF-8", Svg("\xC3("), "icon"},
      {"another encoding by its name", "<?xml version=\"1.0\" encoding=\"no-such\"?>" + Svg(""), "icon"},
      {"HTML", "<html><body/></html>", kRoot},
      {"HTML with a DOCTYPE", "<!DOCTYPE html>\n<html/>", "found html"},
      {"no namespace", "<svg/>", kRoot},
      {"another namespace", "<svg xmlns=\"http://www.w3.org/2000/SVG\"/>", kRoot},
      {"SVG inside another root", "<a>" + Svg("") + "</a>", "icon:1: expected svg in the namespace "},
      {"another root in the namespace", "<g xmlns=\"http://www.w3.org/2000/svg\"/>", "found g; export the icon again"},
      {"an entity", "<!DOCTYPE svg [<!ENTITY a \"b\">]>" + Svg("&a;"), "icon:1"},
      {"an entity of a file", "<!DOCTYPE svg [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>" + Svg("&a;"), "icon:1"},
      {"entities of entities",
       "<!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]>" + Svg("&b;"), "icon:1"},
      {"a parameter entity of a host", "<!DOCTYPE svg [<!ENTITY % a SYSTEM \"http://a.example/a\"> %a;]>" + Svg(""),
       "icon:1"},
      {"deep", Svg(Repeated("<g>", 100) + Repeated("</g>", 100)), "icon"},
      {"many elements", Svg(Repeated("<g/>", 20'001)), "icon"},
      {"many attributes", Svg(Repeated("<g a=\"1\" b=\"2\" c=\"3\"/>", 6'000)), "icon"},
      {"elements by use", Bomb(10, "href"), kDrawn},
      {"elements by use with xlink", Bomb(10, "xlink:href"), kDrawn},
      {"the same without end", Bomb(200, "href"), kDrawn},
      {"use of itself", Svg("<use id=\"a\" href=\"#a\"/>"), kDrawn},
      {"use of the group around it", Svg("<g id=\"a\"><use href=\"#a\"/></g>"), kDrawn},
      {"use in a circle", Svg("<g id=\"a\"><use href=\"#b\"/></g><g id=\"b\"><use href=\"#a\"/></g>"), kDrawn},
      {"use of the root", Svg("<use href=\"#a\"/>", " id=\"a\""), kDrawn},
      {"use with a blank", Svg("<g id=\"a\"><use href=\" #a \"/></g>"), kDrawn},
      {"use with a line", Svg("<g id=\"a\"><use href=\"&#10;#a\"/></g>"), kDrawn},
      {"use with a hidden name", Svg("<g id=\"a\"><use href=\"#%61\"/></g>"), kDrawn},
      {"use with a blank in the name", Svg("<g id=\"ab\"><use href=\"#a&#9;b\"/></g>"), kDrawn},
      {"patterns of patterns", Patterns(10, "fill=\"url(#p"), kDrawn},
      {"the same in a style", Patterns(10, "style=\"stroke: URL( #p"), kDrawn},
      {"a pattern for all elements of a group",
       Svg("<pattern id=\"p\">" + Repeated("<g/>", 500) + "</pattern><g fill=\"url(#p)\">" + Repeated("<g/>", 500) +
           "</g>"),
       kDrawn},
      {"a mask of itself", Svg("<mask id=\"m\"><g mask=\"url('#m')\"/></mask>"), kDrawn},
      {"a picture in a filter", Svg("<filter id=\"f\"><feImage href=\"#g\"/></filter><g id=\"g\" filter=\"url(#f)\"/>"),
       kDrawn},
      {"a marker at many points",
       Svg("<marker id=\"m\">" + Repeated("<g/>", 100) + "</marker><path marker-mid=\"url(#m)\" d=\"" +
           Repeated("h1", 2'000) + "\"/>"),
       kDrawn},
      {"a long chain",
       [] {
         std::string content = "<g id=\"g0\"/>";
         for (int i = 1; i < 5'000; ++i) {
           content += "<use id=\"g" + std::to_string(i) + "\" href=\"#g" + std::to_string(i - 1) + "\"/>";
         }
         return Svg(content);
       }(),
       kDrawn},
      {"a reference that is set later", Svg("<g id=\"a\"><use><set attributeName=\"href\" to=\"#a\"/></use></g>"),
       "icon:2: expected a still picture with plain references, found set"},
      {"an animation", Svg("<animateTransform/>"), "found animateTransform"},
      {"HTML inside", Svg("<foreignObject/>"), "found foreignObject"},
      {"a script", Svg("<script>alert(1)</script>"), "found script"},
      {"a style sheet with references", Svg("<style>g{fill:uRL(#a)}</style>"), "found url( in a style sheet"},
      {"a style sheet of a host", Svg("<style>@import 'http://a.example/a'</style>"), "found @import in a style sheet"},
      {"another style sheet", "<?xml-stylesheet href=\"data:text/css,g{fill:url(%23a)}\"?>" + Svg(""),
       "expected a picture without a style sheet of another file"},
      {"a hidden reference", Svg("<g fill=\"u\\72l(#a)\"/>"), "found \\ in fill"},
      {"a picture in the picture", Svg("<image href=\" da&#10;ta:image/svg+xml,&lt;svg/&gt;\"/>"),
       "found another picture than PNG or JPEG in href"},
  };
}

TEST(IconType, OfHostileBytesIsAnErrorThatSaysWhy) {
  const std::vector<Case> cases = Hostile();
  EXPECT_GE(cases.size(), 60U);
  for (const Case& one : cases) {
    SCOPED_TRACE(one.what);
    try {
      ADD_FAILURE() << "taken as " << IconType(one.bytes, "icon");
    } catch (const FormatError& error) {
      EXPECT_THAT(error.what(), HasSubstr(one.message));
      EXPECT_THAT(error.what(), StartsWith("icon:"));
      EXPECT_THAT(error.what(), HasSubstr("expected "));
    }
  }
}

TEST(IconType, OfAnyChangedByteIsFoundOrAnError) {
  const std::string pictures[] = {
      Png(100, 100), Svg("<g id=\"a\"><circle r=\"1\"/></g><use href=\"#a\" x=\"2\"/>", " viewBox=\"0 0 9 9\"")};
  for (const std::string& picture : pictures) {
    for (std::size_t at = 0; at <= picture.size(); ++at) {
      std::vector<std::string> changed = {picture.substr(0, at)};
      for (const char byte : {'\0', '\xFF', '<', '"'}) {
        if (at < picture.size()) changed.push_back(std::string(picture).replace(at, 1, 1, byte));
      }
      for (const std::string& bytes : changed) {
        try {
          EXPECT_THAT(IconType(bytes, "icon"), StartsWith("image/"));
        } catch (const FormatError& error) {
          EXPECT_THAT(error.what(), StartsWith("icon"));
        }
      }
    }
  }
}

}  // namespace
}  // namespace openmi
