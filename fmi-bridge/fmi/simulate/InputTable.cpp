#include "fmi-bridge/fmi/simulate/InputTable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

#include "composition/results/CsvText.hpp"
#include "fmi-bridge/fmi/component/FmuArguments.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi::fmi {
namespace {

double ParseCell(const ModelDescription& description, const Variable& variable, const std::string& text,
                 const Where& where) {
  std::optional<double> number = ParseNumber(text);
  if (!number && (variable.type == VariableType::Boolean || variable.type == VariableType::Enumeration)) {
    const auto index = static_cast<Index>(&variable - description.variables.data());
    number = static_cast<double>(ReadStartValue(description, index, text, 1).integers[0]);
  }
  if (!number) throw FormatError(where, fmt::format("expected a number, found '{}'", text), "write a decimal point");
  return *number;
}

}  // namespace

InputTable::InputTable(const std::filesystem::path& path, const ModelDescription& description) {
  std::ifstream file(path);
  const std::string name = path.string();
  if (!file) throw FileError({.file = name}, "expected a file with inputs, found none", "check the path");
  const VariableNames names(description);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const auto fields = SplitCsvRecord(line);
    const Where where{.file = name, .line = number};
    if (!fields) throw FormatError(where, "expected a closed quote, found none", "close it");
    if (columns_.empty()) {
      if (fields->size() < 2) {
        throw FormatError(where, "expected a column of times and at least one of values", "write 'time,u'");
      }
      for (std::size_t i = 1; i < fields->size(); ++i) {
        const Index index = names.Find((*fields)[i]);
        if (index == kNowhere) {
          std::vector<std::string> inputs;
          for (const Variable& variable : description.variables) {
            if (variable.causality == Causality::Input) inputs.push_back(variable.name);
          }
          throw FormatError(where, fmt::format("expected the name of an input, found '{}'", (*fields)[i]),
                            Suggest((*fields)[i], inputs));
        }
        const Variable& variable = description.variables[static_cast<std::size_t>(index)];
        const bool is_number = variable.type != VariableType::String && variable.type != VariableType::Binary &&
                               variable.type != VariableType::Clock && !variable.IsArray();
        if (variable.causality != Causality::Input || !is_number) {
          throw FormatError(where, fmt::format("expected a scalar input of numbers, found '{}'", variable.name),
                            "leave the column out");
        }
        columns_.push_back({.variable = index,
                            .continuous = IsFloat(variable.type) && variable.variability == Variability::Continuous,
                            .values = {}});
      }
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
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Variable& variable = description.variables[static_cast<std::size_t>(columns_[i].variable)];
      columns_[i].values.push_back(ParseCell(description, variable, (*fields)[i + 1], where));
    }
  }
  if (times_.empty()) throw FormatError({.file = name}, "expected rows of values, found none", "add at least one");
}

double InputTable::Between(const Column& column, std::size_t upper, double time) const {
  if (upper == 0) return column.values.front();
  if (upper == times_.size()) return column.values.back();
  if (!column.continuous) return column.values[upper - 1];
  const double weight = (time - times_[upper - 1]) / (times_[upper] - times_[upper - 1]);
  return column.values[upper - 1] + weight * (column.values[upper] - column.values[upper - 1]);
}

double InputTable::At(const Column& column, double time) const {
  const auto upper = std::ranges::upper_bound(times_, time);
  return Between(column, static_cast<std::size_t>(upper - times_.begin()), time);
}

double InputTable::Before(const Column& column, double time) const {
  const auto upper = std::ranges::lower_bound(times_, time);
  return Between(column, static_cast<std::size_t>(upper - times_.begin()), time);
}

}  // namespace openmi::fmi
