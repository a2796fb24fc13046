#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/dcp/slave/SlaveValues.hpp"

namespace openmi::dcp {

/// Every exchange of a slave with its master, as a table in CSV: which way, simulated time in seconds, values. Master
/// and slave write the same text, byte by byte, as long as nothing is lost or comes late between them.
///
/// A line of names stands for each way, `input` or `output` as the slave sees it, then lines of values in the order of
/// their exchanges. Numbers have as many digits as make them out; binaries are hexadecimal.
class ExchangeLog {
 public:
  /// Begins the file anew.
  /// \param values  borrowed
  /// \param variables  what is exchanged, in any order; of these, inputs and outputs are written
  /// \throws FileError  it can't be written
  ExchangeLog(const std::filesystem::path& path, const SlaveValues& values, std::span<const Index> variables);

  /// The inputs, or outputs, as they are now. Allocates nothing in the long run.
  /// \param time  s since the start
  void Write(VariableKind way, double time);
  /// What was written is in the file.
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
