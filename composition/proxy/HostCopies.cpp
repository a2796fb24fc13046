#include "composition/proxy/HostCopies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "adaptors/base/DerivedQuantity.hpp"
#include "composition/proxy/PlainItems.hpp"
#include "openmi/sdk/Dimension.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/NestedValueSet.hpp"
#include "openmi/sdk/PlainDefinition.hpp"
#include "openmi/sdk/Quality.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi {
namespace {

template <class Copy>
std::unique_ptr<Copy> Described(std::unique_ptr<Copy> copy, const IDescribable& original) {
  copy->SetCaption(original.Caption());
  copy->SetDescription(original.Description());
  return copy;
}

Unit HostUnit(const IUnit& unit) {
  Unit copy(unit.Caption(), unit.ConversionFactorToSI(), unit.OffSetToSI(), CopyOf(unit.Dimension()));
  copy.SetDescription(unit.Description());
  return copy;
}

Category HostCategory(const ICategory& category) {
  const Value value = category.Value();
  return Category(value.Kind() == ValueKind::Object ? Value(category.Caption()) : value, category.Caption(),
                  category.Description());
}

[[noreturn]] void ThrowOwnType() {
  throw LinkError({}, "expected values that can be copied, found objects of the component's own type",
                  "let the item give numbers, texts or bytes");
}

void RequireCopyable(const Value& value) {
  if (value.Kind() == ValueKind::Object) ThrowOwnType();
}

[[noreturn]] void Refuse(const IBaseExchangeItem& item, const std::string& expected, const std::string& found) {
  throw LinkError({.item = item.Id()}, fmt::format("expected {}, found {}", expected, found),
                  "keep what is linked as it was, or start the composition anew");
}

std::string IdOf(const IElementSet& elements, int index) {
  const IIdentifiable* id = elements.GetElementId(index);
  return id != nullptr ? id->Id() : std::string();
}

}  // namespace

std::unique_ptr<const IValueDefinition> HostCopyOf(const IValueDefinition& definition) {
  if (definition.ValueType().kind == ValueKind::Object && dynamic_cast<const IQuality*>(&definition) == nullptr) {
    ThrowOwnType();
  }
  if (const auto* quantity = dynamic_cast<const IQuantity*>(&definition)) {
    return Described(std::make_unique<Quantity>(HostUnit(quantity->Unit()), quantity->Caption(),
                                                quantity->MissingDataValue(), quantity->ValueType().kind),
                     definition);
  }
  if (const auto* quality = dynamic_cast<const IQuality*>(&definition)) {
    std::vector<Category> categories;
    for (const ICategory* category : quality->Categories()) categories.push_back(HostCategory(*category));
    return Described(std::make_unique<Quality>(quality->Caption(), std::move(categories), quality->IsOrdered()),
                     definition);
  }
  return Described(std::make_unique<PlainDefinition>(definition.ValueType(), definition.MissingDataValue(),
                                                     MessageTypeOf(definition)),
                   definition);
}

std::unique_ptr<TimeSet> HostCopyOf(const ITimeSet* times) {
  if (times == nullptr) return nullptr;
  auto copy = std::make_unique<TimeSet>(times->HasDurations());
  copy->SetOffsetFromUtcInHours(times->OffsetFromUtcInHours());
  copy->SetHorizon(Stamp{times->TimeHorizon().StampAsModifiedJulianDay()}, EndOf(times->TimeHorizon()));
  std::vector<Time> all;
  for (const ITime* time : times->Times()) {
    all.emplace_back(Stamp{time->StampAsModifiedJulianDay()}, Days{time->DurationInDays()});
  }
  copy->Assign(all);
  return copy;
}

std::unique_ptr<ITimeSpaceValueSet> HostCopyOf(const ITimeSpaceValueSet& values, const ValueType& type) {
  const std::size_t times = values.GetIndexCount({});
  if (const auto* rows = dynamic_cast<const INumericRows*>(&values)) {
    auto copy = std::make_unique<NumericValueSet>(type.kind);
    copy->ResizeTimes(rows->RowCount());
    for (std::size_t time = 0; time < rows->RowCount(); ++time) copy->SetRow(time, rows->Row(time));
    return copy;
  }
  auto copy = std::make_unique<ObjectValueSet>(type);
  copy->ResizeTimes(times);
  for (std::size_t time = 0; time < times; ++time) {
    const std::size_t elements = values.GetIndexCount(std::span(&time, 1));
    copy->Resize(time, elements);
    for (std::size_t element = 0; element < elements; ++element) {
      const Value value = values.GetValue(static_cast<int>(time), static_cast<int>(element));
      if (value.IsEmpty()) continue;
      RequireCopyable(value);
      copy->SetValue(static_cast<int>(time), static_cast<int>(element), value);
    }
  }
  return copy;
}

std::unique_ptr<IBaseValueSet> HostCopyOf(const IBaseValueSet& values) {
  auto copy = std::make_unique<NestedValueSet>(values.ValueType(), std::max<std::size_t>(values.NumberOfIndices(), 1));
  std::vector<std::size_t> indices;
  const std::function<void()> copy_below = [&] {
    const std::size_t count = values.GetIndexCount(indices);
    copy->Resize(indices, count);
    for (std::size_t i = 0; i < count; ++i) {
      indices.push_back(i);
      if (indices.size() < values.NumberOfIndices()) {
        copy_below();
      } else if (const Value value = values.GetValue(indices); !value.IsEmpty()) {
        RequireCopyable(value);
        copy->SetValue(indices, value);
      }
      indices.pop_back();
    }
  };
  copy_below();
  return copy;
}

std::unique_ptr<const ISpatialDefinition> HostCopyOf(const ISpatialDefinition& where) {
  if (const auto* elements = dynamic_cast<const IElementSet*>(&where)) {
    return std::make_unique<ElementSet>(CopyOf(*elements));
  }
  return Described(
      std::make_unique<PlainPlaces>(where.ElementCount(), where.SpatialReferenceSystemWkt(), where.Version()), where);
}

std::shared_ptr<const ISpatialDefinition> PlaceCopies::Of(const ISpatialDefinition* where) {
  if (where == nullptr) return nullptr;
  std::shared_ptr<const ISpatialDefinition>& copy = copies_[where];
  if (!copy) copy = HostCopyOf(*where);
  return copy;
}

bool HoldsNumbers(const IValueDefinition& definition) {
  const ValueKind kind = definition.ValueType().kind;
  return kind == ValueKind::Double || kind == ValueKind::Integer || kind == ValueKind::Boolean;
}

void RequireNumbers(const IValueDefinition& definition, const Where& place, std::string remedy) {
  if (HoldsNumbers(definition)) return;
  throw TypeError(
      place,
      fmt::format("expected an input that takes numbers, found one of type {}", NameOf(definition.ValueType().kind)),
      std::move(remedy));
}

bool MessagesDiffer(const std::string& one, const std::string& other) {
  if (one.empty() || other.empty()) return false;
  const std::vector<std::string> types = Split(one, " ");
  return std::ranges::none_of(Split(other, " "), [&types](const std::string& type) {
    return type != "or" && std::ranges::find(types, type) != types.end();
  });
}

void RequireSameKind(const ITimeSpaceExchangeItem& before, const ITimeSpaceExchangeItem& now) {
  const IValueDefinition& old_values = before.ValueDefinition();
  const IValueDefinition& new_values = now.ValueDefinition();
  if (old_values.ValueType() != new_values.ValueType()) {
    Refuse(now, fmt::format("values of type {}", old_values.ValueType().Name()), new_values.ValueType().Name());
  }
  const std::string old_message = MessageTypeOf(old_values);
  const std::string new_message = MessageTypeOf(new_values);
  if (MessagesDiffer(old_message, new_message)) {
    Refuse(now, fmt::format("messages '{}'", old_message), fmt::format("'{}'", new_message));
  }
  const auto* old_quantity = dynamic_cast<const IQuantity*>(&old_values);
  const auto* new_quantity = dynamic_cast<const IQuantity*>(&new_values);
  if ((old_quantity != nullptr) != (new_quantity != nullptr)) {
    Refuse(now, old_quantity != nullptr ? "a quantity" : "no quantity", new_quantity != nullptr ? "one" : "none");
  }
  if (old_quantity != nullptr) {
    const IUnit& a = old_quantity->Unit();
    const IUnit& b = new_quantity->Unit();
    if (!Convertible(a, b) || !ConversionBetween(a, b).IsIdentity()) {
      Refuse(now, fmt::format("the unit '{}'", a.Caption()), fmt::format("'{}'", b.Caption()));
    }
  }
  const ITimeSet* old_times = before.TimeSet();
  const ITimeSet* new_times = now.TimeSet();
  if ((old_times != nullptr) != (new_times != nullptr)) {
    Refuse(now, old_times != nullptr ? "times" : "no times", new_times != nullptr ? "some" : "none");
  }
  if (old_times != nullptr && old_times->HasDurations() != new_times->HasDurations()) {
    Refuse(now, old_times->HasDurations() ? "spans" : "stamps", new_times->HasDurations() ? "spans" : "stamps");
  }
  const ISpatialDefinition* old_places = before.SpatialDefinition();
  const ISpatialDefinition* new_places = now.SpatialDefinition();
  const int old_count = old_places != nullptr ? old_places->ElementCount() : -1;
  const int new_count = new_places != nullptr ? new_places->ElementCount() : -1;
  if (old_count != new_count) {
    const auto text = [](int count) {
      return count < 0 ? std::string("a value without place") : fmt::format("{} elements", count);
    };
    Refuse(now, text(old_count), text(new_count));
  }
  const auto* a = dynamic_cast<const IElementSet*>(old_places);
  const auto* b = dynamic_cast<const IElementSet*>(new_places);
  if ((a != nullptr) != (b != nullptr)) Refuse(now, "places of the same kind", "others");
  if (a == nullptr) return;
  if (a->ElementType() != b->ElementType()) Refuse(now, "elements of the same type", "others");
  for (int i = 0; i < old_count; ++i) {
    const std::string old_id = IdOf(*a, i);
    const std::string new_id = IdOf(*b, i);
    if (old_id != new_id) Refuse(now, fmt::format("element {} to be '{}'", i, old_id), fmt::format("'{}'", new_id));
  }
}

bool HasMoved(const ISpatialDefinition& before, const ISpatialDefinition& now) {
  const auto* a = dynamic_cast<const IElementSet*>(&before);
  const auto* b = dynamic_cast<const IElementSet*>(&now);
  if (a == nullptr || b == nullptr) return before.Version() != now.Version();
  if (a->ElementType() == ElementType::IdBased) return false;
  if (a->SpatialReferenceSystemWkt() != b->SpatialReferenceSystemWkt()) return true;
  const auto* own_a = dynamic_cast<const ElementSet*>(a);
  const auto* own_b = dynamic_cast<const ElementSet*>(b);
  if (own_a != nullptr && own_b != nullptr && !own_a->HasExtraRings() && !own_b->HasExtraRings()) {
    return !(std::ranges::equal(own_a->X(), own_b->X()) && std::ranges::equal(own_a->Y(), own_b->Y()) &&
             std::ranges::equal(own_a->Z(), own_b->Z()) &&
             std::ranges::equal(own_a->VertexOffsets(), own_b->VertexOffsets()) &&
             std::ranges::equal(own_a->Attributes(), own_b->Attributes(), [](const auto& x, const auto& y) {
               return x.name == y.name && std::ranges::equal(x.values, y.values);
             }));
  }
  return true;  // element sets with holes, and sets of other types, are always computed again
}

}  // namespace openmi
