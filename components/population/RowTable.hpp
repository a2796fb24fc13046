#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "timespace/elements/ElementSet.hpp"

namespace openmi::population {

/// Where a table is: a file, the layer in it (empty: the only one), and the column with the keys of the rows.
struct TableSource {
  std::string file;
  std::string layer;
  std::string key;
};

/// The rows of a table or the features of a layer, as texts, with a key for each row.
///
/// Files: CSV and other text tables, GeoJSON; GeoPackage, shapefile and other formats of GDAL where that is installed.
class RowTable {
 public:
  /// Reads a table with unique keys.
  /// \throws FileError      the file cannot be read, or nothing is installed that reads it
  /// \throws FormatError    it has no such layer, or is damaged
  /// \throws ArgumentError  it has no key column, no rows, rows without key or with a key of another row, keys that are
  ///   not UTF-8, or two columns of one name
  static RowTable Read(const TableSource& source);
  /// Reads a table whose rows need no key, such as one of edges.
  static RowTable ReadPlain(const TableSource& source);

  /// Adds the columns of another table as `<id>.<column>`. Rows of the other table with unknown keys are ignored; a row
  /// without counterpart has empty cells.
  /// \throws ArgumentError  the tables have no key in common, or a column of that name is there already
  void Join(const std::string& id, const RowTable& other);

  /// Leaves out all other rows.
  /// \param rows  ascending
  void Keep(std::span<const std::size_t> rows);

  std::size_t RowCount() const { return rows_; }
  const std::vector<std::string>& Columns() const { return columns_; }
  /// The index of a column; negative if there is none.
  int ColumnOf(std::string_view name) const;
  const std::string& Cell(std::size_t row, int column) const { return cells_[static_cast<std::size_t>(column)][row]; }
  /// The key of each row; shape [rows].
  const std::vector<std::string>& Keys() const { return cells_[key_column_]; }
  /// The row with that key; negative if there is none.
  int RowOf(std::string_view key) const { return elements_->IndexOf(key); }
  /// An element for each row, in their order: with the shape of the feature where the layer has shapes, and the columns
  /// of numbers as attributes.
  std::shared_ptr<const ElementSet> Elements() const { return elements_; }
  const TableSource& Source() const { return source_; }

 private:
  void ReadText();
  void RefuseSameNames() const;
  void ReadJson();
  void ReadLayer();
  void TakeKeys();

  TableSource source_;
  std::size_t rows_ = 0;
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> cells_;  // [column][row]
  std::size_t key_column_ = 0;
  std::shared_ptr<ElementSet> elements_;
};

}  // namespace openmi::population
