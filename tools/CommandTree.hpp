#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace openmi::tools {

/// An option as completions and manuals show it.
struct ShownOption {
  std::vector<std::string> names;  ///< "-o", "--output"; without any for a positional
  std::string value;               ///< "DIR"; empty for a flag
  std::vector<std::string> words;  ///< what the value can be, where that is a few words
  std::string text;                ///< what it does
  std::string standard;            ///< its value where it is not given; may be empty
  bool takes_file = false;
};

/// A sub-command, or the program itself with an empty name. One of a group has two words, such as "fmu info".
struct ShownCommand {
  std::string name;
  std::string text;
  std::string footer;
  std::vector<ShownOption> positionals;
  std::vector<ShownOption> options;
  std::vector<std::string> inner;  ///< of a group such as `fmu`: the words behind its name
};

/// The program as its parser knows it: first itself, then its sub-commands, those of a group behind it, without what is
/// hidden.
std::vector<ShownCommand> DescribeProgram(const CLI::App& app);

/// One of them, also if it is hidden. \param name  empty for the program itself
ShownCommand DescribeCommand(const CLI::App& app, const std::string& name);

/// What --help prints, broken at the width of the terminal. \param root  the program, of which `app` is a part
std::string HelpText(const CLI::App& app, const CLI::App& root);

/// "openmi run FILE [OPTIONS]".
std::string Synopsis(const ShownCommand& command);

/// \param shell  "bash", "zsh" or "fish"
std::string CompletionScript(const CLI::App& app, const std::string& shell);

/// The manual page in the language of man.
std::string ManualPage(const CLI::App& app);

/// The manual in Markdown: docs/command.md.
std::string ManualMarkdown(const CLI::App& app);

/// What openmi prints behind the list of its sub-commands: exit codes and examples.
std::string ProgramFooter();

}  // namespace openmi::tools
