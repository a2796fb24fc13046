#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "composition/conformance/ConformanceReport.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {

/// Why a setting in `settings` cannot be applied to the component; empty if all can. Conformance is not checked.
std::string WrongSetting(const std::string& omi_path, const std::vector<std::string>& settings);

/// Checks the component of an OMI file against Annex A in this process, and announces each test.
/// \param omi_path  path of the OMI file
/// \param settings  KEY=VALUE, used instead of arguments of the OMI file
/// \param skipped  the values of --skip from `ConformInChild`: steps to omit, each with the reason
/// \param answer  gets the announcements
ConformanceReport ConformHere(const std::string& omi_path, const std::vector<std::string>& settings,
                              const std::vector<std::string>& skipped, AnswerStream& answer);

/// Checks the component in a child process.
///
/// If the process dies, the step it was in counts as a failure, and another process checks the rest without that step.
ConformanceReport ConformInChild(const std::string& omi_path, const std::vector<std::string>& settings, double seconds);

/// Prints a report as text.
void PrintConformance(std::FILE* stream, const ConformanceReport& report);

nlohmann::ordered_json ToJson(const ConformanceReport& report);
ConformanceReport ConformanceFromJson(const nlohmann::ordered_json& json);

/// Adds or replaces arguments of `omi`.
void PutArguments(OmiFile& omi, const std::vector<std::string>& settings);

}  // namespace openmi::tools
