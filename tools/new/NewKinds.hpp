#pragma once

#include <CLI/CLI.hpp>

#include "tools/Invocation.hpp"

namespace openmi::tools {

// Each adds one sub-command of `new`, the kind of thing that it writes. One source file each, with its templates; a
// kind more is a line here, one in NewCommand.cpp and a file.
void AddNewComponent(CLI::App& group, Invocation& invocation);
void AddNewSolvers(CLI::App& group, Invocation& invocation);
void AddNewBmiLibrary(CLI::App& group, Invocation& invocation);
void AddNewAdaptor(CLI::App& group, Invocation& invocation);
void AddNewComposition(CLI::App& group, Invocation& invocation);
void AddNewFmuComposition(CLI::App& group, Invocation& invocation);

}  // namespace openmi::tools
