#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace openmi::tools {

/// An option as completions and manuals show it.
struct ShownOption {
  std::vector<std::string> names;  ///< "-o", "--output"; empty for a positional argument
  std::string value;               ///< "DIR"; empty for a flag
  std::vector<std::string> words;  ///< the possible values, if they are a few words
  std::string text;                ///< the effect of the option
  std::string standard;            ///< the default value; may be empty
  bool takes_file = false;
};

/// A sub-command, or the program itself with an empty name. A sub-command of a group has two words, such as "fmu info".
struct ShownCommand {
  std::string name;
  std::string text;
  std::string footer;
  std::vector<ShownOption> positionals;
  std::vector<ShownOption> options;
  std::vector<std::string> inner;  ///< of a group such as `fmu`: the words after its name
};

/// The sub-command of `app` with that name, hidden ones too; null if there is none.
const CLI::App* FindSubcommand(const CLI::App& app, std::string_view name);

/// The program and its sub-commands, from the parser's definitions.
///
/// The program is first; a group is followed by its sub-commands. Hidden sub-commands are omitted.
std::vector<ShownCommand> DescribeProgram(const CLI::App& app);

/// The program or one sub-command, also a hidden one.
/// \param name  empty for the program itself
ShownCommand DescribeCommand(const CLI::App& app, const std::string& name);

/// The text of --help, wrapped at the width of the terminal.
/// \param app  the command
/// \param root  the program that `app` is a part of
std::string HelpText(const CLI::App& app, const CLI::App& root);

/// "openmi run FILE [OPTIONS]".
std::string Synopsis(const ShownCommand& command);

/// The completion script for a shell.
/// \param shell  "bash", "zsh" or "fish"
std::string CompletionScript(const CLI::App& app, const std::string& shell);

/// The manual page, in the format of man.
std::string ManualPage(const CLI::App& app);

/// The manual in Markdown: docs/command.md.
std::string ManualMarkdown(const CLI::App& app);

/// The text after the list of sub-commands of openmi: exit codes and examples.
std::string ProgramFooter();

}  // namespace openmi::tools
