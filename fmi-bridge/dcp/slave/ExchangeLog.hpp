#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveValues.hpp"

namespace openmi::dcp {

/// Writes every exchange of a slave with its master as a CSV table: direction, simulated time in seconds, values.
///
/// Master and slave write the same text, byte by byte, as long as nothing is lost or late between them. Each direction
/// has one line of names, `input` or `output` as the slave sees it. The lines of values follow in the order of the
/// exchanges. Numbers have as many digits as are needed to read back the same number; binaries are hexadecimal.
class ExchangeLog {
 public:
  /// Overwrites the file.
  /// \param values  borrowed
  /// \param variables  the variables exchanged, in any order; of these, inputs and outputs are written
  /// \throws FileError  the file cannot be written
  ExchangeLog(const std::filesystem::path& path, const SlaveValues& values, std::span<const Index> variables);

  /// Writes the current inputs or outputs. After the first lines it allocates nothing.
  /// \param time  s since the start
  void Write(VariableKind way, double time);
  /// Writes buffered lines to the file.
  void Flush() { file_.flush(); }

 private:
  void WriteNames(VariableKind way);
  const std::vector<Index>& Of(VariableKind way) const { return way == VariableKind::Input ? inputs_ : outputs_; }

  const SlaveValues& values_;
  std::vector<Index> inputs_, outputs_;  // ascending
  std::ofstream file_;
  std::string line_;
};

}  // namespace openmi::dcp
