#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "tools/Invocation.hpp"
#include "tools/new/NewFiles.hpp"

namespace openmi::tools {

/// A kind of project of its own that builds, passes the check and runs: its templates. In names and texts stand ${NAME}
/// ("linear-tank"), ${CLASS} ("LinearTank"), ${LIBRARY} ("linear_tank"), and ${BUILD}, the comment that says how it is
/// built.
struct NewProject {
  std::string kind;     ///< of the sub-command
  std::string help;     ///< what it writes
  std::string example;  ///< a name
  std::vector<NewFile> files;
};

/// Adds the sub-command that writes such a project, under the name that the user gives.
void AddNewProject(CLI::App& group, Invocation& invocation, NewProject project);

}  // namespace openmi::tools
