#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/Invocation.hpp"
#include "tools/new/NewFiles.hpp"

namespace openmi::tools {

/// The templates of a kind of separate project that builds, passes the check and runs.
///
/// Names and texts contain `${NAME}` ("linear-tank"), `${CLASS}` ("LinearTank"), `${LIBRARY}` ("linear_tank"), and
/// `${BUILD}`, the comment with the build commands.
struct NewProject {
  std::string kind;     ///< of the sub-command
  std::string help;     ///< what it writes
  std::string example;  ///< an example of a name
  std::vector<NewFile> files;
};

/// Adds the sub-command that writes such a project with the name that the user gives.
void AddNewProject(CLI::App& group, Invocation& invocation, NewProject project);

}  // namespace openmi::tools
