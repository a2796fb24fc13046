#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "composition/conformance/ConformanceReport.hpp"
#include "openmi/omi/OmiFile.hpp"
#include "tools/ChildAnswer.hpp"

namespace openmi::tools {

/// Why one of `settings` cannot be put into the component, whatever it conforms to; empty: they all can.
std::string WrongSetting(const std::string& omi_path, const std::vector<std::string>& settings);

/// Drives the component of an OMI file through Annex A in this process, announcing each test.
/// \param settings  KEY=VALUE, instead of arguments of the OMI file
/// \param skipped   what ConformInChild puts after --skip: steps that are not taken, each with the reason
ConformanceReport ConformHere(const std::string& omi_path, const std::vector<std::string>& settings,
                              const std::vector<std::string>& skipped, AnswerStream& answer);

/// The same in a child process. Where it dies, the step it was at is a failure, and another one checks the rest without
/// that step.
ConformanceReport ConformInChild(const std::string& omi_path, const std::vector<std::string>& settings, double seconds);

void PrintConformance(std::FILE* stream, const ConformanceReport& report);

nlohmann::ordered_json ToJson(const ConformanceReport& report);
ConformanceReport ConformanceFromJson(const nlohmann::ordered_json& json);

/// The arguments of `omi` with some put in or replaced.
void PutArguments(OmiFile& omi, const std::vector<std::string>& settings);

}  // namespace openmi::tools
