#include "composition/conformance/DefinitionChecks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "composition/conformance/ItemChecks.hpp"
#include "composition/conformance/ValueSetChecks.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Dimension.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi::conformance {
namespace {

bool IsNumber(ValueKind kind) {
  return kind == ValueKind::Double || kind == ValueKind::Integer;
}

void CheckDimension(Findings& findings, const IUnit& unit, const std::string& whose) {
  bool finite = true;
  for (std::size_t base = 0; base < kDimensionBaseCount; ++base) {
    const double power = unit.Dimension().GetPower(static_cast<DimensionBase>(base));
    const bool fits = std::isfinite(power) && power == unit.Dimension().GetPower(static_cast<DimensionBase>(base));
    finite = finite && fits;
    findings.Expect("3.6", fits, "{}: expected a finite power of base dimension {} that stays, found {}", whose, base,
                    power);
  }
  if (!finite) return;
  // A caption is a label for users. It counts as a unit only if it reads as a unit with the same factor and offset.
  try {
    const Unit read = Unit::Parse(unit.Caption());
    if (unit.Caption().empty() || read.ConversionFactorToSI() != unit.ConversionFactorToSI() ||
        read.OffSetToSI() != unit.OffSetToSI()) {
      return;
    }
    findings.Expect("3.6", SameDimension(read.Dimension(), unit.Dimension()), [&] {
      return fmt::format("{}: expected the dimension {} of its unit '{}', found {}", whose,
                         DimensionText(read.Dimension()), unit.Caption(), DimensionText(unit.Dimension()));
    });
  } catch (const Error&) {  // not a unit that UDUNITS knows: nothing to compare with
  }
}

void CheckQuantity(Findings& findings, const IQuantity& quantity, const std::string& whose) {
  findings.Expect("3.3", IsNumber(quantity.ValueType().kind), [&] {
    return fmt::format("{}: expected a quantity to have numbers, found values of type {}", whose,
                       quantity.ValueType().Name());
  });
  const IUnit& unit = quantity.Unit();
  const double factor = unit.ConversionFactorToSI();
  findings.Expect("3.2", std::isfinite(factor) && factor != 0.0 && std::isfinite(unit.OffSetToSI()), [&] {
    return fmt::format(
        "{}: expected a conversion of unit '{}' to SI with a finite factor that is not 0 and a finite "
        "offset, found {} and {}",
        whose, unit.Caption(), factor, unit.OffSetToSI());
  });
  findings.Try("3.6", "the dimension of " + whose, [&] { CheckDimension(findings, unit, whose); });
}

void CheckQuality(Findings& findings, const IQuality& quality, const std::string& whose) {
  findings.Expect("3.4", !quality.Categories().empty(), "{}: expected at least one category, found none", whose);
  std::vector<Value> values;
  for (const ICategory* category : quality.Categories()) {
    if (!findings.Expect("3.4", category != nullptr, "{}: expected categories, found a null among them", whose)) {
      continue;
    }
    const Value value = category->Value();
    findings.Expect("3.5", !value.IsEmpty(), [&] {
      return fmt::format("{}: expected category '{}' to have a value, found none", whose, category->Caption());
    });
    findings.Expect("3.4", value.IsEmpty() || std::ranges::find(values, value) == values.end(), [&] {
      return fmt::format("{}: expected categories of different values, found that of '{}' twice", whose,
                         category->Caption());
    });
    values.push_back(value);
  }
  findings.Expect("3.4", CategoriesOf(quality) == CategoriesOf(quality), [&] {
    return whose + (quality.IsOrdered() ? ": expected ordered categories to be given in the same order every time, "
                                          "found another order"
                                        : ": expected the same categories every time, found others");
  });
  const ValueKind kind = quality.ValueType().kind;
  findings.Expect("3.4", kind != ValueKind::Empty && kind != ValueKind::Double, [&] {
    return fmt::format("{}: expected the values of a quality to be texts or categories, found type {}", whose,
                       quality.ValueType().Name());
  });
}

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
    findings_.Expect(kNumber, !id_based || (id != nullptr && !id->Id().empty()),
                     "{}: expected an id for each id-based element, found none for element {}", whose_, element);
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
      if (!findings_.Expect(kNumber, std::isfinite(x) && std::isfinite(y) && std::isfinite(z),
                            "{}: expected finite coordinates of element {}, found {} {} {} at vertex {}", whose_,
                            element, x, y, z, v)) {
        return;
      }
    }
    findings_.MustThrow(
        kNumber,
        fmt::format("GetVertexXCoordinate({}, {}) of {}, where there are {}", element, vertices, whose_, vertices),
        [&] { static_cast<void>(elements_.GetVertexXCoordinate(element, vertices)); });
    if (type == ElementType::Polygon && !elements_.HasZ()) {
      const double area = SignedArea(elements_, element, vertices);
      findings_.Expect(kNumber, !(area < 0.0),
                       "{}: expected the vertices of polygon {} counter-clockwise, found them clockwise", whose_,
                       element);
    }
    Faces(element, vertices);
  }

  void Faces(int element, int vertices) {
    const int faces = elements_.GetFaceCount(element);
    const bool polyhedron = elements_.ElementType() == ElementType::Polyhedron;
    findings_.Expect(kNumber, polyhedron ? faces >= 4 : faces == 0, "{}: expected {} faces of element {}, found {}",
                     whose_, polyhedron ? "at least 4" : "no", element, faces);
    for (int face = 0; polyhedron && face < faces; ++face) {
      for (const int vertex : elements_.GetFaceVertexIndices(element, face)) {
        findings_.Expect(kNumber, vertex >= 0 && vertex < vertices,
                         "{}: expected the vertices of face {} of element {} to be from 0 to {}, found {}", whose_,
                         face, element, vertices - 1, vertex);
      }
    }
  }

  static std::string Vertices(int count) { return fmt::format("{} {}", count, count == 1 ? "vertex" : "vertices"); }

  Findings& findings_;
  const IElementSet& elements_;
  const std::string& whose_;
  int count_;
};

constexpr const char* kArguments = "7.1";
constexpr std::size_t kPossible = 50;  // possible values tried of one argument

/// A value of the argument's type that is not in `possible`; nothing if none is found.
std::optional<Value> Outside(const ValueType& type, std::span<const Value> possible) {
  std::vector<Value> candidates;
  if (type.kind == ValueKind::Double) candidates = {-98765.4321, 1.2345e-7, 9.87e12};
  if (type.kind == ValueKind::Integer) candidates = {-98765, 4321, 77777777};
  if (type.kind == ValueKind::String) candidates = {"not a possible value", "nor is this"};
  if (type.kind == ValueKind::Boolean) candidates = {true, false};
  for (const Value& candidate : candidates) {
    if (std::ranges::find(possible, candidate) == possible.end()) return candidate;
  }
  return std::nullopt;
}

class ArgumentCheck {
 public:
  ArgumentCheck(Findings& findings, IArgument& argument, const std::string& whose)
      : findings_(findings), argument_(argument), who_(fmt::format("argument '{}' of {}", argument.Id(), whose)) {}

  void Run() {
    Types();
    if (argument_.IsReadOnly()) {
      ReadOnly();
      return;
    }
    const Value before = argument_.Value();
    Text(before);
    Possible(before);
    if (!SameValue(argument_.Value(), before)) {
      findings_.Try(kArguments, "giving " + who_ + " its own value back", [&] { argument_.SetValue(before); });
    }
  }

 private:
  void Types() {
    const ValueType type = argument_.ValueType();
    const auto fits = [&](const Value& value, const char* what) {
      findings_.Expect(kArguments, value.IsEmpty() || value.Kind() == type.kind,
                       "{}: expected a {} of type {}, as ValueType says, found a {}", who_, what, type.Name(),
                       NameOf(value.Kind()));
    };
    fits(argument_.Value(), "value");
    fits(argument_.DefaultValue(), "default");
    if (const auto possible = argument_.PossibleValues()) {
      for (const Value& value : *possible) fits(value, "possible value");
    }
  }

  void ReadOnly() {
    const Value before = argument_.Value();
    // A different value: a component may accept the present value again.
    const std::optional<Value> other = Outside(argument_.ValueType(), std::span(&before, 1));
    if (!other) return;
    findings_.MustThrow(kArguments, "setting the read-only " + who_, [&] { argument_.SetValue(*other); });
    findings_.Expect(kArguments, SameValue(argument_.Value(), before),
                     "{}: expected the value of a read-only argument to stay, found that it changed", who_);
  }

  void Text(const Value& before) {
    if (before.IsEmpty() || before.Kind() == ValueKind::Object) return;
    if (const auto possible = argument_.PossibleValues(); possible && possible->empty()) return;
    findings_.Try(kArguments, "reading back the text of " + who_, [&] {
      const std::string text = argument_.ValueAsString();
      argument_.SetValueAsString(text);
      findings_.Expect(kArguments, SameValue(argument_.Value(), before), [&] {
        return fmt::format("{}: expected its own text '{}' to be read back to the same value, found '{}'", who_, text,
                           argument_.ValueAsString());
      });
    });
  }

  void Possible(const Value& before) {
    const auto list = argument_.PossibleValues();
    if (!list) return;
    const std::vector<Value> possible(list->begin(), list->end());
    if (possible.empty()) {
      if (const std::optional<Value> value = Outside(argument_.ValueType(), {})) {
        findings_.MustThrow(kArguments, "setting " + who_ + ", of which no value is possible now",
                            [&] { argument_.SetValue(*value); });
      }
      return;
    }
    findings_.Expect(kArguments, before.IsEmpty() || std::ranges::find(possible, before) != possible.end(), [&] {
      return fmt::format("{}: expected one of its possible values, found '{}'", who_, argument_.ValueAsString());
    });
    for (const Value& value : std::span(possible).first(std::min(possible.size(), kPossible))) {
      findings_.Try(kArguments, "setting a possible value of " + who_, [&] {
        argument_.SetValue(value);
        findings_.Expect(kArguments, SameValue(argument_.Value(), value), [&] {
          return fmt::format("{}: expected the possible value that was set, found '{}'", who_,
                             argument_.ValueAsString());
        });
      });
    }
    if (const std::optional<Value> outside = Outside(argument_.ValueType(), possible)) {
      findings_.MustThrow(kArguments, "setting " + who_ + " to none of its possible values",
                          [&] { argument_.SetValue(*outside); });
    }
  }

  Findings& findings_;
  IArgument& argument_;
  std::string who_;
};

}  // namespace

std::vector<Value> CategoriesOf(const IQuality& quality) {
  std::vector<Value> values;
  for (const ICategory* category : quality.Categories()) {
    if (category != nullptr) values.push_back(category->Value());
  }
  if (quality.IsOrdered()) return values;
  const auto key = [](const Value& value) {
    const auto* text = value.As<std::string>();
    return text != nullptr ? *text : fmt::format("{}", value.Number().value_or(0.0));
  };
  std::ranges::sort(values, [&](const Value& a, const Value& b) { return key(a) < key(b); });
  return values;
}

void CheckDefinition(Findings& findings, const IValueDefinition& definition, const std::string& whose) {
  const ValueType type = definition.ValueType();
  const Value missing = definition.MissingDataValue();
  const auto* quantity = dynamic_cast<const IQuantity*>(&definition);
  const auto* quality = dynamic_cast<const IQuality*>(&definition);
  findings.Expect("3.1", type.kind != ValueKind::Empty, "{}: expected a type of its values, found 'empty'", whose);
  findings.Expect("3.1", missing.IsEmpty() || missing.Kind() == type.kind || quality != nullptr,
                  "{}: expected a missing value of type {}, as ValueType says, found a {}", whose, type.Name(),
                  NameOf(missing.Kind()));
  // A subtype defined by the component is allowed; but IQuantity exists to prevent numbers without a unit.
  const bool own_kind = type.kind == ValueKind::Object || type.kind == ValueKind::Binary;
  findings.Expect("3.1", quantity != nullptr || quality != nullptr || own_kind,
                  "{}: expected an IQuantity or an IQuality for values of type {}, found a bare IValueDefinition",
                  whose, type.Name());
  if (quantity != nullptr) {
    findings.Try("3.3", "the quantity of " + whose, [&] { CheckQuantity(findings, *quantity, whose); });
  }
  if (quality != nullptr) {
    findings.Try("3.4", "the quality of " + whose, [&] { CheckQuality(findings, *quality, whose); });
  }
}

void CheckPlace(Findings& findings, const ISpatialDefinition& where, const std::string& whose) {
  findings.Expect("4.1", where.ElementCount() >= 0, [&] {
    return fmt::format("{}: expected a number of elements of 0 or more, found {}", whose, where.ElementCount());
  });
  const auto* elements = dynamic_cast<const IElementSet*>(&where);
  if (elements == nullptr) return;
  const ElementType type = elements->ElementType();
  findings.See("4.2");
  if (!findings.Expect("4.3", IsOneOfTheFive(type), "{}: expected one of the five element types, found number {}",
                       whose, static_cast<int>(type))) {
    return;
  }
  findings.Expect("4.1", type == ElementType::IdBased || !where.SpatialReferenceSystemWkt().empty(),
                  "{}: expected a spatial reference system for elements with coordinates, found an empty text", whose);
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

void CheckTimeSet(Findings& findings, const ITimeSet& times, const std::string& whose) {
  const double offset = times.OffsetFromUtcInHours();
  findings.Expect("5.2", std::abs(offset) <= 24.0, "{}: expected an offset from UTC of at most 24 hours, found {}",
                  whose, offset);
  const ITime& horizon = times.TimeHorizon();
  const double begin = horizon.StampAsModifiedJulianDay();
  const double length = horizon.DurationInDays();
  findings.Expect("5.1", !std::isnan(begin) && !(begin == kFarFuture.mjd) && length >= 0.0,
                  "{}: expected a horizon that begins at a time or in the far past and has a duration of 0 or "
                  "more, found stamp {} and duration {}",
                  whose, begin, length);

  Stamp previous = kFarPast;
  for (const ITime* time : times.Times()) {
    if (!findings.Expect("5.2", time != nullptr, "{}: expected times, found a null among them", whose)) {
      return;
    }
    const double stamp = time->StampAsModifiedJulianDay();
    const double duration = time->DurationInDays();
    if (!findings.Expect("5.1", std::isfinite(stamp) && std::isfinite(duration) && duration >= 0.0,
                         "{}: expected a finite stamp and a finite duration of 0 or more, found {} and {}", whose,
                         stamp, duration)) {
      continue;
    }
    findings.Expect("5.2", times.HasDurations() == (duration > 0.0), [&] {
      return times.HasDurations()
                 ? fmt::format("{}: expected durations above 0, as HasDurations says, found {}", whose, duration)
                 : fmt::format("{}: expected stamps, as HasDurations says, found a duration of {} days", whose,
                               duration);
    });
    findings.Expect("5.2", previous.mjd < stamp, "{}: expected times in ascending order, found {} after {}", whose,
                    stamp, previous.mjd);
    previous = Stamp{stamp};
  }
}

std::string TextOf(Stamp time) {
  if (std::isnan(time.mjd)) return "no number";
  if (time <= kFarPast) return "the far past";
  if (time >= kFarFuture) return "the far future";
  try {
    return FormatIsoTime(time);
  } catch (const std::exception&) {
    return fmt::format("MJD {}", time.mjd);  // a year that ISO 8601 cannot write
  }
}

Stamp LatestEndOf(const ITimeSet* times) {
  if (times == nullptr || times->Times().empty() || times->Times().back() == nullptr) return kFarPast;
  return EndOf(*times->Times().back()) - Hours(times->OffsetFromUtcInHours());
}

void CheckArguments(Findings& findings, std::span<IArgument* const> arguments, const std::string& whose) {
  const std::vector<IArgument*> list(arguments.begin(), arguments.end());
  IdList ids(findings, "argument", whose);
  for (IArgument* argument : list) {
    if (!findings.Expect(kArguments, argument != nullptr,
                         [&] { return "expected arguments of " + whose + ", found a null among them"; })) {
      continue;
    }
    ids.Add(*argument);
    const std::string who = fmt::format("argument '{}' of {}", argument->Id(), whose);
    CheckDescribable(findings, *argument, who);
    findings.Try(kArguments, "looking at " + who, [&] { ArgumentCheck(findings, *argument, whose).Run(); });
  }
}

}  // namespace openmi::conformance
