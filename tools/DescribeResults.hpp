#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace openmi::tools {

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
