#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "composition/run/Variables.hpp"

namespace openmi::outward {

/// What becomes of a model when it is exported.
struct ExportOptions {
  std::filesystem::path source;  ///< an OMI file or a composition
  std::filesystem::path output;  ///< the .fmu
  int version = 2;               ///< of FMI: 2 or 3
  Variables variables;           ///< what stands for `${name}`
  /// Inputs of the FMU, as "component.item" (of an OMI file: "item"). Nothing: all that are not linked. One that is
  /// linked is fed by the importer in place of its link.
  std::optional<std::vector<std::string>> inputs;
  /// Outputs. Nothing: what the composition observes, else all. "all": all.
  std::optional<std::vector<std::string>> outputs;
  /// Arguments offered as parameters. Nothing: all that name nothing outside of their
  /// component (ArgumentMeaning::Plain).
  std::optional<std::vector<std::string>> parameters;
  std::optional<double> from_mjd;              ///< of an OMI file: second 0; 2000-01-01 unless given
  std::optional<double> to_mjd;                ///< of an OMI file: the end; a year later unless given
  std::vector<std::filesystem::path> include;  ///< further files and folders that components read
  double time_limit_seconds = 0.0;             ///< the longest that a call of the FMU may take; 0: for ever
  bool complete = false;                       ///< with all libraries, whether they seem to be needed or not
  bool lean = false;                           ///< without the libraries of others
};

}  // namespace openmi::outward
