#pragma once

#include <filesystem>
#include <string>

#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::tools {

/// An imported composition as XML, with everything that is not carried over in a comment at its start.
/// \param source  name of the file that it was made from
std::string TextWithProblems(const CompositionFile& file, const Problems& problems, const std::string& source);

/// Writes arguments and names of tables so that nothing in them is taken for a variable of the composition.
void EscapeVariables(CompositionFile& file);

/// The id of an imported composition.
/// \param given  by --name; empty: the name of `file` without its ending
/// \throws UsageFault  it cannot be the name of a file
std::string ImportedId(const std::string& given, const std::string& file);

/// Prints that a composition has things left to do before it runs.
void TellNotReady(const std::filesystem::path& composition);

}  // namespace openmi::tools
