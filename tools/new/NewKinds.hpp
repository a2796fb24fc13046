#pragma once

#include <CLI/CLI.hpp>

#include "tools/Invocation.hpp"

namespace openmi::tools {

// Each function adds one sub-command of `new`, for one kind of project or file. Each has a source file with its
// templates. A new kind needs a line here, one in NewCommand.cpp, and a source file.
void AddNewComponent(CLI::App& group, Invocation& invocation);
void AddNewSolvers(CLI::App& group, Invocation& invocation);
void AddNewBmiLibrary(CLI::App& group, Invocation& invocation);
void AddNewAdaptor(CLI::App& group, Invocation& invocation);
void AddNewComposition(CLI::App& group, Invocation& invocation);
void AddNewFmuComposition(CLI::App& group, Invocation& invocation);

}  // namespace openmi::tools
