#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// Values of inputs over time, read from CSV: a column of times, ascending, and one for each input, headed by its name,
/// or by that of an element ("u[1,2]"). Two rows with the same time are a jump. Before the first row its values hold,
/// after the last its.
class InputTable {
 public:
  /// An input, or elements of one: of each row `count` values, of one kind.
  struct Column {
    Index variable = kNowhere;
    std::size_t first = 0;  ///< element
    std::size_t count = 1;
    bool continuous = false;             ///< linear between rows; else what was last holds
    std::vector<double> numbers;         ///< of floats
    std::vector<std::int64_t> integers;  ///< the bits of integers; booleans as 0 and 1, enumerations by number
    std::vector<std::string> texts;      ///< texts and bytes
  };

  /// \param sizes  of the dimensions of each variable
  /// \throws FileError, FormatError  with the line
  InputTable(const std::filesystem::path& path, const ModelDescription& description,
             std::span<const std::vector<std::size_t>> sizes);

  const std::vector<Column>& Columns() const { return columns_; }
  /// Numbers of a column, element by element, at a time; after a jump there.
  double At(const Column& column, std::size_t element, double time) const;
  /// The same just before.
  double Before(const Column& column, std::size_t element, double time) const;
  /// The row whose values hold at a time.
  std::size_t RowAt(double time) const;

 private:
  void ReadHead(const std::vector<std::string>& fields, const ModelDescription& description,
                std::span<const std::vector<std::size_t>> sizes, const std::string& file, int line);
  double Between(const Column& column, std::size_t element, std::size_t upper, double time) const;
  std::vector<double> times_;
  std::vector<Column> columns_;
};

}  // namespace openmi::fmi
