#include "timespace/files/WktGeometry.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  WktGeometry Parse() {
    const std::string kind = Word();
    std::string flavour = Word();
    if (flavour == "EMPTY") RefuseWkt("a geometry with coordinates", "EMPTY");
    geometry_.has_z = flavour == "Z" || flavour == "ZM";
    geometry_.has_m = flavour == "M" || flavour == "ZM";
    if (!flavour.empty() && !geometry_.has_z && !geometry_.has_m) RefuseWkt("Z, M, ZM or '('", flavour);
    if (kind == "POINT") {
      geometry_.type = ElementType::Point;
      geometry_.vertices = Vertices();
      One(geometry_.vertices.size(), "vertex of a point");
    } else if (kind == "MULTIPOINT") {
      geometry_.type = ElementType::Point;
      Expect('(');
      const bool inner = Peek() == '(';
      if (inner) {
        geometry_.vertices = Vertices();
      } else {
        do geometry_.vertices.push_back(Vertex());
        while (Take(','));
      }
      One(inner && Peek() == ',' ? 2 : geometry_.vertices.size(), "part");
      Expect(')');
    } else if (kind == "LINESTRING") {
      geometry_.type = ElementType::PolyLine;
      geometry_.vertices = Vertices();
    } else if (kind == "MULTILINESTRING") {
      geometry_.type = ElementType::PolyLine;
      Expect('(');
      geometry_.vertices = Vertices();
      One(Peek() == ',' ? 2 : 1, "part");
      Expect(')');
    } else if (kind == "POLYGON") {
      geometry_.type = ElementType::Polygon;
      geometry_.polygons.push_back(Part());
    } else if (kind == "MULTIPOLYGON") {
      geometry_.type = ElementType::Polygon;
      Expect('(');
      do geometry_.polygons.push_back(Part());
      while (Take(','));
      Expect(')');
    } else {
      RefuseWkt("POINT, LINESTRING, POLYGON or MULTIPOLYGON", kind.empty() ? "nothing like it" : kind);
    }
    Skip();
    if (at_ != text_.size()) RefuseWkt("the end of the geometry", std::string(text_.substr(at_, 20)));
    return std::move(geometry_);
  }

 private:
  [[noreturn]] void RefuseWkt(const std::string& expected, const std::string& found) const {
    throw FormatError({}, fmt::format("expected {} at character {}, found '{}'", expected, at_ + 1, found),
                      "write well-known text such as POLYGON((0 0, 1 0, 1 1, 0 0))");
  }
  void One(std::size_t count, const char* what) const {
    if (count != 1) RefuseWkt(fmt::format("one {}", what), "several");
  }
  void Skip() {
    while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
  }
  char Peek() {
    Skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(char wanted) {
    if (Peek() != wanted) return false;
    ++at_;
    return true;
  }
  void Expect(char wanted) {
    if (!Take(wanted)) RefuseWkt(fmt::format("'{}'", wanted), std::string(text_.substr(at_, 12)));
  }
  std::string Word() {
    Skip();
    std::string word;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_]))) {
      word += static_cast<char>(std::toupper(static_cast<unsigned char>(text_[at_++])));
    }
    return word;
  }
  double Number() {
    Skip();
    double number = 0.0;
    const char* const begin = text_.data() + at_ + (at_ < text_.size() && text_[at_] == '+' ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc()) RefuseWkt("a number", std::string(text_.substr(at_, 12)));
    at_ = static_cast<std::size_t>(end - text_.data());
    return number;
  }
  ElementVertex Vertex() {
    ElementVertex vertex{.x = Number(), .y = Number()};
    // A third number without a dimension word is a height; many programs write it so.
    const auto more = [&] { return Peek() != ',' && Peek() != ')' && Peek() != '\0'; };
    if (geometry_.has_z || (!geometry_.has_m && more())) {
      geometry_.has_z = true;
      vertex.z = Number();
    }
    if (geometry_.has_m) vertex.m = Number();
    return vertex;
  }
  std::vector<ElementVertex> Vertices() {
    Expect('(');
    std::vector<ElementVertex> vertices;
    do vertices.push_back(Vertex());
    while (Take(','));
    Expect(')');
    return vertices;
  }
  ElementSetBuilder::Part Part() {
    Expect('(');
    ElementSetBuilder::Part part{Vertices()};
    while (Take(',')) part.holes.push_back(Vertices());
    Expect(')');
    return part;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  WktGeometry geometry_;
};

}  // namespace

WktGeometry ParseWkt(std::string_view text) {
  return Parser(text).Parse();
}

}  // namespace openmi
