#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// Values of inputs over time, read from CSV.
///
/// The table has a column of times, ascending, and a column for each input with its name, or the name of an element
/// ("u[1,2]"), as heading. Two rows with the same time are a jump. Before the first row its values apply, after the
/// last row those of the last.
class InputTable {
 public:
  /// An input, or elements of one: in each row `count` values of one type.
  struct Column {
    Index variable = kNowhere;
    std::size_t first = 0;  ///< number of the first element
    std::size_t count = 1;
    bool continuous = false;             ///< linear between rows; if not, the previous value is kept
    std::vector<double> numbers;         ///< of floats
    std::vector<std::int64_t> integers;  ///< the bits of integers; booleans as 0 and 1, enumerations as numbers
    std::vector<std::string> texts;      ///< texts and bytes
  };

  /// \param sizes  sizes of the dimensions of each variable
  /// \throws FileError    the file cannot be read
  /// \throws FormatError  a heading, a time or a value is wrong; names the line
  InputTable(const std::filesystem::path& path, const ModelDescription& description,
             std::span<const std::vector<std::size_t>> sizes);

  const std::vector<Column>& Columns() const { return columns_; }
  /// The number of an element of a column at a time; at a jump the value after it.
  double At(const Column& column, std::size_t element, double time) const;
  /// The same, at a jump the value before it.
  double Before(const Column& column, std::size_t element, double time) const;
  /// The row whose values apply at a time.
  std::size_t RowAt(double time) const;

 private:
  void ReadHead(const std::vector<std::string>& fields, const ModelDescription& description,
                std::span<const std::vector<std::size_t>> sizes, const std::string& file, int line);
  double Between(const Column& column, std::size_t element, std::size_t upper, double time) const;
  std::vector<double> times_;
  std::vector<Column> columns_;
};

}  // namespace openmi::fmi
