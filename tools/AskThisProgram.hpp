#pragma once

#include <string>
#include <vector>

#include "composition/check/ChildAnswer.hpp"

namespace openmi::tools {

/// Runs this program with `--in-child` in a child process; see `AskChild`.
/// \param arguments  after the program's name
ChildAnswer AskThisProgram(const std::vector<std::string>& arguments, double seconds,
                           ChildTime time = ChildTime::InAll);

}  // namespace openmi::tools
