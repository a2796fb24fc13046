#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "fmi-bridge/outward/ExportOptions.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {

/// The options that say what others see of a composition or an OMI file: --input, --output, --parameter, --from, --to,
/// and the variables of the composition.
struct OutwardOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> parameters;
  std::string from;
  std::string to;
  VariableOptions variables;

  /// \param model   what it becomes, for the help: "FMU"
  /// \param master  who steps it: "importer"
  void AddTo(CLI::App& command, const std::string& model, const std::string& master);
  /// \throws UsageFault   a time that is none, a setting without '='
  /// \throws MissingFile  no folder of data
  void PutInto(outward::ExportOptions& options) const;
};

}  // namespace openmi::tools
