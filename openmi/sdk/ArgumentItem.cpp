#include "openmi/sdk/ArgumentItem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"

namespace openmi {

namespace {

constexpr const char* kMask = "********";

bool IsNumber(ValueKind kind) {
  return kind == ValueKind::Integer || kind == ValueKind::Double;
}

/// Compares whole numbers as integers: two different ones may be the same double.
bool Less(const Value& a, const Value& b) {
  const auto* i = a.As<std::int64_t>();
  const auto* j = b.As<std::int64_t>();
  return i && j ? *i < *j : *a.Number() < *b.Number();
}

/// Reads a number from the start of `text` and removes it there; returns false if there is none.
template <class T>
bool ReadFront(std::string_view& text, T& number) {
  std::string_view rest = text;
  if (rest.size() > 1 && rest[0] == '+' && rest[1] != '-') rest.remove_prefix(1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (error != std::errc()) return false;
  text = rest.substr(static_cast<std::size_t>(end - rest.data()));
  return true;
}

}  // namespace

ArgumentItem::ArgumentItem(std::string id, const ArgumentOptions<bool>& options)
    : IdentifiedAs(std::move(id)), kind_(ValueKind::Boolean) {
  Take(options);
}

ArgumentItem::ArgumentItem(std::string id, const ArgumentOptions<int>& options)
    : IdentifiedAs(std::move(id)), kind_(ValueKind::Integer) {
  // Argument<int> must never receive a number that it cannot hold.
  ArgumentOptions<int> ranged = options;
  if (!ranged.minimum) ranged.minimum = std::numeric_limits<int>::min();
  if (!ranged.maximum) ranged.maximum = std::numeric_limits<int>::max();
  Take(ranged);
}

ArgumentItem::ArgumentItem(std::string id, const ArgumentOptions<std::int64_t>& options)
    : IdentifiedAs(std::move(id)), kind_(ValueKind::Integer) {
  Take(options);
}

ArgumentItem::ArgumentItem(std::string id, const ArgumentOptions<double>& options)
    : IdentifiedAs(std::move(id)), kind_(ValueKind::Double) {
  Take(options);
}

ArgumentItem::ArgumentItem(std::string id, const ArgumentOptions<std::string>& options)
    : IdentifiedAs(std::move(id)), kind_(ValueKind::String) {
  Take(options);
}

template <class T>
void ArgumentItem::Take(const ArgumentOptions<T>& options) {
  if (IdText().empty()) {
    throw ArgumentError({}, fmt::format("expected an id for argument '{}', found none", options.caption),
                        "give each argument a short name of its own");
  }
  if (!options.caption.empty()) SetCaption(options.caption);
  SetDescription(options.description);
  optional_ = options.optional;
  read_only_ = options.read_only;
  meaning_ = options.meaning;
  if (!options.unit.empty()) EditLimits().unit = options.unit;
  if (IsNumber(kind_)) {
    if (!options.unit.empty()) openmi::Unit::Parse(options.unit);
    if (options.minimum) EditLimits().minimum = openmi::Value(*options.minimum);
    if (options.maximum) EditLimits().maximum = openmi::Value(*options.maximum);
  } else if (!options.unit.empty() || options.minimum || options.maximum) {
    Throw(fmt::format("found a unit or a range for a {}", NameOf(kind_)), "leave unit, minimum and maximum to numbers");
  }
  if (!options.possible_values.empty()) {
    std::vector<openmi::Value> possible;
    for (const T& value : options.possible_values) possible.emplace_back(value);
    SetPossibleValues(std::move(possible));
  }
  if (options.value) default_ = Checked(openmi::Value(T(*options.value)));
}

const ArgumentItem::Limits& ArgumentItem::TheLimits() const {
  static const Limits none;
  return limits_ != nullptr ? *limits_ : none;
}

ArgumentItem::Limits& ArgumentItem::EditLimits() {
  if (limits_ == nullptr) limits_ = std::make_unique<Limits>();
  return *limits_;
}

std::optional<std::span<const Value>> ArgumentItem::PossibleValues() const {
  const auto& possible = TheLimits().possible;
  if (!possible) return std::nullopt;
  return std::span<const openmi::Value>(*possible);
}

void ArgumentItem::SetPossibleValues(std::optional<std::vector<openmi::Value>> values) {
  if (values) {
    for (openmi::Value& value : *values) value = Typed(value);
  }
  if (values || limits_ != nullptr) EditLimits().possible = std::move(values);
}

void ArgumentItem::SetValue(const openmi::Value& value) {
  RefuseIfReadOnly();
  Assign(value);
}

void ArgumentItem::SetValueAsString(const std::string& text) {
  RefuseIfReadOnly();
  Assign(Parsed(text));
}

void ArgumentItem::Assign(const openmi::Value& value) {
  const std::string* text = value.As<std::string>();
  const bool blank_without_default = text && text->empty() && kind_ == ValueKind::String && default_.IsEmpty();
  if (value.IsEmpty() || blank_without_default) {
    Store({}, false);
  } else {
    Store(Checked(value), true);
  }
}

void ArgumentItem::Store(openmi::Value value, bool set) {
  const openmi::Value before = Value();
  openmi::Value held = std::exchange(value_, std::move(value));
  const bool was_set = std::exchange(set_, set);
  if (!changed || Value() == before) return;
  try {
    changed();
  } catch (...) {
    value_ = std::move(held);
    set_ = was_set;
    throw;
  }
}

void ArgumentItem::RefuseIfReadOnly() const {
  if (!read_only_) return;
  throw ArgumentError({.component = owner_, .item = IdText()},
                      "expected the argument to be left as it is, since it is read-only, found a value for it",
                      "leave the value out");
}

Value ArgumentItem::Typed(const openmi::Value& value) const {
  if (value.Kind() == kind_) return value;
  if (kind_ == ValueKind::Double && value.Kind() == ValueKind::Integer) return *value.Number();
  Throw(fmt::format("found a {}", NameOf(value.Kind())),
        fmt::format("give a value of type {}, or text to SetValueAsString", NameOf(kind_)));
}

Value ArgumentItem::Checked(const openmi::Value& value) const {
  openmi::Value typed = Typed(value);
  const auto& [unit, minimum, maximum, choice] = TheLimits();
  const bool has_range = !minimum.IsEmpty() || !maximum.IsEmpty();
  const bool nan = has_range && std::isnan(*typed.Number());
  if (nan || (!minimum.IsEmpty() && Less(typed, minimum)) || (!maximum.IsEmpty() && Less(maximum, typed))) {
    Throw(fmt::format("found {}", IsSecret() ? kMask : TextOf(typed)), "choose a value within the range");
  }
  if (choice && std::find(choice->begin(), choice->end(), typed) == choice->end()) {
    std::vector<std::string> texts;
    for (const openmi::Value& possible : *choice) texts.push_back(TextOf(possible));
    std::string remedy = "choose one of them";
    if (!IsSecret()) remedy = texts.empty() ? "nothing can be chosen at present" : Suggest(TextOf(typed), texts);
    Throw(fmt::format("found '{}'", IsSecret() ? kMask : TextOf(typed)), remedy);
  }
  return typed;
}

std::string ArgumentItem::Expectation() const {
  const auto& [unit, minimum, maximum, possible] = TheLimits();
  std::string text;
  switch (kind_) {
    case ValueKind::Boolean:
      text = "true or false";
      break;
    case ValueKind::Integer:
      text = "a whole number";
      break;
    case ValueKind::Double:
      text = "a number";
      break;
    default:
      text = "a text";
      break;
  }
  if (!unit.empty()) text += fmt::format(" in {}", unit);
  const bool whole_int_range = minimum == openmi::Value(std::numeric_limits<int>::min()) &&
                               maximum == openmi::Value(std::numeric_limits<int>::max());
  if (!minimum.IsEmpty() && !maximum.IsEmpty()) {
    if (!whole_int_range) text += fmt::format(" from {} to {}", TextOf(minimum), TextOf(maximum));
  } else if (!minimum.IsEmpty()) {
    text += fmt::format(" of at least {}", TextOf(minimum));
  } else if (!maximum.IsEmpty()) {
    text += fmt::format(" of at most {}", TextOf(maximum));
  }
  if (possible) text += ", one of the possible values";
  return text;
}

void ArgumentItem::Throw(const std::string& found, const std::string& remedy) const {
  throw ArgumentError({.component = owner_, .item = IdText()}, fmt::format("expected {}, {}", Expectation(), found),
                      remedy);
}

void ArgumentItem::ThrowMissing() const {
  Throw("found no value",
        optional_ ? "ask HasValue first: the argument is optional" : fmt::format("set the argument '{}'", IdText()));
}

std::string ArgumentItem::TextOf(const openmi::Value& value) const {
  if (const auto* flag = value.As<bool>()) return *flag ? "true" : "false";
  if (const auto* integer = value.As<std::int64_t>()) return fmt::format("{}", *integer);
  if (const auto* number = value.As<double>()) return fmt::format("{}", *number);
  if (const auto* text = value.As<std::string>()) return *text;
  return {};
}

std::string ArgumentItem::ValueAsString() const {
  return TextOf(set_ ? value_ : default_);
}

std::string ArgumentItem::DisplayText() const {
  return IsSecret() && HasValue() ? kMask : ValueAsString();
}

Value ArgumentItem::Parsed(std::string_view text) const {
  if (kind_ == ValueKind::String) return text;
  const std::string_view trimmed = Trimmed(text);
  if (trimmed.empty()) return {};
  if (kind_ == ValueKind::Boolean) {
    const std::string lower = Lower(trimmed);
    if (lower == "true" || lower == "1" || lower == "yes" || lower == "on") return true;
    if (lower == "false" || lower == "0" || lower == "no" || lower == "off") return false;
    Throw(fmt::format("found '{}'", IsSecret() ? kMask : text), "write true or false");
  }
  if (kind_ == ValueKind::Integer) {
    std::string_view rest = trimmed;
    std::int64_t whole = 0;
    if (ReadFront(rest, whole) && rest.empty()) return whole;
    const double number = ParsedNumber(trimmed);
    const double nearest = std::nearbyint(number);
    // After a unit conversion a whole number can differ in its last digits.
    const bool is_whole = std::abs(number - nearest) <= 1e-12 * std::abs(nearest) && std::abs(nearest) < 0x1p53;
    if (is_whole) return static_cast<std::int64_t>(nearest);
    Throw(fmt::format("found '{}'", IsSecret() ? kMask : text), "write a whole number without a decimal point");
  }
  return ParsedNumber(trimmed);
}

double ArgumentItem::ParsedNumber(std::string_view text) const {
  const std::string shown = IsSecret() ? kMask : std::string(text);
  std::string_view rest = text;
  double number = 0.0;
  if (!ReadFront(rest, number)) {
    Throw(fmt::format("found '{}'", shown), "write a number with a decimal point, such as 1.5 or 2e-3");
  }
  rest = Trimmed(rest);
  if (rest.empty()) return number;
  const unsigned char first = static_cast<unsigned char>(rest.front());
  if (first == ',') Throw(fmt::format("found '{}'", shown), "write the number with a decimal point, not a comma");
  if (!std::isalpha(first) && first != '%' && first < 0x80) {
    Throw(fmt::format("found '{}'", shown), "write one number, and nothing but a unit after it");
  }
  if (Unit().empty()) Throw(fmt::format("found '{}'", shown), "write the number alone: the argument has no unit");
  try {
    return ConversionBetween(openmi::Unit::Parse(rest), openmi::Unit::Parse(Unit()))(number);
  } catch (const UnitError& error) {
    Throw(fmt::format("found '{}' ({})", shown, IsSecret() ? "another unit" : error.Problem()),
          fmt::format("write the number in {}, or with a unit that can be converted to it", Unit()));
  }
}

ArgumentMeaning ArgumentItem::Meaning() const {
  if (meaning_ != ArgumentMeaning::Unstated) return meaning_;
  return kind_ != ValueKind::String || TheLimits().possible ? ArgumentMeaning::Plain : ArgumentMeaning::Unstated;
}

ArgumentMeaning MeaningOf(const IArgument& argument) {
  if (const auto* known = dynamic_cast<const IArgumentMeaning*>(&argument)) return known->Meaning();
  const bool is_free_text = argument.ValueType().kind == ValueKind::String && !argument.PossibleValues();
  return is_free_text ? ArgumentMeaning::Unstated : ArgumentMeaning::Plain;
}

bool IsSecret(const IArgument& argument) {
  return MeaningOf(argument) == ArgumentMeaning::Secret;
}

std::string DisplayText(const IArgument& argument) {
  if (const auto* item = dynamic_cast<const ArgumentItem*>(&argument)) return item->DisplayText();
  std::string text = argument.ValueAsString();
  return IsSecret(argument) && !text.empty() ? kMask : text;
}

}  // namespace openmi
