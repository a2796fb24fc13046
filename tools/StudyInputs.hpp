#pragma once

#include <memory>
#include <string>

#include "study/run/Study.hpp"
#include "tools/Inputs.hpp"

namespace openmi::tools {

/// What all sub-commands of `study` take.
struct StudyArguments {
  std::string file;
  std::string results = "results";
  VariableOptions variables;

  void AddTo(CLI::App& app);
};

/// Reads a study; prints what is wrong with it on standard error.
/// \returns nothing if its form is wrong; else the study, perhaps with errors in `problems`
/// \throws MissingFile  there is no such file
std::unique_ptr<Study> ReadStudy(const StudyArguments& arguments, Problems& problems);

/// Adds the option --workers.
void AddWorkers(CLI::App& app, int& workers, const std::string& text);

/// The number of a member as users write it, from 1.
/// \returns from 0
/// \throws UsageFault  it is no number of a member
std::uint64_t ParseMember(const std::string& text, std::uint64_t count);

}  // namespace openmi::tools
