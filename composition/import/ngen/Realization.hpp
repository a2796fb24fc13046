#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "openmi/sdk/Problem.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi::ngen {

/// A value that a model is given after its start.
struct ModelParameter {
  std::string name;
  std::string value;     ///< numbers as text, several between blanks; empty if `property` is set
  std::string property;  ///< of the hydrofabric, from which each catchment has its value
};

/// One BMI module of a formulation.
struct Module {
  std::string kind;                            ///< "bmi_c", "bmi_c++", "bmi_fortran", "bmi_python"
  std::string model;                           ///< `model_type_name`
  std::string library;                         ///< as written; empty for Python
  std::string entry;                           ///< `registration_function`, or `create_function`; empty: the usual one
  std::string python;                          ///< `python_type`: package and class
  std::string config;                          ///< `init_config`, with `{{id}}`
  std::map<std::string, std::string> aliases;  ///< `variables_names_map`: from the model's name to that in ngen
  std::vector<ModelParameter> parameters;
  std::string place;  ///< in the file, for messages: "global.formulations[0].params.modules[2]"

  /// The name of a variable in ngen.
  const std::string& AliasOf(const std::string& variable) const;
};

/// What is computed for a catchment: modules that run one after the other in each step.
struct Formulation {
  std::string name;  ///< "bmi_multi", or the kind of the one module
  std::vector<Module> modules;
  std::string main_output;                 ///< in ngen's name
  std::vector<std::string> outputs;        ///< in ngen's names; empty: those of the last module
  std::map<std::string, double> defaults;  ///< `default_output_values`, by ngen's name
  std::string place;
};

/// Where the forcing of a catchment is.
struct Forcing {
  std::string provider;  ///< "CsvPerFeature", "NetCDF"
  std::string path;      ///< file, or folder if there is a pattern
  std::string pattern;   ///< regular expression for names of files, with `{{id}}`; empty: `path` is the file
  std::string place;
};

/// Formulation and forcing of one catchment, or of all.
struct CatchmentSpec {
  std::optional<Formulation> formulation;  ///< nothing: it has none that can be used, which was reported
  Forcing forcing;
};

/// The content of a realization of NextGen (ngen).
///
/// Source: REALIZATION_CONFIGURATION.md and BMI_MODELS.md of NOAA-OWP/ngen.
struct Realization {
  std::filesystem::path path;
  std::optional<CatchmentSpec> global;
  std::vector<std::pair<std::string, CatchmentSpec>> catchments;  ///< those with a formulation of their own
  std::optional<Stamp> start;                                     ///< UTC
  std::optional<Stamp> end;                                       ///< UTC: the start of the last step
  double interval_seconds = 3600.0;
  std::string routing;  ///< the configuration of t-route; empty: no routing
};

/// Reads a realization.
///
/// What has no counterpart here, or cannot be used, is appended to `problems`; what concerns many catchments is one
/// problem with their number.
/// \throws FileError    the file cannot be read
/// \throws FormatError  the file is no JSON, or no realization
Realization ReadRealization(const std::filesystem::path& path, Problems& problems);

/// As `ReadRealization`, from memory.
Realization ReadRealizationText(std::string_view text, const std::filesystem::path& path, Problems& problems);

/// Gives all catchments the forcing of a NetCDF file, or of a folder with a CSV file for each.
void ReplaceForcing(Realization& realization, const std::filesystem::path& path);

}  // namespace openmi::ngen
