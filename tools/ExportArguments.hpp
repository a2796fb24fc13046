#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "fmi-bridge/export/ExportOptions.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {

/// The options for the exported interface of a composition or OMI file: --input, --output, --parameter, --from, --to,
/// and the variables of the composition.
struct ExportArguments {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> parameters;
  std::string from;
  std::string to;
  VariableOptions variables;

  /// Adds the options to a sub-command.
  /// \param model  the result of the export, for the help: "FMU"
  /// \param master  the program that steps it, for the help: "importer"
  void AddTo(CLI::App& command, const std::string& model, const std::string& master);
  /// Sets the options of an export.
  /// \throws UsageFault  a text that is no time, or a setting without '='
  /// \throws MissingFile  the folder of data does not exist
  void PutInto(exported::ExportOptions& options) const;
};

}  // namespace openmi::tools
