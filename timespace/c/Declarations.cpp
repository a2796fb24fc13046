#include "timespace/c/Declarations.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/PlainDefinition.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Quality.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/elements/ElementSetBuilder.hpp"
#include "timespace/elements/ReferenceSystems.hpp"

namespace openmi::c {
namespace {

constexpr std::size_t kMostNumberedGeometries = 100'000;  // beyond, elements without ids have none

/// The number in a text, in the form of the type.
template <class T>
std::optional<T> NumberIn(const char* text, const std::string& id) {
  if (text == nullptr) return std::nullopt;
  const std::string_view view(text);
  T number{};
  const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), number);
  if (error != std::errc() || end != view.data() + view.size()) {
    throw ArgumentError({.item = id}, fmt::format("expected a number, found {}", Quoted(view)),
                        "write it with a decimal point, in the unit of the argument");
  }
  return number;
}

template <class T>
ArgumentOptions<T> CommonOptions(const openmi_argument& declared) {
  ArgumentOptions<T> options;
  options.caption = TextFrom(declared.caption);
  options.description = TextFrom(declared.description);
  options.optional = (declared.flags & OPENMI_OPTIONAL) != 0;
  options.read_only = (declared.flags & OPENMI_READ_ONLY) != 0;
  options.meaning = static_cast<ArgumentMeaning>(declared.meaning);
  return options;
}

template <class T>
Argument<T> DeclareNumber(ArgumentList& arguments, const std::string& id, const openmi_argument& declared) {
  ArgumentOptions<T> options = CommonOptions<T>(declared);
  options.unit = TextFrom(declared.unit);
  options.value = NumberIn<T>(declared.value, id);
  options.minimum = NumberIn<T>(declared.minimum, id);
  options.maximum = NumberIn<T>(declared.maximum, id);
  for (const char* const* choice = declared.choices; choice != nullptr && *choice != nullptr; ++choice) {
    options.possible_values.push_back(*NumberIn<T>(*choice, id));
  }
  return arguments.Add<T>(id, options);
}

/// Takes counts from a whole that must not run out.
class Count {
 public:
  Count(const char* what, std::size_t whole) : what_(what), whole_(whole) {}
  /// The place of the next `count` of them.
  std::size_t Take(std::size_t count) {
    if (count > whole_ - taken_) Refuse("more");
    const std::size_t at = taken_;
    taken_ += count;
    return at;
  }
  void RequireEnd() const {
    if (taken_ != whole_) Refuse(std::to_string(taken_));
  }

 private:
  [[noreturn]] void Refuse(const std::string& found) const {
    throw RangeError({}, fmt::format("expected the elements to have {} {} in all, found {}", whole_, what_, found),
                     "let the counts of the set add up");
  }
  const char* what_;
  std::size_t whole_;
  std::size_t taken_ = 0;
};

void RequireThere(const void* pointer, const char* member, int shape) {
  if (pointer != nullptr) return;
  throw ArgumentError({}, fmt::format("expected '{}' in a set of elements of shape {}, found null", member, shape),
                      "set that member");
}

}  // namespace

template <class Struct>
Struct Taken(const Struct* given, const char* name) {
  // Version 1: all members of today. Of later members this host knows nothing, and what they mean is optional.
  if (given == nullptr || given->size < sizeof(Struct)) {
    throw ArgumentError({},
                        fmt::format("expected {} of {} bytes or more, found {}", name, sizeof(Struct),
                                    given == nullptr ? std::string("null") : fmt::format("one of {}", given->size)),
                        fmt::format("set its member size to sizeof({})", name));
  }
  return *given;
}
template openmi_argument Taken(const openmi_argument*, const char*);
template openmi_elements Taken(const openmi_elements*, const char*);
template openmi_item Taken(const openmi_item*, const char*);
template openmi_report Taken(const openmi_report*, const char*);

std::string RequiredText(const char* text, const char* what) {
  const std::string taken = TextFrom(text);
  if (!taken.empty() && FindInvalidUtf8(taken) == std::string::npos) return taken;
  throw ArgumentError({},
                      fmt::format("expected {} in UTF-8, found {}", what,
                                  text == nullptr ? "null"
                                  : taken.empty() ? "an empty text"
                                                  : "other bytes"),
                      "give it a text");
}

ArgumentItem& Declare(ArgumentList& arguments, const openmi_argument& declared) {
  const std::string id = RequiredText(declared.id, "the id of an argument");
  if (declared.meaning < OPENMI_UNSTATED || declared.meaning > OPENMI_SECRET) {
    throw ArgumentError({.item = id}, fmt::format("expected an openmi_meaning, found {}", declared.meaning),
                        "use a constant of openmi_component.h");
  }
  switch (declared.type) {
    case OPENMI_NUMBER:
      return DeclareNumber<double>(arguments, id, declared).Item();
    case OPENMI_INTEGER:
      return DeclareNumber<std::int64_t>(arguments, id, declared).Item();
    case OPENMI_BOOLEAN: {
      auto options = CommonOptions<bool>(declared);
      const std::string value = TextFrom(declared.value);
      if (!value.empty()) options.value = value == "true" || value == "1";
      if (!value.empty() && !*options.value && value != "false" && value != "0") {
        throw ArgumentError({.item = id}, fmt::format("expected true or false, found {}", Quoted(value)), "write one");
      }
      return arguments.Add<bool>(id, options).Item();
    }
    case OPENMI_TEXT: {
      auto options = CommonOptions<std::string>(declared);
      if (declared.value != nullptr) options.value = declared.value;
      for (const char* const* choice = declared.choices; choice != nullptr && *choice != nullptr; ++choice) {
        options.possible_values.emplace_back(*choice);
      }
      return arguments.Add<std::string>(id, options).Item();
    }
    default:
      throw ArgumentError(
          {.item = id}, fmt::format("expected a number, an integer, a boolean or a text, found type {}", declared.type),
          "use a constant of openmi_type");
  }
}

ElementSet ElementsOf(const openmi_elements& declared) {
  static constexpr std::array kTypes = {ElementType::IdBased, ElementType::Point, ElementType::PolyLine,
                                        ElementType::Polygon};
  const int shape = declared.shape;
  if (shape < OPENMI_IDS || shape > OPENMI_POLYGONS) {
    throw ArgumentError({}, fmt::format("expected an openmi_shape, found {}", shape), "use one of its constants");
  }
  if (declared.count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw RangeError(
        {}, fmt::format("expected at most {} elements, found {}", std::numeric_limits<int>::max(), declared.count),
        "set the count of the set");
  }
  const bool has_geometry = shape != OPENMI_IDS;
  std::string wkt;
  if (has_geometry) {
    wkt = ReferenceSystemNamed(declared.reference_system != nullptr ? declared.reference_system : "local-metres");
    RequireThere(declared.x, "x", shape);
    RequireThere(declared.y, "y", shape);
  }
  if (shape == OPENMI_LINES || shape == OPENMI_POLYGONS) RequireThere(declared.vertices, "vertices", shape);
  ElementSetBuilder builder(TextFrom(declared.caption), kTypes[static_cast<std::size_t>(shape)], wkt);
  if (has_geometry && declared.z != nullptr) builder.WithZ();

  Count vertices("vertices", has_geometry ? declared.vertex_count : 0);
  Count rings("lists of vertices", shape >= OPENMI_LINES ? declared.vertices_count : 0);
  const auto next = [&](std::size_t count) {
    std::vector<ElementVertex> taken;
    const std::size_t first = vertices.Take(count);
    for (std::size_t i = first; i < first + count; ++i) {
      taken.push_back({declared.x[i], declared.y[i], declared.z != nullptr ? declared.z[i] : 0.0});
    }
    return taken;
  };
  const auto next_ring = [&] { return next(declared.vertices[rings.Take(1)]); };
  for (std::size_t i = 0; i < declared.count; ++i) {
    std::string id;
    if (declared.ids != nullptr) {
      id = TextFrom(declared.ids[i]);
    } else if (!has_geometry || declared.count <= kMostNumberedGeometries) {
      id = std::to_string(i + 1);
    }
    if (shape == OPENMI_IDS) {
      builder.AddId(id);
    } else if (shape == OPENMI_POINTS) {
      builder.AddPoint(id, next(1).front());
    } else if (shape == OPENMI_LINES) {
      builder.AddPolyLine(id, next_ring());
    } else {
      std::vector<ElementSetBuilder::Part> parts;
      const std::size_t count = declared.rings != nullptr ? declared.rings[i] : 1;
      const std::size_t first = rings.Take(count);
      for (std::size_t ring = first; ring < first + count; ++ring) {
        std::vector<ElementVertex> taken = next(declared.vertices[ring]);
        if (declared.holes == nullptr || declared.holes[ring] == 0) {
          parts.push_back({std::move(taken)});
        } else if (parts.empty()) {
          throw FormatError({.item = id}, "expected an outer ring before a hole, found the hole first",
                            "let each part begin with its outer ring");
        } else {
          parts.back().holes.push_back(std::move(taken));
        }
      }
      builder.AddPolygon(id, parts);
    }
  }
  vertices.RequireEnd();
  rings.RequireEnd();
  return builder.Build();
}

std::unique_ptr<const IValueDefinition> DefinitionOf(const openmi_item& item) {
  const std::string caption = TextFrom(item.caption);
  const auto plain = [&](ValueKind kind) {
    auto definition = std::make_unique<PlainDefinition>(ValueType{kind, nullptr}, Value(), TextFrom(item.message_type));
    definition->SetCaption(caption);
    return definition;
  };
  switch (item.type) {
    case OPENMI_NUMBER:
    case OPENMI_INTEGER:
    case OPENMI_BOOLEAN:
      return std::make_unique<Quantity>(Unit::Parse(item.unit != nullptr ? item.unit : "1"), caption, kNotANumber,
                                        item.type == OPENMI_NUMBER ? ValueKind::Double : ValueKind::Integer);
    case OPENMI_TEXT: {
      if (item.categories == nullptr) return plain(ValueKind::String);
      std::vector<Category> categories;
      for (const char* const* one = item.categories; *one != nullptr; ++one) categories.emplace_back(Value(*one));
      return std::make_unique<Quality>(caption, std::move(categories), false);
    }
    case OPENMI_BYTES:
      return plain(ValueKind::Binary);
    default:
      throw ArgumentError({}, fmt::format("expected an openmi_type, found {}", item.type), "use one of its constants");
  }
}

}  // namespace openmi::c
