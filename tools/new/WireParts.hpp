#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "openmi/sdk/Problem.hpp"
#include "tools/new/NewFiles.hpp"

namespace openmi::tools {

/// A component of a composition to be written.
struct Part {
  std::string id;
  std::string omi;                   ///< as the composition refers to it
  nlohmann::ordered_json described;  ///< the output of `openmi describe --json`
};

/// A link that the user asks for by terminals.
struct PartLink {
  std::string from;  ///< "component.item"
  std::string to;
  bool is_negated = false;  ///< the input gets the value with the opposite sign
};

/// Properties of a composition to be written.
struct PartsOptions {
  std::string name;  ///< Id of the composition, and file name without extension
  std::string from;  ///< ISO 8601
  std::string to;
  std::string timeout = "60";        ///< seconds; limit for each child process that loads libraries
  std::vector<PartLink> links = {};  ///< links of these inputs, whatever else would fit
};

/// Adds the options -o, --overwrite, --name, --from, --to and --timeout.
/// \param app  the sub-command
/// \param place  gets the folder
/// \param options  gets the other options
/// \param from  what the help states about the default start
/// \param to  what the help states about the default end
void AddPartsOptions(CLI::App& app, NewPlace& place, PartsOptions& options, const std::string& from,
                     const std::string& to);

/// Describes the component of an OMI file.
/// \param problems  gets why there is no description, or only a part of one
nlohmann::ordered_json DescribePart(const std::string& omi_path, const std::string& timeout, Problems& problems);

/// The path of "composition.xml" in the folder.
std::string CompositionPath(const NewPlace& place, const PartsOptions& options);

/// Writes a composition of the parts that passes `openmi check`.
///
/// An input is linked if exactly one output of another part has its name, dimension (or categories) and number of
/// elements; an input of messages, also if exactly one output has messages of its type. For other inputs, a comment
/// lists the outputs that would fit. An input that needs a link gets the fitting output if there is only one.
///
/// A link between components whose steps differ gets the adaptor `linear`. A link whose ends differ in elements, or in
/// stamps and spans, gets the adaptor that `openmi adaptors` ranks first, and a comment. Links and observers that
/// `openmi check` refuses become comments.
/// \returns the problems that `openmi check` finds in the result
/// \throws ArgumentError  a link that is asked for cannot be made; nothing is written
Problems WriteComposition(const std::string& path, const std::vector<Part>& parts, const PartsOptions& options);

}  // namespace openmi::tools
