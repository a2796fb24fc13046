#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace openmi::tools {

/// Prints a description of a component, or of an OMI file and its library, as text.
void PrintDescription(std::FILE* stream, const nlohmann::ordered_json& description);

/// Whether a file holds results of a run rather than a component or a composition, from its extension: .csv, .nc, or
/// the .journal of a run that was killed.
bool IsResultsFile(const std::string& path);

/// Describes a file of results: the run, and for each series its unit, elements, times and values.
/// \throws FileError  as `ReadResults`
/// \throws FormatError  as `ReadResults`
nlohmann::ordered_json DescribeResults(const std::string& path);

/// Prints such a description as text.
void PrintResults(std::FILE* stream, const nlohmann::ordered_json& description);

}  // namespace openmi::tools
