#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// Values of inputs over time, read from CSV: a column of times, ascending, and one for each input, headed by its name.
/// Two rows with the same time are a jump. Before the first row its values hold, after the last its.
class InputTable {
 public:
  struct Column {
    Index variable = kNowhere;
    bool continuous = false;     ///< linear between rows; else what was last holds
    std::vector<double> values;  ///< numbers; booleans as 0 and 1, enumerations by number
  };

  /// \throws FileError, FormatError  with the line
  InputTable(const std::filesystem::path& path, const ModelDescription& description);

  const std::vector<Column>& Columns() const { return columns_; }
  /// At a time; after a jump there.
  double At(const Column& column, double time) const;
  /// The same just before.
  double Before(const Column& column, double time) const;

 private:
  double Between(const Column& column, std::size_t upper, double time) const;
  std::vector<double> times_;
  std::vector<Column> columns_;
};

}  // namespace openmi::fmi
