#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "openmi/sdk/Problem.hpp"
#include "tools/new/NewFiles.hpp"

namespace openmi::tools {

/// A component of a composition that is about to be written.
struct Part {
  std::string id;
  std::string omi;                   ///< as the composition names it
  nlohmann::ordered_json described;  ///< what `openmi describe --json` says of it
};

/// What a composition of parts is to be.
struct PartsOptions {
  std::string name;  ///< of the file, without its ending, and Id of the composition
  std::string from;  ///< ISO 8601
  std::string to;
  std::string timeout = "60";  ///< seconds for each look at libraries, which is taken in a child process
};

/// The options -o, --overwrite, --name, --from, --to and --timeout.
/// \param from, to  what the help says of the times where none are given
void AddPartsOptions(CLI::App& app, NewPlace& place, PartsOptions& options, const std::string& from,
                     const std::string& to);

/// Asks the component of an OMI file what it is. \param problems  why it does not say, or says only a part
nlohmann::ordered_json DescribePart(const std::string& omi_path, const std::string& timeout, Problems& problems);

/// "composition.xml" in the folder.
std::string CompositionPath(const NewPlace& place, const PartsOptions& options);

/// Writes a composition of the parts, which pass `openmi check` by themselves: an input is linked where exactly one
/// output of another part has its name, dimension (or categories) and number of elements; for the others, outputs that
/// would fit stand in a comment; one that has to have a link gets the one that fits where no other does. A link between
/// steps that do not meet gets the adaptor `linear`; one whose ends differ in elements, or in stamps and spans, the one
/// that `openmi adaptors` ranks first, and a comment. What `openmi check` has against links and observers so made
/// becomes a comment, too. \returns what `openmi check` says of the result
Problems WriteComposition(const std::string& path, const std::vector<Part>& parts, const PartsOptions& options);

}  // namespace openmi::tools
