#include "composition/conformance/PlaceChecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi::conformance {
namespace {

constexpr int kElements = 200;   // examined in one set, and the last one
constexpr int kVertices = 2000;  // examined in one element

bool IsOneOfTheFive(ElementType type) {
  const int number = static_cast<int>(type);
  return number >= static_cast<int>(ElementType::IdBased) && number <= static_cast<int>(ElementType::Polyhedron);
}

/// Twice the area of a ring in plan view; below 0 if it runs clockwise.
double SignedArea(const IElementSet& elements, int element, int vertices) {
  double area = 0.0;
  const double x0 = elements.GetVertexXCoordinate(element, 0);
  const double y0 = elements.GetVertexYCoordinate(element, 0);
  for (int v = 1; v + 1 < vertices; ++v) {
    area += (elements.GetVertexXCoordinate(element, v) - x0) * (elements.GetVertexYCoordinate(element, v + 1) - y0) -
            (elements.GetVertexXCoordinate(element, v + 1) - x0) * (elements.GetVertexYCoordinate(element, v) - y0);
  }
  return area;
}

class ElementSetCheck {
 public:
  ElementSetCheck(Findings& findings, const IElementSet& elements, const std::string& whose)
      : findings_(findings), elements_(elements), whose_(whose), count_(elements.ElementCount()) {}

  void Run() {
    const Identifier nobody("no element has this id");
    findings_.Expect(kNumber, elements_.GetElementIndex(nobody) == -1, [&] {
      return fmt::format("{}: expected index -1 for an id that no element has, found {}", whose_,
                         elements_.GetElementIndex(nobody));
    });
    for (const int beyond : {-1, count_}) {
      findings_.MustThrow(kNumber, fmt::format("GetElementId({}) of {}, which has {} elements", beyond, whose_, count_),
                          [&] { static_cast<void>(elements_.GetElementId(beyond)); });
      findings_.MustThrow(kNumber,
                          fmt::format("GetVertexCount({}) of {}, which has {} elements", beyond, whose_, count_),
                          [&] { static_cast<void>(elements_.GetVertexCount(beyond)); });
    }
    for (int element = 0; element < std::min(count_, kElements); ++element) Element(element);
    if (count_ > kElements) Element(count_ - 1);
  }

 private:
  static constexpr const char* kNumber = "4.2";

  void Element(int element) {
    const bool id_based = elements_.ElementType() == ElementType::IdBased;
    const IIdentifiable* id = elements_.GetElementId(element);
    findings_.Expect(kNumber, !id_based || (id != nullptr && !id->Id().empty()), [&] {
      return fmt::format("{}: expected an id for each id-based element, found none for element {}", whose_, element);
    });
    if (id != nullptr && !id->Id().empty()) {
      findings_.Expect(kNumber, elements_.GetElementIndex(*id) == element, [&] {
        return fmt::format("{}: expected index {} for id '{}', found {}", whose_, element, id->Id(),
                           elements_.GetElementIndex(*id));
      });
    }
    if (id_based) {
      findings_.MustThrow(kNumber,
                          fmt::format("GetVertexCount({}) of {}, whose elements are bare ids", element, whose_),
                          [&] { static_cast<void>(elements_.GetVertexCount(element)); });
      return;
    }
    Geometry(element);
  }

  void Geometry(int element) {
    const ElementType type = elements_.ElementType();
    const int vertices = elements_.GetVertexCount(element);
    const int least = type == ElementType::Point ? 1 : type == ElementType::PolyLine ? 2 : 3;
    if (!findings_.Expect(kNumber, type == ElementType::Point ? vertices == 1 : vertices >= least, [&] {
          return fmt::format("{}: expected {} {} for element {}, found {}", whose_,
                             type == ElementType::Point ? "exactly" : "at least", Vertices(least), element, vertices);
        })) {
      return;
    }
    for (int v = 0; v < std::min(vertices, kVertices); ++v) {
      const double x = elements_.GetVertexXCoordinate(element, v);
      const double y = elements_.GetVertexYCoordinate(element, v);
      const double z = elements_.HasZ() ? elements_.GetVertexZCoordinate(element, v) : 0.0;
      if (!findings_.Expect(kNumber, std::isfinite(x) && std::isfinite(y) && std::isfinite(z), [&] {
            return fmt::format("{}: expected finite coordinates of element {}, found {} {} {} at vertex {}", whose_,
                               element, x, y, z, v);
          })) {
        return;
      }
    }
    findings_.MustThrow(
        kNumber,
        fmt::format("GetVertexXCoordinate({}, {}) of {}, where there are {}", element, vertices, whose_, vertices),
        [&] { static_cast<void>(elements_.GetVertexXCoordinate(element, vertices)); });
    if (type == ElementType::Polygon && !elements_.HasZ()) {
      const double area = SignedArea(elements_, element, vertices);
      findings_.Expect(kNumber, !(area < 0.0), [&] {
        return fmt::format("{}: expected the vertices of polygon {} counter-clockwise, found them clockwise", whose_,
                           element);
      });
    }
    Faces(element, vertices);
  }

  void Faces(int element, int vertices) {
    const int faces = elements_.GetFaceCount(element);
    const bool polyhedron = elements_.ElementType() == ElementType::Polyhedron;
    findings_.Expect(kNumber, polyhedron ? faces >= 4 : faces == 0, [&] {
      return fmt::format("{}: expected {} faces of element {}, found {}", whose_, polyhedron ? "at least 4" : "no",
                         element, faces);
    });
    for (int face = 0; polyhedron && face < faces; ++face) {
      for (const int vertex : elements_.GetFaceVertexIndices(element, face)) {
        findings_.Expect(kNumber, vertex >= 0 && vertex < vertices, [&] {
          return fmt::format("{}: expected the vertices of face {} of element {} to be from 0 to {}, found {}", whose_,
                             face, element, vertices - 1, vertex);
        });
      }
    }
  }

  static std::string Vertices(int count) { return fmt::format("{} {}", count, count == 1 ? "vertex" : "vertices"); }

  Findings& findings_;
  const IElementSet& elements_;
  const std::string& whose_;
  int count_;
};

}  // namespace

void CheckPlace(Findings& findings, const ISpatialDefinition& where, const std::string& whose) {
  findings.Expect("4.1", where.ElementCount() >= 0, [&] {
    return fmt::format("{}: expected a number of elements of 0 or more, found {}", whose, where.ElementCount());
  });
  const auto* elements = dynamic_cast<const IElementSet*>(&where);
  if (elements == nullptr) return;
  const ElementType type = elements->ElementType();
  findings.See("4.2");
  if (!findings.Expect("4.3", IsOneOfTheFive(type), [&] {
        return fmt::format("{}: expected one of the five element types, found number {}", whose,
                           static_cast<int>(type));
      })) {
    return;
  }
  findings.Expect("4.1", type == ElementType::IdBased || !where.SpatialReferenceSystemWkt().empty(), [&] {
    return whose + ": expected a spatial reference system for elements with coordinates, found an empty text";
  });
  findings.Try("4.2", "the element set of " + whose, [&] { ElementSetCheck(findings, *elements, whose).Run(); });
}

std::uint64_t FingerprintOf(const ISpatialDefinition& where) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&hash](std::uint64_t bits) { hash = (hash ^ bits) * 1099511628211u; };
  add(static_cast<std::uint64_t>(where.ElementCount()));
  const auto* elements = dynamic_cast<const IElementSet*>(&where);
  if (elements == nullptr || !IsOneOfTheFive(elements->ElementType())) return hash;
  if (elements->ElementType() == ElementType::IdBased) return hash;
  for (int e = 0; e < std::min(elements->ElementCount(), kElements); ++e) {
    const int vertices = std::min(elements->GetVertexCount(e), 16);
    for (int v = 0; v < vertices; ++v) {
      add(std::bit_cast<std::uint64_t>(elements->GetVertexXCoordinate(e, v)));
      add(std::bit_cast<std::uint64_t>(elements->GetVertexYCoordinate(e, v)));
      if (elements->HasZ()) add(std::bit_cast<std::uint64_t>(elements->GetVertexZCoordinate(e, v)));
    }
  }
  return hash;
}

}  // namespace openmi::conformance
