#include "fmi-bridge/fmi/simulate/InputTable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "composition/results/CsvText.hpp"
#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {
namespace {

void AppendCell(const ModelDescription& description, InputTable::Column& column, const std::string& text,
                const Where& where) {
  const Variable& variable = description.At(column.variable);
  if (variable.type == VariableType::Clock) {
    const std::optional<double> count = ParseNumber(text);
    if (!count || *count < 0.0 || *count >= 0x1p53 || std::trunc(*count) != *count) {
      throw FormatError({.file = where.file, .line = where.line, .item = variable.name},
                        fmt::format("expected how often the clock has ticked so far, found '{}'", text),
                        "write whole numbers that grow by one at each tick");
    }
    column.integers.push_back(static_cast<std::int64_t>(*count));
    return;
  }
  try {
    // Other programs may write a whole number as "1.0".
    const std::optional<double> number = ParseNumber(text);
    const bool is_whole = number && std::abs(*number) < 0x1p53 && std::trunc(*number) == *number;
    const bool is_text = variable.type == VariableType::String || variable.type == VariableType::Binary;
    const StartValue value = ReadStartValue(
        description, column.variable,
        is_whole && !is_text && !IsFloat(variable.type) ? fmt::format("{:.0f}", *number) : text, column.count);
    column.numbers.insert(column.numbers.end(), value.numbers.begin(), value.numbers.end());
    column.integers.insert(column.integers.end(), value.integers.begin(), value.integers.end());
    column.texts.insert(column.texts.end(), value.texts.begin(), value.texts.end());
  } catch (const ArgumentError& error) {
    throw FormatError({.file = where.file, .line = where.line, .item = variable.name}, error.Problem(), error.Remedy());
  }
}

}  // namespace

void InputTable::ReadHead(const std::vector<std::string>& fields, const ModelDescription& description,
                          std::span<const std::vector<std::size_t>> sizes, const std::string& file, int line) {
  const Where where{.file = file, .line = line};
  if (const std::string_view separator = OtherSeparator(fields); !separator.empty()) {
    throw FormatError(where, fmt::format("expected columns between commas, found {} between them", separator),
                      "write the table with commas, and with decimal points");
  }
  if (fields.size() < 2) {
    throw FormatError(where, "expected a column of times and at least one of values", "write 'time,u'");
  }
  std::map<std::string, Column> places;
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < description.variables.size(); ++i) {
    const Variable& variable = description.variables[i];
    if (variable.causality != Causality::Input) continue;
    if (variable.type == VariableType::Clock && description.ClockOf(variable).IsTimeBased()) {
      continue;
    }
    Column column;
    column.variable = static_cast<Index>(i);
    column.continuous = IsFloat(variable.type) && variable.variability == Variability::Continuous;
    for (const std::size_t size : sizes[i]) column.count *= size;
    inputs.push_back(variable.name);
    if (!sizes[i].empty()) {
      const std::vector<std::string> names = items::ElementNames(variable.name, sizes[i]);
      for (std::size_t e = 0; e < names.size(); ++e) {
        Column element = column;
        element.first = e;
        element.count = 1;
        places.emplace(names[e], std::move(element));
      }
    }
    places.insert_or_assign(variable.name, std::move(column));
  }
  std::set<std::pair<Index, std::size_t>> taken;
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const auto found = places.find(fields[i]);
    if (found == places.end()) {
      throw FormatError(where, fmt::format("expected the name of an input, found '{}'", fields[i]),
                        Suggest(fields[i], inputs));
    }
    const Column& column = found->second;
    for (std::size_t e = 0; e < column.count; ++e) {
      if (taken.emplace(column.variable, column.first + e).second) continue;
      throw FormatError(where, fmt::format("expected each input once, found '{}' again", fields[i]),
                        "remove one of the columns");
    }
    columns_.push_back(column);
  }
}

InputTable::InputTable(const std::filesystem::path& path, const ModelDescription& description,
                       std::span<const std::vector<std::size_t>> sizes) {
  std::ifstream file(path);
  const std::string name = path.string();
  if (!file) throw FileError({.file = name}, "expected a file with inputs, found none", "check the path");
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const auto fields = SplitCsvRecord(line);
    const Where where{.file = name, .line = number};
    if (!fields) throw FormatError(where, "expected a closed quote, found none", "close it");
    if (columns_.empty()) {
      ReadHead(*fields, description, sizes, name, number);
      continue;
    }
    if (fields->size() != columns_.size() + 1) {
      throw FormatError(where, fmt::format("expected {} fields, found {}", columns_.size() + 1, fields->size()),
                        "give each row a value for each column");
    }
    const std::optional<double> time = ParseNumber((*fields)[0]);
    if (!time || (!times_.empty() && *time < times_.back())) {
      throw FormatError(where, fmt::format("expected a time not before the last, found '{}'", (*fields)[0]),
                        "sort the rows");
    }
    times_.push_back(*time);
    for (std::size_t i = 0; i < columns_.size(); ++i) AppendCell(description, columns_[i], (*fields)[i + 1], where);
  }
  if (times_.empty()) throw FormatError({.file = name}, "expected rows of values, found none", "add at least one");
}

double InputTable::Between(const Column& column, std::size_t element, std::size_t upper, double time) const {
  const auto value = [&](std::size_t row) { return column.numbers[row * column.count + element]; };
  if (upper == 0) return value(0);
  if (upper == times_.size() || !column.continuous) return value(upper - 1);
  if (time == times_[upper]) return value(upper);  // not rounded, so that it equals what comes after it
  const double weight = (time - times_[upper - 1]) / (times_[upper] - times_[upper - 1]);
  return value(upper - 1) + weight * (value(upper) - value(upper - 1));
}

double InputTable::At(const Column& column, std::size_t element, double time) const {
  const auto upper = std::ranges::upper_bound(times_, time);
  return Between(column, element, static_cast<std::size_t>(upper - times_.begin()), time);
}

double InputTable::Before(const Column& column, std::size_t element, double time) const {
  const auto upper = std::ranges::lower_bound(times_, time);
  return Between(column, element, static_cast<std::size_t>(upper - times_.begin()), time);
}

std::size_t InputTable::RowAt(double time) const {
  const auto upper = std::ranges::upper_bound(times_, time);
  return upper == times_.begin() ? 0 : static_cast<std::size_t>(upper - times_.begin()) - 1;
}

}  // namespace openmi::fmi
