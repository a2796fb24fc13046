#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi {
namespace {

[[noreturn]] void Refuse(const char* what) {
  throw FormatError({}, std::string("expected the bytes of an element set, found ") + what,
                    "they were changed on the way");
}

template <class Integer>
void WriteIntegers(StateWriter& writer, const std::vector<Integer>& values) {
  std::vector<std::int64_t> wide(values.begin(), values.end());
  writer.Write(std::as_bytes(std::span(wide)));
}

template <class Integer>
std::vector<Integer> ReadIntegers(StateReader& reader) {
  const ByteView bytes = reader.ReadBytes();
  if (bytes.size() % sizeof(std::int64_t) != 0) Refuse("a list of integers that is cut off");
  std::vector<std::int64_t> wide(bytes.size() / sizeof(std::int64_t));
  if (!wide.empty()) std::memcpy(wide.data(), bytes.data(), bytes.size());
  std::vector<Integer> values;
  values.reserve(wide.size());
  for (std::int64_t value : wide) {
    if (value < 0 || value > std::numeric_limits<int>::max()) Refuse("an index out of range");
    values.push_back(static_cast<Integer>(value));
  }
  return values;
}

void RequireFinite(std::span<const double> values) {
  for (double value : values) {
    if (!std::isfinite(value)) Refuse("a coordinate that is not finite");
  }
}

}  // namespace

void WriteElementSet(StateWriter& writer, const IElementSet& elements) {
  const auto* own = dynamic_cast<const ElementSet*>(&elements);
  ElementSet copied;
  if (own == nullptr) {
    copied = CopyOf(elements);
    own = &copied;
  }
  writer.Write(std::string_view(own->Caption()));
  writer.Write(std::string_view(own->Description()));
  writer.Write(static_cast<std::int64_t>(own->type_));
  writer.Write(std::string_view(own->wkt_));
  writer.Write(static_cast<std::int64_t>(own->version_));
  writer.Write(own->has_z_);
  writer.Write(own->has_m_);
  writer.Write(static_cast<std::int64_t>(own->flipped_count_));
  writer.Write(static_cast<std::int64_t>(own->ids_.size()));
  for (const Identifier& id : own->ids_) {
    writer.Write(std::string_view(id.IdText()));
    writer.Write(std::string_view(id.Caption()));
  }
  WriteIntegers(writer, own->offsets_);
  const auto& [x, y, z, m] = own->vertices_;
  for (const auto* list : {&x, &y, &z, &m}) writer.Write(*list);
  std::vector<std::size_t> rings;
  for (const ElementSet::ExtraRing& ring : own->extra_rings_) {
    for (std::size_t number : {ring.element, ring.begin, ring.end, static_cast<std::size_t>(ring.part),
                               static_cast<std::size_t>(ring.is_hole ? 1 : 0)}) {
      rings.push_back(number);
    }
  }
  WriteIntegers(writer, rings);
  const VertexLists& extra = own->extra_vertices_;
  for (const auto* list : {&extra.x, &extra.y, &extra.z}) writer.Write(*list);
  writer.Write(static_cast<std::int64_t>(own->faces_.size()));
  for (const auto& faces : own->faces_) {
    writer.Write(static_cast<std::int64_t>(faces.size()));
    for (const auto& face : faces) WriteIntegers(writer, face);
  }
  writer.Write(static_cast<std::int64_t>(own->attributes_.size()));
  for (const ElementAttribute& attribute : own->attributes_) {
    writer.Write(std::string_view(attribute.name));
    writer.Write(std::string_view(attribute.unit));
    writer.Write(attribute.values);
  }
}

ElementSet ReadElementSet(StateReader& reader) {
  ElementSet set;
  set.SetCaption(reader.ReadText());
  set.SetDescription(reader.ReadText());
  const std::int64_t type = reader.ReadInteger();
  if (type < 0 || type > static_cast<std::int64_t>(ElementType::Polyhedron)) Refuse("an unknown type");
  set.type_ = static_cast<ElementType>(type);
  set.wkt_ = reader.ReadText();
  set.version_ = static_cast<int>(reader.ReadInteger());
  set.has_z_ = reader.ReadBool();
  set.has_m_ = reader.ReadBool();
  set.flipped_count_ = static_cast<int>(reader.ReadInteger());
  const std::int64_t count = reader.ReadInteger();
  if (count < 0 || count > std::numeric_limits<int>::max()) Refuse("a count out of range");
  for (std::int64_t i = 0; i < count; ++i) {
    std::string id = reader.ReadText();
    std::string caption = reader.ReadText();
    if (!id.empty() && !set.index_of_.emplace(id, static_cast<int>(i)).second) Refuse("an id twice");
    set.ids_.emplace_back(std::move(id), caption);
  }
  const auto elements = static_cast<std::size_t>(count);
  set.offsets_ = ReadIntegers<std::size_t>(reader);
  auto& [x, y, z, m] = set.vertices_;
  VertexLists& extra = set.extra_vertices_;
  for (auto* list : {&x, &y, &z, &m}) *list = reader.ReadDoubles();
  const std::size_t vertices = x.size();
  const bool has_geometry = set.type_ != ElementType::IdBased;
  if (set.offsets_.size() != (has_geometry ? elements + 1 : 0)) Refuse("another number of elements in the geometry");
  for (std::size_t i = 0; i + 1 < set.offsets_.size(); ++i) {
    if (set.offsets_[i] > set.offsets_[i + 1]) Refuse("vertices out of order");
  }
  if (has_geometry && (set.offsets_.front() != 0 || set.offsets_.back() != vertices)) Refuse("vertices of no element");
  if (y.size() != vertices || z.size() != (set.has_z_ ? vertices : 0) || m.size() != (set.has_m_ ? vertices : 0) ||
      (!has_geometry && vertices != 0)) {
    Refuse("lists of coordinates that differ in length");
  }
  const std::vector<std::size_t> rings = ReadIntegers<std::size_t>(reader);
  for (auto* list : {&extra.x, &extra.y, &extra.z}) *list = reader.ReadDoubles();
  for (const auto* list : {&x, &y, &z, &m, &extra.x, &extra.y, &extra.z}) {
    RequireFinite(*list);
  }
  if (rings.size() % 5 != 0 || extra.y.size() != extra.x.size() ||
      extra.z.size() != (set.has_z_ ? extra.x.size() : 0)) {
    Refuse("rings that are cut off");
  }
  for (std::size_t i = 0; i < rings.size(); i += 5) {
    if (rings[i] >= elements || rings[i + 1] > rings[i + 2] || rings[i + 2] > extra.x.size() || rings[i + 4] > 1 ||
        (!set.extra_rings_.empty() && rings[i] < set.extra_rings_.back().element)) {
      Refuse("a ring out of range");
    }
    set.extra_rings_.push_back(
        {rings[i], rings[i + 1], rings[i + 2], static_cast<int>(rings[i + 3]), rings[i + 4] == 1});
  }
  const std::int64_t bodies = reader.ReadInteger();
  if (bodies != (set.type_ == ElementType::Polyhedron ? count : 0)) Refuse("faces of other elements");
  for (std::int64_t body = 0; body < bodies; ++body) {
    const auto element = static_cast<std::size_t>(body);
    const auto own = static_cast<int>(set.offsets_[element + 1] - set.offsets_[element]);
    auto& faces = set.faces_.emplace_back();
    for (std::int64_t face = reader.ReadInteger(); face > 0; --face) {
      faces.push_back(ReadIntegers<int>(reader));
      for (int vertex : faces.back()) {
        if (vertex >= own) Refuse("a face with a vertex of another element");
      }
    }
  }
  for (std::int64_t attributes = reader.ReadInteger(); attributes > 0; --attributes) {
    ElementAttribute attribute;
    attribute.name = reader.ReadText();
    attribute.unit = reader.ReadText();
    attribute.values = reader.ReadDoubles();
    if (attribute.values.size() != elements) Refuse("an attribute with another number of values");
    set.attributes_.push_back(std::move(attribute));
  }
  return set;
}

}  // namespace openmi
