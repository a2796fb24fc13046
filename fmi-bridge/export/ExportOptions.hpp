#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "composition/link/Variables.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::exported {

/// The settings of an export.
struct ExportOptions {
  std::filesystem::path source;  ///< an OMI file or a composition
  std::filesystem::path output;  ///< the .fmu
  int version = 2;               ///< version of FMI: 2 or 3
  Variables variables;           ///< replacements for `${name}`
  /// Inputs of the FMU, as "component.item" (of an OMI file: "item"). Nothing: all that are not linked.
  ///
  /// A linked input gets the values of the importer instead of those of its link.
  std::optional<std::vector<std::string>> inputs;
  /// Outputs of the FMU. Nothing: the items that the composition observes, else all. "all": all.
  std::optional<std::vector<std::string>> outputs;
  /// Arguments that become parameters. Nothing: all that name nothing outside of their component
  /// (ArgumentMeaning::Plain).
  std::optional<std::vector<std::string>> parameters;
  std::optional<Stamp> from;                   ///< of an OMI file: second 0; default: 2000-01-01
  std::optional<Stamp> to;                     ///< of an OMI file: the end; default: a year later
  std::vector<std::filesystem::path> include;  ///< further files and folders that components read
  double time_limit_seconds = 0.0;             ///< longest duration of a call of the FMU; 0: no limit
  bool complete = false;                       ///< with all libraries, whether or not they seem to be needed
  bool lean = false;                           ///< without third-party libraries
};

}  // namespace openmi::exported
