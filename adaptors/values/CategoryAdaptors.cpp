#include "adaptors/values/CategoryAdaptors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Unit.hpp"
#include "openmi/standard/IBaseInput.hpp"

namespace openmi {
namespace {

constexpr const char* kTableRemedy = "write it like 'dry=0; moist=0.4; wet=1'";

CategoryTable ReadTable(const Where& place, const std::string& text) {
  CategoryTable table;
  for (const std::string& entry : Split(text, ";")) {
    const auto [name, digits] = PairAt(entry, entry.rfind('='));
    const std::optional<double> number = AsNumber<double>(digits);
    if (!number || !std::isfinite(*number)) {
      throw ArgumentError(place, fmt::format("argument 'table': expected category=number, found '{}'", entry),
                          kTableRemedy);
    }
    if (name.empty() || std::ranges::find(table, name, &CategoryTable::value_type::first) != table.end()) {
      throw ArgumentError(place, fmt::format("argument 'table': expected each category once, found '{}'", entry),
                          kTableRemedy);
    }
    table.emplace_back(name, *number);
  }
  return table;
}

std::string NameOf(const ICategory& category) {
  const Value value = category.Value();
  const std::string* text = value.As<std::string>();
  return text != nullptr ? *text : category.Caption();
}

std::vector<std::string> NamesOf(const IQuality& quality) {
  std::vector<std::string> names;
  for (const ICategory* category : quality.Categories()) names.push_back(NameOf(*category));
  return names;
}

}  // namespace

CategoriesToNumbers::CategoriesToNumbers(std::string id, IBaseOutput& adaptee)
    : AdaptedOutput(std::move(id), adaptee), given_(dynamic_cast<const IQuality*>(&adaptee.ValueDefinition())) {
  if (given_ == nullptr) throw LinkError(Place(), "expected categories, found values that are none");
  table_ = ArgumentItems().AddPlain("table",
                                    {.caption = "a number for each category",
                                     .description = "such as dry=0; wet=1; empty: the position of the category, from 0",
                                     .value = ""});
  unit_ = ArgumentItems().AddPlain("unit", {.caption = "unit of the numbers", .value = "1"});
}

const IValueDefinition& CategoriesToNumbers::ValueDefinition() const {
  const std::string unit = unit_.Item().HasValue() ? unit_.Value() : "1";
  if (!definition_ || unit != unit_read_) {
    definition_ = std::make_unique<Quantity>(Unit::Parse(unit), given_->Caption());
    unit_read_ = unit;
  }
  return *definition_;
}

std::vector<double> CategoriesToNumbers::Numbers() const {
  const std::vector<std::string> names = NamesOf(*given_);
  const CategoryTable table = ReadTable(Place(), table_.Value());
  std::vector<double> numbers(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) numbers[i] = table.empty() ? static_cast<double>(i) : kNotANumber;
  for (const auto& [name, number] : table) {
    const auto found = std::ranges::find(names, name);
    if (found == names.end()) {
      throw ArgumentError(
          Place(), fmt::format("argument 'table': expected a category of '{}', found '{}'", Adaptee().Id(), name),
          Suggest(name, names));
    }
    numbers[static_cast<std::size_t>(found - names.begin())] = number;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!std::isnan(numbers[i])) continue;
    throw ArgumentError(Place(),
                        fmt::format("argument 'table': expected a number for each category, found none for "
                                    "'{}'",
                                    names[i]),
                        "add it");
  }
  return numbers;
}

void CategoriesToNumbers::Check() {
  static_cast<void>(Numbers());
  static_cast<void>(ValueDefinition());
}

void CategoriesToNumbers::OnInitialize() {
  numbers_ = Numbers();
}

std::optional<std::size_t> CategoriesToNumbers::PlaceOf(const Value& value) const {
  const auto categories = given_->Categories();
  const auto category = value.ObjectAs<ICategory>();
  for (std::size_t i = 0; i < categories.size(); ++i) {
    if (categories[i]->Value() == (category ? category->Value() : value)) return i;
  }
  return std::nullopt;
}

const ITimeSpaceValueSet& CategoriesToNumbers::Compute(const Question& question, Answer& answer) {
  const ITimeSpaceValueSet& given = AskForValues(question);
  answer.view.Clear();
  const std::size_t times = given.GetIndexCount({});
  for (std::size_t time = 0; time < times; ++time) {
    const std::size_t elements = given.GetIndexCount(std::span(&time, 1));
    const std::span<double> row = answer.OwnRow(time, elements);
    for (std::size_t i = 0; i < elements; ++i) {
      const auto place = PlaceOf(given.GetValue(static_cast<int>(time), static_cast<int>(i)));
      row[i] = place ? numbers_[*place] : kNotANumber;
    }
    answer.view.Add(row);
  }
  return answer.view;
}

NumbersToCategories::NumbersToCategories(std::string id, IBaseOutput& adaptee, const IBaseInput* target)
    : AdaptedOutput(std::move(id), adaptee),
      wanted_(target != nullptr ? dynamic_cast<const IQuality*>(&target->ValueDefinition()) : nullptr) {
  table_ = ArgumentItems().AddPlain(
      "table", {.caption = "the lower limit of each category",
                .description = "ascending, such as dry=0; moist=0.4; wet=0.8; empty: the target's categories from 0",
                .value = ""});
}

CategoryTable NumbersToCategories::Limits() const {
  const CategoryTable table = ReadTable(Place(), table_.Value());
  if (table.empty() && wanted_ == nullptr) {
    throw ArgumentError(Place(), "argument 'table': expected categories, found none", kTableRemedy);
  }
  const std::vector<std::string> known = wanted_ != nullptr ? NamesOf(*wanted_) : std::vector<std::string>();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto& [name, limit] = table[i];
    if (wanted_ != nullptr && std::ranges::find(known, name) == known.end()) {
      throw ArgumentError(Place(), fmt::format("argument 'table': expected a category of the target, found '{}'", name),
                          Suggest(name, known));
    }
    if (i > 0 && !(limit > table[i - 1].second)) {
      throw ArgumentError(
          Place(),
          fmt::format("argument 'table': expected limits that ascend, found {} after {}", limit, table[i - 1].second),
          "sort the table by its numbers");
    }
  }
  return table;
}

void NumbersToCategories::Check() {
  static_cast<void>(Limits());
}

const IValueDefinition& NumbersToCategories::ValueDefinition() const {
  if (wanted_ != nullptr) return *wanted_;
  const std::string text = TextOf(table_);
  if (!own_ || text != table_read_) {
    std::vector<Category> categories;
    for (const auto& [name, limit] : ReadTable(Place(), text)) categories.emplace_back(Value(name));
    own_ = std::make_unique<Quality>(Adaptee().ValueDefinition().Caption(), std::move(categories), true);
    table_read_ = text;
  }
  return *own_;
}

const ITimeSpaceValueSet& NumbersToCategories::Compute(const Question& question, Answer& answer) {
  const INumericRows& rows = Ask(question);
  ObjectValueSet& set = sets_.try_emplace(answer.query, ObjectValueSet({ValueKind::String, nullptr})).first->second;
  const double missing = Adaptee().ValueDefinition().MissingDataValue().Number().value_or(kNotANumber);
  const auto names =
      wanted_ != nullptr && limits_.empty() ? wanted_->Categories() : std::span<const ICategory* const>();
  set.ResizeTimes(rows.RowCount());
  for (std::size_t time = 0; time < rows.RowCount(); ++time) {
    const std::span<const double> row = rows.Row(time);
    set.Resize(time, row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      Value value{std::string()};
      if (!IsMissing(row[i], missing)) {
        if (!names.empty()) {
          const double place = std::round(row[i]);
          if (place == row[i] && place >= 0.0 && place < static_cast<double>(names.size())) {
            value = names[static_cast<std::size_t>(place)]->Value();
          }
        } else {
          for (const auto& [name, limit] : limits_) {
            if (row[i] >= limit) value = Value(name);
          }
        }
      }
      set.SetValue(static_cast<int>(time), static_cast<int>(i), value);
    }
  }
  return set;
}

void NumbersToCategories::OnConsumerRemoved(IBaseInput& consumer) {
  AdaptedOutput::OnConsumerRemoved(consumer);
  sets_.erase(&consumer);
}

}  // namespace openmi
