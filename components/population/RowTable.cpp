#include "components/population/RowTable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <unordered_map>
#include <utility>

#include "components/population/RowProblems.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/elements/ElementCopies.hpp"
#include "timespace/files/GeoJson.hpp"
#include "timespace/files/TextTable.hpp"
#include "timespace/files/VectorLayer.hpp"

namespace openmi::population {
namespace {

/// What a file is read as, by the ending of its name.
enum class Kind { Text, Json, Layer };

Kind KindOf(const std::string& file) {
  const std::string ending = Lower(std::filesystem::path(file).extension().string());
  if (ending == ".csv" || ending == ".tsv" || ending == ".txt" || ending.empty()) return Kind::Text;
  return ending == ".geojson" || ending == ".json" ? Kind::Json : Kind::Layer;
}

std::string CaptionOf(const TableSource& source) {
  return source.layer.empty() ? std::filesystem::path(source.file).stem().string() : source.layer;
}

}  // namespace

RowTable RowTable::ReadPlain(const TableSource& source) {
  RowTable table;
  table.source_ = source;
  const Kind kind = KindOf(source.file);
  if (kind != Kind::Layer && !source.layer.empty()) {
    throw ArgumentError(
        {.file = source.file},
        fmt::format("expected a file with layers, found the layer '{}' of a file with one table", source.layer),
        "leave out Layer, or name a GeoPackage");
  }
  if (kind == Kind::Text) table.ReadText();
  if (kind == Kind::Json) table.ReadJson();
  if (kind == Kind::Layer) table.ReadLayer();
  if (table.rows_ == 0) {
    throw ArgumentError({.file = source.file}, "expected at least one row, found none", "give a table with rows");
  }
  return table;
}

RowTable RowTable::Read(const TableSource& source) {
  RowTable table = ReadPlain(source);
  table.TakeKeys();
  return table;
}

void RowTable::ReadText() {
  TextTable text(source_.file);
  if (text.Count() == 0) return;
  columns_ = text.Cells(0);
  RefuseSameNames();
  cells_.resize(columns_.size());
  rows_ = text.Count() - 1;
  for (auto& column : cells_) column.reserve(rows_);
  for (std::size_t line = 1; line < text.Count(); ++line) {
    const std::vector<std::string>& cells = text.Cells(line);
    if (cells.size() > columns_.size()) {
      throw FormatError({.file = source_.file, .line = text.LineNumber(line)},
                        fmt::format("expected {} cells as in the first line, found {}", columns_.size(), cells.size()),
                        "put texts that contain the delimiter in quotes");
    }
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      cells_[column].push_back(column < cells.size() ? cells[column] : std::string());
    }
  }
}

void RowTable::RefuseSameNames() const {
  std::set<std::string_view> seen;
  RowProblems problems("columns");
  for (const std::string& column : columns_) {
    if (!column.empty() && !seen.insert(column).second) {
      problems.Add(column, "twice", "expected each name of a column once, found it again", "rename or remove a column");
    }
  }
  problems.ThrowIfAny({.file = source_.file, .line = 1});
}

void RowTable::ReadJson() {
  GeoJsonFile file = ReadGeoJson(source_.file, source_.key);
  rows_ = file.features.size();
  std::set<std::string> names;
  for (const GeoJsonFeature& feature : file.features) {
    for (const auto& [name, text] : feature.texts) names.insert(name);
    for (const auto& [name, number] : feature.numbers) names.insert(name);
  }
  if (source_.key.empty()) source_.key = "id";
  names.insert(source_.key);
  columns_.assign(names.begin(), names.end());
  for (const std::string& name : columns_) {
    std::vector<std::string>& column = cells_.emplace_back();
    for (const GeoJsonFeature& feature : file.features) {
      if (name == source_.key) {
        column.push_back(feature.id);
      } else if (const auto number = feature.numbers.find(name); number != feature.numbers.end()) {
        column.push_back(fmt::format("{}", number->second));
      } else {
        column.push_back(feature.Text(name));
      }
    }
  }
  elements_ = std::make_shared<ElementSet>(ElementsOf(file, CaptionOf(source_)));
}

void RowTable::ReadLayer() {
  VectorLayer layer = ReadVectorLayer(source_.file, source_.layer);
  rows_ = layer.features.size();
  columns_ = std::move(layer.columns);
  cells_ = std::move(layer.cells);
  const bool has_shapes = std::ranges::any_of(layer.features, [](const GeoJsonFeature& feature) {
    return feature.point || !feature.line.empty() || !feature.polygons.empty();
  });
  if (!has_shapes) return;
  const int key = source_.key.empty() ? -1 : ColumnOf(source_.key);
  if (key < 0) return;  // TakeKeys refuses it
  GeoJsonFile file{source_.file, std::move(layer.features), std::move(layer.reference_system)};
  for (std::size_t row = 0; row < rows_; ++row) file.features[row].id = Cell(row, key);
  const std::vector<std::string>& keys = cells_[static_cast<std::size_t>(key)];
  const std::set<std::string> once(keys.begin(), keys.end());
  if (once.size() != keys.size() || once.contains("")) return;  // as above
  elements_ = std::make_shared<ElementSet>(ElementsOf(file, CaptionOf(source_)));
}

void RowTable::TakeKeys() {
  const Where place{.file = source_.file};
  if (source_.key.empty() && columns_.size() == 1) source_.key = columns_.front();
  if (source_.key.empty()) {
    throw ArgumentError(place, "expected the name of the column with the keys, found none",
                        fmt::format("name it in Key; {}", Suggest("", columns_)));
  }
  const int column = ColumnOf(source_.key);
  if (column < 0) {
    throw ArgumentError(place, fmt::format("expected a column '{}' with the keys, found none", source_.key),
                        Suggest(source_.key, columns_));
  }
  key_column_ = static_cast<std::size_t>(column);
  RowProblems problems;
  std::unordered_map<std::string_view, std::size_t> first;
  for (std::size_t row = 0; row < rows_; ++row) {
    const std::string& key = Keys()[row];
    if (key.empty()) {
      problems.Add(fmt::format("row {}", row + 1), "no key",
                   fmt::format("expected a key in the column '{}', found none", source_.key), "fill the column");
    } else if (FindInvalidUtf8(key) != std::string::npos) {
      problems.Add(fmt::format("row {}", row + 1), "encoding",
                   fmt::format("expected keys in UTF-8 in the column '{}', found other bytes", source_.key),
                   "save the table as UTF-8");
    } else if (!first.emplace(key, row).second) {
      problems.Add(key, "twice", fmt::format("expected each key of '{}' once, found it again", source_.key),
                   "remove the second row, or use another column as Key");
    }
  }
  problems.ThrowIfAny(place);
  if (elements_ == nullptr) {
    elements_ = std::make_shared<ElementSet>(ElementSet::IdBased(CaptionOf(source_), Keys()));
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const std::vector<std::string>& cells = cells_[i];
    if (i == key_column_ || columns_[i].empty()) continue;
    ElementAttribute attribute = AttributeNamed(columns_[i]);
    if (elements_->Attribute(attribute.name) != nullptr) continue;
    attribute.values.reserve(rows_);
    for (const std::string& cell : cells) {
      const std::optional<double> number = AsNumber<double>(cell);
      if (!cell.empty() && !number) break;
      attribute.values.push_back(number.value_or(kNotANumber));
    }
    const bool is_any = std::ranges::any_of(attribute.values, [](double value) { return !std::isnan(value); });
    if (attribute.values.size() < rows_ || !is_any) continue;
    if (Lower(attribute.name) == "areasqkm" && elements_->Attribute("area") == nullptr) {
      elements_->SetAttribute("area", "km2", attribute.values);
    }
    elements_->SetAttribute(attribute.name, attribute.unit, std::move(attribute.values));
  }
}

void RowTable::Join(const std::string& id, const RowTable& other) {
  std::vector<int> row_of(rows_);
  for (std::size_t row = 0; row < rows_; ++row) row_of[row] = other.RowOf(Keys()[row]);
  if (std::ranges::all_of(row_of, [](int row) { return row < 0; })) {
    throw ArgumentError({.file = other.source_.file},
                        fmt::format("expected keys such as '{}' in the column '{}', found only others, such as '{}'",
                                    Keys().front(), other.source_.key, other.Keys().front()),
                        "name the column with the keys of the population in Key of the Table");
  }
  for (std::size_t column = 0; column < other.columns_.size(); ++column) {
    if (other.columns_[column].empty()) continue;  // no one can ask for it
    columns_.push_back(id + "." + other.columns_[column]);
    std::vector<std::string>& cells = cells_.emplace_back(rows_);
    for (std::size_t row = 0; row < rows_; ++row) {
      if (row_of[row] >= 0) cells[row] = other.cells_[column][static_cast<std::size_t>(row_of[row])];
    }
  }
  RefuseSameNames();
}

void RowTable::Keep(std::span<const std::size_t> rows) {
  for (std::vector<std::string>& cells : cells_) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] != i) cells[i] = std::move(cells[rows[i]]);
    }
    cells.resize(rows.size());
  }
  rows_ = rows.size();
  const std::vector<int> chosen(rows.begin(), rows.end());
  elements_ = std::make_shared<ElementSet>(SubsetOf(*elements_, chosen));
}

int RowTable::ColumnOf(std::string_view name) const {
  const auto found = std::ranges::find(columns_, name);
  return found == columns_.end() ? -1 : static_cast<int>(found - columns_.begin());
}

}  // namespace openmi::population
