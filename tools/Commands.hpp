#pragma once

#include <CLI/CLI.hpp>

#include "tools/Invocation.hpp"

namespace openmi::tools {

// Each adds one sub-command to `app`; where the command line names it, `invocation.execute` does it. One source file each.
void AddRun(CLI::App& app, Invocation& invocation);
void AddCheck(CLI::App& app, Invocation& invocation);

}  // namespace openmi::tools
