#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "tools/Commands.hpp"

namespace openmi::tools {

/// What a bridge adds to the command. It is in a library of its own, so that the command does without the bridge, and
/// loads it only when the command line asks for it.
///
/// The library exports one object of this type, with the name kCommandPartSymbol. It belongs to the same release as the
/// command; it is no way in for other people's code.
struct CommandPart {
  const char* version;                                          ///< kSdkVersion of its build
  void (*add)(CLI::App& app, Invocation& invocation);           ///< adds its nouns
  void (*add_to_new)(CLI::App& group, Invocation& invocation);  ///< adds to `openmi new`; may be null
};

inline constexpr const char* kCommandPartSymbol = "openmi_command_part";

/// Adds the sub-commands of the installed parts that a command line needs: the part whose noun is `word`; all parts if
/// `word` is no sub-command yet, or is a hidden one, which describes the whole program.
/// \param app  with the sub-commands that do not belong to a part
/// \param word  the first word of the command line; may be empty
/// \throws UsageFault  `word` belongs to a part that is not installed, or that cannot be used
void AddParts(CLI::App& app, Invocation& invocation, const std::string& word);

}  // namespace openmi::tools
