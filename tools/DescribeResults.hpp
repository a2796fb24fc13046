#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace openmi::tools {

/// Whether a file holds the results of a run rather than a component or a composition: by its ending (.csv, .nc or the
/// .journal of a run that was killed).
bool IsResultsFile(const std::string& path);

/// What is in a file of results: the run, and of each series its unit, elements, times and values.
/// \throws FileError, FormatError  as ReadResults
nlohmann::ordered_json DescribeResults(const std::string& path);

/// The same for people.
void PrintResults(std::FILE* stream, const nlohmann::ordered_json& description);

}  // namespace openmi::tools
